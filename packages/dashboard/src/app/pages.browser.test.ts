import { beforeAll, expect, it } from 'vitest';
import { addSampleData, type SampleData } from '../../../../demo/src/sample-data.ts';
import { OPERATOR } from '../../../server/src/audit/audit-store.ts';
import { makeRun } from '../../../server/src/payout-runs/make-run.ts';
import { addEndpoint } from '../../../server/src/webhooks/change-endpoints.ts';
import { sendTest } from '../../../server/src/webhooks/send-again.ts';
import { accessibilityProblems } from '../../test/accessibility.ts';
import type { Person } from '../../test/person.ts';
import { describeInBrowser, startStage } from '../../test/stage.ts';

const stage = startStage({ SVC_OUTBOUND_ALLOW: '127.0.0.1' });
let sample: SampleData;
let stranger: Person;
let brand: Person;
let partner: Person;
let webhookId: number;
let runId: number;

const BRAND = [
  'start',
  'overview',
  'overview?period=custom&from=2026-01-01&to=2026-01-31&metric=revenue',
  'reports?period=12m&breakdown=landing_page',
  'partners',
  'partners/1',
  'links',
  'customers',
  'customers/CUSTOMER',
  'sales',
  'commissions',
  'commissions?status=rejected',
  'payouts',
  'payouts?tab=runs',
  'payouts?tab=payouts',
  'payouts/1',
  'payouts/runs/new',
  'payouts/runs/RUN',
  'payouts/runs/RUN?tab=left-out',
  'terms',
  'terms?tab=groups',
  'terms?tab=versions',
  'coupons',
  'events?live=off',
  'events?live=off&tab=feed',
  'explain',
  'explain?by=transaction_id&q=order_ann_1',
  'explain?by=transaction_id&q=nothing',
  'readiness',
  'settings',
  'settings?tab=commission',
  'settings?tab=join',
  'settings?tab=tracking',
  'settings?tab=origins&origin=https%3A%2F%2Fother.test',
  'settings?tab=key',
  'settings?tab=payments',
  'settings?tab=payouts',
  'settings?tab=hosts',
  'settings?tab=webhooks',
  'settings/webhooks/WEBHOOK',
  'settings?tab=status',
  'team',
  'audit',
];
const PORTAL = [
  'overview',
  'reports',
  'links',
  'customers',
  'sales',
  'find-order',
  'earnings',
  'payouts',
  'payouts/1',
  'terms',
  'postback',
];

describeInBrowser('every page', () => {
  beforeAll(async () => {
    const clock = { set: (at: Date) => (stage.service.time = at) };
    // Enough for lists of more than one page.
    sample = await addSampleData(stage.service.service, clock, new Date(), 0.3);
    webhookId = await addFailedWebhook();
    runId = await addRun();
    // One browser profile for all pages of a person, so that most of the application is loaded once.
    stranger = await stage.stranger();
    brand = await stage.signedIn({ ...sample.brand, userId: '' });
    partner = await stage.signedIn({ ...sample.partner, userId: '' });
    for (const person of [stranger, brand, partner]) person.isProfileChanged = true;
    for (const { page } of [brand, partner]) {
      await page.addInitScript(recordShifts);
      await page.goto('/app/account');
    }
    // Pages tell of it above what they show.
    await stage.service.sql(
      `insert into refused_calls (program_id, hour, kind, reason, origin, calls, last_at)
       select $1, date_trunc('hour', $2::timestamptz), 'click', 'origin_not_allowed', 'https://www.other.test', 2, $2`,
      [sample.programId, stage.service.time],
    );
  });

  it.each([
    '/app/sign-in',
    '/app/sign-up',
    '/app/forgot-password',
    '/app/reset-password#token',
    '/app/confirm-email#token',
    '/app/unsubscribe#token',
    '/invite#nothing',
    '/cli/login?state=nobody',
    '/app/nowhere',
  ])('is accessible to users who are not signed in: %s', (path) => expectAccessible(stranger, path));

  it.each(BRAND)('moves nothing while it loads, and is accessible to the brand: %s', async (page) => {
    await expectStill(brand, pathOf(page));
    await expectAccessible(brand, pathOf(page), { isOpen: true });
  });

  it('is accessible to the brand: all programs', () => expectAccessible(brand, '/app/programs'));

  it.each(PORTAL)('moves nothing while it loads, and is accessible to the partner: %s', async (page) => {
    const path = `/app/portal/${sample.programId}/${page}`;
    await expectStill(partner, path);
    await expectAccessible(partner, path, { isOpen: true });
  });

  it.each(BUDGETS)(
    'keeps to its budget of bytes, requests and layout shift: $path',
    async ({ path, who, kilobytes }) => {
      const person = who();
      const { page } = person;
      if (person === stranger) await page.addInitScript(recordShifts);
      await page.emulateMedia({ colorScheme: 'light', contrast: 'no-preference' });
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(path.replace('PROGRAM', String(sample.programId)).replace('RUN', String(runId)));
      await person.untilLoaded();
      const load = await page.evaluate(measureLoad);
      expect(load.requests).toBeLessThanOrEqual(MAX_REQUESTS);
      expect(load.kilobytes).toBeLessThanOrEqual(kilobytes);
      expect(load.layoutShift).toBeLessThanOrEqual(MAX_LAYOUT_SHIFT);
    },
  );

  it('is accessible while a dialog or a menu is open', async () => {
    const robin = await stage.signedIn({ ...sample.brand, userId: '' });
    await robin.visit(`/app/programs/${sample.programId}/partners`, 'Partners');
    await robin.press('Invite a partner');
    await robin.dialog('Invite a partner').waitFor();
    expect(await accessibilityProblems(robin.page)).toEqual([]);
    await robin.page.keyboard.press('Escape');
    await robin.dialog('Invite a partner').waitFor({ state: 'hidden' });
    await robin.page
      .locator(':focus')
      .and(robin.page.getByRole('button', { name: 'Invite a partner' }))
      .waitFor();
    await robin.press('Actions for Jane Miller');
    await robin.page.getByRole('menu').waitFor();
    expect(await accessibilityProblems(robin.page)).toEqual([]);
    expect(robin.problems).toEqual([]);
  });

  it('is accessible while it shows a toast, which is announced and can be dismissed', async () => {
    const robin = await stage.signedIn({ ...sample.brand, userId: '' });
    await robin.visit('/app/account', 'Account settings');
    await robin.press('Save changes');
    await robin.page.getByRole('status').getByText('Changes saved').waitFor();
    const toast = robin.page.getByRole('region', { name: /^Notifications/ }).getByText('Changes saved');
    await toast.waitFor();
    expect(await accessibilityProblems(robin.page)).toEqual([]);
    await robin.press('Dismiss');
    await toast.waitFor({ state: 'hidden' });
    expect(robin.problems).toEqual([]);
  });

  it.each(['/app/start', '/app/account'])('is accessible to anyone signed in: %s', async (path) => {
    await expectAccessible(brand, path);
  });
});

function pathOf(page: string): string {
  const ids = { CUSTOMER: sample.customerId, WEBHOOK: webhookId, RUN: runId };
  const filled = Object.entries(ids).reduce((path, [name, id]) => path.replace(name, String(id)), page);
  return `/app/programs/${sample.programId}/${filled}`;
}

/** An endpoint with a delivery that failed: nothing listens on this port. */
async function addFailedWebhook(): Promise<number> {
  const { ctx } = stage.service;
  const program = await ctx.lookup.program(sample.programId);
  if (!program) throw new Error('The sample has no program');
  const asked = {
    url: 'http://127.0.0.1:9/hook',
    types: ['*' as const],
    description: 'Our shop',
    format: 'json' as const,
  };
  const { id } = await addEndpoint(ctx, program, asked, OPERATOR);
  await sendTest(ctx, { program, endpointId: id, actor: OPERATOR });
  return id;
}

/** A draft of everything that can be paid. */
async function addRun(): Promise<number> {
  const { ctx } = stage.service;
  const program = await ctx.lookup.program(sample.programId);
  if (!program) throw new Error('The sample has no program');
  const everybody = { cutoffAt: null, currency: null, partnerIds: null, excludedPartnerIds: [], exclusionNotes: {} };
  return (await makeRun(ctx, program, everybody, OPERATOR)).id;
}

type Appearance = { colorScheme: 'light' | 'dark'; contrast: 'no-preference' | 'more'; width: number };

const APPEARANCES: Appearance[] = [
  { colorScheme: 'dark', contrast: 'no-preference', width: 390 },
  { colorScheme: 'light', contrast: 'no-preference', width: 1440 },
  { colorScheme: 'light', contrast: 'more', width: 390 },
  { colorScheme: 'dark', contrast: 'no-preference', width: 1440 },
  { colorScheme: 'light', contrast: 'no-preference', width: 390 },
  { colorScheme: 'dark', contrast: 'more', width: 1440 },
];

/**
 * A page is visited once, checked in one appearance, and measured at the other width. Pages take turns, so that each appearance
 * is seen on a sixth of them. The long version of the suite checks every page in all of them.
 */
let visits = 0;
function appearances(): { appearance: Appearance; isChecked: boolean }[] {
  visits += 1;
  if (process.env.SVC_TEST_LONG) return APPEARANCES.map((appearance) => ({ appearance, isChecked: true }));
  const nth = (index: number) => APPEARANCES[index % APPEARANCES.length] as Appearance;
  return [
    { appearance: nth(visits), isChecked: true },
    { appearance: nth(visits + 3), isChecked: false },
  ];
}

/** Opens the page and expects that nothing moves. The long version of the suite loads it like one whose address was entered. */
async function expectStill(person: Person, path: string): Promise<void> {
  const { page } = person;
  await page.emulateMedia({ colorScheme: 'light', contrast: 'no-preference' });
  await page.setViewportSize({ width: 1440, height: 900 });
  // The page before follows the new size of the window.
  await person.untilLoaded();
  await page.evaluate(() => Object(globalThis).shifts.splice(0));
  await (process.env.SVC_TEST_LONG ? page.goto(path) : person.goTo(path));
  await person.untilLoaded();
  const { layoutShift } = await page.evaluate(measureLoad);
  expect(layoutShift).toBeLessThanOrEqual(MAX_LAYOUT_SHIFT);
}

/** No axe violations, no errors, and nothing wider than the screen. */
async function expectAccessible(person: Person, path: string, { isOpen = false } = {}): Promise<void> {
  const { page } = person;
  const found: object[] = [];
  for (const { appearance, isChecked } of appearances()) {
    const { width, ...media } = appearance;
    await page.emulateMedia(media);
    await page.setViewportSize({ width, height: 800 });
    if (!isOpen) await person.goTo(path);
    isOpen = true;
    await person.untilLoaded();
    const problems = await problemsOf(person, isChecked);
    if (problems.length > 0) found.push({ ...appearance, problems });
  }
  expect(found).toEqual([]);
  expect(person.faults).toEqual([]);
  person.problems.length = 0;
}

async function problemsOf({ page }: Person, isChecked: boolean): Promise<string[]> {
  const problems = isChecked ? await accessibilityProblems(page) : [];
  // Charts follow a new width of the screen a moment later.
  const fits = () => document.documentElement.scrollWidth <= window.innerWidth;
  await page.waitForFunction(fits).catch(() => undefined);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  return overflow > 0 ? [...problems, `the page is ${overflow} pixels wider than the screen`] : problems;
}

type Budget = { path: string; who: () => Person; kilobytes: number };

/** What a page may load before it shows something, all in all, and how far its content may move. */
const MAX_REQUESTS = 12;
// Half of what Web Vitals call good.
const MAX_LAYOUT_SHIFT = 0.05;
const BUDGETS: Budget[] = [
  { path: '/app/sign-in', who: () => stranger, kilobytes: 180 },
  { path: '/app/programs/PROGRAM/overview', who: () => brand, kilobytes: 360 },
  { path: '/app/programs/PROGRAM/commissions', who: () => brand, kilobytes: 280 },
  { path: '/app/programs/PROGRAM/payouts/runs/RUN', who: () => brand, kilobytes: 280 },
  { path: '/app/portal/PROGRAM/overview', who: () => partner, kilobytes: 360 },
];

type Load = { requests: number; kilobytes: number; layoutShift: number };

/** What the browser says about how the page was loaded. */
function measureLoad(): Load {
  const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  const [document] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  // Which answers of the API come before the first content is a matter of chance; which files it takes is not.
  const assets = files.filter(({ name }) => !new URL(name).pathname.startsWith('/api/'));
  const bytes = [...files, document].reduce((sum, entry) => sum + (entry?.encodedBodySize ?? 0), 0);
  const shifts = (globalThis as unknown as { shifts: number[] }).shifts;
  return {
    requests: assets.length + 1,
    kilobytes: Math.round(bytes / 1000),
    layoutShift: shifts.reduce((sum, shift) => sum + shift, 0),
  };
}

/** Adds up how far content moves without anybody having done something. */
function recordShifts(): void {
  const shifts: number[] = [];
  Object.assign(globalThis, { shifts });
  type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean };
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries() as Shift[]) if (!hadRecentInput) shifts.push(value);
  }).observe({ type: 'layout-shift', buffered: true });
}
