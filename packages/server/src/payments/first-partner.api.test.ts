import {
  type CustomShop,
  customPayment,
  customShop,
  earningsOf,
  sendCustom,
  signUpThrough,
} from '@svc/testkit/service/payments/custom-shop.ts';
import { connectStripe, deliver, newId, StripeEvents, settle } from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';
import { OPERATOR } from '../audit/audit-store.ts';
import { addCoupon } from '../coupons/add-coupon.ts';

const service = useService();

const HALF_A_DAY = 43_200;

/** A day of a story: what happens on it, and the payment that is made on it. */
type Day = (shop: CustomShop) => Promise<{ payer: object; cents?: number; code?: string }>;

const pays = (payer: object, more: { cents?: number; code?: string } = {}) => ({ payer, ...more });

/** Lets a day pass between the payments, reports them in another order, and returns whom each credits, by the time of payment. */
async function creditedIn(order: number[], days: Day[]) {
  const shop = await customShop(service);
  await addCoupon(service.ctx, shop.program, { code: 'JANE20', partnerId: shop.partnerId }, OPERATOR);
  const payments: object[] = [];
  for (const day of days) {
    const { payer, cents = 5_000, code } = await day(shop);
    service.advance({ seconds: HALF_A_DAY });
    const more = { amount_cents: cents, at: service.time.toISOString(), ...(code && { coupon_code: code }) };
    payments.push(customPayment(newId('order'), payer, more));
    service.advance({ seconds: HALF_A_DAY });
  }
  for (const index of order) await sendCustom(service, shop, payments[index]!);
  await settle(service);
  return (await earningsOf(service, shop)).map(([who]) => who);
}

/** In the first three orders, each payment is reported first once and last once. */
const ORDERS = [
  [0, 1, 2],
  [1, 2, 0],
  [2, 0, 1],
  [0, 2, 1],
  [1, 0, 2],
  [2, 1, 0],
].slice(0, process.env.SVC_TEST_LONG ? 6 : 3);

/** Every order of the reports gives the same. */
async function expectCredited(partners: string[], days: Day[]) {
  for (const order of ORDERS) expect({ order, who: await creditedIn(order, days) }).toEqual({ order, who: partners });
}

const JANE = ['Jane', 'Jane', 'Jane'];
const BEN = ['Ben', 'Ben', 'Ben'];

describe('a processor’s customer who is known', () => {
  const annPays: Day = async (shop) => {
    await signUpThrough(service, shop, shop.link, { customer_key: 'user-1', email: 'ann@people.test' });
    return pays({ customer_id: 'c-1', email: 'ann@people.test' });
  };

  it('stays with their partner when a payment of zero comes with a later click', async () => {
    await expectCredited(JANE.slice(1), [
      annPays,
      async ({ ben }) => pays({ customer_id: 'c-1', click_id: await service.clickId(ben.link) }, { cents: 0 }),
      async () => pays({ customer_id: 'c-1' }),
    ]);
  });

  it('stays with their partner when a payment comes with a later click', async () => {
    await expectCredited(JANE, [
      annPays,
      async ({ ben }) => pays({ customer_id: 'c-1', click_id: await service.clickId(ben.link) }),
      async () => pays({ customer_id: 'c-1' }),
    ]);
  });

  it('is the one who clicked before, though somebody clicked since whose payment came earlier', async () => {
    let older = '';
    await expectCredited(JANE, [
      async (shop) => {
        older = await service.clickId(shop.link);
        await signUpThrough(service, shop, shop.ben.link, { customer_key: 'user-1', email: 'ann@people.test' });
        return pays({ customer_id: 'c-1', email: 'ann@people.test' });
      },
      async ({ ben }) => pays({ customer_id: 'c-1', click_id: await service.clickId(ben.link) }),
      async () => pays({ customer_id: 'c-1', click_id: older }),
    ]);
  });
});

describe('a key that only a payment with a code has made known', () => {
  it('is of whoever clicked before that payment', async () => {
    let click_id = '';
    await expectCredited(JANE, [
      async ({ link }) => {
        click_id = await service.clickId(link);
        return pays({ customer_key: 'user-9', customer_id: 'c-1' }, { code: 'BEN20' });
      },
      async () => pays({ customer_key: 'user-9', customer_id: 'c-2', click_id }),
      async () => pays({ customer_key: 'user-9' }),
    ]);
  });

  it('stays with the partner of the code if the click came later', async () => {
    await expectCredited(BEN, [
      async () => pays({ customer_key: 'user-9', customer_id: 'c-1' }, { code: 'BEN20' }),
      async ({ link }) => pays({ customer_key: 'user-9', customer_id: 'c-2', click_id: await service.clickId(link) }),
      async () => pays({ customer_key: 'user-9' }),
    ]);
  });

  it.each(['checkout', 'invoice'])('does not outweigh the click of the same purchase, the %s first', async (first) => {
    const shop = await customShop(service);
    await connectStripe(service, shop);
    const click = await service.clickId(shop.link);
    service.advance({ seconds: 60 });
    const stripe = new StripeEvents('2026', service.time);
    const [subscription, customer] = [newId('sub'), newId('cus')];
    const metadata = { svc_customer_key: 'user-9' };
    const discounts = [{ coupon: 'BEN20', promotion_code: null }];
    const invoice = stripe.invoice({ subscription, customer, metadata, extra: { discounts } });
    const session = stripe.session({
      subscription,
      customer,
      metadata: { ...metadata, svc_click_id: click },
      extra: { discounts, invoice: invoice.id },
    });
    const events = [stripe.event('checkout.session.completed', session), stripe.event('invoice.paid', invoice)];
    for (const event of first === 'checkout' ? events : events.reverse()) {
      await deliver(service, shop.id, event);
      service.advance({ seconds: 30 });
      await settle(service);
    }
    expect(await earningsOf(service, shop)).toEqual([['Jane', 1_000]]);
  });
});

describe('somebody whom nobody knew is the customer of the first code that they used', () => {
  it.each([
    ['key', { customer_key: 'user-9' }],
    ['processor’s id', { customer_id: 'c-1' }],
    ['key and processor’s id', { customer_key: 'user-9', customer_id: 'c-1' }],
  ])('by their %s', async (_known, payer) => {
    await expectCredited(BEN, [
      async () => pays(payer, { code: 'BEN20' }),
      async () => pays(payer, { code: 'JANE20' }),
      async () => pays(payer),
    ]);
  });

  it('whatever they clicked between that and another code', async () => {
    let click_id = '';
    const payer = { customer_id: 'c-1' };
    await expectCredited(BEN, [
      async () => pays(payer, { code: 'BEN20' }),
      async ({ link }) => {
        click_id = await service.clickId(link);
        return pays(payer, { code: 'JANE20' });
      },
      async () => pays({ ...payer, click_id }),
    ]);
  });
});
