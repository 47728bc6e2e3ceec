import { type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { asOwner } from '@svc/testkit/service/payments/paid.ts';
import { useReceiver } from '@svc/testkit/service/receiver.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { beforeAll, expect, it } from 'vitest';
import type { Transaction } from '../db/db.ts';
import type { NumberedRange } from '../feed/feed-store.ts';
import { numberCommitted } from '../feed/number-events.ts';
import { insertDeliveries } from './delivery-store.ts';
import { deleteEndpoint, updateHealth } from './endpoint-store.ts';

const service = useService({ SVC_OUTBOUND_ALLOW: '127.0.0.1' });
const receiver = useReceiver();

// From here on, events wait until a test numbers them.
beforeAll(() => service.ctx.numbering.close());

async function endpoint(made: OwnedProgram): Promise<number> {
  const body = { url: receiver.url(`/${newId('hook')}`), types: ['sale.created'] };
  return (await asOwner(service, made, 'POST', '/webhooks', body)).body.data.id;
}

const insert = async (tx: Transaction, numbered: NumberedRange[]) => {
  await insertDeliveries(tx, numbered, service.time);
};

/** Resolves when the work is done, or waits for a lock. */
async function doneOrWaiting(work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  work.then(done, done);
  const waiting = `select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  await eventually(
    () => service.ctx.db.query(waiting),
    (rows) => isDone || rows.length > 0,
  );
}

const saleEvents = async ({ apiKey }: OwnedProgram) =>
  (await service.call('GET', '/api/v1/events?types=sale.created', { key: apiKey })).body.data.length;

const deliveriesTo = (id: number) =>
  service.sql<{ id: number; type: string }>('select id, type from webhook_deliveries where endpoint_id = $1', [id]);

it('an endpoint that is deleted while events are numbered stops none of them', async () => {
  const made = await ownedProgram(service);
  const id = await endpoint(made);
  const other = await endpoint(made);
  await sold(service, made);
  let numbering: Promise<void> = Promise.resolve();
  await service.ctx.db.transaction(async (tx) => {
    await deleteEndpoint(tx, made.program.id, id);
    numbering = numberCommitted({ ...service.ctx, deliver: insert });
    await doneOrWaiting(numbering);
  });
  await numbering;
  expect(await saleEvents(made)).toBe(1);
  expect(await deliveriesTo(other)).toHaveLength(1);
});

it('an endpoint with what it missed gets what is being numbered at that moment', async () => {
  const made = await ownedProgram(service);
  const id = await endpoint(made);
  await asOwner(service, made, 'PATCH', `/webhooks/${id}`, { status: 'disabled' });
  await sold(service, made);
  let enabling: Promise<unknown> = Promise.resolve();
  await numberCommitted({
    ...service.ctx,
    deliver: async (tx, numbered) => {
      await insert(tx, numbered);
      enabling = asOwner(service, made, 'PATCH', `/webhooks/${id}`, { status: 'active', send_missed: true });
      await doneOrWaiting(enabling);
    },
  });
  await enabling;
  expect(await saleEvents(made)).toBe(1);
  expect(await deliveriesTo(id)).toMatchObject([{ type: 'sale.created' }]);
});

it('an endpoint can be deleted while what became of its deliveries is stored', async () => {
  const made = await ownedProgram(service);
  const id = await endpoint(made);
  await sold(service, made);
  await numberCommitted({ ...service.ctx, deliver: insert });
  const [delivery] = await deliveriesTo(id);
  let deleting: Promise<{ status: number }> | undefined;
  await service.ctx.db.transaction(async (tx) => {
    await tx.query('update webhook_deliveries set attempts = attempts + 1 where id = $1', [delivery?.id]);
    deleting = asOwner(service, made, 'DELETE', `/webhooks/${id}`);
    await doneOrWaiting(deleting);
    await updateHealth(tx, [], [id], service.time);
  });
  expect((await deleting)?.status).toBe(200);
  expect(await deliveriesTo(id)).toEqual([]);
});
