import { PROCESSORS } from '@svc/contract';
import {
  type Payment,
  type Sent,
  SHOPS,
  type Shop,
  WITH_DISPUTES,
  WITH_INQUIRIES,
  WITH_METADATA,
} from '@svc/testkit/service/payments/shops.ts';
import { ledger, newId, outcomeOf, settle } from '@svc/testkit/service/payments/stripe.ts';
import { type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';
import { OPERATOR } from '../../audit/audit-store.ts';
import { addCoupon } from '../../coupons/add-coupon.ts';

const service = useService();

const KEY = 'user-1';
const FULL = { cents: 5_000, refunded: 5_000, commission: 1_000, deducted: 1_000, reversal: 'full' };
const UNTOUCHED = { cents: 5_000, refunded: 0, commission: 1_000, deducted: 0, reversal: 'none' };

type Buyer = TestProgram & { id: number; shop: Shop };
type Settings = Parameters<typeof service.program>[0];

/** A connected program, at 20 percent, with a customer who came through a partner and signed up. */
async function withBuyer(shop: Shop, settings: Settings = {}): Promise<Buyer> {
  const made = await service.program({ commissionType: 'percent', commissionRate: '20', ...settings });
  await shop.connect(made);
  await service.customer(made, KEY);
  return { ...made, id: made.program.id, shop };
}

/** Sends events one at a time, each processed before the next, and returns the outcome of the last one. */
async function deliver(programId: number, ...events: Sent[]): Promise<string> {
  for (const event of events) {
    expect((await event.send(programId)).status).toBe(200);
    await settle(service);
  }
  return outcomeOf(service, programId, events.at(-1)?.id ?? '');
}

/** Every second one from the start, then the others backwards: far from the order in which they happened. */
const shuffled = (events: Sent[]) => [
  ...events.filter((_, index) => index % 2 === 0),
  ...events.filter((_, index) => index % 2 === 1).reverse(),
];

/** The short form leaves orders between these two to `order-of-events.api.test.ts`. */
const ARRANGEMENTS = [
  (all: Sent[]) => all,
  (all: Sent[]) => all.toReversed(),
  ...(process.env.SVC_TEST_LONG ? [shuffled] : []),
];

describe.each(PROCESSORS)('%s', (processor) => {
  const shopOf = () => SHOPS[processor](service);

  it('records a payment once, however often and however fast its events arrive', async () => {
    const { id, shop } = await withBuyer(shopOf());
    const { id: transactionId, events } = shop.pay({ key: KEY });
    const answers = await Promise.all([...events, ...events, ...events].map((event) => event.send(id)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.filter(({ body }) => !body.duplicate)).toHaveLength(events.length);
    await settle(service);
    await deliver(id, ...events);
    expect(await ledger(service, id)).toMatchObject([{ id: transactionId, currency: 'USD', ...UNTOUCHED }]);
  });

  it('pays on the net amount, without tax, unless the program pays on all that was paid', async () => {
    for (const [commissionBase, commission] of [
      ['net', 2_000],
      ['gross', 2_380],
    ] as const) {
      const { id, shop } = await withBuyer(shopOf(), { commissionBase });
      await deliver(id, ...shop.pay({ key: KEY, cents: 11_900, tax: 1_900 }).events);
      expect(await ledger(service, id)).toMatchObject([{ cents: 11_900, commission }]);
    }
  });

  it('deducts partial refunds in proportion, and ignores those that come to nothing', async () => {
    const { id, shop } = await withBuyer(shopOf());
    const payment = shop.pay({ key: KEY });
    await deliver(id, ...payment.events);
    const outcomes: string[] = [];
    for (const event of shop.refund(payment, 1_000)) outcomes.push(await deliver(id, event));
    expect(outcomes).toContain('refunded');
    expect(await ledger(service, id)).toMatchObject([{ refunded: 1_000, deducted: 200, reversal: 'partial' }]);
    await deliver(id, ...shop.failedRefund(payment, 2_000));
    await deliver(id, ...shop.refund(payment, 333));
    expect(await ledger(service, id)).toMatchObject([{ refunded: 1_333, deducted: 267, reversal: 'partial' }]);
    await deliver(id, ...shop.refund(payment, 3_667));
    expect(await ledger(service, id)).toMatchObject([FULL]);
  });

  it('comes to the same result in any order', async () => {
    const results: unknown[] = [];
    for (const arrange of ARRANGEMENTS) {
      const { id, shop } = await withBuyer(shopOf(), { commissionType: 'recurring_percent' });
      const subscription = newId('sub');
      const start = shop.payFor(subscription, 'start', { key: KEY });
      service.advance({ seconds: 5 });
      const renewal = shop.payFor(subscription, 'cycle', { key: KEY, cents: 2_000 });
      const dispute = shop.dispute(renewal, 2_000);
      const all = [
        ...start.events,
        ...shop.refund(start, 700),
        ...shop.failedRefund(start, 900),
        ...renewal.events,
        ...dispute.opened,
        ...shop.refund(start, 300),
        ...dispute.won,
      ];
      await deliver(id, ...arrange(all));
      const rows = await ledger(service, id);
      const own = ({ id: transactionId }: Record<string, unknown>) =>
        transactionId === start.id ? 'start' : 'renewal';
      results.push(rows.map((row) => ({ ...row, id: own(row) })).sort((a, b) => a.id.localeCompare(b.id)));
    }
    expect(results[0]).toMatchObject([
      { id: 'renewal', cents: 2_000, refunded: 0, recurring: true, commission: 400, deducted: 0 },
      { id: 'start', cents: 5_000, refunded: 1_000, recurring: false, commission: 1_000, deducted: 200 },
    ]);
    for (const result of results) expect(result).toEqual(results[0]);
  });

  const commissions = async (id: number) =>
    (await ledger(service, id)).map(({ cents, commission }) => [cents, commission]);
  const byCents = (a: unknown[], b: unknown[]) => Number(a[0]) - Number(b[0]);
  const inTurn = async (id: number, ...payments: (() => Payment)[]) => {
    for (const pay of payments) {
      await deliver(id, ...pay().events);
      service.advance({ seconds: 60 });
    }
  };

  it('pays for the first payment of a subscription, not for renewals, unless the terms are recurring', async () => {
    for (const [commissionType, forRenewal] of [
      ['percent', null],
      ['recurring_percent', 400],
    ] as const) {
      const { id, shop } = await withBuyer(shopOf(), { commissionType });
      const subscription = newId('sub');
      await inTurn(
        id,
        () => shop.payFor(subscription, 'start', { key: KEY }),
        () => shop.payFor(subscription, 'cycle', { key: KEY, cents: 2_000 }),
      );
      expect((await commissions(id)).sort(byCents)).toEqual([
        [2_000, forRenewal],
        [5_000, 1_000],
      ]);
    }
  });

  it('pays for the first money after a free trial, and nothing for the trial', async () => {
    const { id, shop } = await withBuyer(shopOf());
    const subscription = newId('sub');
    const trial = () => shop.payFor(subscription, 'start', { key: KEY, cents: 0 });
    await inTurn(
      id,
      trial,
      () => shop.payFor(subscription, 'cycle', { key: KEY }),
      () => shop.payFor(subscription, 'cycle', { key: KEY, cents: 4_999 }),
    );
    expect((await commissions(id)).sort(byCents)).toEqual([
      [4_999, null],
      [5_000, 1_000],
    ]);
  });

  it('pays percent of a change within a subscription, and no fixed amount', async () => {
    for (const [commissionType, commissionRate, first, forChange] of [
      ['percent', '20', 1_000, 30],
      ['fixed', '50', 5_000, null],
    ] as const) {
      const { id, shop } = await withBuyer(shopOf(), { commissionType, commissionRate });
      const subscription = newId('sub');
      await inTurn(
        id,
        () => shop.payFor(subscription, 'start', { key: KEY }),
        () => shop.payFor(subscription, 'change', { key: KEY, cents: 150 }),
      );
      expect((await commissions(id)).sort(byCents)).toEqual([
        [150, forChange],
        [5_000, first],
      ]);
    }
  });

  it('counts test payments nowhere', async () => {
    const { id, shop } = await withBuyer(shopOf());
    const { events } = shop.pay({ key: KEY, isTest: true });
    await deliver(id, ...events);
    expect(await ledger(service, id)).toEqual([]);
    const rows = await service.sql('select distinct is_live from processor_events where program_id = $1', [id]);
    expect(rows).toEqual([{ is_live: false }]);
    expect(await service.counts(id)).toMatchObject({ commissions: 0 });
  });

  it('credits the partner whose coupon somebody used whom nobody knows, also for what they pay later', async () => {
    const { id, shop, program } = await withBuyer(shopOf());
    const { partnerId: ben } = await service.partner(program);
    await addCoupon(service.ctx, program, { code: 'BEN20', partnerId: ben }, OPERATOR);
    const customer = newId('customer');
    expect(await deliver(id, ...shop.pay({ customer, coupon: 'ben20' }).events)).toBe('recorded');
    await deliver(id, ...shop.pay({ customer, cents: 700 }).events);
    const paid = await service.sql(
      'select partner_id, commission_cents as cents from commissions where program_id = $1 order by 2',
      [id],
    );
    expect(paid).toEqual([
      { partner_id: ben, cents: 140 },
      { partner_id: ben, cents: 1_000 },
    ]);
  });

  it('keeps a payment in an unknown currency with its reason', async () => {
    const { id, shop } = await withBuyer(shopOf());
    expect(await deliver(id, ...shop.pay({ key: KEY, currency: 'XXQ' }).events)).toBe('unknown_currency');
    expect(await ledger(service, id)).toEqual([]);
  });

  it('records a payment later, once the processor’s customer is known', async () => {
    const { id, shop } = await withBuyer(shopOf());
    const customer = newId('customer');
    expect(await deliver(id, ...shop.pay({ customer }).events)).toBe('no_customer');
    expect(await deliver(id, ...shop.describeCustomer(customer, KEY))).toBe('payer_known');
    await settle(service);
    expect(await ledger(service, id)).toMatchObject([UNTOUCHED]);
    // The next one needs no data of its own.
    await deliver(id, ...shop.pay({ customer, cents: 700 }).events);
    expect(await ledger(service, id)).toHaveLength(2);
  });
});

describe.each(WITH_DISPUTES)('%s', (processor) => {
  it('takes back what is disputed, and restores it when the dispute is won', async () => {
    const { id, shop } = await withBuyer(SHOPS[processor](service));
    const payment = shop.pay({ key: KEY });
    await deliver(id, ...payment.events);
    const { opened, won } = shop.dispute(payment, 5_000);
    expect(await deliver(id, ...opened)).toBe('refunded');
    expect(await ledger(service, id)).toMatchObject([FULL]);
    expect(await deliver(id, ...won)).toBe('restored');
    expect(await ledger(service, id)).toMatchObject([{ refunded: 0, deducted: 0 }]);
  });
});

describe.each(WITH_INQUIRIES)('%s', (processor) => {
  it('takes nothing back when the bank only asks', async () => {
    const { id, shop } = await withBuyer(SHOPS[processor](service));
    const payment = shop.pay({ key: KEY });
    expect(await deliver(id, ...payment.events, ...shop.inquiry(payment, 5_000))).toBe('inquiry');
    expect(await ledger(service, id)).toMatchObject([UNTOUCHED]);
  });
});

describe.each(WITH_METADATA)('%s', (processor) => {
  it('ignores a payment that names another program', async () => {
    const { id, shop } = await withBuyer(SHOPS[processor](service));
    const other = await service.program();
    expect(await deliver(id, ...shop.pay({ key: KEY, programId: other.program.id }).events)).toBe('other_program');
    expect(await ledger(service, id)).toEqual([]);
    await deliver(id, ...shop.pay({ key: KEY, programId: id }).events);
    expect(await ledger(service, id)).toHaveLength(1);
  });
});

const OTHERS = PROCESSORS.filter((name) => name !== 'stripe');

it.each(OTHERS)('keeps the processors of a program apart, even with the same ids: stripe and %s', async (name) => {
  const [stripe, other] = [SHOPS.stripe(service), SHOPS[name](service)];
  const made = await withBuyer(stripe, { commissionType: 'percent' });
  await other.connect(made);
  await service.customer(made, 'user-2');
  const [subscription, customer] = [newId('sub'), newId('customer')];
  await deliver(made.id, ...stripe.payFor(subscription, 'start', { key: KEY, customer }).events);
  // The customer of the other has the same id as the one of Stripe, and is somebody else.
  expect(await deliver(made.id, ...other.pay({ customer, cents: 700 }).events)).toBe('no_customer');
  expect(await deliver(made.id, ...other.pay({ customer, key: 'user-2', cents: 800 }).events)).toBe('recorded');
  await settle(service);
  const rows = await service.sql(
    `select s.amount_cents as cents, c.customer_key as key from sales s join customers c on c.id = s.customer_id
     where s.program_id = $1 order by cents`,
    [made.id],
  );
  expect(rows).toEqual([
    { cents: 700, key: 'user-2' },
    { cents: 800, key: 'user-2' },
    { cents: 5_000, key: KEY },
  ]);
});
