import { manage, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { connectPaddle, deliverPaddle, PaddleEvents } from '@svc/testkit/service/payments/paddle.ts';
import { stripePurchase, type Told } from '@svc/testkit/service/payments/purchase-events.ts';
import { type Purchase, purchases } from '@svc/testkit/service/payments/purchases.ts';
import { connectStripe, settle } from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId, sold, soldOwing } from '@svc/testkit/service/sold.ts';
import { expectResultsToAgree } from '@svc/testkit/service/stores/results.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OPERATOR } from '../audit/audit-store.ts';
import { addCoupon } from '../coupons/add-coupon.ts';
import { approveCommissions } from '../jobs/approve-commissions.ts';
import { repairCommissions } from '../jobs/repair-commissions.ts';
import { rollUpCounts } from '../jobs/roll-up-counts.ts';
import { HOUR_MS } from '../time.ts';
import type { PerformanceRow } from './performance.ts';
import { findPerformance } from './performance-store.ts';

const service = useService();

const WHOLE = { partnerId: null, linkId: null };
const rollUp = () => rollUpCounts.run(service.ctx);

/** The results of a period that ends now, from the report. */
async function lastHours({ program }: OwnedProgram, hours: number) {
  const period = { from: new Date(service.time.getTime() - hours * HOUR_MS), to: service.time };
  const rows = await findPerformance(service.ctx.db, program.id, period, WHOLE, 'total');
  const sum = (of: keyof PerformanceRow) => rows.reduce((total, row) => total + Number(row[of]), 0);
  return [
    sum('leads'),
    sum('firstSales'),
    sum('sales'),
    sum('revenueCents'),
    sum('refundedCents'),
    sum('commissionCents'),
  ];
}

/** The same results, counted from the rows. */
async function lastHoursOfRows({ program }: OwnedProgram, hours: number) {
  const [row] = await service.sql<Record<string, number>>(
    `select coalesce(sum(leads), 0)::int as a, coalesce(sum(first_sales), 0)::int as b, coalesce(sum(sales), 0)::int as c,
       coalesce(sum(revenue_cents), 0)::int as d, coalesce(sum(refunded_cents), 0)::int as e,
       coalesce(sum(commission_cents), 0)::int as f
     from results where program_id = $1 and at >= $2 and at < $3`,
    [program.id, new Date(service.time.getTime() - hours * HOUR_MS), service.time],
  );
  return Object.values(row ?? {});
}

const post = (made: OwnedProgram, rest: string, body: object = {}) =>
  service.call('POST', manage(made, rest), { key: made.owner.token, body });

describe('results by day', () => {
  it.each([
    ['rolled up', rollUp],
    ['not rolled up yet', async () => {}],
  ])('include a refund of an old sale that is %s', async (_state, rollUpFirst) => {
    const made = await ownedProgram(service);
    const { transactionId } = await sold(service, made);
    await rollUpFirst();
    service.advance({ days: 100 });
    expect(await lastHours(made, 101 * 24)).toEqual([1, 1, 1, 10_000, 0, 2_000]);
    await service.refund({ transaction_id: transactionId, refund_amount_cents: 2_500 }, { key: made.apiKey });
    expect(await lastHours(made, 101 * 24)).toEqual([1, 1, 1, 10_000, 2_500, 1_500]);
    await rollUp();
    expect(await lastHours(made, 101 * 24)).toEqual([1, 1, 1, 10_000, 2_500, 1_500]);
    await service.refund({ transaction_id: transactionId }, { key: made.apiKey });
    expect(await lastHours(made, 101 * 24)).toEqual([1, 1, 1, 10_000, 10_000, 0]);
  });

  it('do not count rejected commissions, whatever their day', async () => {
    const made = await ownedProgram(service);
    const { commissionId } = await sold(service, made);
    service.advance({ days: 3 });
    await rollUp();
    expect((await post(made, `/commissions/${commissionId}/reject`)).status).toBe(200);
    expect(await lastHours(made, 96)).toEqual([1, 1, 1, 10_000, 0, 0]);
    await rollUp();
    expect(await lastHours(made, 96)).toEqual([1, 1, 1, 10_000, 0, 0]);
  });

  it('disappear when the rows are deleted', async () => {
    const made = await ownedProgram(service);
    const { saleId } = await sold(service, made);
    await rollUp();
    await service.sql('delete from commissions where sale_id = $1', [saleId]);
    await service.sql('delete from sales where id = $1', [saleId]);
    await service.sql('delete from customers where program_id = $1', [made.program.id]);
    service.advance({ days: 2 });
    expect(await lastHours(made, 72)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('do not include test events', async () => {
    const made = await ownedProgram(service);
    const test = { test_mode: true, program_id: made.program.id };
    await service.sale(
      { transaction_id: newId('order'), amount_cents: 100, customer_key: 'a', additional_data: test },
      { key: made.apiKey },
    );
    service.advance({ days: 2 });
    expect(await lastHours(made, 72)).toEqual([0, 0, 0, 0, 0, 0]);
  });
});

/** A program whose customers pay at Stripe and Paddle as well, with a second partner, Bob, who has a coupon. */
type Shop = OwnedProgram & {
  bob: { partnerId: number; link: string };
  /** Events of payments at Stripe that have not arrived yet. */
  onTheWay: Told['events'];
};

async function openShop(): Promise<Shop> {
  const made = await ownedProgram(service, { couponsWin: true, holdDays: 1 });
  await connectStripe(service, made);
  await connectPaddle(service, made);
  const bob = await service.partner(made.program);
  await addCoupon(service.ctx, made.program, { code: 'BOB20', partnerId: bob.partnerId }, OPERATOR);
  return { ...made, bob, onTheWay: [] };
}

type Row = { id: number; key: string };

/** One of the rows of the program; undefined while it has none. */
async function oneOf({ program }: Shop, n: number, rows: string): Promise<Row | undefined> {
  const found = await service.sql<Row>(`select id, ${rows} and program_id = $1 order by id`, [program.id]);
  return found[n % Math.max(1, found.length)];
}

const CUSTOMERS = 'customer_key as key from customers where customer_key is not null';
const SALES = 'processor_event_id as key from sales where true';
const PAID_AT_PADDLE = `processor_event_id as key from sales where processor_event_id like 'txn_%'`;
const COMMISSIONS = 'kind as key from commissions where true';
const PAYOUTS = 'status as key from payouts where true';

const change = (rows: string, path: (id: number) => string, body?: (shop: Shop, n: number) => object) => ({
  async do(shop: Shop, n: number) {
    const row = await oneOf(shop, n, rows);
    if (row) await post(shop, path(row.id), body?.(shop, n));
  },
});

async function adjustAtPaddle(shop: Shop, n: number, adjusted: { cents: number; tax?: number; action?: string }) {
  const paid = await oneOf(shop, n, PAID_AT_PADDLE);
  const paddle = new PaddleEvents(service.time);
  const adjustment = paid && paddle.adjustment({ transaction: paid.key, ...adjusted });
  if (adjustment) await deliverPaddle(service, shop.program.id, paddle.event('adjustment.updated', adjustment));
}

/** Whatever changes leads, sales, refunds and commissions. The number says which of them, or how much. */
const VERBS = {
  buy: { do: (shop: Shop, n: number) => sold(service, shop, { amount_cents: 1 + n }) },
  'buy with a coupon': {
    async do(shop: Shop, n: number) {
      const buyer = n % 4 === 0 ? undefined : await oneOf(shop, n, CUSTOMERS);
      const sale = { transaction_id: newId('order'), customer_key: buyer?.key ?? newId('user'), amount_cents: 1 + n };
      await service.sale({ ...sale, coupon_code: 'BOB20' }, { key: shop.apiKey });
    },
  },
  'owe a commission': { do: (shop: Shop, n: number) => soldOwing(service, shop, { amount_cents: 1 + n }) },
  'pay at Paddle': {
    async do(shop: Shop, n: number) {
      const buyer = await oneOf(shop, n, CUSTOMERS);
      const paddle = new PaddleEvents(service.time);
      const customData = { svc_customer_key: buyer?.key ?? newId('user') };
      const paid = paddle.transaction({ cents: 5_950, tax: 950, customData });
      await deliverPaddle(service, shop.program.id, paddle.event('transaction.completed', paid));
    },
  },
  hear: {
    async do(shop: Shop, n: number) {
      const [send] = shop.onTheWay.splice(n % Math.max(1, shop.onTheWay.length), 1);
      await send?.(service, shop.program.id);
      await settle(service);
    },
  },
  refund: {
    async do(shop: Shop, n: number) {
      const sale = await oneOf(shop, n, SALES);
      const refund = { transaction_id: sale?.key, refund_amount_cents: 1 + (n % 5_000), refund_id: newId('refund') };
      await service.refund(refund, { key: shop.apiKey });
    },
  },
  'refund tax': { do: (shop: Shop, n: number) => adjustAtPaddle(shop, n, { cents: 950, tax: 950 }) },
  'charge back': { do: (shop: Shop, n: number) => adjustAtPaddle(shop, n, { cents: 5_000, action: 'chargeback' }) },
  'win the dispute': {
    do: (shop: Shop, n: number) => adjustAtPaddle(shop, n, { cents: 5_000, action: 'chargeback_reverse' }),
  },
  approve: change(COMMISSIONS, (id) => `/commissions/${id}/approve`),
  reject: change(COMMISSIONS, (id) => `/commissions/${id}/reject`),
  restore: change(COMMISSIONS, (id) => `/commissions/${id}/restore`),
  adjust: {
    do: ({ bob, ...made }: Shop, n: number) =>
      post(made, '/adjustments', {
        partner_id: n % 2 ? bob.partnerId : made.partnerId,
        amount_cents: n - 5_000 || 1,
        currency: 'USD',
        reason: 'Agreed',
      }),
  },
  assign: change(
    CUSTOMERS,
    (id) => `/customers/${id}/assign`,
    ({ bob, partnerId }, n) => ({ partner_id: n % 2 ? bob.partnerId : partnerId, reason: 'They said so' }),
  ),
  erase: change(CUSTOMERS, (id) => `/customers/${id}/erase`),
  'pay out': { do: (shop: Shop) => post(shop, '/payouts') },
  'mark as paid': change(PAYOUTS, (id) => `/payouts/${id}/mark-paid`),
  'mark as failed': change(
    PAYOUTS,
    (id) => `/payouts/${id}/mark-failed`,
    () => ({ reason: 'It came back' }),
  ),
  'cancel the payout': change(PAYOUTS, (id) => `/payouts/${id}/cancel`),
  'end holds': { do: () => approveCommissions.run(service.ctx) },
  repair: { do: () => repairCommissions.run(service.ctx) },
  'roll up': { do: rollUp },
} satisfies Record<string, { do: (shop: Shop, n: number) => Promise<unknown> }>;

type Verb = keyof typeof VERBS;
type Step = { do: Verb; n: number } | { do: 'wait'; hours: number } | { do: 'purchase'; purchase: Purchase };

async function perform(shop: Shop, step: Step): Promise<void> {
  if (step.do === 'wait') return service.advance({ seconds: step.hours * 3_600 });
  if (step.do !== 'purchase') return void (await VERBS[step.do].do(shop, step.n));
  const [key, email] = [newId('user'), `${newId('jane')}@people.test`];
  const janesClick = await service.clickId(shop.link);
  await service.lead({ click_id: janesClick, customer_key: key, email }, { key: shop.apiKey });
  const people = { key, email, janesClick, bobsClick: await service.clickId(shop.bob.link) };
  service.advance({ seconds: 60 });
  shop.onTheWay.push(...stripePurchase(step.purchase, people, service.time).events);
}

describe('after every verb that changes leads, sales, refunds or commissions', () => {
  it('the counts are those of the rows, one verb after another', async () => {
    const shop = await openShop();
    // Stripe first says that it was Bob's customer who paid, and then that it was Jane's.
    const purchase: Purchase = {
      says: { checkout: 'key of Jane’s', customer: 'nothing', start: 'click of Bob’s', renewal: 'nothing' },
      coupon: null,
      hasRenewal: false,
      taken: 'refund',
      hasNewKey: false,
      isSignupLate: false,
      isAssigned: false,
      generation: '2026',
    };
    const [CHECKOUT, INVOICE] = [0, 2];
    const steps: [Step['do'], number?][] = [
      ['buy', 9_999],
      ['buy', 4_999],
      ['buy with a coupon', 1],
      ['buy with a coupon', 4],
      ['owe a commission', 1_999],
      ['pay at Paddle', 0],
      ['refund tax', 0],
      ['charge back', 0],
      ['win the dispute', 0],
      ['purchase'],
      ['hear', INVOICE],
      ['hear', CHECKOUT],
      ['refund', 0],
      ['assign', 3],
      ['adjust', 9_000],
      ['reject', 0],
      ['restore', 0],
      ['reject', 1],
      ['wait', 240],
      ['repair'],
      ['end holds'],
      ['pay out'],
      ['mark as paid', 0],
      ['mark as failed', 0],
      ['pay out'],
      ['cancel the payout', 2],
      ['erase', 0],
    ];
    for (const [verb, n = 0] of steps) {
      const step =
        verb === 'purchase' ? { do: verb, purchase } : verb === 'wait' ? { do: verb, hours: n } : { do: verb, n };
      await perform(shop, step);
      await expectResultsToAgree(service.ctx.db);
    }
    await rollUp();
    await expectResultsToAgree(service.ctx.db);

    // Each of them did happen.
    const happened = await service.sql(
      `select
         (select count(*)::int from decisions where program_id = $1 and reason = 'payer_known_better') as taken_back,
         (select count(*)::int from decisions where program_id = $1 and reason = 'customer_assigned') as assigned,
         (select count(*)::int from customers where program_id = $1 and erased_at is not null) as erased,
         (select count(*)::int from customers where program_id = $1 and partner_id = $2) as of_bob,
         (select count(*)::int from sales where program_id = $1 and refunded_tax_only_cents > 0) as tax_refunded,
         (select count(*)::int from refunds where program_id = $1 and status = 'restored') as disputes_won,
         (select count(*)::int from sales where program_id = $1 and commission_state = 'owed') as owed,
         (select count(*)::int from commissions where program_id = $1 and stage = 'rejected') as rejected,
         (select array_agg(distinct status order by status) from payouts where program_id = $1) as payouts`,
      [shop.program.id, shop.bob.partnerId],
    );
    expect(happened).toEqual([
      {
        taken_back: 1,
        assigned: 1,
        erased: 1,
        // Two came with the coupon, one was assigned, and one only clicked.
        of_bob: 4,
        tax_refunded: 1,
        disputes_won: 1,
        owed: 0,
        rejected: 1,
        payouts: ['cancelled', 'failed', 'open'],
      },
    ]);
  });

  it('the counts are those of the rows after any sequence of them, for any period', async () => {
    const verb = fc.constantFrom(...(Object.keys(VERBS) as Verb[]));
    const step: fc.Arbitrary<Step> = fc.oneof(
      { weight: 12, arbitrary: fc.record({ do: verb, n: fc.nat(9_999) }) },
      { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('buy' as const, 'hear' as const), n: fc.nat(9_999) }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('purchase' as const), purchase: purchases }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 40 }) }) },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 8, maxLength: 30 }),
        fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 3, maxLength: 3 }),
        async (steps, periods) => {
          const shop = await openShop();
          for (const one of steps) await perform(shop, one);
          service.advance({ seconds: 1 });
          for (const hours of periods) expect(await lastHours(shop, hours)).toEqual(await lastHoursOfRows(shop, hours));
          await expectResultsToAgree(service.ctx.db);
        },
      ),
      { numRuns: 8 },
    );
  }, 120_000);
});
