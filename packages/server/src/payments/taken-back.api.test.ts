import {
  customPayment,
  customShop,
  earningsOf,
  sendCustom,
  signUpThrough,
} from '@svc/testkit/service/payments/custom-shop.ts';
import { connectStripe, deliver, newId, StripeEvents, settle } from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const ann = { customer_key: 'user-1', email: 'ann@people.test' };
const order = () => newId('order');
const BOTH_JANES = [
  ['Jane', 1_000],
  ['Jane', 1_000],
];

describe('somebody who clicked only after the payments', () => {
  it('takes nothing from the partner who has the processor’s customer', async () => {
    const shop = await customShop(service);
    await signUpThrough(service, shop, shop.link, ann);
    await sendCustom(service, shop, customPayment(order(), { customer_id: 'c-1', email: ann.email }));
    await sendCustom(service, shop, customPayment(order(), { customer_id: 'c-1' }));
    service.advance({ days: 1 });
    const click_id = await service.clickId(shop.ben.link);
    await sendCustom(service, shop, customPayment(order(), { customer_id: 'c-1', click_id }));
    expect(await earningsOf(service, shop)).toEqual([...BOTH_JANES, ['Jane', 1_000]]);
  });

  it('takes nothing from the partner whose coupon made the customer', async () => {
    const shop = await customShop(service);
    await connectStripe(service, shop);
    const customer = newId('cus');
    const buy = async (fields: object) => {
      const stripe = new StripeEvents('2026', service.time);
      const session = stripe.session({ customer, ...fields });
      await deliver(service, shop.id, stripe.event('checkout.session.completed', session));
      service.advance({ days: 1 });
    };
    await buy({ extra: { discounts: [{ coupon: 'BEN20', promotion_code: null }] } });
    await buy({});
    const svc_click_id = await service.clickId(shop.link);
    await buy({ metadata: { svc_click_id } });
    await settle(service);
    expect((await earningsOf(service, shop)).map(([who]) => who)).toEqual(['Ben', 'Ben', 'Ben']);
  });
});

describe('one payment in two events without a common customer', () => {
  it.each(['key', 'email'])('is credited by the stronger evidence if the first has the %s', async (first) => {
    const shop = await customShop(service);
    await signUpThrough(service, shop, shop.link, { customer_key: 'user-1' });
    await signUpThrough(service, shop, shop.ben.link, { customer_key: 'user-2', email: 'bob@people.test' });
    const id = order();
    const events = [customPayment(id, { customer_key: 'user-1' }), customPayment(id, { email: 'bob@people.test' })];
    for (const event of first === 'key' ? events : events.reverse()) await sendCustom(service, shop, event);
    expect(await earningsOf(service, shop)).toEqual([['Jane', 1_000]]);
  });

  it('is not taken back for another spelling of its code', async () => {
    const shop = await customShop(service);
    const id = order();
    for (const coupon_code of ['BEN20', 'ben20']) {
      await sendCustom(service, shop, customPayment(id, { customer_id: 'c-1' }, { coupon_code }));
    }
    const takenBack = await service.sql(
      `select transaction_id from decisions where program_id = $1 and reason = 'payer_known_better'`,
      [shop.id],
    );
    expect(takenBack).toEqual([]);
  });
});

it('a customer whom a code took with a payment goes back with it', async () => {
  const shop = await customShop(service, { couponsWin: true });
  await signUpThrough(service, shop, shop.link, ann);
  await signUpThrough(service, shop, shop.link, { customer_key: 'user-2' });
  const paid = customPayment(order(), { customer_id: 'c-9', email: ann.email }, { coupon_code: 'BEN20' });
  await sendCustom(service, shop, paid);
  await sendCustom(service, shop, { type: 'identity', payer: { customer_id: 'c-9', customer_key: 'user-2' } });
  const customers = await service.sql(
    `select customer_key as key, partner_id as partner, link_id is not null as "hasLink" from customers
     where program_id = $1 order by 1`,
    [shop.id],
  );
  expect(customers).toEqual([
    { key: 'user-1', partner: shop.partnerId, hasLink: true },
    { key: 'user-2', partner: shop.ben.partnerId, hasLink: false },
  ]);
});

it('a sale stays if its code becomes known only after the partner has left', async () => {
  const shop = await customShop(service);
  await connectStripe(service, shop);
  await signUpThrough(service, shop, shop.link, ann);
  const stripe = new StripeEvents('2026', service.time);
  const promotion = newId('promo');
  const discounts = [{ coupon: 'c1', promotion_code: promotion }];
  const session = stripe.session({ metadata: { svc_customer_key: 'user-1' }, extra: { discounts } });
  await deliver(service, shop.id, stripe.event('checkout.session.completed', session));
  await service.sql(`update memberships set status = 'removed' where program_id = $1 and partner_id = $2`, [
    shop.id,
    shop.partnerId,
  ]);
  const code = { id: promotion, object: 'promotion_code', code: 'BEN20' };
  await deliver(service, shop.id, stripe.event('promotion_code.created', code));
  await settle(service);
  expect(await earningsOf(service, shop)).toEqual([['Jane', 1_000]]);
});
