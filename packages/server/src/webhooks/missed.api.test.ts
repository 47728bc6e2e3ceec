import { type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { asOwner } from '@svc/testkit/service/payments/paid.ts';
import { useReceiver } from '@svc/testkit/service/receiver.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';
import { purgeFeed } from '../jobs/purge-feed.ts';

const service = useService({ SVC_OUTBOUND_ALLOW: '127.0.0.1' });
const receiver = useReceiver();

type Endpoint = { id: number; path: string };

async function endpoint(made: OwnedProgram): Promise<Endpoint> {
  const path = `/${newId('hook')}`;
  const body = { url: receiver.url(path), types: ['sale.created'] };
  const reply = await asOwner(service, made, 'POST', '/webhooks', body);
  return { id: reply.body.data.id, path };
}

const change = (made: OwnedProgram, { id }: Endpoint, changes: object) =>
  asOwner(service, made, 'PATCH', `/webhooks/${id}`, changes);

type Delivery = { id: number; event_id: string; status: string; attempts: number; next_attempt_at: string | null };

const deliveriesTo = async (made: OwnedProgram, { id }: Endpoint) =>
  (await asOwner(service, made, 'GET', `/webhooks/${id}/deliveries`)).body.data as Delivery[];

const numbered = () => expect.poll(() => service.sql('select 1 from outbox')).toEqual([]);

const today = { from: '2026-03-10', to: '2026-03-12' };
const replay = async (made: OwnedProgram, { id }: Endpoint) =>
  (await asOwner(service, made, 'POST', `/webhooks/${id}/replay`, today)).body.data.deliveries as number;

it('an event that still waits for an endpoint is not sent twice by replays and by what was missed', async () => {
  const made = await ownedProgram(service);
  const at = await endpoint(made);
  await change(made, at, { status: 'disabled' });
  await sold(service, made);
  await sold(service, made);
  await numbered();
  service.advance({ seconds: 1 });
  expect([await replay(made, at), await replay(made, at)]).toEqual([2, 2]);
  expect(await deliveriesTo(made, at)).toHaveLength(2);
  await change(made, at, { status: 'active', send_missed: true });
  await receiver.until(at.path, 2);
  await service.ctx.deliveries.idle();
  expect((await deliveriesTo(made, at)).map(({ status }) => status)).toEqual(['delivered', 'delivered']);
  expect(receiver.at(at.path)).toHaveLength(2);
  // What has arrived is sent again under its id.
  expect(await replay(made, at)).toBe(2);
  const received = await receiver.until(at.path, 4);
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
});

it('an event that waits for its next attempt is sent at once by a replay', async () => {
  const made = await ownedProgram(service);
  const at = await endpoint(made);
  receiver.answer(at.path, { status: 500 }, { status: 200 });
  await sold(service, made);
  await expect.poll(async () => (await deliveriesTo(made, at))[0]?.attempts).toBe(1);
  await service.ctx.deliveries.idle();
  service.advance({ seconds: 1 });
  expect(await replay(made, at)).toBe(1);
  await receiver.until(at.path, 2);
  await service.ctx.deliveries.idle();
  expect(await deliveriesTo(made, at)).toMatchObject([{ status: 'delivered', attempts: 1 }]);
});

it('a test that is sent again is tried as long as any other delivery', async () => {
  const made = await ownedProgram(service);
  const at = await endpoint(made);
  receiver.answer(at.path, { status: 500 });
  const { body } = await asOwner(service, made, 'POST', `/webhooks/${at.id}/test`);
  await asOwner(service, made, 'POST', `/deliveries/${body.data.id}/resend`);
  await receiver.until(at.path, 2);
  await service.ctx.deliveries.idle();
  await purgeFeed(90).run(service.ctx);
  expect(await deliveriesTo(made, at)).toMatchObject([
    { status: 'pending', attempts: 1, last_error: 'The endpoint answered with status 500.' },
  ]);
});
