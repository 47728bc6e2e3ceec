import { customPayment, customShop, earningsOf, sendCustom } from '@svc/testkit/service/payments/custom-shop.ts';
import { newId } from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { expect, it } from 'vitest';

const service = useService();

it('a claim that a payment of zero settled still holds the first commission', async () => {
  const shop = await customShop(service, { leadAuth: 'server_required' });
  // Anybody can claim the key of a stranger, with a click of their own.
  const click_id = await service.clickId(shop.ben.link);
  expect((await service.lead({ click_id, customer_key: '42' })).body).toMatchObject({ provisional: true });
  service.advance({ seconds: 60 });
  const id = newId('sub');
  const trial = { amount_cents: 0, subscription: { id, stage: 'start' } };
  await sendCustom(service, shop, customPayment(newId('order'), { customer_key: '42' }, trial));
  const paid = { subscription: { id, stage: 'renewal' } };
  await sendCustom(service, shop, customPayment(newId('order'), { customer_key: '42' }, paid));
  expect(await earningsOf(service, shop)).toEqual([['Ben', 1_000, 'claimed_key']]);
});
