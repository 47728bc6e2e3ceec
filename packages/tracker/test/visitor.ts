import type { Profile } from '@svc/testkit';
import type { BrowserContext, ConsoleMessage, Cookie, Page, Request, WebError } from 'playwright-core';
import type { TrackerApi } from './world.ts';

declare global {
  interface Window {
    svc: ScriptApi & ScriptFields;
  }
}

/** The script knows its own address. */
type ScriptApi = Omit<TrackerApi, 'init'> & { init(options: { programId: number }): void };

/** What the script adds to the functions of the tracker. */
type ScriptFields = { loaded?: boolean; clickId?: string | null; programId?: number | null; hasAttribution?: boolean };

type Sent = Record<string, unknown>;

/** A visitor with their own browser profile, and a record of what their pages sent and logged. */
export class Visitor {
  readonly console: string[] = [];
  /** Errors that reached the host page. */
  readonly pageErrors: string[] = [];
  readonly #sent: { path: string; body: Sent }[] = [];
  readonly #profile: Profile;
  #isPageFree = true;
  /** Whether a test changed the profile in a way that would affect later tests. */
  isProfileChanged = false;

  constructor(profile: Profile) {
    this.#profile = profile;
    profile.context.on('console', this.#recordMessage);
    profile.context.on('weberror', this.#recordError);
    profile.context.on('request', this.#recordRequest);
  }

  /** For a test's own routes, scripts and cookies, after which the profile is not reused. */
  get context(): BrowserContext {
    this.isProfileChanged = true;
    return this.#profile.context;
  }

  /** Stops recording and returns the profile. */
  leave(): Profile {
    const { context } = this.#profile;
    context.off('console', this.#recordMessage);
    context.off('weberror', this.#recordError);
    context.off('request', this.#recordRequest);
    return this.#profile;
  }

  /** Bodies of the clicks that pages tried to report, in order. */
  get clicks(): Sent[] {
    return this.#sentTo('/svc/c');
  }

  get leads(): Sent[] {
    return this.#sentTo('/svc/l');
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

  readonly #recordMessage = (message: ConsoleMessage) => void this.console.push(`${message.type()} ${message.text()}`);
  readonly #recordError = (error: WebError) => void this.pageErrors.push(error.error().message);
  readonly #recordRequest = (request: Request) => {
    const { pathname } = new URL(request.url());
    const path = /\/svc\/[cl]$/.exec(pathname)?.[0];
    if (!path) return;
    this.#sent.push({ path, body: request.postDataJSON() as Sent });
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

/** Waits until the page's tracker has loaded. A stub is an array without `loaded`; the package is a module. */
export async function trackerOn(page: Page): Promise<void> {
  await page.waitForFunction(() => window.svc?.loaded || (window.svc && !Array.isArray(window.svc)), null, {
    polling: 50,
  });
}

/** Waits until the tracker has finished everything queued so far: reports run in order, so one more is sent and awaited. */
export async function queueDone(page: Page): Promise<void> {
  await trackerOn(page);
  await page.evaluate(() => window.svc.signup(`queue_done_${Math.random()}`));
}
