import {
  customPayment,
  customShop,
  earningsOf,
  sendCustom,
  signUpThrough,
} from '@svc/testkit/service/payments/custom-shop.ts';
import { newId } from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { expect, it } from 'vitest';

const service = useService();

const ann = { customer_key: 'user-1', email: 'ann@people.test' };
const refund = (transaction_id: string, more: object = {}) => ({
  type: 'refund',
  refund_id: newId('refund'),
  transaction_id,
  amount_cents: 5_000,
  ...more,
});

it('a test refund takes nothing from a real sale', async () => {
  const shop = await customShop(service);
  await signUpThrough(service, shop, shop.link, ann);
  const order = newId('order');
  await sendCustom(service, shop, customPayment(order, { customer_key: 'user-1' }));
  await sendCustom(service, shop, refund(order, { test_mode: true }));
  expect(await earningsOf(service, shop)).toEqual([['Jane', 1_000]]);
});

it('a test refund takes back a test sale', async () => {
  const shop = await customShop(service);
  await signUpThrough(service, shop, shop.link, ann);
  const order = newId('order');
  await sendCustom(service, shop, customPayment(order, { customer_key: 'user-1' }, { test_mode: true }));
  await sendCustom(service, shop, refund(order, { test_mode: true }));
  const sales = await service.sql('select is_test, refunded_cents from sales where program_id = $1', [shop.id]);
  expect(sales).toEqual([{ is_test: true, refunded_cents: 5_000 }]);
});

it('the processor’s customer in test mode is not the one in live mode', async () => {
  const shop = await customShop(service);
  const additional_data = { test_mode: true };
  const click_id = await service.clickId(shop.link, { additional_data });
  await service.lead({ click_id, customer_key: 'user-1', additional_data }, { key: shop.apiKey });
  const payer = { customer_id: 'c-1', customer_key: 'user-1' };
  await sendCustom(service, shop, customPayment(newId('order'), payer, { test_mode: true }));
  await signUpThrough(service, shop, shop.link, ann);
  await sendCustom(service, shop, customPayment(newId('order'), payer));
  await sendCustom(service, shop, customPayment(newId('order'), { customer_id: 'c-1' }));
  expect(await earningsOf(service, shop)).toEqual([
    ['Jane', 1_000],
    ['Jane', 1_000],
  ]);
});

it('a test event does not move a real sale', async () => {
  const shop = await customShop(service);
  await signUpThrough(service, shop, shop.link, ann);
  await signUpThrough(service, shop, shop.ben.link, { customer_key: 'user-2' });
  await sendCustom(service, shop, customPayment(newId('order'), { customer_id: 'c-1', email: ann.email }));
  const test = customPayment(newId('order'), { customer_id: 'c-1', customer_key: 'user-2' }, { test_mode: true });
  await sendCustom(service, shop, test);
  expect(await earningsOf(service, shop)).toEqual([['Jane', 1_000]]);
});

it('a refund that names no currency is in that of its payment', async () => {
  const shop = await customShop(service);
  await signUpThrough(service, shop, shop.link, ann);
  const order = newId('order');
  await sendCustom(service, shop, customPayment(order, { customer_key: 'user-1' }, { currency: 'EUR' }));
  await sendCustom(service, shop, refund(order, { amount_cents: 2_500 }));
  expect(await earningsOf(service, shop)).toEqual([['Jane', 500]]);
});
