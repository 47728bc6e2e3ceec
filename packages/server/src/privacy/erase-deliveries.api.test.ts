import { everythingStored, manage, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { asOwner } from '@svc/testkit/service/payments/paid.ts';
import { useReceiver } from '@svc/testkit/service/receiver.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';

const service = useService({ SVC_OUTBOUND_ALLOW: '127.0.0.1' });
const receiver = useReceiver();

it('what is to be sent again does not name an erased customer, not even in what was written about others', async () => {
  const made = await ownedProgram(service);
  const path = `/${newId('hook')}`;
  const key = newId('customer');
  receiver.answer(path, { status: 500, body: `Cannot thank ${key}` }, { status: 200 });
  const types = ['commission.created'];
  const { body } = await asOwner(service, made, 'POST', '/webhooks', { url: receiver.url(path), types });
  const attempts = async () => {
    const listed = await asOwner(service, made, 'GET', `/webhooks/${body.data.id}/deliveries`);
    return listed.body.data[0]?.attempts;
  };
  await service.customer(made, key);
  const bonus = { partner_id: made.partnerId, amount_cents: 100, currency: 'USD', reason: `For ${key}` };
  expect((await asOwner(service, made, 'POST', '/adjustments', bonus)).status).toBe(201);
  await expect.poll(attempts).toBe(1);
  expect(receiver.at(path)[0]?.body).toContain(key);
  const [customer] = await service.sql<{ id: number }>('select id from customers where customer_key = $1', [key]);
  const erased = manage(made, `/customers/${customer?.id}/erase`);
  expect((await service.call('POST', erased, { key: made.owner.token, body: {} })).status).toBe(200);
  expect(await everythingStored(service)).not.toContain(key);
  service.advance({ seconds: 7 });
  service.ctx.deliveries.wake();
  const [, second] = await receiver.until(path, 2);
  expect(JSON.parse(second!.body).data.commission.reason).toBe('For [erased]');
});
