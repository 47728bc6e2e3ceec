import { manage, memberOf, type OwnedProgram, ownedProgram, partnerAccount } from '@svc/testkit/service/accounts.ts';
import { type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { badRequest } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';
import { updateConversions } from '../../customers/customer-store.ts';
import { rollUpCounts } from '../../jobs/roll-up-counts.ts';
import { rollUpFacets } from '../../jobs/roll-up-facets.ts';

const service = useService();

const call = (on: OwnedProgram, method: string, path: string, body?: object, key = on.owner.token) =>
  service.call(method, manage(on, path), { key, body });

/** A customer who came through the program's link, or with a coupon only, and buys. */
async function buy(on: TestProgram, sale: object, isReferred = true): Promise<{ key: string; order: string }> {
  const [key, order] = [newId('user'), newId('order')];
  if (isReferred)
    await service.lead({ click_id: await service.clickId(on.link), customer_key: key }, { key: on.apiKey });
  await payAgain(on, key, { transaction_id: order, ...sale });
  return { key, order };
}

async function payAgain(on: TestProgram, customer_key: string, sale: object): Promise<void> {
  const body = { transaction_id: newId('order'), customer_key, amount_cents: 10_000, ...sale };
  expect((await service.sale(body, { key: on.apiKey })).status).toBe(200);
}

/** Lets the jobs count everything that has happened. */
async function count(): Promise<void> {
  service.advance({ seconds: 120 });
  await rollUpCounts.run(service.ctx);
  await rollUpFacets.run(service.ctx);
  // What a run has found to be due, the next one counts.
  await rollUpFacets.run(service.ctx);
}

type Money = { currency: string; revenue_cents: number; refunded_cents: number };
type Row = { name: string; clicks: number; sales: number; money: Money[] };

const revenueIn = ({ money }: { money: Money[] }, currency = 'USD') =>
  money.find((sum) => sum.currency === currency)?.revenue_cents ?? 0;

/** Clicks, sales and revenue in dollars by name. */
const named = (rows: Row[]) =>
  Object.fromEntries(rows.map((row) => [row.name, [row.clicks, row.sales, revenueIn(row)]]));

describe('sales', () => {
  it('are broken down by group, coupon and renewals, and every breakdown adds up to the totals', async () => {
    const on = await ownedProgram(service, { commissionType: 'recurring_percent' });
    const other = { ...on, ...(await service.partner(on.program)) };
    const { id: gold } = (await call(on, 'POST', '/groups', { name: 'Gold' })).body.data;
    await call(on, 'PATCH', `/partners/${other.partnerId}`, { group_id: gold });
    await call(on, 'POST', '/coupons', { code: 'Spring', partner_id: on.partnerId });
    const { key } = await buy(on, {});
    await payAgain(on, key, { amount_cents: 3_000, is_recurring: true, sale_type: 'subscription' });
    await buy(on, { amount_cents: 5_000, coupon_code: ' SPRING ' }, false);
    await buy(on, { amount_cents: 700, coupon_code: 'nobody’s' });
    await buy(other, { amount_cents: 2_000 });
    await count();
    const report = async (by: string, key = on.owner.token) =>
      (await call(on, 'GET', `/breakdown?by=${by}`, undefined, key)).body.data;
    const groups = await report('group');
    expect(named(groups.rows)).toEqual({ Default: [2, 4, 18_700], Gold: [1, 1, 2_000] });
    const coupons = await report('coupon');
    expect(named(coupons.rows)).toEqual({ 'No coupon': [3, 4, 15_700], Spring: [0, 1, 5_000] });
    const payments = await report('payment');
    expect(named(payments.rows)).toEqual({
      'No payment': [3, 0, 0],
      'New and one-time': [0, 4, 17_700],
      Renewals: [0, 1, 3_000],
    });
    for (const { rows, totals } of [groups, coupons, payments]) {
      expect(rows.reduce((sum: number, row: Row) => sum + revenueIn(row), 0)).toBe(revenueIn(totals));
      expect([totals.clicks, totals.sales, revenueIn(totals)]).toEqual([3, 5, 20_700]);
    }
    // A partner learns neither how others are grouped nor which codes they have.
    const { token } = await partnerAccount(service, on.partnerId);
    expect((await report('payment', token)).available).not.toEqual(expect.arrayContaining(['group']));
    for (const by of ['group', 'coupon']) {
      const refused = await call(on, 'GET', `/breakdown?by=${by}`, undefined, token);
      expect(refused).toMatchObject({
        status: 400,
        body: badRequest('by cannot be group or coupon for partners', 'by'),
      });
      expect((await call(on, 'GET', `/export/breakdown.csv?by=${by}`, undefined, token)).status).toBe(400);
    }
  });

  it('of days that an earlier release has counted are counted again', async () => {
    const on = await ownedProgram(service);
    await buy(on, {});
    await count();
    await service.sql(
      'update result_facet_days set coupon = null, payment = null, cohort = null where program_id = $1',
      [on.program.id],
    );
    const names = async () =>
      (await call(on, 'GET', '/breakdown?by=payment')).body.data.rows.map(({ name }: Row) => name);
    expect(await names()).toEqual(['No payment', 'Still being counted']);
    await count();
    expect(await names()).toEqual(['New and one-time', 'No payment']);
  });
});

type Cohorts = {
  totals: { sales: number; money: Money[] };
  earlier: { sales: number; money: Money[] };
  pending: { sales: number; money: Money[] };
  cohorts: { month: string; customers: number; months: { month: string; sales: number; money: Money[] }[] }[];
};

describe('customers by month', () => {
  const report = async (on: OwnedProgram, query = '', key = on.owner.token): Promise<Cohorts> =>
    (await call(on, 'GET', `/cohorts${query}`, undefined, key)).body.data;
  /** What the customers of each month have paid, by the month in which they paid it. */
  const paid = ({ cohorts }: Cohorts) =>
    Object.fromEntries(
      cohorts
        .filter(({ customers }) => customers > 0)
        .map(({ month, customers, months }) => [
          month,
          [customers, ...months.map((sums) => revenueIn(sums) - (sums.money[0]?.refunded_cents ?? 0))],
        ]),
    );
  const expectExact = ({ totals, earlier, pending, cohorts }: Cohorts) => {
    const parts = [earlier, pending, ...cohorts.flatMap(({ months }) => months)];
    expect(parts.reduce((sum, part) => sum + revenueIn(part), 0)).toBe(revenueIn(totals));
    expect(parts.reduce((sum, part) => sum + part.sales, 0)).toBe(totals.sales);
  };
  const at = (time: string) => {
    service.time = new Date(time);
  };

  it('have paid what their sales say, in each month since, and all of it adds up', async () => {
    const before = service.time;
    const made = await ownedProgram(service, { commissionType: 'recurring_percent' });
    const on = { ...made };
    const other = { ...on, ...(await service.partner(on.program)) };
    at('2030-01-20T12:00:00Z');
    const early = await buy(on, { amount_cents: 9_000 });
    at('2031-03-31T23:30:00Z');
    const ann = await buy(on, { amount_cents: 1_000 });
    const ben = await buy(other, { amount_cents: 2_000 });
    at('2031-04-01T00:30:00Z');
    await payAgain(on, ann.key, { amount_cents: 300, is_recurring: true });
    await payAgain(on, early.key, { amount_cents: 40, is_recurring: true });
    at('2031-05-10T12:00:00Z');
    // The sign-in of a year ago has ended.
    on.owner = await memberOf(service, made.owner.workspaceId);
    await payAgain(on, ann.key, { amount_cents: 500, is_recurring: true });
    const kim = await buy(on, { amount_cents: 7_000 });
    await service.refund({ transaction_id: ben.order }, { key: on.apiKey });
    expectExact(await report(on));
    await count();
    const all = await report(on);
    expectExact(all);
    expect(paid(all)).toEqual({ '2031-03': [2, 1_000, 300, 500], '2031-05': [1, 7_000] });
    expect([all.cohorts.length, all.cohorts[0]?.month, revenueIn(all.earlier)]).toEqual([12, '2030-06', 40]);
    const file = await call(on, 'GET', '/export/cohorts.csv');
    const lines = file.text.replace('\uFEFF', '').trimEnd().split('\r\n');
    expect([lines[0], lines.length]).toEqual([
      'first_bought,customers,month,months_since,sales,revenue_USD,refunded_USD',
      1 + (12 * 13) / 2 + 2,
    ]);
    expect(lines.filter((line) => /^2031-0[35]|^earlier|^pending/.test(line))).toEqual([
      '2031-03,2,2031-03,0,2,30,20',
      '2031-03,2,2031-04,1,1,3,0',
      '2031-03,2,2031-05,2,1,5,0',
      '2031-05,1,2031-05,0,1,70,0',
      'earlier,,,,1,0.4,0',
      'pending,,,,0,0,0',
    ]);
    expect(paid(await report(on, `?partner_id=${other.partnerId}`))).toEqual({ '2031-03': [1, 0, 0, 0] });
    const { token } = await partnerAccount(service, other.partnerId);
    expect(await report(on, `?partner_id=${on.partnerId}`, token)).toEqual(
      await report(on, `?partner_id=${other.partnerId}`),
    );

    // A sale of February becomes known, so the customer is one of February, in every month.
    const [row] = await service.sql<{ id: number }>(
      'select id from customers where program_id = $1 and customer_key = $2',
      [on.program.id, kim.key],
    );
    await payAgain(on, kim.key, { amount_cents: 11, is_recurring: true });
    await updateConversions(service.ctx.db, new Map([[row!.id, new Date('2031-02-03T00:00:00Z')]]));
    await count();
    const moved = await report(on);
    expectExact(moved);
    expect(paid(moved)).toEqual({ '2031-02': [1, 0, 0, 0, 7_011], '2031-03': [2, 1_000, 300, 500] });
    service.time = before;
  });
});
