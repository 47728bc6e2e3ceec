import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { startedLogin } from '@svc/testkit/service/accounts.ts';
import { askedForAccess } from '@svc/testkit/service/applications.ts';
import { countryDatabase } from '@svc/testkit/service/country-database.ts';
import { importIdOf } from '@svc/testkit/service/routes/requests/imports.ts';
import type { TestProgram } from '@svc/testkit/service/service.ts';
import { beforeAll, expect, it } from 'vitest';
import { ApiCaller } from '../../../../demo/src/api-caller.ts';
import { addSampleData, type SampleData } from '../../../../demo/src/sample-data.ts';
import { OPERATOR } from '../../../server/src/audit/audit-store.ts';
import { makeRun } from '../../../server/src/payout-runs/make-run.ts';
import { addEndpoint } from '../../../server/src/webhooks/change-endpoints.ts';
import { sendTest } from '../../../server/src/webhooks/send-again.ts';
import { accessibilityProblems } from '../../test/accessibility.ts';
import type { Person } from '../../test/person.ts';
import { describeInBrowser, startStage } from '../../test/stage.ts';

const stage = startStage(async () => ({
  SVC_OUTBOUND_ALLOW: '127.0.0.1',
  // Where the clicks of the sample come from.
  SVC_GEOIP_DATABASE: await countryDatabase({ 127: 'DE' }),
}));
let sample: SampleData;
let stranger: Person;
let brand: Person;
let partner: Person;
let webhookId: number;
let runId: number;
let links: Record<string, string>;

const BRAND = [
  'start',
  'overview',
  'overview?period=custom&from=2026-01-01&to=2026-01-31&metric=revenue',
  'reports?period=12m&breakdown=landing_page',
  'reports?period=12m&breakdown=group',
  'reports?period=12m&breakdown=coupon',
  'reports?period=12m&breakdown=payment',
  'reports?period=12m&breakdown=country',
  'partners',
  'partners/1',
  'links',
  'customers',
  'customers/CUSTOMER',
  'sales',
  'commissions',
  'commissions?status=rejected',
  'held',
  'held?status=rejected',
  'payouts',
  'payouts?tab=runs',
  'payouts?tab=payouts',
  'payouts?tab=books',
  'payouts/1',
  'payouts/runs/new',
  'payouts/runs/RUN',
  'payouts/runs/RUN?tab=left-out',
  'payouts/runs/RUN?tab=spellings',
  'payouts/runs/RUN?tab=files',
  'terms',
  'terms?tab=groups',
  'terms?tab=versions',
  'coupons',
  'creatives',
  'messages',
  'events?live=off',
  'events?live=off&tab=feed',
  'explain',
  'explain?by=transaction_id&q=order_ann_1',
  'explain?by=transaction_id&q=nothing',
  'readiness',
  'settings',
  'settings?tab=commission',
  'settings?tab=join',
  'settings?tab=mails',
  'settings?tab=tracking',
  'settings?tab=origins&origin=https%3A%2F%2Fother.test',
  'settings?tab=key',
  'settings?tab=payments',
  'settings?tab=payouts',
  'settings?tab=hosts',
  'settings?tab=webhooks',
  'settings/webhooks/WEBHOOK',
  'settings?tab=imports',
  'settings?tab=status',
  'team',
  'audit',
];
const PORTAL = [
  'overview',
  'reports',
  'reports?period=12m&breakdown=payment',
  'reports?period=12m&breakdown=country',
  'links',
  'creatives',
  'customers',
  'sales',
  'find-order',
  'earnings',
  'payouts',
  'payouts/1',
  'terms',
  'postback',
];

/** Pages that people see before they sign in, most of them by a link in a mail. */
const PUBLIC = [
  '/app/sign-in',
  '/app/sign-up',
  '/app/forgot-password',
  '/app/reset-password#token',
  '/app/confirm-email#token',
  '/app/unsubscribe#token',
  '/invite#nothing',
  '/invite#INVITATION',
  '/invite#JOIN',
  '/cli/login?state=nobody',
  '/cli/login?state=LOGIN',
  '/oauth/authorize?client_id=nobody',
  '/oauth/authorize?ACCESS',
  '/app/nowhere',
];
/** The same for people who are signed in already. Whether a token is valid is asked when they confirm. */
const MAILED = ['/app/confirm-email#token', '/invite#JOIN', '/cli/login?state=LOGIN', '/oauth/authorize?ACCESS'];
/** Pages of no program. */
const OWN = ['/app/programs', '/app/start', '/app/account', '/app/account/payout-method', '/app/applied'];
/** They only lead to another page. */
const REDIRECTS = ['/', '/app', '/own', '/app/programs/$', '/app/programs/$/', '/app/portal/$', '/app/portal/$/'];

describeInBrowser('every page', () => {
  beforeAll(async () => {
    const clock = { set: (at: Date) => (stage.service.time = at) };
    // Enough for lists of more than one page.
    sample = await addSampleData(stage.service.service, clock, new Date(), 0.3);
    webhookId = await addFailedWebhook();
    runId = await addRun();
    links = await validLinks();
    // One browser profile for all pages of a person, so that most of the application is loaded once.
    stranger = await stage.stranger();
    brand = await stage.signedIn({ ...sample.brand, userId: '' });
    partner = await stage.signedIn({ ...sample.partner, userId: '' });
    for (const person of [stranger, brand, partner]) person.isProfileChanged = true;
    for (const { page } of [stranger, brand, partner]) await page.addInitScript(recordShifts);
    for (const { page } of [brand, partner]) await page.goto('/app/account');
    // Pages tell of it above what they show.
    await stage.service.sql(
      `insert into refused_calls (program_id, hour, kind, reason, origin, calls, last_at)
       select $1, date_trunc('hour', $2::timestamptz), 'click', 'origin_not_allowed', 'https://www.other.test', 2, $2`,
      [sample.programId, stage.service.time],
    );
  });

  it.each(PUBLIC)('moves nothing while it loads, and is accessible to strangers: %s', async (path) => {
    await expectStill(stranger, linked(path), { isLoaded: true });
    await expectAccessible(stranger);
  });

  it.each(MAILED)('moves nothing while it loads, and is accessible to anyone signed in: %s', async (path) => {
    await expectStill(partner, linked(path), { isLoaded: true });
    await expectAccessible(partner);
  });

  it.each(OWN)('moves nothing while it loads, and is accessible to anyone signed in: %s', async (path) => {
    await expectStill(brand, path);
    await expectAccessible(brand);
  });

  it.each(BRAND)('moves nothing while it loads, and is accessible to the brand: %s', async (page) => {
    await expectStill(brand, pathOf(page));
    await expectAccessible(brand);
  });

  it.each(PORTAL)('moves nothing while it loads, and is accessible to the partner: %s', async (page) => {
    await expectStill(partner, `/app/portal/${sample.programId}/${page}`);
    await expectAccessible(partner);
  });

  it('moves nothing when it becomes known last who opens a join link, and for what they have applied', async () => {
    for (const [person, late] of [
      [stranger, '/get-session'],
      [partner, '/get-session'],
      [partner, '/applications'],
    ] as const) {
      const { page } = person;
      await page.setViewportSize({ width: PHONE, height: 900 });
      await page.goto('/app/nowhere');
      await person.untilLoaded();
      const before = late === '/applications' ? '/get-session' : '/invitation';
      const isAsked = (path: string) => (url: string) => url.includes('/api/') && url.includes(path);
      const drawn = page
        .waitForResponse((response) => isAsked(before)(response.url()))
        .then(() => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))));
      await page.route(
        (url) => isAsked(late)(url.href),
        async (route) => {
          await drawn;
          await route.continue();
        },
      );
      await page.goto(linked('/invite#JOIN'));
      await page.getByRole('heading', { name: 'Become a partner of' }).waitFor();
      await person.untilLoaded();
      const { layoutShift, moved } = await page.evaluate(measureLoad);
      expect(layoutShift, `${moved} moves when ${late} is answered last`).toBe(0);
      await page.unrouteAll({ behavior: 'wait' });
      person.problems.length = 0;
    }
  });

  it.each([PHONE, DESK])('moves nothing when a period without activity is chosen, at %i pixels', async (width) => {
    const { page } = brand;
    await page.setViewportSize({ width, height: 900 });
    // Loaded at this width: right after the window has changed, nothing would count.
    await page.goto(pathOf('overview'));
    await brand.untilLoaded();
    await page.evaluate(() => Object(globalThis).takeShifts());
    await brand.goTo(pathOf('overview?period=custom&from=2026-01-01&to=2026-01-31'));
    await brand.sees('No activity in this period');
    await brand.untilLoaded();
    const { layoutShift, moved } = await page.evaluate(measureLoad);
    // The button that chose it takes the room of its new text.
    expect(layoutShift, `${moved} moves`).toBeLessThan(MAX_LAYOUT_SHIFT / 10);
    expect(brand.faults).toEqual([]);
    brand.problems.length = 0;
  });

  const LATE = [
    ['overview', /\/alerts|\/partners\?status=applied/, /\/performance/],
    ['partners', /\/groups/, /\/partners\?totals=true/],
    ['partners/IMPORTED', /\/opening-balances/, /\/performance/],
    ['readiness', /\/setup/, /\/readiness/],
    ['reports', /\/performance/, /\/breakdown/],
    ['partners/1', /\/performance/, /\/links/],
    ['coupons', /\/programs\/\d+$/, /\/coupons/],
  ] as const;
  // Pages take turns: each is seen on a phone or on a desktop, and in the long form on both.
  const widthsOf = (nth: number) => (process.env.SVC_TEST_LONG ? [PHONE, DESK] : [nth % 2 ? DESK : PHONE]);
  const seen = LATE.flatMap(([page, late, last], nth) =>
    widthsOf(nth).map((width) => [page, width, late, last] as const),
  );
  it.each(seen)(
    'moves nothing when notices, groups, balances, refused events, figures and settings arrive last: %s at %i pixels',
    async (page, width, late, last) => {
      const { service } = stage;
      const { ctx } = service;
      const of = [sample.programId];
      const program = await ctx.lookup.program(sample.programId);
      if (!program) throw new Error('The sample has no program');
      const importId = await importIdOf(service, { program } as TestProgram);
      const [imported] = await service.sql<{ id: number }>(
        'select partner_id as id from opening_balances where import_id = $1',
        [importId],
      );
      await service.sql(
        `insert into alerts (program_id, kind, subject_id, subject_name, opened_at)
       values ($1, 'webhook_failing', '1', 'https://shop.test', now()) on conflict do nothing`,
        of,
      );
      await service.sql(
        `update memberships set status = 'applied' where program_id = $1 and partner_id <> $2 and partner_id =
       (select max(partner_id) from memberships where program_id = $1 and partner_id <> $2)`,
        [sample.programId, imported?.id],
      );
      const asksFor = (url: string, path: RegExp) => url.includes('/api/') && path.test(url);
      const shown = brand.page
        .waitForResponse((response) => asksFor(response.url(), last))
        .then(() => brand.page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))));
      await brand.page.route(
        (url) => asksFor(url.href, late),
        async (route) => {
          await shown;
          await route.continue();
        },
      );
      await expectStill(brand, pathOf(page.replace('IMPORTED', String(imported?.id))), {
        isLoaded: true,
        widths: [width],
      });
      await brand.page.unrouteAll({ behavior: 'wait' });
      brand.problems.length = 0;
    },
  );

  // In the long form only: a quarter of an hour, most of it waiting.
  const WITH_LATE_ANSWERS = [
    ...BRAND.map((page) => [page, () => brand] as const),
    ...PORTAL.map((page) => [page, () => partner] as const),
  ];
  it.each(process.env.SVC_TEST_LONG ? WITH_LATE_ANSWERS : [])(
    'moves nothing, whichever answer comes last: %s',
    async (page, who) => {
      const person = who();
      const path = person === partner ? `/app/portal/${sample.programId}/${page}` : pathOf(page);
      const found: string[] = [];
      for (const width of [PHONE, DESK]) {
        await person.page.setViewportSize({ width, height: 900 });
        await person.page.goto(path);
        await person.untilLoaded();
        for (const late of await person.page.evaluate(answersOfPage)) {
          await person.page.route(
            (url) => url.href === late,
            async (route) => {
              // Longer than the others take. On a busy machine they may take longer still: then less is tried.
              await sleep(500);
              await route.continue().catch(() => undefined);
            },
          );
          await person.page.goto(path);
          await person.untilLoaded();
          const { layoutShift, moved } = await person.page.evaluate(measureLoad);
          if (layoutShift > MAX_LAYOUT_SHIFT)
            found.push(`${width}: ${late.replace(/.*api/, '')} moves ${moved} by ${layoutShift.toFixed(3)}`);
          await person.page.unrouteAll({ behavior: 'wait' });
        }
      }
      person.problems.length = 0;
      expect(found).toEqual([]);
    },
    120_000,
  );

  it.each(BUDGETS)(
    'keeps to its budget of bytes, requests and layout shift: $path',
    async ({ path, who, kilobytes }) => {
      const person = who();
      const { page } = person;
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

  it('is in these lists', async () => {
    const routes = await readFile(new URL('./routes/pages.ts', import.meta.url), 'utf8');
    const declared = [...routes.matchAll(/^ {2}'(\/[^']*)':/gm)].map(([, path = '']) => path);
    const listed = [
      ...[...PUBLIC, ...MAILED, ...OWN],
      ...BRAND.map((page) => `/app/programs/$/${page}`),
      ...PORTAL.map((page) => `/app/portal/$/${page}`),
    ];
    // An id is written in capitals, as a number or, in routes, after a dollar sign.
    const shapeOf = (path: string) =>
      path
        .replace(/[?#].*/, '')
        .replace(/^\/own(?=\/)/, '')
        .replace(/\/(?:\$\w*|[A-Z]+|\d+)(?=\/|$)/g, '/$');
    const shapes = new Set([...listed, ...REDIRECTS].map(shapeOf));
    expect(declared.map(shapeOf).filter((path) => !shapes.has(path))).toEqual([]);
    expect(declared.length).toBeGreaterThan(BRAND.length / 2);
  });
});

function pathOf(page: string): string {
  const ids = { CUSTOMER: sample.customerId, WEBHOOK: webhookId, RUN: runId };
  const filled = Object.entries(ids).reduce((path, [name, id]) => path.replace(name, String(id)), page);
  return `/app/programs/${sample.programId}/${filled}`;
}

/** The path with what is in capitals filled in. */
const linked = (path: string) => path.replace(/[A-Z]{4,}/, (name) => links[name] ?? name);

/** What is in links that are valid, by the names in the lists. */
async function validLinks(): Promise<Record<string, string>> {
  const { service } = stage;
  const api = new ApiCaller(service.service);
  const program = `/programs/${sample.programId}`;
  const manage = async (method: 'POST' | 'PATCH', path: string, body: object) =>
    (await api.manage(sample.brand, method, path, body)).data;
  const { invite_url } = await manage('POST', `${program}/partners`, { name: 'Una', email: 'una@partner.test' });
  const { join_url } = await manage('PATCH', program, { joining: 'on_approval' });
  const hashOf = (url: unknown) => new URL(String(url)).hash.slice(1);
  return {
    INVITATION: hashOf(invite_url),
    JOIN: hashOf(join_url),
    LOGIN: encodeURIComponent(await startedLogin(service)),
    ACCESS: (await askedForAccess(service)).path.split('?')[1] ?? '',
  };
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

const PHONE = 390;
const DESK = 1440;
const APPEARANCES: Appearance[] = [
  { colorScheme: 'dark', contrast: 'no-preference', width: PHONE },
  { colorScheme: 'light', contrast: 'no-preference', width: DESK },
  { colorScheme: 'light', contrast: 'more', width: PHONE },
  { colorScheme: 'dark', contrast: 'no-preference', width: DESK },
  { colorScheme: 'light', contrast: 'no-preference', width: PHONE },
  { colorScheme: 'dark', contrast: 'more', width: DESK },
];

/**
 * A page is loaded at one width and checked at the other, in one appearance. Pages take turns, so that each appearance is seen on a sixth of
 * them. The long version of the suite loads every page at both widths, and checks it in all appearances.
 */
let visits = 0;
const turn = (): Appearance => APPEARANCES[visits % APPEARANCES.length] as Appearance;

/** Opens the page, and expects that nothing moves, and nothing is wider than the screen. Some pages have to be loaded: the service fills them in. */
async function expectStill(
  person: Person,
  path: string,
  { isLoaded = false, widths }: { isLoaded?: boolean; widths?: number[] } = {},
): Promise<void> {
  visits += 1;
  const other = turn().width === PHONE ? DESK : PHONE;
  for (const width of widths ?? (process.env.SVC_TEST_LONG ? [turn().width, other] : [other])) {
    const { page } = person;
    await page.emulateMedia({ colorScheme: 'light', contrast: 'no-preference' });
    await page.setViewportSize({ width, height: 900 });
    // The page before follows the new size of the window.
    if (!isLoaded) {
      await person.untilLoaded();
      await page.evaluate(() => Object(globalThis).takeShifts());
    }
    await (isLoaded || process.env.SVC_TEST_LONG ? page.goto(path) : person.goTo(path));
    await person.untilLoaded();
    const { layoutShift, moved } = await page.evaluate(measureLoad);
    expect(layoutShift, `${moved} moves at ${width} pixels`).toBeLessThanOrEqual(MAX_LAYOUT_SHIFT);
    expect(await problemsOf(person, false)).toEqual([]);
  }
}

/** No axe violations and no errors on the open page, and nothing wider than the screen. */
async function expectAccessible(person: Person): Promise<void> {
  const { page } = person;
  const found: object[] = [];
  for (const appearance of process.env.SVC_TEST_LONG ? APPEARANCES : [turn()]) {
    const { width, ...media } = appearance;
    await page.emulateMedia(media);
    await page.setViewportSize({ width, height: 800 });
    await person.untilLoaded();
    const problems = await problemsOf(person, true);
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
  if (overflow > 0) problems.push(`the page is ${overflow} pixels wider than the screen`);
  const excess = await page.evaluate(excessOfMain);
  if (excess > 0) problems.push(`the content is ${excess} pixels wider than its margins leave it`);
  return problems;
}

/** By how many pixels the content of the page is wider than the room that it has. Runs in the page. */
function excessOfMain(): number {
  const main = document.querySelector('main');
  if (!main?.parentElement) return 0;
  const { paddingLeft, paddingRight } = getComputedStyle(main.parentElement);
  const room = main.parentElement.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
  return main.offsetWidth - room;
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

type Shift = { value: number; moved: string };
type Load = { requests: number; kilobytes: number; layoutShift: number; moved: string };

/** What the browser says about how the page was loaded. */
function measureLoad(): Load {
  const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  const [document] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  // Which answers of the API come before the first content is a matter of chance; which files it takes is not.
  const assets = files.filter(({ name }) => !new URL(name).pathname.startsWith('/api/'));
  const bytes = [...files, document].reduce((sum, entry) => sum + (entry?.encodedBodySize ?? 0), 0);
  const shifts: Shift[] = Object(globalThis).takeShifts();
  return {
    requests: assets.length + 1,
    kilobytes: Math.round(bytes / 1000),
    layoutShift: shifts.reduce((sum, { value }) => sum + value, 0),
    moved: shifts.map(({ moved }) => moved).join(', '),
  };
}

/** The answers of the API that the page has asked for. Runs in the page. */
function answersOfPage(): string[] {
  const names = performance.getEntriesByType('resource').map(({ name }) => name);
  return [...new Set(names.filter((name) => new URL(name).pathname.startsWith('/api/')))];
}

/** Records how far what moves, without anybody having done something, until it is asked. */
function recordShifts(): void {
  type Entry = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node: Node | null }[] };
  const nameOf = ({ node }: Entry['sources'][number]) => node?.textContent?.slice(0, 40) ?? 'what is gone';
  const shifts: Shift[] = [];
  const add = (entries: PerformanceEntryList) => {
    for (const { value, hadRecentInput, sources } of entries as Entry[]) {
      if (!hadRecentInput) shifts.push({ value, moved: sources.map(nameOf).join(' and ') });
    }
  };
  const observer = new PerformanceObserver((list) => add(list.getEntries()));
  observer.observe({ type: 'layout-shift', buffered: true });
  const takeShifts = () => {
    // The browser tells of them a moment later.
    add(observer.takeRecords());
    return shifts.splice(0);
  };
  Object.assign(globalThis, { takeShifts });
}
