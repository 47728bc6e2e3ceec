import type { BrowserContext, Cookie, Page } from 'playwright-core';
import type { TrackerApi } from './world.ts';

declare global {
  interface Window {
    svc: TrackerApi;
  }
}

type Sent = Record<string, unknown>;

/** A visitor with their own browser profile, and a record of what their pages sent and logged. */
export class Visitor {
  readonly console: string[] = [];
  /** Errors that reached the host page. */
  readonly pageErrors: string[] = [];
  readonly #sent: { path: string; body: Sent }[] = [];
  readonly context: BrowserContext;

  constructor(context: BrowserContext) {
    this.context = context;
    context.on('console', (message) => this.console.push(`${message.type()} ${message.text()}`));
    context.on('weberror', (error) => this.pageErrors.push(error.error().message));
    context.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (!pathname.startsWith('/api/v1/track/')) return;
      this.#sent.push({ path: pathname, body: request.postDataJSON() as Sent });
    });
  }

  /** Bodies of the clicks that pages tried to report, in order. */
  get clicks(): Sent[] {
    return this.#sentTo('/api/v1/track/click');
  }

  get leads(): Sent[] {
    return this.#sentTo('/api/v1/track/lead');
  }

  async open(url: string): Promise<Page> {
    const page = await this.context.newPage();
    await page.goto(url);
    return page;
  }

  /** Cookies of the tracker by their name. */
  async cookies(): Promise<Record<string, Cookie>> {
    const all = await this.context.cookies();
    return Object.fromEntries(all.filter(({ name }) => name.startsWith('svc_')).map((cookie) => [cookie.name, cookie]));
  }

  #sentTo(path: string): Sent[] {
    return this.#sent.filter((sent) => sent.path === path).map(({ body }) => body);
  }
}

/** Waits until the tracker has stored a click id, and returns it. */
export async function clickIdOn(page: Page): Promise<string> {
  const handle = await page.waitForFunction(() => window.svc?.getClickId?.());
  return (await handle.jsonValue()) as string;
}

/** Waits until the page's tracker has loaded. */
export async function trackerOn(page: Page): Promise<void> {
  await page.waitForFunction(() => window.svc?.getData);
}

/** Waits until the tracker has finished everything queued so far: reports run in order, so one more is sent and awaited. */
export async function queueDone(page: Page): Promise<void> {
  await trackerOn(page);
  await page.evaluate(() => window.svc.signup(`queue_done_${Math.random()}`));
}
