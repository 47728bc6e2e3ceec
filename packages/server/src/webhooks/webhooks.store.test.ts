import { ownedProgram } from '@svc/testkit/service/accounts.ts';
import { asOwner } from '@svc/testkit/service/payments/paid.ts';
import { useReceiver } from '@svc/testkit/service/receiver.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';

const service = useService({ SVC_OUTBOUND_ALLOW: '127.0.0.1' });
const receiver = useReceiver();

type Made = Awaited<ReturnType<typeof ownedProgram>>;

async function sell(made: Made): Promise<string> {
  const transactionId = newId('order');
  await service.customer(made, `user-${transactionId}`);
  const sale = { transaction_id: transactionId, amount_cents: 10_000, customer_key: `user-${transactionId}` };
  await service.sale(sale, { key: made.apiKey });
  return transactionId;
}

async function endpoint(made: Made, path: string, types: string[] = ['sale.created'], more: object = {}) {
  const body = { url: receiver.url(path), types, ...more };
  const { body: reply } = await asOwner(service, made, 'POST', '/webhooks', body);
  return reply.data as { id: number; secret: string };
}

describe('an endpoint', () => {
  it('gets what it wants, signed, byte for byte as in the feed', async () => {
    // The published library compares with the clock of the machine.
    service.time = new Date();
    const made = await ownedProgram(service);
    const path = `/${newId('hook')}`;
    const { secret } = await endpoint(made, path);
    const transactionId = await sell(made);
    const [received] = await receiver.until(path, 1);
    new Webhook(secret).verify(received!.body, received!.headers as Record<string, string>);
    const event = JSON.parse(received!.body);
    expect(event).toMatchObject({ type: 'sale.created', data: { sale: { transaction_id: transactionId } } });
    expect(received!.headers['webhook-id']).toBe(event.id);
    const feed = await service.call('GET', `/api/v1/events?types=sale.created`, { key: made.apiKey });
    expect(feed.body.data).toEqual([event]);
    expect(JSON.stringify(feed.body.data[0])).toBe(received!.body);
  });

  it('that fails gets the same bytes again when the next attempt is due', async () => {
    const made = await ownedProgram(service);
    const path = `/${newId('hook')}`;
    receiver.answer(path, { status: 500, body: 'out of order' }, { status: 200 });
    const { id } = await endpoint(made, path);
    await sell(made);
    await receiver.until(path, 1);
    const list = () => asOwner(service, made, 'GET', `/webhooks/${id}/deliveries`);
    await expect.poll(async () => (await list()).body.data[0]?.attempts).toBe(1);
    const [failed] = (await list()).body.data;
    expect(failed).toMatchObject({
      status: 'pending',
      last_status: 500,
      last_error: 'The endpoint answered with status 500.',
      response_body: 'out of order',
    });
    service.advance({ seconds: 6 });
    service.ctx.deliveries.wake();
    const [first, second] = await receiver.until(path, 2);
    expect(second!.body).toBe(first!.body);
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    await expect.poll(async () => (await list()).body.data[0]?.status).toBe('delivered');
  });

  it('that answers 410 is disabled at once', async () => {
    const made = await ownedProgram(service);
    const path = `/${newId('hook')}`;
    receiver.answer(path, { status: 410 });
    const { id } = await endpoint(made, path);
    await sell(made);
    await receiver.until(path, 1);
    const read = async () => (await asOwner(service, made, 'GET', `/webhooks/${id}`)).body.data;
    await expect.poll(async () => (await read()).status).toBe('disabled');
    expect((await read()).disabled_reason).toBe('gone');
  });

  it('is one of 20 at most, however many are added at once', async () => {
    const made = await ownedProgram(service);
    const add = (path: string) =>
      asOwner(service, made, 'POST', '/webhooks', { url: receiver.url(path), types: ['sale.created'] });
    const first = await Promise.all(Array.from({ length: 19 }, (_, index) => add(`/${index}`)));
    expect(first.map(({ status }) => status)).toEqual(Array(19).fill(201));
    const last = await Promise.all(['/a', '/b', '/c'].map(add));
    expect(last.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const { status, body } = await add('/d');
    expect({ status, body }).toEqual({
      status: 409,
      body: {
        data: null,
        error: {
          status: 409,
          name: 'ConflictError',
          message: 'The program has 20 webhook endpoints, which is the most. Delete one first.',
          details: {},
        },
      },
    });
    expect((await asOwner(service, made, 'GET', '/webhooks')).body.data).toHaveLength(20);
  });

  it('is named in the audit log without the part of its address that can be a password', async () => {
    const made = await ownedProgram(service);
    const { id } = await endpoint(made, `/services/T0/${newId('secret')}`);
    const { body: test } = await asOwner(service, made, 'POST', `/webhooks/${id}/test`);
    await asOwner(service, made, 'POST', `/deliveries/${test.data.id}/resend`);
    await asOwner(service, made, 'POST', `/webhooks/${id}/replay`, { from: '2026-01-01', to: '2026-01-02' });
    await asOwner(service, made, 'POST', `/webhooks/${id}/rotate-secret`);
    await asOwner(service, made, 'PATCH', `/webhooks/${id}`, { description: 'For sales' });
    await asOwner(service, made, 'DELETE', `/webhooks/${id}`);
    const rows = await service.sql('select * from audit_events where program_id = $1 and action like $2', [
      made.program.id,
      'webhook.%',
    ]);
    expect(rows).toHaveLength(7);
    expect(JSON.stringify(rows)).not.toContain('/services');
  });

  it('gets a delivery again only if its own program asks', async () => {
    const [made, stranger] = [await ownedProgram(service), await ownedProgram(service)];
    const path = `/${newId('hook')}`;
    const { id } = await endpoint(made, path);
    const { body } = await asOwner(service, made, 'POST', `/webhooks/${id}/test`);
    const resend = (of: Made) => asOwner(service, of, 'POST', `/deliveries/${body.data.id}/resend`);
    expect((await resend(stranger)).status).toBe(404);
    expect(await resend(made)).toMatchObject({ status: 200, body: { data: { id: body.data.id, status: 'pending' } } });
    const [first, second] = await receiver.until(path, 2);
    expect(second!.body).toBe(first!.body);
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    expect(receiver.at(path)).toHaveLength(2);
  });
});
