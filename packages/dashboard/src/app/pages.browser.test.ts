import { beforeAll, expect, it } from 'vitest';
import { addSampleData, type SampleData } from '../../../../demo/src/sample-data.ts';
import { accessibilityProblems } from '../../test/accessibility.ts';
import type { Person } from '../../test/person.ts';
import { describeInBrowser, startStage } from '../../test/stage.ts';

const stage = startStage();
let sample: SampleData;

const BRAND = [
  'start',
  'overview',
  'overview?period=custom&from=2026-01-01&to=2026-01-31&metric=revenue',
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
  'settings?tab=tracking',
  'settings?tab=origins&origin=https%3A%2F%2Fother.test',
  'settings?tab=key',
  'settings?tab=payments',
  'team',
];
const PORTAL = ['overview', 'links', 'customers', 'sales', 'earnings', 'payouts', 'payouts/1'];

describeInBrowser('every page', () => {
  beforeAll(async () => {
    sample = await addSampleData(stage.service.service, { set: (at) => (stage.service.time = at) }, new Date());
  });

  it.each(['/app/sign-in', '/app/sign-up', '/invite#nothing', '/cli/login?state=nobody', '/app/nowhere'])(
    'is accessible to strangers: %s',
    async (path) => expectAccessible(await stage.stranger(), path),
  );

  it.each(BRAND)('is accessible to the brand: %s', async (page) => {
    const path = `/app/programs/${sample.programId}/${page.replace('CUSTOMER', String(sample.customerId))}`;
    await expectAccessible(await stage.signedIn({ ...sample.brand, userId: '' }), path);
  });

  it.each(PORTAL)('is accessible to the partner: %s', async (page) => {
    await expectAccessible(
      await stage.signedIn({ ...sample.partner, userId: '' }),
      `/app/portal/${sample.programId}/${page}`,
    );
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
    await expectAccessible(await stage.signedIn({ ...sample.brand, userId: '' }), path);
  });
});

/** In light and dark, on a desktop and a phone: no axe violations, no errors, and nothing wider than the screen. */
async function expectAccessible(person: Person, path: string): Promise<void> {
  const { page } = person;
  await page.goto(path, { waitUntil: 'networkidle' });
  await page.getByRole('heading').first().waitFor();
  const found: Record<string, string[]> = {};
  for (const [look, colorScheme, width] of [
    ['light, on a desktop', 'light', 1280],
    ['dark, on a phone', 'dark', 390],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    const problems = await accessibilityProblems(page);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (overflow > 0) problems.push(`the page is ${overflow} pixels wider than the screen`);
    if (problems.length > 0) found[look] = problems;
  }
  expect(found).toEqual({});
  expect(person.faults).toEqual([]);
}
