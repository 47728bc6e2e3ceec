import type { Profile } from '@svc/testkit';
import type { BrowserContext, ConsoleMessage, Cookie, Page, Request, WebError } from 'playwright-core';
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
  readonly #profile: Profile;
  #isPageFree = true;
  /** Whether a test did something to the profile itself that a later one would notice. */
  isProfileChanged = false;

  constructor(profile: Profile) {
    this.#profile = profile;
    profile.context.on('console', this.#hear);
    profile.context.on('weberror', this.#noteError);
    profile.context.on('request', this.#noteRequest);
  }

  /** For routes, scripts and cookies of a test's own; the profile is not used again then. */
  get context(): BrowserContext {
    this.isProfileChanged = true;
    return this.#profile.context;
  }

  /** Ends the notes, and returns the profile. */
  leave(): Profile {
    const { context } = this.#profile;
    context.off('console', this.#hear);
    context.off('weberror', this.#noteError);
    context.off('request', this.#noteRequest);
    return this.#profile;
  }

  /** Bodies of the clicks that pages tried to report, in order. */
  get clicks(): Sent[] {
    return this.#sentTo('/api/v1/track/click');
  }

  get leads(): Sent[] {
    return this.#sentTo('/api/v1/track/lead');
  }

  async open(url: string): Promise<Page> {
    const { context, page: first } = this.#profile;
    const page = this.#isPageFree ? first : await context.newPage();
    this.#isPageFree = false;
    await page.goto(url);
    return page;
  }

  /** Cookies of the tracker by their name. */
  async cookies(): Promise<Record<string, Cookie>> {
    const all = await this.#profile.context.cookies();
    return Object.fromEntries(all.filter(({ name }) => name.startsWith('svc_')).map((cookie) => [cookie.name, cookie]));
  }

  readonly #hear = (message: ConsoleMessage) => void this.console.push(`${message.type()} ${message.text()}`);
  readonly #noteError = (error: WebError) => void this.pageErrors.push(error.error().message);
  readonly #noteRequest = (request: Request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith('/api/v1/track/')) return;
    this.#sent.push({ path: pathname, body: request.postDataJSON() as Sent });
  };

  #sentTo(path: string): Sent[] {
    return this.#sent.filter((sent) => sent.path === path).map(({ body }) => body);
  }
}

/** Waits until the tracker has stored a click id, and returns it. */
export async function clickIdOn(page: Page): Promise<string> {
  const handle = await page.waitForFunction(() => window.svc?.getClickId?.(), null, { polling: 50 });
  return (await handle.jsonValue()) as string;
}

/** Waits until the page's tracker has loaded. */
export async function trackerOn(page: Page): Promise<void> {
  await page.waitForFunction(() => window.svc?.getData, null, { polling: 50 });
}

/** Waits until the tracker has finished everything queued so far: reports run in order, so one more is sent and awaited. */
export async function queueDone(page: Page): Promise<void> {
  await trackerOn(page);
  await page.evaluate(() => window.svc.signup(`queue_done_${Math.random()}`));
}
