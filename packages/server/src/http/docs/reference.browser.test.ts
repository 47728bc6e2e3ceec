import { brotliDecompressSync } from 'node:zlib';
import { routeGroups, trackSale } from '@svc/contract';
import { launchBrowser } from '@svc/testkit';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { buildReference } from '../../../../api-reference/build.mjs';
import type {} from '../../../../tracker/test/find-browser.ts';
import { useService } from '../../../test/service.ts';

const service = useService();
const found = inject('browser');

/** A visit to the page: what it shows, and what its policy and the browser had to say about it. */
type Visit = { page: Page; problems: string[]; outside: string[] };

describe.skipIf(found === null)('the API reference, in a browser', () => {
  let browser: Browser;
  let url: string;

  beforeAll(async () => {
    await buildReference();
    url = await service.service.http.listen({ port: 0, host: '127.0.0.1' });
    if (found) browser = await launchBrowser(found);
  });
  afterAll(() => browser?.close());

  async function visit(fragment = ''): Promise<Visit> {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const problems: string[] = [];
    const outside: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.location().url.endsWith('/favicon.ico')) problems.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(url) && !request.url().startsWith('data:')) outside.push(request.url());
    });
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
        console.error(`${violatedDirective}: ${blockedURI}`);
      });
    });
    await page.goto(`${url}/docs${fragment}`);
    return { page, problems, outside };
  }

  it('lists every group of the API, breaks no policy and asks no other server', async () => {
    const { page, problems, outside } = await visit();
    for (const { name } of routeGroups) await page.getByRole('navigation').getByText(name, { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Record a click on a referral link' }).waitFor();
    expect({ problems, outside }).toEqual({ problems: [], outside: [] });
    await page.close();
  });

  it('shows a route with its fields and an example to send', async () => {
    const { page, problems, outside } = await visit('#tag/tracking/POST/api/v1/track/sale');
    await page.getByRole('heading', { name: 'Record a sale and create its commission' }).waitFor();
    await page.getByText('"order_1001"').first().waitFor();
    const text = await page.locator('#reference').innerText();
    for (const field of Object.keys(trackSale.body.shape)) expect(text).toMatch(new RegExp(`^${field}$`, 'm'));
    expect({ problems, outside }).toEqual({ problems: [], outside: [] });
    await page.close();
  });

  it('serves its script compressed, for its own pages only', async () => {
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
