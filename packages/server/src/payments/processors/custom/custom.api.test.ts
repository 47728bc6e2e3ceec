import { manage, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { CUSTOM_SECRET, customSigned } from '@svc/testkit/service/payments/custom.ts';
import { customPayment, customShop, sendCustom } from '@svc/testkit/service/payments/custom-shop.ts';
import { ledger, newId, settle } from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { badRequest } from '@svc/testkit/service/tracking.ts';
import { expect, it } from 'vitest';

const service = useService();

const call = (made: OwnedProgram, method: string, rest: string, body?: object) =>
  service.call(method, manage(made, `/processor${rest}`), { key: made.owner.token, body });

async function connected(): Promise<OwnedProgram & { id: number }> {
  const made = await ownedProgram(service);
  expect((await call(made, 'PUT', '', { provider: 'custom', webhook_secret: CUSTOM_SECRET })).status).toBe(200);
  await service.customer(made, 'user-1');
  return { ...made, id: made.program.id };
}

async function send(id: number, event: object): Promise<number> {
  const body = JSON.stringify(event);
  const headers = customSigned(body, service.time);
  const { status } = await service.call('POST', `/api/v1/webhooks/custom/${id}`, { body, headers });
  await settle(service);
  return status;
}

const payment = () => ({
  type: 'payment',
  at: service.time.toISOString(),
  transaction_id: newId('order'),
  amount_cents: 5_000,
  payer: { customer_key: 'user-1' },
});

it('says what to correct in an event that is wrong', async () => {
  const made = await connected();
  expect(await send(made.id, { ...payment(), amount_cents: '50.00' })).toBe(200);
  expect((await call(made, 'GET', '/events?provider=custom')).body.data).toMatchObject([
    {
      type: 'payment',
      outcome: 'malformed',
      hint: 'amount_cents is required and must be a whole number, 0 or more, in the smallest unit of the currency',
    },
  ]);
});

it('counts a payment once that the shop also reports to /track/sale', async () => {
  const made = await connected();
  const event = payment();
  await send(made.id, event);
  const sale = { transaction_id: event.transaction_id, customer_key: 'user-1', amount_cents: 5_000 };
  expect((await service.sale(sale, { key: made.apiKey })).status).toBe(409);
  expect(await ledger(service, made.id)).toMatchObject([{ id: event.transaction_id, cents: 5_000, commission: 1_000 }]);
});

it.each([
  ['tax alone takes no commission on net amounts', { amount_cents: 950, tax_cents: 950 }, [950, 1_000, 0]],
  ['half of the net amount takes half of it', { amount_cents: 2_500, tax_cents: 0 }, [2_500, 1_000, 500]],
  ['half of everything takes half of it', { amount_cents: 2_975 }, [2_975, 1_000, 500]],
])('a refund of %s', async (_what, refund, expected) => {
  const shop = await customShop(service, { commissionType: 'percent', commissionRate: '20' });
  await service.customer(shop, 'user-1');
  const order = newId('order');
  const paid = { amount_cents: 5_950, tax_cents: 950 };
  await sendCustom(service, shop, customPayment(order, { customer_key: 'user-1' }, paid));
  await sendCustom(service, shop, { type: 'refund', refund_id: 'r-1', transaction_id: order, ...refund });
  const [row] = await ledger(service, shop.id);
  expect([row?.refunded, row?.commission, row?.deducted]).toEqual(expected);
});

it('knows a customer of the processor from their first payment on', async () => {
  const made = await connected();
  const payer = { customer_id: 'c-1' };
  await send(made.id, { ...payment(), payer: { ...payer, customer_key: 'user-1' } });
  await send(made.id, { ...payment(), amount_cents: 700, payer });
  expect((await ledger(service, made.id)).map(({ cents }) => cents).sort()).toEqual([5_000, 700]);
});

it('refuses a secret that is too short to be one', async () => {
  const made = await ownedProgram(service);
  expect(await call(made, 'PUT', '', { provider: 'custom', webhook_secret: 'whsec_abc' })).toMatchObject({
    status: 400,
    body: badRequest('webhook_secret is not complete. It has at least 32 characters after whsec_.'),
  });
});
