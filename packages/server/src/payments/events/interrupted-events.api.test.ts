import {
  connectStripe,
  deliver,
  newId,
  outcomeOf,
  StripeEvents,
  settle,
} from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { whileRefused } from '@svc/testkit/service/tracking.ts';
import { expect, it } from 'vitest';
import { OPERATOR } from '../../audit/audit-store.ts';
import { addCoupon } from '../../coupons/add-coupon.ts';

const service = useService();

/** Other events cannot be queued again, so that an event that wants it fails after it has stored what it says. */
const withoutRequeueing = (work: () => Promise<unknown>) =>
  whileRefused(service, 'processor_events', work, 'new.attempts = 0 and old.attempts > 0', 'update');

/** Jane's customer signed up with an e-mail address; somebody clicked Bob's link. */
async function shop(settings: Parameters<typeof service.program>[0] = {}) {
  const made = await service.program(settings);
  await connectStripe(service, made);
  const bob = await service.partner(made.program);
  const clickOfBob = await service.clickId(bob.link);
  const click_id = await service.clickId(made.link);
  await service.lead({ click_id, customer_key: 'user-1', email: 'ann@people.test' }, { key: made.apiKey });
  service.advance({ seconds: 60 });
  const { id } = made.program;
  const credited = async () => {
    const rows = await service.sql<{ id: number }>('select partner_id as id from commissions where program_id = $1', [
      id,
    ]);
    return rows.map((row) => (row.id === bob.partnerId ? 'Bob' : 'Jane'));
  };
  return { ...made, id, bob, clickOfBob, credited, stripe: new StripeEvents('2026', service.time) };
}

it('better evidence counts, even if its event fails before the payment was judged again', async () => {
  const { id, stripe, clickOfBob, credited } = await shop();
  const customer = newId('cus');
  const paid = stripe.session({ customer, email: 'ann@people.test' });
  await deliver(service, id, stripe.event('checkout.session.completed', paid));
  service.advance({ seconds: 2 });
  await settle(service);
  expect(await credited()).toEqual(['Jane']);
  const known = stripe.customer({ id: customer, metadata: { svc_click_id: clickOfBob } });
  const event = stripe.event('customer.updated', known);
  await withoutRequeueing(() => deliver(service, id, event));
  expect(await outcomeOf(service, id, event.id)).toBe('failed');
  expect(await credited()).toEqual(['Jane']);
  service.advance({ seconds: 10 });
  await settle(service);
  expect(await credited()).toEqual(['Bob']);
});

it('a code counts, even if the event that tells it fails before the payment was judged again', async () => {
  const { id, program, stripe, bob, credited } = await shop();
  await addCoupon(service.ctx, program, { code: 'BOB20', partnerId: bob.partnerId }, OPERATOR);
  const promotion = newId('promo');
  const session = stripe.session({
    customer: newId('cus'),
    extra: { discounts: [{ coupon: 'c1', promotion_code: promotion }] },
  });
  expect(await deliver(service, id, stripe.event('checkout.session.completed', session))).toBe('no_customer');
  // It was tried so often that nothing tries it again.
  await service.sql(`update processor_events set state = 'done', due_at = null where program_id = $1`, [id]);
  const created = stripe.event('promotion_code.created', { id: promotion, object: 'promotion_code', code: 'BOB20' });
  await withoutRequeueing(() => deliver(service, id, created));
  expect(await outcomeOf(service, id, created.id)).toBe('failed');
  expect(await credited()).toEqual([]);
  service.advance({ seconds: 10 });
  await settle(service);
  expect(await credited()).toEqual(['Bob']);
});

it('a key moves with its payments, even if the event that moves it fails in between', async () => {
  const { id, link, stripe, clickOfBob, credited } = await shop({ leadAuth: 'server_required' });
  const claimed = await service.clickId(link);
  await service.lead({ click_id: claimed, customer_key: 'user-9' });
  service.advance({ seconds: 60 });
  const key = { svc_customer_key: 'user-9' };
  await deliver(service, id, stripe.event('checkout.session.completed', stripe.session({ metadata: key })));
  await settle(service);
  expect(await credited()).toEqual(['Jane']);
  const proven = stripe.session({ metadata: { ...key, svc_click_id: clickOfBob } });
  const event = stripe.event('checkout.session.completed', proven);
  await withoutRequeueing(() => deliver(service, id, event));
  expect(await outcomeOf(service, id, event.id)).toBe('failed');
  service.advance({ seconds: 10 });
  await settle(service);
  expect(await credited()).toEqual(['Bob', 'Bob']);
});
