import { brotliDecompressSync } from 'node:zlib';
import { FEED_EVENT_TYPES, routeGroups, trackSale } from '@svc/contract';
import { sharedBrowser } from '@svc/testkit';
import { useService } from '@svc/testkit/service/service.ts';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { accessibilityProblems } from '../../../../dashboard/test/accessibility.ts';
import type {} from '../../../../tracker/test/find-browser.ts';

const service = useService();
const found = inject('browser');

const MAX_LAYOUT_SHIFT = 0.05;

/** What axe finds in the component itself, by rule, and why it stays. */
const OF_THE_COMPONENT: Record<string, string> = {
  'label-content-name-mismatch':
    'Entries of its menu are named by their title, and show the method and the path beside it.',
  'landmark-unique': 'Each route is a region with the name of its group.',
};

const problemsOf = async (page: Page) =>
  (await accessibilityProblems(page)).filter((problem) => !((problem.split(':')[0] ?? '') in OF_THE_COMPONENT));

describe.skipIf(found === null)('the API reference in a browser', () => {
  let page: Page;
  const errors: string[] = [];
  const outside: string[] = [];

  // Loading it takes seconds, so it is loaded once.
  beforeAll(async () => {
    const url = await service.service.http.listen({ port: 0, host: '127.0.0.1' });
    if (!found) return;
    const browser = await sharedBrowser(found);
    page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme: 'dark' });
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(url) && !request.url().startsWith('data:')) outside.push(request.url());
    });
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
        console.error(`${violatedDirective}: ${blockedURI}`);
      });
    });

    await page.goto(`${url}/docs#tag/tracking/POST/api/v1/track/sale`);
    await page.locator('#reference[data-still=yes]').waitFor();
  });

  afterAll(() => page?.close());

  it('lists every group, and shows a route with its fields and an example, without policy violations or other servers', async () => {
    for (const { name } of routeGroups)
      await page.getByRole('complementary').getByText(name, { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Record a sale and create its commission' }).waitFor();
    await page.getByText('"order_1001"').first().waitFor();
    // Of a long body, the page shows the first fields.
    const more = page.getByRole('button', { name: 'Show additional properties' });
    while ((await more.count()) > 0) await more.first().click();
    const text = await page.locator('#reference').innerText();
    for (const field of Object.keys(trackSale.body.shape)) expect(text).toMatch(new RegExp(`^${field}$`, 'm'));
    await page.getByRole('button', { name: 'Search' }).waitFor();
    await page.getByRole('link', { name: 'Dashboard', exact: true }).waitFor();
    await expect.poll(() => problemsOf(page)).toEqual([]);
    expect({ errors, outside }).toEqual({ errors: [], outside: [] });
  });

  it('moves nothing while it loads, whichever route is opened, on a phone or at the desk', async () => {
    if (!found) return;
    const browser = await sharedBrowser(found);
    const { origin } = new URL(page.url());
    for (const width of [390, 1440]) {
      for (const path of ['/docs', '/docs#tag/tracking/POST/api/v1/track/sale']) {
        const other = await browser.newPage({ viewport: { width, height: 900 } });
        await other.addInitScript(() => {
          Object.assign(window, { shifted: 0 });
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) {
              const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
              const sofar = window as unknown as { shifted: number };
              if (!hadRecentInput) sofar.shifted += value;
            }
          }).observe({ type: 'layout-shift', buffered: true });
        });
        await other.goto(origin + path, { waitUntil: 'networkidle' });
        await other.locator('#reference[data-still=yes]').getByRole('heading').first().waitFor();
        const shifted = await other.evaluate(() => (window as unknown as { shifted: number }).shifted);
        expect(shifted, `${path} moves at ${width} pixels`).toBeLessThanOrEqual(MAX_LAYOUT_SHIFT);
        await other.close();
      }
    }
  });

  it('lists what webhooks send', async () => {
    const menu = page.getByRole('complementary');
    await menu.getByText('Events', { exact: true }).click();
    for (const type of FEED_EVENT_TYPES) await menu.getByText(type, { exact: true }).waitFor();
    expect({ errors, outside }).toEqual({ errors: [], outside: [] });
  });

  it('serves its script compressed, and only for its own pages', async () => {
    const { statusCode, headers, rawPayload } = await service.service.http.inject({
      url: '/docs/reference.js',
      headers: { 'accept-encoding': 'br' },
    });
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-encoding': 'br',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(brotliDecompressSync(rawPayload).length).toBeGreaterThan(1_000_000);
  });
});
