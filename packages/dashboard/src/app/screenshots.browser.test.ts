import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApiCaller } from '../../../../demo/src/api-caller.ts';
import type { SampleData } from '../../../../demo/src/sample-data.ts';
import type { Person } from '../../test/person.ts';
import {
  DOCS_IMAGES,
  differences,
  docsPicture,
  isMeasured,
  pictureLike,
  writeDifference,
} from '../../test/pictures.ts';
import { SampleStage, untilDrawn } from '../../test/sample-stage.ts';
import { describeInBrowser } from '../../test/stage.ts';

const unmeasured = isMeasured ? '' : ` (skipped: screenshots were never compared on ${process.arch})`;

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

const stage = new SampleStage();
let sample: SampleData;
let brand: Person;
let partner: Person;

describeInBrowser('the screenshots of the docs', () => {
  beforeAll(async () => {
    await stage.open();
    sample = stage.sample;
    brand = await stage.signedIn(sample.brand, { width: WIDTH, height: HEIGHT });
    partner = await stage.signedIn(sample.partner, { width: WIDTH, height: HEIGHT });
  });

  afterAll(() => stage.close());

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
    const api = new ApiCaller(stage.service.service);
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

async function open({ who, path, height = HEIGHT, unfold }: Picture): Promise<Person> {
  const person = who === 'partner' ? partner : brand;
  const { page } = person;
  const place = `/app/${who === 'partner' ? 'portal' : 'programs'}/${sample.programId}`;
  await page.setViewportSize({ width: WIDTH, height });
  // The menu stays where the page before has left it.
  await page.getByRole('navigation').evaluateAll((menus) => menus.map((menu) => menu.scrollTo(0, 0)));
  await person.goTo(`${place}/${path.replace('CUSTOMER', String(sample.customerId))}`);
  await person.untilLoaded();
  if (unfold) await page.getByRole('heading', { name: unfold }).click();
  await untilDrawn(page);
  return person;
}

/** What is wrong with the screenshot of a page, or null. Takes it again if that is wanted. */
async function differenceOf(picture: Picture): Promise<string | null> {
  const file = `${picture.name}.png`;
  const stored = await docsPicture(file);
  const { page } = await open(picture);
  const screenshot = await pictureLike(stored, page, () => page.screenshot({ animations: 'disabled' }));
  const differing = differences(screenshot, stored);
  if (differing.length === 0) return null;
  if (process.env.SVC_ACCEPT_PICTURES) {
    await writeFile(join(DOCS_IMAGES, file), screenshot);
    return null;
  }
  const written = await writeDifference(picture.name, screenshot, differing);
  return `docs/images/${file} is out of date. See ${written} for how the page looks now and where it differs. ${ACCEPT}`;
}
