import { type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { asOwner } from '@svc/testkit/service/payments/paid.ts';
import { useReceiver } from '@svc/testkit/service/receiver.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';
import { purgeFeed } from './purge-feed.ts';

const service = useService({ SVC_OUTBOUND_ALLOW: '127.0.0.1' });
const receiver = useReceiver();

const DAYS = 10;
const purge = purgeFeed(DAYS);

async function endpoint(made: OwnedProgram, status: number) {
  const path = `/${newId('hook')}`;
  receiver.answer(path, { status });
  const body = { url: receiver.url(path), types: ['sale.created'] };
  const { body: reply } = await asOwner(service, made, 'POST', '/webhooks', body);
  return { id: reply.data.id as number, path };
}

async function sell(made: OwnedProgram): Promise<void> {
  const transactionId = newId('order');
  await service.customer(made, `user-${transactionId}`);
  const sale = { transaction_id: transactionId, amount_cents: 10_000, customer_key: `user-${transactionId}` };
  expect((await service.sale(sale, { key: made.apiKey })).status).toBe(200);
  await settled();
}

/** Resolves when everything is numbered, and everything that is due was tried. */
async function settled(): Promise<void> {
  service.ctx.deliveries.wake();
  const open = () =>
    service.sql(
      `select d.id from webhook_deliveries d join webhook_endpoints w on w.id = d.endpoint_id
       where w.status = 'active' and d.status = 'pending' and d.due_at <= $1 union all select 0 from outbox`,
      [service.time],
    );
  await expect.poll(open).toEqual([]);
}

const deliveriesTo = async (made: OwnedProgram, id: number) =>
  (await asOwner(service, made, 'GET', `/webhooks/${id}/deliveries`)).body.data as Record<string, unknown>[];

const feedOf = async (made: OwnedProgram) => {
  const { body } = await service.call('GET', '/api/v1/events', { key: made.apiKey });
  return (body.data as { sequence: number }[]).map(({ sequence }) => sequence);
};

describe('events and deliveries', () => {
  it('are removed together when they are older than events are kept', async () => {
    const made = await ownedProgram(service);
    const { id } = await endpoint(made, 200);
    await sell(made);
    service.advance({ days: 1 });
    await sell(made);
    await asOwner(service, made, 'POST', `/webhooks/${id}/test`);
    service.advance({ days: DAYS - 1, seconds: -1 });
    await purge.run(service.ctx);
    expect(await deliveriesTo(made, id)).toHaveLength(3);
    service.advance({ seconds: 2 });
    await purge.run(service.ctx);
    const left = await deliveriesTo(made, id);
    expect(left.map(({ type }) => type)).toEqual(['webhook.test', 'sale.created']);
    // Its signup is kept as long as the sale.
    expect((await feedOf(made))[0]).toBe(Number(left[1]?.sequence) - 1);
    service.advance({ days: 1 });
    expect(await purge.run(service.ctx)).toMatch(/^purged \d+ events of the feed and 2 deliveries$/);
    expect(await deliveriesTo(made, id)).toEqual([]);
    expect(await feedOf(made)).toEqual([]);
    expect(await purge.run(service.ctx)).toBeNull();
  });

  it('that are still to be sent end as failed with a sentence, which is kept as long again', async () => {
    const made = await ownedProgram(service);
    const { id, path } = await endpoint(made, 500);
    await sell(made);
    await asOwner(service, made, 'PATCH', `/webhooks/${id}`, { status: 'disabled' });
    service.advance({ days: DAYS, seconds: -1 });
    await purge.run(service.ctx);
    expect(await deliveriesTo(made, id)).toMatchObject([{ status: 'pending' }]);
    service.advance({ seconds: 2 });
    await purge.run(service.ctx);
    const ended = {
      status: 'failed',
      attempts: 1,
      last_error: 'The event was deleted before it could be sent: it is older than events are kept.',
      next_attempt_at: null,
    };
    expect(await deliveriesTo(made, id)).toMatchObject([ended]);
    await asOwner(service, made, 'PATCH', `/webhooks/${id}`, { status: 'active' });
    await settled();
    expect(receiver.at(path)).toHaveLength(1);
    service.advance({ days: DAYS, seconds: -1 });
    await purge.run(service.ctx);
    expect(await deliveriesTo(made, id)).toMatchObject([ended]);
    service.advance({ seconds: 2 });
    await purge.run(service.ctx);
    expect(await deliveriesTo(made, id)).toEqual([]);
  });

  it('are removed in batches, those of every program', async () => {
    const made = [await ownedProgram(service), await ownedProgram(service)];
    const old = new Date(service.time.getTime() - (DAYS + 1) * 86_400_000);
    for (const one of made) {
      const { id } = await endpoint(one, 200);
      await service.sql(
        `insert into webhook_deliveries (endpoint_id, event_id, type, status, created_at)
         select $1, gen_random_uuid(), 'webhook.test', 'delivered', $2 from generate_series(1, 1500)`,
        [id, old],
      );
    }
    for (const one of made) await sell(one);
    await purge.run(service.ctx);
    const [row] = await service.sql('select count(*) as count from webhook_deliveries');
    expect(row).toEqual({ count: 2 });
  });
});
