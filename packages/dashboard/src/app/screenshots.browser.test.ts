import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sharedBrowser } from '@svc/testkit';
import { TestService } from '@svc/testkit/service/service.ts';
import { newPostgres } from '@svc/testkit/service/stores/store.ts';
import type { BrowserContext, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { ApiCaller, type Session } from '../../../../demo/src/api-caller.ts';
import { addSampleData, type SampleData } from '../../../../demo/src/sample-data.ts';
import { Person } from '../../test/person.ts';
import { DOCS_IMAGES, differences, docsPicture, writeDifference } from '../../test/pictures.ts';
import { SAME_EVERYWHERE, writeAlike } from '../../test/same-everywhere.ts';
import { describeInBrowser } from '../../test/stage.ts';

/** Where it is known that whole pages look the same each time. */
const isMeasured = process.arch === 'arm64';
const unmeasured = isMeasured ? '' : ` (skipped: screenshots were never compared on ${process.arch})`;

/** Pages are shown as they are at this address and at this time, from the same sample program. */
const ORIGIN = 'https://partners.kettle-and-grain.example';
const NOW = new Date('2026-03-12T10:00:00Z');
const WIDTH = 1280;
const HEIGHT = 780;
/** Enough for the tables below the steps of a run. */
const TALL = 1_040;

type Picture = {
  name: string;
  who?: 'partner';
  path: string;
  height?: number;
  /** What is folded on the page, and shown in the picture. */
  unfold?: string;
};

const PAGES: Picture[] = [
  { name: 'overview', path: 'overview' },
  { name: 'reports', path: 'reports' },
  { name: 'partners', path: 'partners' },
  { name: 'commissions', path: 'commissions' },
  { name: 'customer-journey', path: 'customers/CUSTOMER' },
  { name: 'setup-guide', path: 'start', unfold: 'Add the tracker and open your site' },
  { name: 'portal-overview', who: 'partner', path: 'overview' },
  { name: 'partner-portal', who: 'partner', path: 'earnings' },
];
const RUN = ['payout-settings', 'payout-run-draft', 'payout-run-left-out', 'payout-run-approved', 'payout-run-sent'];

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const ACCEPT = 'If it is meant to look like that, take it again with `npm run screenshots` and commit what changes.';

/** Statements are set in its fonts. */
const SERVER = new URL('../../../server/package.json', import.meta.url);
/** A font for code, because every machine has another one. */
const MONO = readFileSync(createRequire(SERVER).resolve('dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf'));
const MONO_PATH = '/fonts-of-screenshots/mono.ttf';
const STYLES = `
  @font-face { font-family: "Mono of screenshots"; src: url("${MONO_PATH}"); }
  :root { --font-mono: "Mono of screenshots"; }
  ${SAME_EVERYWHERE}`;

const service = new TestService();
let sample: SampleData;
let brand: Person;
let partner: Person;

describeInBrowser('the screenshots of the docs', () => {
  beforeAll(async () => {
    service.time = NOW;
    // A store of its own, because pages show numbers that a used store would continue.
    await service.open({ SVC_BASE_URL: ORIGIN, DATABASE_URL: await newPostgres() });
    sample = await addSampleData(service.service, { set: (at) => (service.time = at) }, NOW);
    brand = await signedIn(sample.brand);
    partner = await signedIn(sample.partner);
  });

  afterAll(async () => {
    for (const person of [brand, partner]) await person?.context.close();
    await service.service?.close();
  });

  it.skipIf(!isMeasured).each(PAGES)(`$name shows how the page looks${unmeasured}`, async (picture) => {
    expect(await differenceOf(picture)).toBeNull();
  });

  it.skipIf(!isMeasured)(`the screenshots show a change that a person would notice${unmeasured}`, async () => {
    const { page } = brand;
    await open({ name: 'commissions', path: 'commissions' });
    const stored = await docsPicture('commissions.png');
    expect(differences(await page.screenshot(), stored)).toEqual([]);
    const isNoticed = async (change: () => Promise<unknown>) => {
      await change();
      return differences(await page.screenshot(), stored).length > 0;
    };
    const label = page.getByText('Export CSV');
    expect(await isNoticed(() => label.evaluate((it) => (it.textContent = 'Download')))).toBe(true);
    await page.reload();
    await open({ name: 'commissions', path: 'commissions' });
    const filters = page.getByLabel('Search commissions').locator('xpath=ancestor::search');
    expect(await isNoticed(() => filters.evaluate((it) => it.remove()))).toBe(true);
  });

  it.skipIf(!isMeasured)(`a payout run looks like its screenshots, from draft to sent${unmeasured}`, async () => {
    const api = new ApiCaller(service.service);
    const session = await api.signIn(sample.brand);
    const program = `/programs/${sample.programId}`;
    const manage = (method: 'POST' | 'PUT', path: string, body?: object) =>
      api.manage(session, method, `${program}${path}`, body);
    const found: (string | null)[] = [];
    const look = async (name: string, path: string) => {
      found.push(await differenceOf({ name, path, height: TALL }));
    };
    const ach = {
      company_id: '1234567890',
      company_name: 'Kettle and Grain',
      odfi_routing: '021000021',
      destination_name: 'First Example Bank',
    };
    await manage('PUT', '/payout-settings', {
      minimum_cents: { USD: 2_500 },
      schedule: { day: 5 },
      payer: { name: 'Kettle and Grain', ach },
    });
    await look('payout-settings', 'settings?tab=payouts');
    const { data: run } = await manage('POST', '/payout-runs', {});
    const steps = `/payout-runs/${run.id}`;
    const page = `payouts/runs/${run.id}`;
    await look('payout-run-draft', page);
    await look('payout-run-left-out', `${page}?tab=left-out`);
    await manage('POST', `${steps}/approve`);
    await look('payout-run-approved', page);
    await manage('POST', `${steps}/mark-sent`);
    const failed = { id: run.payouts[0].id, status: 'failed', code: 'R02' };
    await manage('POST', `${steps}/settle`, { payouts: [failed] });
    await look('payout-run-sent', page);
    expect(found.filter((difference) => difference !== null)).toEqual([]);
  });

  it('no other screenshots are stored or used', () => {
    const names = [...PAGES.map(({ name }) => name), ...RUN].map((name) => `${name}.png`).sort();
    expect(
      readdirSync(DOCS_IMAGES)
        .filter((name) => name.endsWith('.png'))
        .sort(),
    ).toEqual(names);
    const pages = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
    const texts = ['README.md', ...pages.map((name) => join('docs', name))].map((path) =>
      readFileSync(join(ROOT, path), 'utf8'),
    );
    const used = texts.flatMap((text) => [...text.matchAll(/images\/([\w-]+\.png)/g)].map(([, name]) => name));
    expect(used.filter((name = '') => !names.includes(name))).toEqual([]);
  });
});

/** A person whose browser finds the service at its address, although it listens nowhere. */
async function signedIn({ cookie }: Session): Promise<Person> {
  const found = inject('browser');
  if (!found) throw new Error('There is no browser');
  const browser = await sharedBrowser(found);
  const context = await browser.newContext({
    baseURL: ORIGIN,
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    colorScheme: 'light',
    viewport: { width: WIDTH, height: HEIGHT },
  });
  await writeAlike(context);
  await answerFromService(context);
  const cookies = cookie.split('; ').map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return { name, value: value.join('='), url: ORIGIN };
  });
  await context.addCookies(cookies);
  const page = await context.newPage();
  await page.clock.setFixedTime(NOW);
  return new Person({ context, page });
}

async function answerFromService(context: BrowserContext): Promise<void> {
  await context.route(`${ORIGIN}/**`, async (route: Route) => {
    const request = route.request();
    const { pathname, search } = new URL(request.url());
    if (pathname === MONO_PATH) return route.fulfill({ contentType: 'font/ttf', body: MONO });
    const { 'accept-encoding': _, ...headers } = await request.allHeaders();
    const answer = await service.service.http.inject({
      method: request.method() as 'GET',
      url: pathname + search,
      headers,
      ...(request.postDataBuffer() && { payload: request.postDataBuffer() ?? '' }),
    });
    const fields = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
    const body = pathname.endsWith('.css') ? answer.body + STYLES : answer.rawPayload;
    return route.fulfill({ status: answer.statusCode, headers: Object.fromEntries(fields), body });
  });
}

async function open({ who, path, height = HEIGHT, unfold }: Picture): Promise<Person> {
  const person = who === 'partner' ? partner : brand;
  const { page } = person;
  const place = `/app/${who === 'partner' ? 'portal' : 'programs'}/${sample.programId}`;
  await page.setViewportSize({ width: WIDTH, height });
  await person.goTo(`${place}/${path.replace('CUSTOMER', String(sample.customerId))}`);
  await person.untilLoaded();
  if (unfold) await page.getByRole('heading', { name: unfold }).click();
  await page.evaluate(async () => {
    await document.fonts.ready;
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  return person;
}

/** What is wrong with the screenshot of a page, or null. Takes it again if that is wanted. */
async function differenceOf(picture: Picture): Promise<string | null> {
  const file = `${picture.name}.png`;
  const stored = await docsPicture(file);
  const { page } = await open(picture);
  let screenshot = await page.screenshot({ animations: 'disabled' });
  // Charts get their size a moment after the page, so a difference counts once it stays.
  for (let isSettled = false; differences(screenshot, stored).length > 0 && !isSettled; ) {
    const before = screenshot;
    await page.waitForTimeout(100);
    screenshot = await page.screenshot({ animations: 'disabled' });
    isSettled = before.equals(screenshot);
  }
  const differing = differences(screenshot, stored);
  if (differing.length === 0) return null;
  if (process.env.SVC_ACCEPT_PICTURES) {
    await writeFile(join(DOCS_IMAGES, file), screenshot);
    return null;
  }
  const written = await writeDifference(picture.name, screenshot, differing);
  return `docs/images/${file} is out of date. See ${written} for how the page looks now and where it differs. ${ACCEPT}`;
}
