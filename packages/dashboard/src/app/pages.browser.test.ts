import { beforeAll, expect, it } from 'vitest';
import { addSampleData, type SampleData } from '../../../../demo/src/sample-data.ts';
import { accessibilityProblems } from '../../test/accessibility.ts';
import type { Person } from '../../test/person.ts';
import { describeInBrowser, startStage } from '../../test/stage.ts';

const stage = startStage();
let sample: SampleData;
let stranger: Person;
let brand: Person;
let partner: Person;

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
  'payouts?tab=payouts',
  'payouts/1',
  'events?live=off',
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
  'settings?tab=status',
  'team',
];
const PORTAL = ['overview', 'reports', 'links', 'customers', 'sales', 'find-order', 'earnings', 'payouts', 'payouts/1'];

describeInBrowser('every page', () => {
  beforeAll(async () => {
    sample = await addSampleData(stage.service.service, { set: (at) => (stage.service.time = at) }, new Date());
    // One browser profile for all pages of a person, so that most of the application is loaded once.
    stranger = await stage.stranger();
    brand = await stage.signedIn({ ...sample.brand, userId: '' });
    partner = await stage.signedIn({ ...sample.partner, userId: '' });
  });

  it.each(['/app/sign-in', '/app/sign-up', '/invite#nothing', '/cli/login?state=nobody', '/app/nowhere'])(
    'is accessible to users who are not signed in: %s',
    (path) => expectAccessible(stranger, path),
  );

  it.each(BRAND)('is accessible to the brand: %s', async (page) => {
    const path = `/app/programs/${sample.programId}/${page.replace('CUSTOMER', String(sample.customerId))}`;
    await expectAccessible(brand, path);
  });

  it.each(PORTAL)('is accessible to the partner: %s', async (page) => {
    await expectAccessible(partner, `/app/portal/${sample.programId}/${page}`);
  });

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

const APPEARANCES = [
  { colorScheme: 'dark', width: 390 },
  { colorScheme: 'light', width: 1280 },
] as const;

/** Every page is checked as one of these; the long version of the suite checks each page as both. */
let nextAppearance = 0;
function appearances() {
  if (process.env.SVC_TEST_LONG) return APPEARANCES;
  nextAppearance += 1;
  return [APPEARANCES[nextAppearance % APPEARANCES.length]!];
}

/** No axe violations, no errors, and nothing wider than the screen. */
async function expectAccessible(person: Person, path: string): Promise<void> {
  const { page } = person;
  const [first, ...others] = appearances();
  const show = async ({ colorScheme, width }: (typeof APPEARANCES)[number]) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
  };
  await show(first!);
  await page.goto(path);
  await person.untilLoaded();
  expect({ ...first, problems: await problemsOf(person) }).toEqual({ ...first, problems: [] });
  for (const other of others) {
    await show(other);
    expect({ ...other, problems: await problemsOf(person) }).toEqual({ ...other, problems: [] });
  }
  expect(person.faults).toEqual([]);
  person.problems.length = 0;
}

async function problemsOf({ page }: Person): Promise<string[]> {
  const problems = await accessibilityProblems(page);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  return overflow > 0 ? [...problems, `the page is ${overflow} pixels wider than the screen`] : problems;
}
