import { type FoundBrowser, sharedBrowser } from '@svc/testkit';
import { newPostgres } from '@svc/testkit/service/stores/store.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { readLedger } from './ledger-store.ts';
import { type Demo, startDemo } from './start-demo.ts';

const found = inject('browser');
let demo: Demo;
let browser: Browser;

/** The demo's own store is an embedded one, whose engine takes seconds to start. The long version of the suite does that. */
async function settingsOfStore(): Promise<Record<string, string>> {
  if (process.env.SVC_TEST_LONG) return {};
  return { DATABASE_URL: await newPostgres(), SVC_SECRET: 'a secret for tests, long enough to pass' };
}

beforeAll(async () => {
  if (!found) return;
  demo = await startDemo({ service: 0, shop: 0 }, { customers: 20, settings: await settingsOfStore() });
  browser = await sharedBrowser(found as FoundBrowser);
});

afterAll(async () => {
  await demo?.close();
});

/** Waits until the panel next to the shop shows this text. */
async function ledgerShows(page: Page, text: string | RegExp): Promise<void> {
  await page.locator('#ledger').getByText(text).first().waitFor();
}

describe.skipIf(found === null)('the demo shop', () => {
  it('lets a visitor follow a link, sign up, buy and refund, and shows what the service records', async () => {
    const context = await browser.newContext();
    const problems: string[] = [];
    context.on('weberror', (error) => problems.push(error.error().message));
    context.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    const page = await context.newPage();

    await page.goto(demo.shopUrl);
    await page.getByText('Follow Jane’s link').last().click();
    await ledgerShows(page, 'Through Jane Miller');

    await page.getByLabel('Email').fill('ann@example.com');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.waitForURL('**/account');
    await ledgerShows(page, 'a***@example.com');

    await page.getByRole('button', { name: 'Buy' }).last().click();
    await ledgerShows(page, '$17.80 for Jane Miller');
    await page.getByRole('button', { name: 'Refund half' }).click();
    await ledgerShows(page, 'partially reversed');
    await ledgerShows(page, '$8.90 for Jane Miller');
    await page.getByRole('button', { name: 'Refund all' }).click();
    await ledgerShows(page, 'reversed');
    await ledgerShows(page, '$0.00 for Jane Miller');

    const ledger = await readLedger(demo.service.ctx.db, demo.programId, demo.startedAt);
    expect(ledger.clicks).toHaveLength(1);
    expect(ledger.customers).toMatchObject([{ status: 'conversion', partner: 'Jane Miller' }]);
    expect(ledger.sales).toMatchObject([{ amount_cents: 8900, refunded_cents: 8900, currency: 'USD' }]);
    expect(ledger.commissions).toMatchObject([{ commission_cents: 1780, deducted_cents: 1780, reversal: 'full' }]);
    expect(problems).toEqual([]);
    await context.close();
  });

  it('sells to visitors without a partner', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(demo.shopUrl);
    await page.getByLabel('Email').fill('bob@example.com');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.waitForURL('**/account');
    await page.getByRole('button', { name: 'Buy' }).first().click();
    await page.getByRole('button', { name: 'Refund all' }).waitFor();
    await ledgerShows(page, /no partner/);

    const { customers, commissions } = await readLedger(demo.service.ctx.db, demo.programId, demo.startedAt);
    expect(customers.at(-1)).toMatchObject({ status: 'lead', partner: null, email: 'b***@example.com' });
    expect(commissions.some(({ partner }) => partner !== 'Jane Miller')).toBe(false);
    await context.close();
  });
});
