import { manage, memberOf, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { asOwner } from '@svc/testkit/service/payments/paid.ts';
import { useReceiver } from '@svc/testkit/service/receiver.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';

// What people see of deliveries and of the feed in the management API.
const service = useService({ SVC_OUTBOUND_ALLOW: '127.0.0.1' });
const receiver = useReceiver();

type Shown = Record<string, unknown> & { id: number };

const read = async (made: OwnedProgram, path: string) => (await asOwner(service, made, 'GET', path)).body.data;

async function endpoint(made: OwnedProgram, path: string, more: object = {}): Promise<number> {
  const body = { url: receiver.url(path), types: ['sale.created'], ...more };
  return (await asOwner(service, made, 'POST', '/webhooks', body)).body.data.id;
}

/** Waits until the newest delivery of the endpoint has the status, and returns it. */
async function settled(made: OwnedProgram, webhookId: number, status: string): Promise<Shown> {
  const newest = async (): Promise<Shown | undefined> => (await read(made, `/webhooks/${webhookId}/deliveries`))[0];
  await expect.poll(async () => (await newest())?.status).toBe(status);
  return (await newest())!;
}

/** Waits until the feed has so many events of a type, and returns their numbers, newest first. */
async function numbered(made: OwnedProgram, type: string, count: number): Promise<number[]> {
  const list = async (): Promise<{ sequence: number }[]> => read(made, `/feed-events?types=${type}`);
  await expect.poll(async () => (await list()).length).toBe(count);
  return (await list()).map(({ sequence }) => sequence);
}

describe('a test', () => {
  it('that an endpoint refuses says why in a sentence', async () => {
    const made = await ownedProgram(service);
    const path = `/${newId('hook')}`;
    receiver.answer(path, { status: 500, headers: { 'x-why': 'broken' }, body: '<b>out of order</b>' });
    const id = await endpoint(made, path);
    const { status, body } = await asOwner(service, made, 'POST', `/webhooks/${id}/test`);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      id: expect.any(Number),
      event_id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      sequence: null,
      type: 'webhook.test',
      status: 'failed',
      attempts: 1,
      last_status: 500,
      last_error: 'The endpoint answered with status 500.',
      response_headers: expect.objectContaining({ 'x-why': 'broken' }),
      response_body: '<b>out of order</b>',
      next_attempt_at: null,
      created_at: service.time.toISOString(),
    });
  });
});

describe('the address of an endpoint', () => {
  it('is shown whole only to owners: it can be as good as a password', async () => {
    const made = await ownedProgram(service);
    const url = receiver.url('/services/T00000/B00000/XXXXsecretXXXX');
    const { body: added } = await asOwner(service, made, 'POST', '/webhooks', { url, types: ['sale.created'] });
    await asOwner(service, made, 'PATCH', `/webhooks/${added.data.id}`, { description: 'sales' });
    const masked = `${receiver.url('')}/…XXXX`;
    const member = await memberOf(service, made.workspaceId, 'member');
    for (const path of ['/webhooks', `/webhooks/${added.data.id}`]) {
      const seen = await service.call('GET', manage(made, path), { key: member.token });
      expect([seen.body.data].flat()[0].url).toBe(masked);
      expect([await read(made, path)].flat()[0].url).toBe(url);
    }
    const audit = await service.call('GET', '/api/v1/manage/audit', { key: member.token });
    const changes = audit.body.data.filter(({ subject }: { subject: string }) => subject === 'webhook');
    expect(changes.map(({ subject_name: name }: { subject_name: string }) => name)).toEqual([masked, masked]);
    expect(audit.text).not.toContain('secret');
  });
});

describe('a delivery', () => {
  it('is shown with the request that the endpoint got, without what is signed anew', async () => {
    const made = await ownedProgram(service);
    const path = `/${newId('hook')}`;
    const id = await endpoint(made, path);
    await sold(service, made);
    const [received] = await receiver.until(path, 1);
    const delivery = await settled(made, id, 'delivered');
    const shown = await read(made, `/webhooks/${id}/deliveries/${delivery.id}`);
    expect(shown).toEqual({
      ...delivery,
      request: {
        headers: {
          'content-type': 'application/json',
          'user-agent': 'svc-webhooks',
          'webhook-id': received!.headers['webhook-id'],
        },
        body: received!.body,
      },
    });
  });

  it('has no request once its event is gone', async () => {
    const made = await ownedProgram(service);
    const path = `/${newId('hook')}`;
    const id = await endpoint(made, path);
    await sold(service, made);
    const delivery = await settled(made, id, 'delivered');
    await service.sql('delete from feed_events where program_id = $1', [made.program.id]);
    expect(await read(made, `/webhooks/${id}/deliveries/${delivery.id}`)).toEqual({ ...delivery, request: null });
  });

  it('is found only under its own endpoint and program', async () => {
    const [made, other] = [await ownedProgram(service), await ownedProgram(service)];
    const path = `/${newId('hook')}`;
    const [id, second] = [await endpoint(made, path), await endpoint(made, `${path}-2`, { types: ['terms.changed'] })];
    await sold(service, made);
    const delivery = await settled(made, id, 'delivered');
    const paths = [`/webhooks/${second}/deliveries/${delivery.id}`, `/webhooks/${id}/deliveries/0`];
    for (const rest of paths) expect((await asOwner(service, made, 'GET', rest)).status).toBe(404);
    const foreign = [
      `/webhooks/${id}/deliveries/${delivery.id}`,
      `/webhooks/${id}/missed`,
      `/feed-events/${delivery.sequence}`,
    ];
    for (const rest of foreign) expect((await asOwner(service, other, 'GET', rest)).status).toBe(404);
  });
});

describe('an endpoint', () => {
  it('shows its newest delivery', async () => {
    const made = await ownedProgram(service);
    const path = `/${newId('hook')}`;
    const id = await endpoint(made, path);
    const last = async () => {
      const { last_delivery_at: at, last_delivery_status: status } = await read(made, `/webhooks/${id}`);
      return { at, status };
    };
    expect(await last()).toEqual({ at: null, status: null });
    await asOwner(service, made, 'POST', `/webhooks/${id}/test`);
    expect(await last()).toEqual({ at: service.time.toISOString(), status: 'delivered' });
  });

  it('that is disabled says what enabling it would send, and that is what it sends', async () => {
    const made = await ownedProgram(service);
    const path = `/${newId('hook')}`;
    receiver.answer(path, { status: 500 }, { status: 204 });
    const id = await endpoint(made, path);
    await sold(service, made);
    await expect.poll(async () => (await read(made, `/webhooks/${id}/deliveries`))[0]?.attempts).toBe(1);
    expect(await read(made, `/webhooks/${id}/missed`)).toEqual({ events: 0, pending: 0 });
    await asOwner(service, made, 'PATCH', `/webhooks/${id}`, { status: 'disabled' });
    expect(await read(made, `/webhooks/${id}/missed`)).toEqual({ events: 0, pending: 1 });
    await sold(service, made);
    await sold(service, made);
    await numbered(made, 'sale.created', 3);
    expect(await read(made, `/webhooks/${id}/missed`)).toEqual({ events: 2, pending: 1 });
    service.advance({ seconds: 60 });
    await asOwner(service, made, 'PATCH', `/webhooks/${id}`, { status: 'active', send_missed: true });
    const received = await receiver.until(path, 4);
    expect(received.map(({ body }) => JSON.parse(body).type)).toEqual(Array(4).fill('sale.created'));
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(3);
    expect(await read(made, `/webhooks/${id}/missed`)).toEqual({ events: 0, pending: 0 });
  });
});

describe('a replay', () => {
  it('says how many events it would send before it sends them', async () => {
    const made = await ownedProgram(service);
    const path = `/${newId('hook')}`;
    const id = await endpoint(made, path);
    const from = service.time.toISOString();
    await sold(service, made);
    await sold(service, made);
    service.advance({ seconds: 1 });
    const to = service.time.toISOString();
    await sold(service, made);
    await receiver.until(path, 3);
    service.advance({ seconds: 1 });
    const replay = async (more: object) =>
      (await asOwner(service, made, 'POST', `/webhooks/${id}/replay`, { from, to, ...more })).body.data;
    expect(await replay({ dry_run: true })).toEqual({ deliveries: 2, to });
    expect(await replay({ dry_run: true, types: ['terms.changed'] })).toEqual({ deliveries: 0, to });
    expect(await read(made, `/webhooks/${id}/deliveries`)).toHaveLength(3);
    // It never reaches into the future, so that the same call later sends the same events.
    expect(await replay({ dry_run: true, to: '9999-01-01' })).toEqual({
      deliveries: 3,
      to: service.time.toISOString(),
    });
    expect(await replay({})).toEqual({ deliveries: 2, to });
    const received = await receiver.until(path, 5);
    expect(
      received
        .slice(3)
        .map(({ body }) => body)
        .sort(),
    ).toEqual(
      received
        .slice(0, 2)
        .map(({ body }) => body)
        .sort(),
    );
  });
});

describe('the feed of a program', () => {
  it('is listed newest first, by type and by number, with a sentence, for the whole team', async () => {
    const made = await ownedProgram(service);
    await sold(service, made, { amount_cents: 10_000 });
    await sold(service, made, { amount_cents: 2_500 });
    const [newest, oldest] = await numbered(made, 'sale.created', 2);
    const viewer = await memberOf(service, made.workspaceId, 'viewer');
    const list = (query: string) => service.call('GET', manage(made, `/feed-events${query}`), { key: viewer.token });
    const feed = (await service.call('GET', '/api/v1/events?types=sale.created', { key: made.apiKey })).body.data;
    const all = await list('?types=sale.created');
    expect(all.body).toEqual({
      data: [
        { ...feed[1], sentence: expect.stringMatching(/^New sale of \$25\.00 through Jane\. /) },
        { ...feed[0], sentence: expect.stringMatching(/^New sale of \$100\.00 through Jane\. /) },
      ],
      meta: { next_cursor: null, limit: 25 },
    });
    const first = await list('?types=sale.created&limit=1');
    expect(first.body.data.map(({ sequence }: { sequence: number }) => sequence)).toEqual([newest]);
    const second = await list(`?types=sale.created&limit=1&cursor=${first.body.meta.next_cursor}`);
    expect(second.body.data.map(({ sequence }: { sequence: number }) => sequence)).toEqual([oldest]);
    expect((await list(`?sequence=${oldest}`)).body.data).toEqual([all.body.data[1]]);
    const unknown = await list('?types=sale.lost');
    expect([unknown.status, unknown.body.error]).toEqual([
      400,
      expect.objectContaining({ message: 'Unknown event type: sale.lost', details: { field: 'types' } }),
    ]);
  });

  it('shows an event with its deliveries to every endpoint', async () => {
    const made = await ownedProgram(service);
    const path = `/${newId('hook')}`;
    const [first, second] = [await endpoint(made, path), await endpoint(made, path, { types: ['*'] })];
    await sold(service, made);
    const [sequence] = await numbered(made, 'sale.created', 1);
    await settled(made, first, 'delivered');
    const deliveriesOf = async (): Promise<Shown[]> => (await read(made, `/feed-events/${sequence}`)).deliveries;
    await expect
      .poll(async () => (await deliveriesOf()).map(({ status }) => status))
      .toEqual(['delivered', 'delivered']);
    const [listed] = await read(made, `/feed-events?sequence=${sequence}`);
    const delivered = {
      id: expect.any(Number),
      webhook_url: `${receiver.url('')}/…${path.slice(-4)}`,
      status: 'delivered',
      attempts: 1,
      last_status: 204,
      last_error: null,
      next_attempt_at: null,
      created_at: expect.any(String),
    };
    const shown = await read(made, `/feed-events/${sequence}`);
    expect({ ...shown, deliveries: shown.deliveries.toSorted((a: Shown, b: Shown) => a.id - b.id) }).toEqual({
      ...listed,
      deliveries: [
        { ...delivered, webhook_id: expect.any(Number) },
        { ...delivered, webhook_id: expect.any(Number) },
      ],
    });
    expect(shown.deliveries.map(({ webhook_id: id }: { webhook_id: number }) => id).sort()).toEqual(
      [first, second].sort(),
    );
  });
});
