import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

export type Profile = { context: BrowserContext; page: Page };

type Leave = (profile: Profile) => Promise<boolean>;

/** The icon keeps the browser from requesting one. */
const EMPTY_PAGE = { contentType: 'text/html', body: '<link rel="icon" href="data:,">' };

/** Browser profiles that the next test reuses: a new one, with its processes, costs more than most tests. */
export class Profiles {
  readonly #browser: Browser;
  readonly #options: BrowserContextOptions;
  readonly #keepsCache: boolean;
  readonly #leave: Leave;
  readonly #spare: Profile[] = [];
  readonly #visited = new Map<Page, Set<string>>();

  /**
   * With `keepsCache`, files that a browser may keep are not loaded and compiled again for the next test. `leave` empties a page that can
   * stay where it is, and returns whether it did.
   */
  constructor(
    browser: Browser,
    options: BrowserContextOptions,
    { keepsCache = false, leave = async () => false }: { keepsCache?: boolean; leave?: Leave } = {},
  ) {
    this.#browser = browser;
    this.#options = options;
    this.#keepsCache = keepsCache;
    this.#leave = leave;
  }

  /** A profile without cookies and storage, and with one page that does nothing. */
  async take(): Promise<Profile> {
    const spare = this.#spare.pop();
    if (spare) return spare;
    const context = await this.#browser.newContext(this.#options);
    const page = await context.newPage();
    const visited = new Set<string>();
    this.#visited.set(page, visited);
    page.on('framenavigated', (frame) => visited.add(new URL(frame.url()).origin));
    // A page that asks before it is left is left.
    page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
    return { context, page };
  }

  /**
   * Empties the profile and keeps it, if that leaves no trace: its one page visited one origin, which still
   * answers. A test that did more than open pages has to close the profile instead.
   */
  async giveBack(profile: Profile): Promise<void> {
    const { context, page } = profile;
    const visited = this.#visited.get(page) ?? new Set();
    visited.delete('null');
    const canEmpty = context.pages().length === 1 && visited.size <= 1;
    const hasLeft = canEmpty && (await this.#leave(profile).catch(() => false));
    const isEmpty = canEmpty && (await this.#empty(profile, hasLeft).catch(() => false));
    if (!isEmpty) return context.close();
    this.#spare.push(profile);
  }

  /** Lets go of the pages of spare profiles. */
  async rest(): Promise<void> {
    for (const profile of this.#spare) await this.#clearPage(profile);
  }

  async #empty(profile: Profile, hasLeft: boolean): Promise<boolean> {
    const { context, page } = profile;
    // Routes that a test intercepted would answer the next test too.
    for (const routed of [page, context]) await routed.unrouteAll({ behavior: 'ignoreErrors' });
    if (!hasLeft) await this.#clearPage(profile);
    await context.clearCookies();
    if (this.#keepsCache) return true;
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.clearBrowserCache');
    await devtools.detach();
    return true;
  }

  async #clearPage({ page }: Profile): Promise<void> {
    const visited = this.#visited.get(page);
    const [origin] = visited ?? [];
    if (!origin) return;
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
    // A page of the same origin: for another origin the browser would start another process. The service does not
    // serve it, because the browser would report the 404 late, when the next test already watches for errors.
    await page.route('**/empty-page', (route) => route.fulfill(EMPTY_PAGE), { times: 1 });
    await page.goto(`${origin}/empty-page`);
    visited?.clear();
  }

  async close(): Promise<void> {
    for (const { context } of this.#spare.splice(0)) await context.close();
  }
}
