import { connectPaddle, deliverPaddle, PaddleEvents } from '@svc/testkit/service/payments/paddle.ts';
import {
  connectStripe,
  deliver,
  GENERATIONS,
  newId,
  OWN,
  send,
  settle,
  stripeEvents,
} from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';
import { OPERATOR } from '../../audit/audit-store.ts';
import { addCoupon } from '../../coupons/add-coupon.ts';
import type { Program } from '../../programs/program.ts';
import { copyProcessorCode, listCodesOf, upsertProcessorCodes } from './processor-code-store.ts';

const service = useService();
const events = stripeEvents(service);

/** A connected program with a partner whose code is `BEN20`. Jane, the other partner, has the customer `user-1`. */
async function shop(settings: Partial<Program> = {}) {
  const made = await service.program(settings);
  await connectStripe(service, made);
  await service.customer(made, 'user-1');
  const { partnerId: ben } = await service.partner(made.program);
  await addCoupon(service.ctx, made.program, { code: 'BEN20', partnerId: ben }, OPERATOR);
  return { ...made, id: made.program.id, jane: made.partnerId, ben };
}

const paidTo = async (programId: number) =>
  (
    await service.sql<{ id: number }>(
      'select partner_id as id from commissions where program_id = $1 order by commissions.id',
      [programId],
    )
  ).map(({ id }) => id);
const couponOf = async (programId: number) => {
  const [decision] = await service.sql<{ facts: Record<string, unknown> }>(
    `select facts from decisions where program_id = $1 and kind = 'sale' order by id desc limit 1`,
    [programId],
  );
  return [decision?.facts.coupon_code, decision?.facts.coupon_result];
};

describe('Stripe', () => {
  it.each([
    ['the metadata name the code', { metadata: { svc_coupon_code: 'ben20' } }],
    [
      'the promotion code is expanded',
      { extra: { discounts: [{ coupon: 'c1', promotion_code: { id: 'promo_1', code: 'BEN20' } }] } },
    ],
    ['the coupon has the code as its id', { extra: { discounts: [{ coupon: 'BEN20', promotion_code: null }] } }],
    ['the coupon is expanded', { extra: { discounts: [{ coupon: { id: 'BEN20', name: 'Ben' } }] } }],
  ])('a checkout of somebody unknown credits the partner of the code: %s', async (_how, paid) => {
    const { id, ben } = await shop();
    const stripe = events();
    const session = stripe.session({ ...paid, customer: newId('cus') });
    expect(await deliver(service, id, stripe.event('checkout.session.completed', session))).toBe('recorded');
    expect(await paidTo(id)).toEqual([ben]);
    // Redelivered or sent again under another event, it counts once.
    await deliver(service, id, stripe.event('checkout.session.async_payment_succeeded', session));
    expect(await paidTo(id)).toEqual([ben]);
  });

  it('a promotion code is named by its id: its own event says how people write it', async () => {
    const { id, ben } = await shop();
    const stripe = events();
    const promotion = newId('promo');
    const created = stripe.event('promotion_code.created', { id: promotion, object: 'promotion_code', code: 'BEN20' });
    expect(await deliver(service, id, created)).toBe('code_known');
    const session = stripe.session({ extra: { discounts: [{ coupon: 'c1', promotion_code: promotion }] } });
    expect(await deliver(service, id, stripe.event('checkout.session.completed', session))).toBe('recorded');
    expect(await paidTo(id)).toEqual([ben]);
  });

  it('a code that the program does not have is named, and the payment is nobody’s', async () => {
    const { id } = await shop();
    const stripe = events();
    const session = stripe.session({ extra: { discounts: [{ coupon: 'c1', promotion_code: 'promo_unknown' }] } });
    expect(await deliver(service, id, stripe.event('checkout.session.completed', session))).toBe('no_customer');
    expect(await couponOf(id)).toEqual(['promo_unknown', 'unknown']);
    expect(await paidTo(id)).toEqual([]);
  });

  it.each([
    ['somebody unknown', {}, {}, 'credited', 'ben'],
    ['a customer of another partner', { metadata: { svc_customer_key: 'user-1' } }, {}, 'kept', 'jane'],
    ['one whom codes take over', { metadata: { svc_customer_key: 'user-1' } }, { couponsWin: true }, 'credited', 'ben'],
  ] as const)(
    'in test mode, the decision says whom the code would credit: %s',
    async (_who, payer, settings, result, credited) => {
      const made = await shop(settings);
      const stripe = events();
      const session = stripe.session({ ...payer, extra: { discounts: [{ coupon: 'BEN20', promotion_code: null }] } });
      const paid = stripe.event('checkout.session.completed', session, false);
      expect(await deliver(service, made.id, paid)).toBe('test_recorded');
      const [decision] = await service.sql(
        `select facts ->> 'coupon_result' as result, (facts ->> 'would_credit_partner_id')::bigint as credited
       from decisions where program_id = $1 and kind = 'sale'`,
        [made.id],
      );
      expect(decision).toEqual({ result, credited: made[credited] });
      const [customer] = await service.sql(`select partner_id from customers where program_id = $1 and not is_test`, [
        made.id,
      ]);
      expect(customer).toEqual({ partner_id: made.jane });
      expect(await service.counts(made.id)).toMatchObject({ customers: 1, commissions: 0 });
    },
  );

  it('a code that is learnt after a renewal takes nobody from the partner of the first payment, whose window has closed since', async () => {
    const made = await shop({ attributionWindowDays: 20 });
    const stripe = events();
    // For each of them, both payments are judged again at the same time.
    const buyers = [];
    for (let count = 0; count < 12; count += 1) {
      buyers.push({
        clickId: await service.clickId(made.link),
        of: { subscription: newId('sub'), customer: newId('cus') },
      });
    }
    service.advance({ seconds: 60 });
    const begin = Math.floor(service.time.getTime() / 1000);
    service.advance({ days: 40 });
    stripe.at = begin;
    const starts = buyers.map(({ clickId, of }) => stripe.invoice({ ...of, metadata: { svc_click_id: clickId } }));
    const startEvents = starts.map((invoice) => stripe.event('invoice.paid', invoice));
    const checkouts = buyers.map(({ of }, index) =>
      stripe.session({ ...of, metadata: { svc_coupon_code: 'BEN20' }, extra: { invoice: starts[index]!.id } }),
    );
    const checkoutEvents = checkouts.map((session) => stripe.event('checkout.session.completed', session));
    stripe.at = begin + 30 * 86_400;
    const renewals = buyers.map(({ of }) => stripe.invoice({ ...of, reason: 'subscription_cycle' }));
    const renewalEvents = renewals.map((invoice) => stripe.event('invoice.paid', invoice));
    // As many at a time as are processed concurrently.
    const rounds = [0, 4, 8].map((from) => checkoutEvents.slice(from, from + 4));
    for (const sent of [startEvents, renewalEvents, ...rounds]) {
      await Promise.all(sent.map((event) => send(service, made.id, event)));
      await settle(service);
    }
    const credited = await service.sql(
      `select partner_id as partner, coupon_code as code, count(*)::int as sales from sales where program_id = $1 group by 1, 2`,
      [made.id],
    );
    expect(credited).toEqual([{ partner: made.jane, code: 'BEN20', sales: 24 }]);
  });

  const subscription = (generation: (typeof GENERATIONS)[number]) => {
    const stripe = events(generation);
    const [sub, customer] = [newId('sub'), newId('cus')];
    const discounts = [{ coupon: 'BEN20', promotion_code: null }];
    const first = stripe.invoice({ subscription: sub, customer });
    const session = stripe.session({ subscription: sub, customer, extra: { discounts, invoice: first.id } });
    stripe.at += 86_400;
    const renewal = stripe.invoice({ subscription: sub, customer, reason: 'subscription_cycle' });
    return {
      checkout: stripe.event('checkout.session.completed', session),
      paid: stripe.event('invoice.paid', first),
      renewed: stripe.event('invoice.paid', renewal),
    };
  };

  it.each(GENERATIONS)(
    'a subscription keeps the code of its checkout, in any order of events, on API version %s',
    async (generation) => {
      for (const order of [
        ['checkout', 'paid', 'renewed'],
        ['paid', 'checkout', 'renewed'],
        ['renewed', 'paid', 'checkout'],
      ] as const) {
        const { id, ben } = await shop({ commissionType: 'recurring_percent' });
        const shopEvents = subscription(generation);
        for (const name of order) await deliver(service, id, shopEvents[name]);
        // What only a coupon says waits for better evidence.
        service.advance({ seconds: 2 });
        await settle(service);
        expect([order, await paidTo(id)]).toEqual([order, [ben, ben]]);
        expect(await service.counts(id)).toMatchObject({ customers: 2, sales: 2, commissions: 2 });
      }
    },
  );

  it('a known customer stays with their partner, unless codes win', async () => {
    for (const couponsWin of [false, true]) {
      const { id, jane, ben } = await shop({ couponsWin });
      const stripe = events();
      const session = stripe.session({ ...OWN, extra: { discounts: [{ coupon: 'BEN20', promotion_code: null }] } });
      await deliver(service, id, stripe.event('checkout.session.completed', session));
      expect(await paidTo(id)).toEqual([couponsWin ? ben : jane]);
      expect(await couponOf(id)).toEqual(['BEN20', couponsWin ? 'credited' : 'kept']);
    }
  });
});

describe('Paddle', () => {
  it('a discount is named by its id: its own event says how people write it', async () => {
    const made = await service.program();
    await connectPaddle(service, made);
    const { partnerId: ben } = await service.partner(made.program);
    await addCoupon(service.ctx, made.program, { code: 'BEN20', partnerId: ben }, OPERATOR);
    const paddle = new PaddleEvents(service.time);
    const discount_id = newId('dsc');
    const { id } = made.program;
    const created = paddle.event('discount.created', { id: discount_id, code: 'BEN20', status: 'active' });
    expect(await deliverPaddle(service, id, created)).toBe('code_known');
    const completed = paddle.event('transaction.completed', paddle.transaction({ extra: { discount_id } }));
    expect(await deliverPaddle(service, id, completed)).toBe('recorded');
    const named = paddle.transaction({ customData: { svc_coupon_code: 'ben20' } });
    expect(await deliverPaddle(service, id, paddle.event('transaction.completed', named))).toBe('recorded');
    expect(await paidTo(id)).toEqual([ben, ben]);
  });

  it.each([
    ['before', [0, 1]],
    ['after', [1, 0]],
  ] as const)('a code takes a customer over if its discount becomes known %s the payment', async (_when, order) => {
    const made = await service.program({ couponsWin: true });
    await connectPaddle(service, made);
    await service.customer(made, 'user-1');
    const { partnerId: ben } = await service.partner(made.program);
    await addCoupon(service.ctx, made.program, { code: 'BEN20', partnerId: ben }, OPERATOR);
    service.advance({ seconds: 60 });
    const paddle = new PaddleEvents(service.time);
    const discount_id = newId('dsc');
    const paid = { customData: { svc_customer_key: 'user-1' }, extra: { discount_id } };
    const events = [
      paddle.event('discount.created', { id: discount_id, code: 'BEN20', status: 'active' }),
      paddle.event('transaction.completed', paddle.transaction(paid)),
    ];
    for (const index of order) await deliverPaddle(service, made.program.id, events[index]!);
    expect(await paidTo(made.program.id)).toEqual([ben]);
    expect(await couponOf(made.program.id)).toEqual(['BEN20', 'credited']);
  });

  it.each([
    ['in order', [0, 1]],
    ['out of order', [1, 0]],
  ] as const)('the code that a discount has by now counts, if its events arrive %s', async (_how, order) => {
    const made = await service.program();
    await connectPaddle(service, made);
    const { partnerId: ben } = await service.partner(made.program);
    await addCoupon(service.ctx, made.program, { code: 'BEN20', partnerId: ben }, OPERATOR);
    const paddle = new PaddleEvents(service.time);
    const discount = { id: newId('dsc'), status: 'active' };
    const created = paddle.event('discount.created', { ...discount, code: 'BEN10' });
    service.advance({ seconds: 60 });
    paddle.at = service.time;
    const updated = paddle.event('discount.updated', { ...discount, code: 'BEN20' });
    for (const index of order) await deliverPaddle(service, made.program.id, [created, updated][index]!);
    const paid = paddle.transaction({ extra: { discount_id: discount.id } });
    await deliverPaddle(service, made.program.id, paddle.event('transaction.completed', paid));
    expect(await paidTo(made.program.id)).toEqual([ben]);
  });
});

it('an earlier word about an invoice does not replace the code that its order has repeated since', async () => {
  const { program } = await service.program();
  const { db } = service.ctx;
  const [invoice, order] = [newId('inv'), newId('order')];
  const at = (minute: number) => new Date(service.time.getTime() + minute * 60_000);
  await upsertProcessorCodes(db, program.id, [invoice], 'A', at(5));
  await upsertProcessorCodes(db, program.id, [order], 'A', at(10));

  expect(await copyProcessorCode(db, program.id, order, [invoice])).toEqual([]);
  expect(await upsertProcessorCodes(db, program.id, [invoice], 'B', at(7))).toEqual([]);
  expect(await listCodesOf(db, program.id, [invoice])).toContain('A');

  const other = newId('inv');
  expect(await copyProcessorCode(db, program.id, order, [other, invoice])).toEqual([other]);
});
