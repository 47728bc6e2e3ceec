import { ownedProgram } from '@svc/testkit/service/accounts.ts';
import { untilNumbered } from '@svc/testkit/service/numbered.ts';
import { asOwner } from '@svc/testkit/service/payments/paid.ts';
import { useReceiver } from '@svc/testkit/service/receiver.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import type { CallKind, DueCall } from './call-kind.ts';
import { openDeliveryWorker } from './deliver.ts';
import { listDueHosts } from './delivery-store.ts';
import { leaseHosts } from './host-store.ts';
import { openHostSender } from './send-to-host.ts';
import { webhookCalls } from './webhook-calls.ts';

// Receivers that hang do so for as long as a test wants, however busy the machine is.
const service = useService({ SVC_OUTBOUND_ALLOW: '127.0.0.1' }, { callMs: 600_000 });
const receiver = useReceiver();
const HOST = '127.0.0.1';
const NODE = '00000000-0000-4000-8000-000000000001';
const OTHER_NODE = '00000000-0000-4000-8000-000000000002';

type Made = Awaited<ReturnType<typeof ownedProgram>>;
type Endpoint = { id: number; secret: string; path: string };

async function sell(made: Made, times = 1): Promise<void> {
  for (let sold = 0; sold < times; sold += 1) {
    const id = newId('order');
    await service.sale({ transaction_id: id, amount_cents: 10_000, customer_key: 'jane' }, { key: made.apiKey });
  }
}

async function shop(): Promise<Made> {
  const made = await ownedProgram(service);
  await service.customer(made, 'jane');
  return made;
}

async function endpoint(made: Made, more: object = {}): Promise<Endpoint> {
  const path = `/${newId('hook')}`;
  const body = { url: receiver.url(path), types: ['sale.created'], ...more };
  const reply = await asOwner(service, made, 'POST', '/webhooks', body);
  expect(reply.status).toBe(201);
  return { path, ...reply.body.data };
}

type Delivery = Record<string, unknown> & { id: number };

const deliveriesOf = async (made: Made, { id }: Endpoint) =>
  (await asOwner(service, made, 'GET', `/webhooks/${id}/deliveries`)).body.data as Delivery[];

/** The deliveries once every one of them has been tried. */
async function tried(made: Made, at: Endpoint, count = 1): Promise<Delivery[]> {
  await expect
    .poll(async () => (await deliveriesOf(made, at)).filter(({ attempts }) => attempts !== 0).length)
    .toBe(count);
  return deliveriesOf(made, at);
}

describe('an endpoint that hangs', () => {
  it('delays none of its neighbors on the same host, and leaves half of the connections to them', async () => {
    const made = await shop();
    const [hanging, neighbor] = [await endpoint(made), await endpoint(made)];
    const release = receiver.hold(hanging.path);
    await sell(made, 6);
    await receiver.until(neighbor.path, 6);
    await receiver.until(hanging.path, 4);
    // While all of these calls are open, whatever is new still goes out to the neighbor.
    await sell(made, 3);
    await receiver.until(neighbor.path, 9);
    expect(receiver.at(hanging.path)).toHaveLength(4);
    expect(release()).toBe(4);
    await receiver.until(hanging.path, 9);
    await tried(made, hanging, 9);
  });

  it('gets one call at a time once something has failed there', async () => {
    const made = await shop();
    const failing = await endpoint(made);
    receiver.answer(failing.path, { status: 500 });
    await sell(made);
    await tried(made, failing);
    receiver.answer(failing.path, { status: 200 });
    const release = receiver.hold(failing.path);
    const neighbor = await endpoint(made);
    await sell(made, 3);
    await receiver.until(neighbor.path, 3);
    await receiver.until(failing.path, 2);
    await tried(made, neighbor, 3);
    expect(receiver.at(failing.path)).toHaveLength(2);
    expect(release()).toBe(1);
    await receiver.until(failing.path, 4);
  });
});

describe('whatever a receiver answers', () => {
  it('is stored as the database can hold it, and holds nothing up', async () => {
    const made = await shop();
    const zero = await endpoint(made);
    const cut = await endpoint(made);
    const binary = await endpoint(made);
    const compressed = await endpoint(made);
    const late = await endpoint(made, { types: ['sale.created'] });
    receiver.answer(zero.path, { status: 200, body: 'a\0b' });
    // The 4,096th byte is in the middle of a character.
    receiver.answer(cut.path, { status: 500, body: `${'x'.repeat(4_094)}😀 and more` });
    receiver.answer(binary.path, { status: 200, body: Buffer.from([0xff, 0xfe, 0x41]) });
    receiver.answer(compressed.path, { status: 200, headers: { 'content-encoding': 'gzip' }, body: 'not really' });
    receiver.answer(late.path, { status: 503, headers: { 'retry-after': '60' } });
    await sell(made);
    expect(await tried(made, zero)).toMatchObject([{ status: 'delivered', response_body: 'a\ufffdb' }]);
    expect(await tried(made, cut)).toMatchObject([{ status: 'pending', response_body: 'x'.repeat(4_094) }]);
    expect(await tried(made, binary)).toMatchObject([{ status: 'delivered', response_body: '\ufffd\ufffdA' }]);
    expect(await tried(made, compressed)).toMatchObject([{ status: 'delivered', response_body: null }]);
    expect(await tried(made, late)).toMatchObject([
      { last_status: 503, next_attempt_at: new Date(service.time.getTime() + 60_000).toISOString() },
    ]);
  });

  it('fails with one sentence if it is longer than 64 KiB, even with a 200', async () => {
    const made = await shop();
    const wordy = await endpoint(made);
    receiver.answer(wordy.path, { status: 200, body: 'x'.repeat(65_537) });
    await sell(made);
    expect(await tried(made, wordy)).toMatchObject([
      { status: 'pending', attempts: 1, last_status: null, last_error: 'The answer is longer than 64 KiB.' },
    ]);
  });

  it('does not matter for an endpoint that was deleted meanwhile', async () => {
    const made = await shop();
    const deleted = await endpoint(made);
    const release = receiver.hold(deleted.path);
    await sell(made);
    await receiver.until(deleted.path, 1);
    await asOwner(service, made, 'DELETE', `/webhooks/${deleted.id}`);
    expect(release()).toBe(1);
    await service.ctx.deliveries.idle();
    expect(await service.sql('select 1 from webhook_deliveries where endpoint_id = $1', [deleted.id])).toEqual([]);
  });
});

describe('a disabled endpoint', () => {
  it('gets nothing more: what was due waits, and keeps nobody busy', async () => {
    const made = await shop();
    const gone = await endpoint(made);
    receiver.answer(gone.path, { status: 410 });
    const release = receiver.hold(gone.path);
    await sell(made, 6);
    await receiver.until(gone.path, 4);
    await expect.poll(async () => (await deliveriesOf(made, gone)).length).toBe(6);
    release();
    await service.ctx.deliveries.idle();
    expect(receiver.at(gone.path)).toHaveLength(4);
    const deliveries = await deliveriesOf(made, gone);
    expect(deliveries.map(({ status }) => status).sort()).toEqual([...Array(4).fill('failed'), 'pending', 'pending']);
    expect(await listDueHosts(service.ctx.db, service.time)).toEqual([]);
    // Once it is enabled, what was still to be sent is sent.
    receiver.answer(gone.path, { status: 200 });
    await asOwner(service, made, 'PATCH', `/webhooks/${gone.id}`, { status: 'active' });
    await receiver.until(gone.path, 6);
  });
});

describe('an endpoint that answers 410', () => {
  it('gets nothing more even while that is not stored yet', async () => {
    const made = await shop();
    const gone = await endpoint(made);
    receiver.answer(gone.path, { status: 410 });
    const { ctx } = service;
    await ctx.deliveries.idle();
    expect(await leaseHosts(ctx.db, NODE, [HOST], 60_000)).toEqual([HOST]);
    await untilNumbered(service);
    await service.sql(
      `insert into webhook_deliveries (endpoint_id, event_id, sequence, type, due_at, created_at)
       select $1, event_id, sequence, type, $3, $3 from feed_events, generate_series(1, 6)
       where program_id = $2 and sequence = 1`,
      [gone.id, made.program.id, service.time],
    );
    const calls = webhookCalls(ctx);
    let [reads, sent] = [0, 0];
    const counted: typeof calls = {
      ...calls,
      async listDue(...asked) {
        const due = await calls.listDue(...asked);
        reads += 1;
        return due.filter(({ endpointId }) => endpointId === gone.id);
      },
      send: (sending) => calls.send(sending).finally(() => (sent += 1)),
    };
    let isStopping = false;
    let store = () => {};
    const stored = new Promise<void>((resolve) => (store = resolve));
    const sender = openHostSender(
      {
        ...ctx,
        kinds: [counted],
        node: NODE,
        store: () => stored,
        isStopping: () => isStopping,
        isAbandoned: () => false,
      },
      HOST,
      performance.now(),
    );
    await expect.poll(() => sent).toBe(4);
    // When it reads for the second time, it has acted on what it read before.
    for (const count of [reads + 1, reads + 2]) {
      sender.wake(performance.now());
      await expect.poll(() => reads).toBeGreaterThanOrEqual(count);
    }
    isStopping = true;
    await service.sql('delete from webhook_deliveries where endpoint_id = $1', [gone.id]);
    store();
    await sender.ended;
    expect(receiver.at(gone.path)).toHaveLength(4);
  });
});

describe('a delivery', () => {
  it('is signed with both secrets for a day after a rotation, also if it was due before', async () => {
    service.time = new Date();
    const made = await shop();
    const rotated = await endpoint(made);
    receiver.answer(rotated.path, { status: 500 }, { status: 200 });
    await sell(made);
    await tried(made, rotated);
    const { body } = await asOwner(service, made, 'POST', `/webhooks/${rotated.id}/rotate-secret`);
    service.advance({ seconds: 6 });
    service.ctx.deliveries.wake();
    const [first, second] = await receiver.until(rotated.path, 2);
    const headers = second!.headers as Record<string, string>;
    for (const secret of [rotated.secret, body.data.secret]) new Webhook(secret).verify(second!.body, headers);
    expect(second!.body).toBe(first!.body);
    expect(headers['webhook-id']).toBe(first!.headers['webhook-id']);
  });

  it('of an event that is no longer kept has failed, and says nothing about its endpoint', async () => {
    const made = await shop();
    const late = await endpoint(made);
    receiver.answer(late.path, { status: 500 });
    await sell(made);
    await tried(made, late);
    await service.sql('update webhook_endpoints set failing_since = null where id = $1', [late.id]);
    await service.sql(`delete from feed_events where program_id = $1 and type = 'sale.created'`, [made.program.id]);
    // What was sent before is gone, too, as after an erasure.
    await service.sql('update webhook_deliveries set body = null where endpoint_id = $1', [late.id]);
    service.advance({ seconds: 6 });
    service.ctx.deliveries.wake();
    await expect.poll(async () => (await deliveriesOf(made, late))[0]?.status).toBe('failed');
    expect(await deliveriesOf(made, late)).toMatchObject([
      { status: 'failed', attempts: 2, last_error: 'The event is no longer kept.', next_attempt_at: null },
    ]);
    expect(receiver.at(late.path)).toHaveLength(1);
    const { body } = await asOwner(service, made, 'GET', `/webhooks/${late.id}`);
    expect(body.data).toMatchObject({ status: 'active', failing_since: null });
  });

  it('is a sentence in a channel', async () => {
    const made = await shop();
    const slack = await endpoint(made, { format: 'slack' });
    const discord = await endpoint(made, { format: 'discord' });
    await sell(made);
    const [toSlack] = await receiver.until(slack.path, 1);
    const [toDiscord] = await receiver.until(discord.path, 1);
    const sentence = `New sale of $100.00 through partner ${made.partnerId}. The sale was recorded and the partner earned a commission.`;
    expect(JSON.parse(toSlack!.body)).toEqual({ text: sentence });
    expect(JSON.parse(toDiscord!.body)).toEqual({ content: sentence, allowed_mentions: { parse: [] }, flags: 4 });
  });

  it('by hand, as a test, says how it went', async () => {
    const made = await shop();
    const slack = await endpoint(made, { format: 'slack' });
    const test = async () => (await asOwner(service, made, 'POST', `/webhooks/${slack.id}/test`)).body.data;
    expect(await test()).toMatchObject({ type: 'webhook.test', status: 'delivered', attempts: 1, last_error: null });
    expect(JSON.parse(receiver.at(slack.path)[0]!.body)).toEqual({ text: 'This is a test. Nothing has happened.' });
    receiver.answer(slack.path, { status: 404 });
    const error = 'The endpoint answered with status 404.';
    expect(await test()).toMatchObject({
      status: 'failed',
      last_status: 404,
      last_error: error,
      next_attempt_at: null,
    });
  });
});

describe('a host', () => {
  it('is not called by a node that was stopped until another one has taken over', async () => {
    const made = await shop();
    const one = await endpoint(made);
    await untilNumbered(service);
    await service.ctx.deliveries.idle();
    const { ctx } = service;
    const due = `insert into webhook_deliveries (endpoint_id, event_id, sequence, type, due_at, created_at)
      select $1, event_id, sequence, type, $3, $3 from feed_events where program_id = $2 limit 1 returning id`;
    expect(await service.sql(due, [one.id, made.program.id, service.time])).toHaveLength(1);
    expect(await leaseHosts(ctx.db, OTHER_NODE, [HOST], 60_000)).toEqual([HOST]);
    expect(await leaseHosts(ctx.db, NODE, [HOST], 60_000)).toEqual([]);
    const shared = {
      ...ctx,
      kinds: [webhookCalls(ctx)],
      node: NODE,
      isStopping: () => false,
      isAbandoned: () => false,
    };
    const store = () => Promise.reject(new Error('Nothing was sent'));
    // It took the host thirteen seconds ago, as far as it knows.
    await openHostSender({ ...shared, store }, HOST, performance.now() - 13_000).ended;
    expect(receiver.at(one.path)).toEqual([]);
    expect(await service.sql('select host, node from webhook_hosts')).toEqual([{ host: HOST, node: OTHER_NODE }]);
    // What a node leaves behind is free after a while.
    await service.sql(`update webhook_hosts set leased_until = clock_timestamp() - interval '1 second'`);
    ctx.deliveries.wake();
    await receiver.until(one.path, 1);
  });

  it('waits while as many others as a node calls at once are called, behind those that work', async () => {
    const hosts = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}-${newId('host')}.example`);
    const [, , , working] = hosts as [string, string, string, string];
    const waiting = new Map(hosts.map((host, index) => [host, { host, id: index + 1 }]));
    const called: string[] = [];
    const answers = new Map<string, () => void>();
    const kind: CallKind<DueCall & { host: string }> = {
      name: 'kept waiting',
      listDueHosts: async () => [...waiting.keys()].map((host) => ({ host, isFailing: host !== working })),
      listDue: async (host, _now, { without }) =>
        [...waiting.values()]
          .filter((due) => due.host === host && !without.includes(due.id))
          .map((due) => ({ ...due, endpointId: due.id, dueAt: service.time, isFailing: host !== working })),
      send: ({ host }) =>
        new Promise((resolve) => {
          called.push(host);
          answers.set(host, () => resolve({ status: 200, headers: {}, body: '', error: null }));
        }),
      store: async (attempts) => {
        for (const { call } of attempts) waiting.delete(call.host);
      },
      findNextDue: async () => (waiting.size > 0 ? service.time : null),
    };
    await service.ctx.deliveries.idle();
    const worker = await openDeliveryWorker(service.ctx, [kind], { maxHosts: 2 });
    worker.wake();
    await expect.poll(() => called.length).toBe(2);
    expect(called).toContain(working);
    for (let done = 0; done < hosts.length; done += 1) {
      // Asked again, it still calls no third one.
      worker.wake();
      await expect.poll(() => called.length).toBe(Math.min(done + 2, hosts.length));
      expect(answers.size).toBeLessThanOrEqual(2);
      const [[host, answer]] = answers as unknown as [[string, () => void]];
      answers.delete(host);
      answer();
    }
    await worker.idle();
    await worker.close();
    expect([...called].sort()).toEqual(hosts);
  });

  it('is let go when nothing is due, without a connection', async () => {
    await service.ctx.deliveries.idle();
    expect(await service.sql('select host from webhook_hosts')).toEqual([]);
    await expect.poll(() => receiver.connections.open).toBe(0);
    expect(receiver.connections.most).toBeLessThanOrEqual(8);
  });
});
