import { type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { customerIdOf } from '@svc/testkit/service/decisions.ts';
import { asOwner } from '@svc/testkit/service/payments/paid.ts';
import { connectStripe, deliver, StripeEvents, settle } from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';
import type { Db } from '../db/db.ts';
import type { Program } from '../programs/program.ts';
import { recordSales } from './record-sales.ts';
import type { NewSale } from './sale.ts';

const service = useService();

const DAY = 86_400_000;
const USER = 'user-1';

type Shop = OwnedProgram & { customerId: number; ann: number; ben: number; cleo: number };

/** A customer who clicked Ann's link on the first day. Ben and Cleo have the codes `BEN` and `CLEO`. */
async function shop(settings: Partial<Program> = {}): Promise<Shop & { day: (number: number) => Date }> {
  const made = await ownedProgram(service, settings);
  await connectStripe(service, made);
  const start = service.time.getTime();
  const customerId = customerIdOf(await service.customer(made, USER));
  const [ben, cleo] = [await service.partner(made.program), await service.partner(made.program)];
  for (const [code, { partnerId }] of [['BEN', ben] as const, ['CLEO', cleo] as const]) {
    await asOwner(service, made, 'POST', '/coupons', { code, partner_id: partnerId });
  }
  const partners = { ann: made.partnerId, ben: ben.partnerId, cleo: cleo.partnerId };
  return { ...made, customerId, ...partners, day: (number) => new Date(start + number * DAY) };
}

const assign = (made: Shop, partner_id: number) =>
  asOwner(service, made, 'POST', `/customers/${made.customerId}/assign`, { partner_id, reason: 'They agreed' });

const saleOf = (fields: Partial<NewSale>): NewSale => ({
  transactionId: newId('order'),
  customerKey: USER,
  clickId: undefined,
  amountCents: 10_000,
  currency: 'USD',
  saleType: 'payment',
  isRecurring: false,
  isTest: false,
  source: 'processor',
  requestId: null,
  ...fields,
});

/** Records a payment of the customer and returns whom it credited. */
async function paid({ program }: Shop, fields: Partial<NewSale>, ctx = service.ctx): Promise<number | null> {
  const sale = saleOf(fields);
  await recordSales(ctx, [{ program, sale }]);
  const [row] = await service.sql<{ partnerId: number }>(
    `select c.partner_id as "partnerId" from sales s join commissions c on c.sale_id = s.id
     where s.processor_event_id = $1`,
    [sale.transactionId],
  );
  return row?.partnerId ?? null;
}

const holderOf = async ({ customerId }: Shop) =>
  (await service.sql<{ id: number }>('select partner_id as id from customers where id = $1', [customerId]))[0]?.id;

describe('a payment that is reported after its customer was moved', () => {
  it('credits the partner of the time of payment: a person moved the customer', async () => {
    const made = await shop();
    service.time = made.day(10);
    await assign(made, made.ben);
    service.time = made.day(12);
    const stripe = new StripeEvents('2026', made.day(5));
    const late = stripe.session({ metadata: { svc_customer_key: USER } });
    expect(await deliver(service, made.program.id, stripe.event('checkout.session.completed', late))).toBe('recorded');
    const { body } = await asOwner(service, made, 'GET', '/commissions');
    expect(body.data).toMatchObject([{ partner_id: made.ann }]);
    expect(await holderOf(made)).toBe(made.ben);
  });

  it('credits the partner of the time of payment: a coupon moved the customer', async () => {
    const made = await shop({ couponsWin: true });
    service.time = made.day(25);
    await service.sale(
      { transaction_id: newId('order'), customer_key: USER, amount_cents: 10_000, coupon_code: 'BEN' },
      { key: made.apiKey },
    );
    service.time = made.day(26);
    const stripe = new StripeEvents('2026', made.day(21));
    const late = stripe.session({ metadata: { svc_customer_key: USER } });
    expect(await deliver(service, made.program.id, stripe.event('checkout.session.completed', late))).toBe('recorded');
    const commissions = 'select partner_id from commissions where program_id = $1 order by id';
    expect(await service.sql(commissions, [made.program.id])).toEqual([
      { partner_id: made.ben },
      { partner_id: made.ann },
    ]);
  });

  it('credits each of several partners for their own time', async () => {
    const made = await shop();
    for (const [number, partnerId] of [[10, made.ben] as const, [20, made.cleo] as const, [30, made.ann] as const]) {
      service.time = made.day(number);
      await assign(made, partnerId);
    }
    service.time = made.day(40);
    const credited = [];
    for (const number of [35, 5, 25, 15, 10, 20]) credited.push(await paid(made, { paidAt: made.day(number) }));
    expect(credited).toEqual([made.ann, made.ann, made.cleo, made.ben, made.ben, made.cleo]);
    // The link was Ann's, and counts only for what she sold through it.
    const links = await service.sql(
      'select partner_id, link_id is not null as "throughLink" from sales where program_id = $1 order by created_at',
      [made.program.id],
    );
    expect(links.map(({ throughLink }) => throughLink)).toEqual([true, false, false, false, false, false]);
  });

  it('credits nobody if the customer had no partner at that time', async () => {
    const made = await shop();
    await service.lead({ customer_key: 'user-2' }, { key: made.apiKey });
    const [{ id } = { id: 0 }] = await service.sql<{ id: number }>(
      `select id from customers where program_id = $1 and customer_key = 'user-2'`,
      [made.program.id],
    );
    service.time = made.day(10);
    await assign({ ...made, customerId: id }, made.ben);
    service.time = made.day(20);
    await assign({ ...made, customerId: id }, made.cleo);
    expect(await paid(made, { customerKey: 'user-2', paidAt: made.day(5) })).toBeNull();
  });

  it('is for the moment of the move itself the new partner’s', async () => {
    const made = await shop();
    service.time = made.day(10);
    await assign(made, made.ben);
    const before = new Date(made.day(10).getTime() - 1);
    expect([await paid(made, { paidAt: before }), await paid(made, { paidAt: made.day(10) })]).toEqual([
      made.ann,
      made.ben,
    ]);
  });

  it('measures the window of the click that counted then', async () => {
    const opened = await shop();
    const made = { ...opened, program: { ...opened.program, attributionWindowDays: 3 } };
    await service.sql(`update customers set lead_at = null, lead_state = null where id = $1`, [made.customerId]);
    service.time = made.day(10);
    await assign(made, made.ben);
    // Ann's claim had ended, and Ben's had not begun.
    expect(await paid(made, { paidAt: made.day(5) })).toBeNull();
    expect(await paid(made, { paidAt: made.day(2) })).toBe(made.ann);
  });
});

describe('a coupon that is reported late', () => {
  it('holds from the time of its payment', async () => {
    const made = await shop({ couponsWin: true });
    service.time = made.day(30);
    expect(await paid(made, { paidAt: made.day(20), couponCode: 'BEN' })).toBe(made.ben);
    expect(await paid(made, { paidAt: made.day(21) })).toBe(made.ben);
    expect(await paid(made, { paidAt: made.day(19) })).toBe(made.ann);
    expect(await holderOf(made)).toBe(made.ben);
  });

  it('credits its partner without taking the customer from whom they were assigned to since', async () => {
    const made = await shop({ couponsWin: true });
    service.time = made.day(25);
    await assign(made, made.cleo);
    service.time = made.day(30);
    expect(await paid(made, { paidAt: made.day(20), couponCode: 'BEN' })).toBe(made.ben);
    expect(await holderOf(made)).toBe(made.cleo);
    const credited = [];
    for (const number of [19, 22, 26]) credited.push(await paid(made, { paidAt: made.day(number) }));
    expect(credited).toEqual([made.ann, made.ben, made.cleo]);
  });

  it('meets the claim of its own time, not a later one', async () => {
    const made = await shop();
    await service.lead({ customer_key: 'user-2' }, { key: made.apiKey });
    const [{ id } = { id: 0 }] = await service.sql<{ id: number }>(
      `select id from customers where program_id = $1 and customer_key = 'user-2'`,
      [made.program.id],
    );
    service.time = made.day(25);
    await assign({ ...made, customerId: id }, made.cleo);
    const user2 = { customerKey: 'user-2' };
    expect(await paid(made, { ...user2, paidAt: made.day(20), couponCode: 'BEN' })).toBe(made.ben);
    // Ben had the customer first, so another code does not take them.
    expect(await paid(made, { ...user2, paidAt: made.day(21), couponCode: 'CLEO' })).toBe(made.ben);
    expect(await holderOf({ ...made, customerId: id })).toBe(made.cleo);
  });

  it('is judged again if the customer is moved between judging and writing', async () => {
    const made = await shop({ couponsWin: true });
    service.time = made.day(30);
    let moves = 0;
    const db: Db = {
      ...service.ctx.db,
      query: (sql, params) => service.ctx.db.query(sql, params),
      transaction: async (work) => {
        moves += 1;
        if (moves === 1) await assign(made, made.cleo);
        return service.ctx.db.transaction(work);
      },
    };
    const sale = { paidAt: made.day(20), couponCode: 'BEN' };
    expect(await paid(made, sale, { ...service.ctx, db })).toBe(made.ben);
    expect(moves).toBe(2);
    expect(await holderOf(made)).toBe(made.cleo);
  });
});

type Paid = { day: number; coupon?: 'BEN' | 'CLEO'; cents: number };

/** What the program has recorded in the end: whom each payment credits, and what was paid back of it. */
async function ledgerOf(made: Shop & { day: (number: number) => Date }, payments: readonly Paid[], key = USER) {
  service.time = made.day(20);
  for (const { day, coupon, cents } of payments) {
    const stripe = new StripeEvents('2026', made.day(day));
    const metadata = { svc_customer_key: key, ...(coupon && { svc_coupon_code: coupon }) };
    const session = stripe.session({ cents, metadata, paymentIntent: newId('pi') });
    await deliver(service, made.program.id, stripe.event('checkout.session.completed', session));
  }
  await settle(service);
  // Payments of people who were not known yet are tried again.
  service.advance({ days: 1 });
  await settle(service);
  const names = { [made.ann]: 'Ann', [made.ben]: 'Ben', [made.cleo]: 'Cleo' };
  const rows = await service.sql<{ cents: number; sold: number; earned: number; commission: number }>(
    `select s.amount_cents as cents, s.partner_id as sold, c.partner_id as earned, c.commission_cents as commission
     from sales s left join commissions c on c.sale_id = s.id where s.program_id = $1 order by s.created_at`,
    [made.program.id],
  );
  return rows.map(({ cents, sold, earned, commission }) => [cents, names[sold], names[earned], commission]);
}

describe('payments of a customer whom a coupon takes over', () => {
  const WITH_CODE: Paid = { day: 5, coupon: 'BEN', cents: 10_000 };
  const LATER: Paid = { day: 6, cents: 20_000 };
  const BEFORE: Paid = { day: 4, cents: 30_000 };

  it.each([
    ['as they were made', [BEFORE, WITH_CODE, LATER]],
    ['the last one first', [LATER, BEFORE, WITH_CODE]],
    ['the one with the code last', [BEFORE, LATER, WITH_CODE]],
    ['backwards', [LATER, WITH_CODE, BEFORE]],
  ])('credit the same partners whatever the order of reports: %s', async (_order, payments) => {
    expect(await ledgerOf(await shop({ couponsWin: true }), payments)).toEqual([
      [30_000, 'Ann', 'Ann', 6_000],
      [10_000, 'Ben', 'Ben', 2_000],
      [20_000, 'Ben', 'Ben', 4_000],
    ]);
  });

  it('stay with whom a person assigned the customer to in between', async () => {
    const made = await shop({ couponsWin: true });
    service.time = made.day(10);
    await assign(made, made.cleo);
    const afterMove = { day: 11, cents: 40_000 };
    expect(await ledgerOf(made, [afterMove, LATER, WITH_CODE])).toEqual([
      [10_000, 'Ben', 'Ben', 2_000],
      [20_000, 'Ben', 'Ben', 4_000],
      [40_000, 'Cleo', 'Cleo', 8_000],
    ]);
  });

  it.each([
    ['as they were made', [WITH_CODE, LATER]],
    ['backwards', [LATER, WITH_CODE]],
    ['one before the code first', [BEFORE, WITH_CODE, LATER]],
    ['one before the code last', [WITH_CODE, LATER, BEFORE]],
  ])('are recorded for somebody who had no partner before: %s', async (_order, payments) => {
    const made = await shop();
    await service.lead({ customer_key: 'user-2' }, { key: made.apiKey });
    expect(await ledgerOf(made, payments, 'user-2')).toEqual([
      [10_000, 'Ben', 'Ben', 2_000],
      [20_000, 'Ben', 'Ben', 4_000],
    ]);
  });

  it.each([
    ['as they were made', [BEFORE, WITH_CODE, LATER]],
    ['the one with the code first', [WITH_CODE, LATER, BEFORE]],
    ['backwards', [LATER, WITH_CODE, BEFORE]],
  ])('are nobody’s before the coupon if nothing else is known about the customer: %s', async (_order, payments) => {
    expect(await ledgerOf(await shop(), payments, 'user-3')).toEqual([
      [10_000, 'Ben', 'Ben', 2_000],
      [20_000, 'Ben', 'Ben', 4_000],
    ]);
  });
});

describe('payments of a customer who bought while the window was open', () => {
  const FIRST: Paid = { day: 2, cents: 30_000 };
  const WITH_CODE: Paid = { day: 5, coupon: 'BEN', cents: 10_000 };
  const LATER: Paid = { day: 6, cents: 20_000 };

  /** A customer who has only clicked, when the window is three days. */
  async function visitor(settings: Partial<Program> = {}) {
    const made = await shop({ attributionWindowDays: 3, ...settings });
    await service.sql('update customers set lead_at = null, lead_state = null where id = $1', [made.customerId]);
    return made;
  }

  const ORDERS = [
    ['as they were made', [FIRST, WITH_CODE, LATER]],
    ['the first one last', [WITH_CODE, LATER, FIRST]],
    ['the one with the code first', [WITH_CODE, FIRST, LATER]],
    ['backwards', [LATER, WITH_CODE, FIRST]],
  ] as const;

  it.each(ORDERS)(
    'stay with the partner when a code is used later, whatever the order of reports: %s',
    async (_order, payments) => {
      const made = await visitor();
      expect(await ledgerOf(made, payments)).toEqual([
        [30_000, 'Ann', 'Ann', 6_000],
        [10_000, 'Ann', 'Ann', 2_000],
        [20_000, 'Ann', 'Ann', 4_000],
      ]);
      expect(await holderOf(made)).toBe(made.ann);
    },
  );

  it.each(ORDERS)(
    'go to the code’s partner if codes win, whatever the order of reports: %s',
    async (_order, payments) => {
      const made = await visitor({ couponsWin: true });
      expect(await ledgerOf(made, payments)).toEqual([
        [30_000, 'Ann', 'Ann', 6_000],
        [10_000, 'Ben', 'Ben', 2_000],
        [20_000, 'Ben', 'Ben', 4_000],
      ]);
      expect(await holderOf(made)).toBe(made.ben);
    },
  );
});

it.each([
  ['first', [0, 1]],
  ['last', [1, 0]],
] as const)(
  'a code on a renewal takes nobody, even if codes win and the start is reported %s',
  async (_when, order) => {
    const made = await shop({ couponsWin: true, commissionType: 'recurring_percent' });
    service.time = made.day(40);
    const of = { subscription: newId('sub'), customer: newId('cus') };
    const [begun, renewed] = [new StripeEvents('2026', made.day(1)), new StripeEvents('2026', made.day(31))];
    const metadata = { svc_customer_key: USER };
    const start = begun.invoice({ ...of, metadata });
    const withCode = { ...metadata, svc_coupon_code: 'BEN' };
    const renewal = renewed.invoice({ ...of, metadata: withCode, reason: 'subscription_cycle' });
    const paid = [begun.event('invoice.paid', start), renewed.event('invoice.paid', renewal)];
    for (const index of order) await deliver(service, made.program.id, paid[index]!);
    const credited = await service.sql(
      'select partner_id as partner, is_recurring as recurring from sales where program_id = $1 order by created_at',
      [made.program.id],
    );
    expect(credited).toEqual([
      { partner: made.ann, recurring: false },
      { partner: made.ann, recurring: true },
    ]);
  },
);

it('a node of 0.2.0 moves a customer, and the move is kept too', async () => {
  const made = await shop();
  await service.sql(
    `update customers set partner_id = $2, membership_id = (select id from memberships where program_id = $3 and partner_id = $2),
       link_id = null, assigned_at = $4 where id = $1`,
    [made.customerId, made.ben, made.program.id, made.day(10)],
  );
  service.time = made.day(12);
  const credited = [await paid(made, { paidAt: made.day(5) }), await paid(made, { paidAt: made.day(11) })];
  expect(credited).toEqual([made.ann, made.ben]);
});
