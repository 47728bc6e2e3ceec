import { Chance, drawOrders } from '@svc/testkit';
import { manage, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { type LemonEvent, LemonEvents, lemonSigned, newNumber } from '@svc/testkit/service/payments/lemonsqueezy.ts';
import { SHOPS } from '@svc/testkit/service/payments/shops.ts';
import { ledger, settle } from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { expect, it } from 'vitest';
import { OPERATOR } from '../../../audit/audit-store.ts';
import { addCoupon } from '../../../coupons/add-coupon.ts';
import type { Program } from '../../../programs/program.ts';

const service = useService();

const lemon = () => new LemonEvents(service.time);
const OURS = { svc_customer_key: 'user-1' };

async function connected(settings: Partial<Program> = {}): Promise<OwnedProgram & { id: number }> {
  const made = await ownedProgram(service, settings);
  await SHOPS.lemonsqueezy(service).connect(made);
  await service.customer(made, 'user-1');
  return { ...made, id: made.program.id };
}

async function deliver(id: number, ...events: LemonEvent[]): Promise<void> {
  for (const event of events) {
    const body = JSON.stringify(event);
    await service.call('POST', `/api/v1/webhooks/lemonsqueezy/${id}`, { body, headers: lemonSigned(body) });
    await settle(service);
  }
}

/** What Lemon Squeezy sends when somebody subscribes. */
function subscribed() {
  const [subscription, customer] = [newNumber(), newNumber()];
  const [order, invoice] = [lemon().order({ customer }), lemon().invoice(subscription, 'initial', { customer })];
  return {
    order,
    invoice,
    saleId: `ls_subscription_${subscription}`,
    ordered: lemon().event('order_created', order, OURS),
    created: lemon().event(
      'subscription_created',
      lemon().subscription(subscription, { order: Number(order.id), customer }),
      OURS,
    ),
    paid: lemon().event('subscription_payment_success', invoice, OURS),
  };
}

const refunded = (name: string, object: LemonEvent['data'], cents: number) =>
  lemon().event(name, { ...object, attributes: { ...object.attributes, refunded_amount: cents } });

it.each([
  ['of the order', ['order_refunded']],
  ['of the invoice', ['subscription_payment_refunded']],
  ['of both', ['order_refunded', 'subscription_payment_refunded']],
])('takes back a refund of the first payment once, whether it is reported %s', async (_what, names) => {
  const { id } = await connected();
  const { order, invoice, saleId, ordered, created, paid } = subscribed();
  await deliver(id, ordered, created, paid);
  for (const name of names) await deliver(id, refunded(name, name === 'order_refunded' ? order : invoice, 1_000));
  expect(await ledger(service, id)).toMatchObject([{ id: saleId, cents: 5_000, refunded: 1_000, deducted: 200 }]);
});

it('finds the first payment of a subscription by the id of its order, too', async () => {
  const { id, apiKey } = await connected();
  const { order, saleId, ordered, created, paid } = subscribed();
  await deliver(id, paid, created, ordered);
  const again = { transaction_id: `ls_order_${order.id}`, customer_key: 'user-1', amount_cents: 5_000 };
  expect((await service.sale(again, { key: apiKey })).status).toBe(409);
  const refund = { transaction_id: again.transaction_id, refund_amount_cents: 500 };
  expect((await service.refund(refund, { key: apiKey })).status).toBe(200);
  expect(await ledger(service, id)).toMatchObject([{ id: saleId, refunded: 500 }]);
});

it('credits the partner of a code on the order for the subscription, in any order of events', async () => {
  for (const order of drawOrders(new Chance(1), 3, 6)) {
    const made = await connected({ couponsWin: true });
    const { partnerId: ben } = await service.partner(made.program);
    await addCoupon(service.ctx, made.program, { code: 'BEN20', partnerId: ben }, OPERATOR);
    const { order: bought, saleId, created, paid } = subscribed();
    const events = [lemon().event('order_created', bought, { svc_coupon_code: 'ben20' }), created, paid];
    await deliver(made.id, ...order.map((position) => events[position]!));
    service.advance({ seconds: 600 });
    await settle(service);
    const credited = await service.sql(
      `select s.processor_event_id as id, s.partner_id as sold, c.partner_id as earned, k.partner_id as holder
       from sales s join commissions c on c.sale_id = s.id join customers k on k.id = s.customer_id where s.program_id = $1`,
      [made.id],
    );
    expect({ order, credited }).toEqual({ order, credited: [{ id: saleId, sold: ben, earned: ben, holder: ben }] });
  }
});

it('counts no purchase of a customer whose order turned out to be the first payment of another’s subscription', async () => {
  const made = await connected();
  await service.customer(made, 'user-2');
  const { order, created, paid } = subscribed();
  await deliver(made.id, lemon().event('order_created', order, { svc_customer_key: 'user-2' }), paid, created);
  const customers = await service.sql(
    'select customer_key as key, status, converted_at is not null as bought from customers where program_id = $1 order by id',
    [made.id],
  );
  expect(customers).toEqual([
    { key: 'user-1', status: 'conversion', bought: true },
    { key: 'user-2', status: 'lead', bought: false },
  ]);
});

it('shows when the event that links orders to subscriptions is not sent', async () => {
  const made = await connected();
  const shown = async () => {
    const { body } = await service.call('GET', manage(made, '/processor?provider=lemonsqueezy'), {
      key: made.owner.token,
    });
    return body.data.unlinked_invoices;
  };
  const { ordered, created, paid } = subscribed();
  await deliver(made.id, ordered, paid);
  expect(await shown()).toBe(0);
  service.advance({ seconds: 660 });
  expect(await shown()).toBe(1);
  await deliver(made.id, created);
  expect(await shown()).toBe(0);
  expect(await ledger(service, made.id)).toHaveLength(1);
});
