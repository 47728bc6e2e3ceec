import { readFile } from 'node:fs/promises';
import { manage, memberOf } from '@svc/testkit/service/accounts.ts';
import { countryDatabase } from '@svc/testkit/service/country-database.ts';
import { beforeAll, expect, it } from 'vitest';
import { rollUpCounts } from '../../../../server/src/jobs/roll-up-counts.ts';
import { rollUpFacets } from '../../../../server/src/jobs/roll-up-facets.ts';
import { accessibilityProblems } from '../../../test/accessibility.ts';
import { type Brand, openBrand, partnerPerson } from '../../../test/brand.ts';
import type { Person } from '../../../test/person.ts';
import { describeInBrowser, startStage } from '../../../test/stage.ts';

const GERMANY = '81.2.69.160';
const FRANCE = '82.2.69.160';
const SINGAPORE = '83.2.69.160';
const NOWHERE = '198.51.100.7';

const stage = startStage(async () => ({ SVC_GEOIP_DATABASE: await countryDatabase({ 81: 'DE', 82: 'FR', 83: 'SG' }) }));

/** The last day of what happens, for the service and in browsers: months are named after it. */
const TODAY = new Date('2031-05-10T12:00:00Z');
const PERIOD = 'period=custom&from=2031-03-01&to=2031-05-31';

describeInBrowser('reports', () => {
  beforeAll(() => {
    stage.service.time = TODAY;
  });

  it('show a brand what each group, coupon, kind of payment and country brought, in two currencies', async () => {
    const brand = await busyBrand();
    const { owner } = brand;
    await owner.page.setViewportSize({ width: 1680, height: 1000 });
    const path = (by: string) => brand.path(`reports?${PERIOD}&breakdown=${by}`);

    await owner.visit(path('group'), 'Reports');
    expect(await cellsOf(owner, 'Groups')).toEqual([
      ['Group', 'Clicks', 'Signups', 'Sales', 'Conversion', 'Revenue', 'Commissions', 'Per click'],
      ['Default', '3', '2', '5', '100%', '$217.00 €50.00', '$38.40 €10.00', '$12.80 €3.33'],
      ['Gold', '2', '1', '1', '50%', '$40.00', '$8.00', '$4.00'],
      ['Total', '5', '3', '6', '80%', '$257.00 €50.00', '$46.40 €10.00', '$9.28 €2.00'],
    ]);
    expect(await exported(owner, 'Export table')).toEqual([
      'group,id,clicks,signups,new_customers,sales,conversion_rate,revenue_EUR,refunded_EUR,commission_EUR,earnings_per_click_EUR,revenue_USD,refunded_USD,commission_USD,earnings_per_click_USD',
      expect.stringMatching(/^Default,\d+,3,2,3,5,1,50,0,10,3\.3333,217,25,38\.4,12\.8$/),
      expect.stringMatching(/^Gold,\d+,2,1,1,1,0\.5,0,0,0,0,40,0,8,4$/),
    ]);
    expect(await accessibilityProblems(owner.page)).toEqual([]);

    // Visits, signups and new customers have no coupon: sales have one.
    await owner.visit(path('coupon'), 'Reports');
    expect(await cellsOf(owner, 'Coupons')).toEqual([
      ['Coupon', 'Clicks', 'Signups', 'Sales', 'Conversion', 'Revenue', 'Commissions', 'Per click'],
      ['No coupon', '5', '3', '5', '80%', '$177.00 €50.00', '$30.40 €10.00', '$6.08 €2.00'],
      ['SPRING', '0', '0', '1', '–', '$80.00', '$16.00', '–'],
      ['Total', '5', '3', '6', '80%', '$257.00 €50.00', '$46.40 €10.00', '$9.28 €2.00'],
    ]);
    expect((await exported(owner, 'Export table')).slice(1)).toEqual([
      'No coupon,,5,3,4,5,0.8,50,0,10,2,177,25,30.4,6.08',
      expect.stringMatching(/^SPRING,\d+,0,0,0,1,,0,0,0,,80,0,16,$/),
    ]);
    expect(await accessibilityProblems(owner.page)).toEqual([]);

    await owner.visit(path('payment'), 'Reports');
    expect(await cellsOf(owner, 'New and recurring')).toEqual([
      ['New or recurring', 'Clicks', 'Signups', 'Sales', 'Conversion', 'Revenue', 'Commissions', 'Per click'],
      ['New and one-time', '0', '0', '4', '–', '$220.00 €50.00', '$39.00 €10.00', '–'],
      ['Renewals', '0', '0', '2', '–', '$37.00', '$7.40', '–'],
      ['No payment', '5', '3', '0', '0%', '$0.00', '$0.00', '$0.00'],
      ['Total', '5', '3', '6', '80%', '$257.00 €50.00', '$46.40 €10.00', '$9.28 €2.00'],
    ]);
    expect((await exported(owner, 'Export table')).slice(1)).toEqual([
      'New and one-time,,0,0,4,4,,50,0,10,,220,25,39,',
      'Renewals,,0,0,0,2,,0,0,0,,37,0,7.4,',
      'No payment,,5,3,0,0,0,0,0,0,0,0,0,0,0',
    ]);
    expect(await accessibilityProblems(owner.page)).toEqual([]);

    await owner.visit(path('country'), 'Reports');
    expect(await cellsOf(owner, 'Countries')).toEqual([
      ['Country', 'Clicks', 'Signups', 'Sales', 'Conversion', 'Revenue', 'Commissions', 'Per click'],
      ['Germany', '3', '2', '3', '66.7%', '$170.00', '$29.00', '$9.67'],
      ['Unknown', '1', '0', '2', '100%', '$87.00', '$17.40', '$17.40'],
      ['France', '1', '1', '1', '100%', '€50.00', '€10.00', '€10.00'],
      ['Total', '5', '3', '6', '80%', '$257.00 €50.00', '$46.40 €10.00', '$9.28 €2.00'],
    ]);
    expect((await exported(owner, 'Export table')).slice(1)).toEqual([
      'Germany,,3,2,2,3,0.6667,0,0,0,0,170,25,29,9.6667',
      'Unknown,,1,0,1,2,1,0,0,0,0,87,0,17.4,17.4',
      'France,,1,1,1,1,1,50,0,10,10,0,0,0,0',
    ]);
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    expect(owner.problems).toEqual([]);
  });

  it('show partners their own, and neither groups nor coupons', async () => {
    const brand = await busyBrand();
    const jane = await partnerPerson(stage, brand.partnerId);
    await setClock(jane);
    await jane.page.setViewportSize({ width: 1680, height: 1000 });
    const path = (by: string) => `/app/portal/${brand.program.id}/reports?${PERIOD}&breakdown=${by}`;

    await jane.visit(path('payment'), 'Reports');
    expect(await cellsOf(jane, 'New and recurring')).toEqual([
      ['New or recurring', 'Clicks', 'Signups', 'Sales', 'Conversion', 'Revenue', 'Earned', 'Per click'],
      ['New and one-time', '0', '0', '3', '–', '$180.00 €50.00', '$31.00 €10.00', '–'],
      ['Renewals', '0', '0', '2', '–', '$37.00', '$7.40', '–'],
      ['No payment', '3', '2', '0', '0%', '$0.00', '$0.00', '$0.00'],
      ['Total', '3', '2', '5', '100%', '$217.00 €50.00', '$38.40 €10.00', '$12.80 €3.33'],
    ]);
    const buttons = jane.page.getByRole('group', { name: 'Break down by' }).getByRole('button');
    const offered = await buttons.allTextContents();
    expect(offered).toContain('Countries');
    expect(offered.filter((name) => ['Partners', 'Groups', 'Coupons'].includes(name))).toEqual([]);
    expect(await accessibilityProblems(jane.page)).toEqual([]);

    await jane.visit(path('country'), 'Reports');
    expect(await cellsOf(jane, 'Countries')).toEqual([
      ['Country', 'Clicks', 'Signups', 'Sales', 'Conversion', 'Revenue', 'Earned', 'Per click'],
      ['Germany', '1', '1', '2', '100%', '$130.00', '$21.00', '$21.00'],
      ['Unknown', '1', '0', '2', '100%', '$87.00', '$17.40', '$17.40'],
      ['France', '1', '1', '1', '100%', '€50.00', '€10.00', '€10.00'],
      ['Total', '3', '2', '5', '100%', '$217.00 €50.00', '$38.40 €10.00', '$12.80 €3.33'],
    ]);
    expect((await exported(jane, 'Export table')).slice(1)).toEqual([
      'Germany,,1,1,1,2,1,0,0,0,0,130,25,21,21',
      'Unknown,,1,0,1,2,1,0,0,0,0,87,0,17.4,17.4',
      'France,,1,1,1,1,1,50,0,10,10,0,0,0,0',
    ]);
    expect(await accessibilityProblems(jane.page)).toEqual([]);
    expect(jane.problems).toEqual([]);
  });

  it('show countries on a map that follows the sort, and no map while no country is known', async () => {
    const { service } = stage;
    const brand = await busyBrand();
    const { owner } = brand;
    const { page } = owner;
    const revenue = [
      ['Germany: $170.00', 4],
      ['France: $0.00', 0],
    ];

    await owner.visit(brand.path(`reports?${PERIOD}&breakdown=country`), 'Reports');
    expect(await mapOf(owner)).toEqual(revenue);
    const legend = page.locator('[aria-hidden] ul').filter({ hasText: 'Revenue in USD' });
    expect(await legend.locator('li').allInnerTexts()).toEqual([
      'Revenue in USD',
      'none',
      'up to $42.50',
      'up to $85.00',
      'up to $127.50',
      'up to $170.00',
    ]);

    await page.getByRole('region', { name: 'Countries' }).getByRole('button', { name: 'Clicks' }).click();
    await page.getByText('up to 3', { exact: true }).waitFor();
    expect(await mapOf(owner)).toEqual([
      ['Germany: 3', 4],
      ['France: 1', 2],
    ]);
    await page.getByRole('region', { name: 'Countries' }).getByRole('button', { name: 'Commissions' }).click();
    await page.getByText('up to $29.00', { exact: true }).waitFor();
    expect(await mapOf(owner)).toEqual([
      ['Germany: $29.00', 4],
      ['France: $0.00', 0],
    ]);

    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 390, height: 800 });
      await owner.visit(brand.path(`reports?${PERIOD}&breakdown=country`), 'Reports');
      expect(await mapOf(owner)).toEqual(revenue);
      const room = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(room).toBeLessThanOrEqual(0);
      expect(await accessibilityProblems(page)).toEqual([]);
    }

    // What is not on the map is in the table.
    await click(brand, SINGAPORE);
    service.advance({ seconds: 120 });
    await rollUpFacets.run(service.ctx);
    service.time = TODAY;
    await owner.visit(brand.path(`reports?${PERIOD}&breakdown=country&sort=clicks`), 'Reports');
    await owner.sees('Too small for the map: Singapore.');
    await owner.row('Singapore').getByText('1', { exact: true }).waitFor();

    // Only the first customer came in this month, from an address that the database does not know.
    await owner.visit(brand.path('reports?period=custom&from=2030-01-01&to=2030-01-31&breakdown=country'), 'Reports');
    await owner.row('Unknown').getByText('$90.00').waitFor();
    expect(await page.locator('svg path title').count()).toBe(0);
    await owner.visit(brand.path(`reports?${PERIOD}&breakdown=group`), 'Reports');
    await owner.row('Gold').waitFor();
    expect(await page.locator('svg path title').count()).toBe(0);
    expect(owner.problems).toEqual([]);
  });

  it('show what the customers of each month have paid since, shaded, and say what is not in the table', async () => {
    const brand = await busyBrand();
    const { owner } = brand;
    const jane = await partnerPerson(stage, brand.partnerId);
    await setClock(jane);

    await owner.visit(brand.path('reports'), 'Reports');
    const title = ['First bought', 'Customers', 'Paid since', 'Same month', '+1', '+2'];
    expect(await cellsOf(owner, 'Customers by month, scrollable')).toEqual([
      title,
      ['Mar 2031', '2', '$105.00', '$75.00', '$30.00', '–'],
      ['Apr 2031', '1', '$80.00', '$80.00', '–'],
      ['May 2031', '1', '$40.00', '$40.00'],
    ]);
    expect(await shadesOf(owner)).toEqual([[0.4, 0.2, 0], [0.4, 0], [0.2]]);
    expect(await restOf(owner)).toEqual([
      'Customers from before paid $7.00 in these months.',
      'In other currencies, not included above: €50.00.',
    ]);
    expect(
      (await exported(owner, 'Export months')).filter((line) => /^(2031|earlier|pending|first)/.test(line)),
    ).toEqual([
      'first_bought,customers,month,months_since,sales,revenue_EUR,refunded_EUR,revenue_USD,refunded_USD',
      '2031-01,0,2031-01,0,0,0,0,0,0',
      '2031-01,0,2031-02,1,0,0,0,0,0',
      '2031-01,0,2031-03,2,0,0,0,0,0',
      '2031-01,0,2031-04,3,0,0,0,0,0',
      '2031-01,0,2031-05,4,0,0,0,0,0',
      '2031-02,0,2031-02,0,0,0,0,0,0',
      '2031-02,0,2031-03,1,0,0,0,0,0',
      '2031-02,0,2031-04,2,0,0,0,0,0',
      '2031-02,0,2031-05,3,0,0,0,0,0',
      '2031-03,2,2031-03,0,2,50,0,100,25',
      '2031-03,2,2031-04,1,1,0,0,30,0',
      '2031-03,2,2031-05,2,0,0,0,0,0',
      '2031-04,1,2031-04,0,1,0,0,80,0',
      '2031-04,1,2031-05,1,0,0,0,0,0',
      '2031-05,1,2031-05,0,1,0,0,40,0',
      'earlier,,,,1,0,0,7,0',
      'pending,,,,0,0,0,0,0',
    ]);

    // The partner to whom the customer of May does not belong.
    await jane.visit(`/app/portal/${brand.program.id}/reports`, 'Reports');
    expect(await cellsOf(jane, 'Customers by month, scrollable')).toEqual([
      title,
      ['Mar 2031', '2', '$105.00', '$75.00', '$30.00', '–'],
      ['Apr 2031', '1', '$80.00', '$80.00', '–'],
      ['May 2031', '0', '$0.00', '–'],
    ]);
    expect(await shadesOf(jane)).toEqual([[0.4, 0.2, 0], [0.4, 0], [0]]);
    expect(await restOf(jane)).toEqual([
      'Customers from before paid $7.00 in these months.',
      'In other currencies, not included above: €50.00.',
    ]);
    expect(await accessibilityProblems(jane.page)).toEqual([]);

    // What the jobs have not counted yet is told apart.
    await buy(brand, 'ann', { amount_cents: 600, is_recurring: true });
    await owner.visit(brand.path('reports'), 'Reports');
    expect(await restOf(owner)).toEqual([
      'Customers from before paid $7.00 in these months.',
      'Still being counted: $6.00 in these months.',
      'In other currencies, not included above: €50.00.',
    ]);
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    expect([...owner.problems, ...jane.problems]).toEqual([]);
  });
});

/** A program that pays 20% of every payment, with two groups, a coupon, and customers of four months. */
async function busyBrand(): Promise<Brand> {
  const { service } = stage;
  const brand = await openBrand(stage, { commissionType: 'recurring_percent', commissionRate: '20' });
  await setClock(brand.owner);
  const kim = { ...brand, ...(await service.partner(brand.program)) };
  const { token } = await memberOf(service, brand.workspaceId);
  const call = async (method: string, path: string, body: object) => {
    const reply = await service.call(method, manage(brand, path), { key: token, body });
    expect(reply.status).toBeLessThan(300);
    return reply.body.data;
  };
  const { id: gold } = await call('POST', '/groups', { name: 'Gold' });
  await call('PATCH', `/partners/${kim.partnerId}`, { group_id: gold });
  await call('POST', '/coupons', { code: 'SPRING', partner_id: brand.partnerId });

  service.time = new Date('2030-01-20T12:00:00Z');
  await signUp(brand, 'fay', NOWHERE);
  await buy(brand, 'fay', { amount_cents: 9_000 });

  service.time = new Date('2031-03-10T12:00:00Z');
  await signUp(brand, 'ann', GERMANY);
  const first = await buy(brand, 'ann', { amount_cents: 10_000 });
  await signUp(brand, 'ben', FRANCE);
  await buy(brand, 'ben', { amount_cents: 5_000, currency: 'EUR' });

  service.time = new Date('2031-04-02T12:00:00Z');
  await buy(brand, 'ann', { amount_cents: 3_000, is_recurring: true });
  await buy(brand, 'cleo', { amount_cents: 8_000, coupon_code: 'SPRING' });
  await click(kim, GERMANY);

  service.time = new Date('2031-05-05T12:00:00Z');
  await signUp(kim, 'eve', GERMANY);
  await buy(kim, 'eve', { amount_cents: 4_000 });
  await buy(brand, 'fay', { amount_cents: 700, is_recurring: true });
  await click(brand, NOWHERE);
  const refund = { transaction_id: first, refund_amount_cents: 2_500 };
  expect((await service.refund(refund, { key: brand.apiKey })).status).toBe(200);

  service.time = TODAY;
  await rollUpCounts.run(service.ctx);
  await rollUpFacets.run(service.ctx);
  // What a run has found to be due, the next one counts.
  await rollUpFacets.run(service.ctx);
  return brand;
}

/** Follows the link from the address and returns the click id. */
async function click({ link }: Brand, ip: string): Promise<string> {
  const { body } = await stage.service.click({ affiliate_url: `https://acme.test/?aff=${link}` }, { ip });
  return body.click_id;
}

/** Transactions and customers of all programs of the file have keys of their own. */
const keyOf = ({ program }: Brand, name: string) => `${name}-${program.id}`;

async function signUp(on: Brand, name: string, ip: string): Promise<void> {
  const lead = { click_id: await click(on, ip), customer_key: keyOf(on, name) };
  expect((await stage.service.lead(lead, { key: on.apiKey })).status).toBe(200);
}

let orders = 0;

/** Reports a sale of the customer and returns its transaction id. */
async function buy(on: Brand, name: string, sale: object): Promise<string> {
  orders += 1;
  const order = keyOf(on, `order-${orders}`);
  const body = { transaction_id: order, customer_key: keyOf(on, name), ...sale };
  expect((await stage.service.sale(body, { key: on.apiKey })).status).toBe(200);
  return order;
}

async function setClock(person: Person): Promise<void> {
  person.isProfileChanged = true;
  await person.page.clock.setFixedTime(TODAY);
}

/** What the cells of a table say, from its titles to its totals. */
async function cellsOf({ page }: Person, label: string): Promise<string[][]> {
  const table = page.getByRole('region', { name: label, exact: true }).getByRole('table');
  await table.waitFor();
  return table
    .getByRole('row')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.children].map((cell) => (cell as HTMLElement).innerText.replace(/\s+/g, ' ').trim())),
    );
}

/** What the map says about the countries that it shades, and how strongly: 0 for the color of all others, up to 4. */
async function mapOf({ page }: Person): Promise<[string, number][]> {
  const map = page.locator('[aria-hidden] > svg').filter({ has: page.locator('path > title') });
  await map.waitFor();
  return map.evaluate((svg) => {
    const [others, ...countries] = [...svg.querySelectorAll('path')];
    const fillOf = (path: SVGPathElement | undefined) => (path ? getComputedStyle(path).fill : '');
    return countries.map((path): [string, number] => {
      const [, opacity = '1'] = /\/ ([\d.]+)\)$/.exec(fillOf(path)) ?? [];
      const shade = fillOf(path) === fillOf(others) ? 0 : Number(opacity) * 4;
      return [path.querySelector('title')?.textContent ?? '', shade];
    });
  });
}

/** How opaque the color behind each month is. */
async function shadesOf({ page }: Person): Promise<number[][]> {
  const rows = page.getByRole('region', { name: 'Customers by month, scrollable' }).locator('tbody tr');
  return rows.evaluateAll((all) =>
    all.map((row) =>
      [...row.querySelectorAll('td')].slice(2).map((cell) => {
        const color = getComputedStyle(cell).backgroundColor;
        return Number(/\/ ([\d.]+)\)$/.exec(color)?.[1] ?? /, 0\)$/.exec(color)?.[0].match(/\d/)?.[0] ?? color);
      }),
    ),
  );
}

/** The sentences below the customers by month. */
async function restOf(person: Person): Promise<string[]> {
  const table = person.page.getByRole('region', { name: 'Customers by month, scrollable' });
  await person.untilLoaded();
  return table.locator('xpath=following-sibling::div/p').allInnerTexts();
}

/** The lines of a file that a link downloads. */
async function exported({ page }: Person, link: string): Promise<string[]> {
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: link }).click();
  const text = await readFile(await (await download).path(), 'utf8');
  return text.replace('\uFEFF', '').trimEnd().split('\r\n');
}
