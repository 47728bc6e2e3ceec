import { sharedBrowser } from '@svc/testkit';
import { useService } from '@svc/testkit/service/service.ts';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { accessibilityProblems } from '../../../../dashboard/test/accessibility.ts';
import type {} from '../../../../tracker/test/find-browser.ts';

const service = useService();
const found = inject('browser');

const DESKTOP = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const MAX_LAYOUT_SHIFT = 0.05;

describe.skipIf(found === null)('the guide in a browser', () => {
  let url = '';
  const opened: Page[] = [];
  const errors: string[] = [];

  beforeAll(async () => {
    url = await service.service.http.listen({ port: 0, host: '127.0.0.1' });
  });

  afterEach(async () => {
    for (const page of opened.splice(0)) await page.context().close();
    expect(errors.splice(0)).toEqual([]);
  });

  /** A page of the docs. Whatever goes wrong on it, or is loaded from elsewhere, fails the test. */
  async function open(path: string, options: BrowserContextOptions = DESKTOP): Promise<Page> {
    if (!found) throw new Error('There is no browser');
    const context = await (await sharedBrowser(found)).newContext({
      ...options,
      baseURL: url,
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    opened.push(page);
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    page.on('request', (request) => {
      if (!request.url().startsWith(url)) errors.push(`loaded ${request.url()}`);
    });
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => console.error(event.violatedDirective));
      Object.assign(window, { shifted: 0 });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
          const sofar = window as unknown as { shifted: number };
          if (!hadRecentInput) sofar.shifted += value;
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.goto(path);
    return page;
  }

  it('answers while one types, and is searched with the keyboard alone', async () => {
    const page = await open('/docs/guide/links');
    await page.keyboard.press('/');
    await page.keyboard.type('restore a back');
    const field = page.getByRole('combobox', { name: 'Search the docs' });
    const first = page.getByRole('option').first();
    await first.waitFor();
    expect(await field.getAttribute('aria-expanded')).toBe('true');
    expect(await first.innerText()).toContain('Backup and restore');
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.keyboard.press('Escape');
    await first.waitFor({ state: 'hidden' });
    await page.keyboard.press('ArrowDown');
    expect(await field.getAttribute('aria-activedescendant')).toBe(await first.getAttribute('id'));
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/guide/store#backup-and-restore');

    await page.keyboard.press('Control+k');
    await page.keyboard.type('qqqq');
    await page.getByText('Nothing found for “qqqq”.').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/search?q=qqqq');
  });

  it('is searched without scripts too', async () => {
    const page = await open('/docs/guide', { ...DESKTOP, javaScriptEnabled: false });
    await page.getByRole('searchbox', { name: 'Search the docs' }).fill('postback');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/search?q=postback');
    await page.getByRole('main').getByRole('link', { name: 'Postbacks', exact: true }).click();
    await page.waitForURL('**/docs/guide/postbacks');
  });

  it('copies code as it is written, from the guide and from the pages of the installation', async () => {
    for (const path of ['/docs/guide/tracker', '/docs/tracker']) {
      const page = await open(path, { ...DESKTOP, permissions: ['clipboard-read', 'clipboard-write'] });
      const code = page.locator('main .code').first();
      await code.hover();
      await code.getByRole('button', { name: 'Copy' }).click();
      await code.getByRole('button', { name: 'Copied' }).waitFor();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      expect(copied).toBe((await code.locator('pre').innerText()).trimEnd());
      expect(copied).toContain('<script');
    }
  });

  it('marks the section that is being read, and leads on to the next page', async () => {
    const page = await open('/docs/guide/store');
    const contents = page.getByRole('navigation', { name: 'On this page' });
    await contents.getByRole('link', { name: 'Connection poolers' }).click();
    await contents.locator('[aria-current="location"]', { hasText: 'Connection poolers' }).waitFor();
    await page.getByRole('link', { name: 'Next Privacy' }).click();
    await page.getByRole('heading', { level: 1, name: 'Privacy' }).waitFor();
    await page.getByRole('link', { name: 'Previous The store and its backups' }).click();
    await page.waitForURL('**/docs/guide/store');
  });

  it('has its menu and its search behind buttons on a phone', async () => {
    const page = await open('/docs/guide/payments', { ...PHONE, colorScheme: 'dark' });
    const menu = page.getByRole('navigation', { name: 'Guide' });
    await menu.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Menu' }).click();
    await menu.waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close' }).click();
    await menu.waitFor({ state: 'hidden' });
    await page.locator('summary').click();
    await page.getByRole('link', { name: 'Refunds and disputes', exact: true }).first().click();
    await page.waitForURL('**/docs/guide/payments#refunds-and-disputes');
    await page.getByRole('link', { name: 'Search the docs' }).click();
    await page.getByRole('combobox', { name: 'Search the docs' }).fill('chargeback');
    await page.getByRole('option').first().waitFor();
  });

  it('is accessible, keeps its place while it loads, and fits the window', async () => {
    const first = await open('/docs/guide');
    const links = first.getByRole('navigation', { name: 'Guide' }).getByRole('link');
    const listed = await links.evaluateAll((all) =>
      all.map((link) => new URL((link as HTMLAnchorElement).href).pathname),
    );
    // The API reference has its own test.
    const paths = [...new Set(['/docs/search?q=refund', ...listed.filter((path) => path !== '/docs')])];
    expect(paths.length).toBeGreaterThan(40);
    const looks = [DESKTOP, { ...PHONE, colorScheme: 'dark' } as const];
    const pages = await Promise.all(looks.map((options) => open('/docs/guide', options)));
    for (const [nth, path] of paths.entries()) {
      // Pages take turns. The long version of the suite opens each of them in both windows.
      for (const page of process.env.SVC_TEST_LONG ? pages : [pages[nth % pages.length] as Page]) {
        await page.goto(path, { waitUntil: 'networkidle' });
        const { shifted, overflow } = await page.evaluate(() => ({
          shifted: (window as unknown as { shifted: number }).shifted,
          overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        }));
        const problems = await accessibilityProblems(page);
        expect({ path, problems, overflow }).toEqual({ path, problems: [], overflow: 0 });
        expect(shifted, `${path} moves while it loads`).toBeLessThanOrEqual(MAX_LAYOUT_SHIFT);
      }
    }
  }, 240_000);

  it('says that there is no such page, and leads back, where an address is unknown', async () => {
    const page = await open('/docs/guide');
    for (const path of ['/nonsense', '/docs/dashboard', '/docs/guide/nonsense']) {
      await page.goto(path, { waitUntil: 'networkidle' });
      await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
      const shifted = await page.evaluate(() => (window as unknown as { shifted: number }).shifted);
      expect(shifted).toBeLessThanOrEqual(MAX_LAYOUT_SHIFT);
      expect({ path, problems: await accessibilityProblems(page) }).toEqual({ path, problems: [] });
      // The browser itself reports the 404 of the page, and nothing else.
      expect(errors.splice(0)).toEqual([expect.stringContaining('404')]);
      await page.getByRole('link', { name: 'read the docs' }).click();
      await page.waitForURL('**/docs/guide');
    }
    await page.goto('/nonsense');
    await page.getByRole('link', { name: 'Go to the dashboard' }).click();
    await page.waitForURL('**/app/sign-*');
    expect(errors.splice(0)).toEqual([expect.stringContaining('404')]);
  });
});
