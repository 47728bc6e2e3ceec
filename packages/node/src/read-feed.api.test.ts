import type { AddressInfo } from 'node:net';
import { type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSvc, type FetchLike, SvcError, type SvcEvent, SvcEventsGoneError, type SvcOptions } from './index.ts';

const service = useService();
let apiUrl = '';

beforeAll(async () => {
  await service.service.http.listen({ port: 0, host: '127.0.0.1' });
  apiUrl = `http://127.0.0.1:${(service.service.http.server.address() as AddressInfo).port}`;
});

/** A new program, whose first event is that its partner joined, and a client for it. */
async function newProgram(options: SvcOptions = {}) {
  const program = await service.program();
  return { program, svc: createSvc({ apiKey: program.apiKey, apiUrl, ...options }) };
}

/** Leaves three events: `lead.created`, `sale.created` and `commission.created`. */
async function sell(program: TestProgram): Promise<string> {
  const id = newId('order');
  await service.customer(program, `user-${id}`);
  await service.sale({ transaction_id: id, amount_cents: 10_000, customer_key: `user-${id}` }, { key: program.apiKey });
  return id;
}

const CHAIN = ['partner.joined', 'lead.created', 'sale.created', 'commission.created'];

/** The first so many events of an iteration. */
async function take<Event>(events: AsyncIterable<Event>, count: number): Promise<Event[]> {
  const taken: Event[] = [];
  for await (const event of events) if (taken.push(event) === count) break;
  return taken;
}

const sequencesOf = (events: SvcEvent[]) => events.map(({ sequence }) => sequence);

describe('svc.events', () => {
  it('yields every event from the oldest on, and then each one that happens', async () => {
    const { program, svc } = await newProgram();
    const first = await sell(program);
    const found: SvcEvent[] = [];
    for await (const event of svc.events()) {
      found.push(event);
      if (found.length === 4) await sell(program);
      if (found.length === 7) break;
    }
    expect(found.map(({ type }) => type)).toEqual([...CHAIN, ...CHAIN.slice(1)]);
    expect(sequencesOf(found)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const [sale] = found.filter((event) => event.type === 'sale.created');
    // The types know what each event is about.
    expect(sale?.data.sale.transaction_id).toBe(first);
  });

  it('goes on after the cursor, from page to page', async () => {
    const { program, svc } = await newProgram();
    for (let count = 0; count < 3; count += 1) await sell(program);
    await take(svc.events(), 10);
    expect(sequencesOf(await take(svc.events({ after: 4, limit: 2 }), 6))).toEqual([5, 6, 7, 8, 9, 10]);
  });

  it('yields only the types that are asked for, and tells where the others end', async () => {
    const { program, svc } = await newProgram();
    await sell(program);
    await take(svc.events(), 4);
    const pages = [];
    for await (const page of svc.eventPages({ types: ['sale.created'], follow: false })) pages.push(page);
    expect(pages.map(({ events, ...page }) => ({ ...page, sequences: sequencesOf(events) }))).toEqual([
      { nextCursor: 4, hasMore: false, sequences: [3] },
    ]);
  });

  it('ends when all is read if it is not to follow', async () => {
    const { program, svc } = await newProgram();
    await sell(program);
    await take(svc.events(), 4);
    const found = [];
    for await (const event of svc.events({ follow: false, limit: 3 })) found.push(event);
    expect(sequencesOf(found)).toEqual([1, 2, 3, 4]);
  });

  it('starts with the newest events, or with what happens from now on', async () => {
    const { program, svc } = await newProgram();
    await sell(program);
    await take(svc.events(), 4);
    expect(sequencesOf(await take(svc.events({ last: 2 }), 2))).toEqual([3, 4]);
    const pages = svc.eventPages({ last: 0 });
    expect(await pages.next()).toEqual({ done: false, value: { events: [], nextCursor: 4, hasMore: false } });
    await sell(program);
    const { value } = await pages.next();
    expect(value?.events[0]?.sequence).toBe(5);
    await expect(svc.events({ after: 4, last: 2 }).next()).rejects.toMatchObject({
      message: 'Pass after or last, not both',
    });
  });

  it('outlives a network and a service that fail', async () => {
    const faults = [
      () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } })),
      () => Promise.resolve(new Response('<html>', { status: 200 })),
      () => Promise.resolve(Response.json({ error: { message: 'The request failed. Try again.' } }, { status: 500 })),
    ];
    const through: FetchLike = (url, init) => faults.shift()?.() ?? fetch(url, init);
    const { program, svc } = await newProgram({ fetch: through });
    await sell(program);
    const retries: string[] = [];
    const found = await take(svc.events({ onRetry: ({ code }) => retries.push(code) }), 4);
    expect(sequencesOf(found)).toEqual([1, 2, 3, 4]);
    expect(retries).toEqual(['unreachable', 'unexpected_response', 'service_failed']);
  });

  it('ends when it is aborted: while it waits for an event, for a retry, or between two events', async () => {
    const { program: quiet, svc } = await newProgram();
    await take(svc.events(), 1);
    const waiting = new AbortController();
    const asked = whenAsked();
    const next = createSvc({ apiKey: quiet.apiKey, apiUrl, fetch: asked.fetch })
      .events({ last: 0, signal: waiting.signal })
      .next();
    await asked.promise;
    waiting.abort();
    expect(await next).toEqual({ done: true, value: undefined });

    const retrying = new AbortController();
    const lost: FetchLike = () => Promise.reject(new TypeError('fetch failed'));
    const { svc: offline } = await newProgram({ fetch: lost });
    const options = { signal: retrying.signal, onRetry: () => retrying.abort() };
    expect(await offline.events(options).next()).toEqual({ done: true, value: undefined });

    const { program, svc: other } = await newProgram();
    await sell(program);
    await take(other.events(), 4);
    const between = new AbortController();
    const found = [];
    for await (const event of other.events({ signal: between.signal })) {
      found.push(event);
      between.abort();
    }
    expect(sequencesOf(found)).toEqual([1]);
  });

  it('says which event is the oldest when the ones after the cursor are gone', async () => {
    const { program, svc } = await newProgram();
    await sell(program);
    await take(svc.events(), 4);
    await service.sql('delete from feed_events where program_id = $1 and sequence <= 2', [program.program.id]);
    const gone = await svc
      .events({ after: 1 })
      .next()
      .catch((error: unknown) => error);
    expect(gone).toBeInstanceOf(SvcEventsGoneError);
    expect(gone).toBeInstanceOf(SvcError);
    expect(gone).toMatchObject({ code: 'events_gone', status: 410, oldest: 3, isRetryable: false });
    const { oldest } = gone as SvcEventsGoneError;
    expect(sequencesOf(await take(svc.events({ after: oldest - 1 }), 2))).toEqual([3, 4]);
  });

  it('does not pass over an event that is missing', async () => {
    const lossy: FetchLike = async (url, init) => {
      const feed = await (await fetch(url, init)).json();
      return Response.json({ ...feed, data: feed.data.filter((event: SvcEvent) => event.sequence !== 3) });
    };
    const { program, svc } = await newProgram({ fetch: lossy });
    await sell(program);
    await take(createSvc({ apiKey: program.apiKey, apiUrl }).events(), 4);
    const missing = { code: 'event_missing', isRetryable: false, message: 'The feed went from event 2 to event 4' };
    await expect(svc.events().next()).rejects.toMatchObject(missing);
    // With a filter, sequences have gaps.
    const types = ['lead.created', 'commission.created'] as const;
    expect(sequencesOf(await take(svc.events({ types }), 2))).toEqual([2, 4]);
  });

  it('rejects when trying again cannot help', async () => {
    const { svc } = await newProgram({ apiKey: 'svc_key_of_nobody' });
    await expect(svc.events().next()).rejects.toMatchObject({ code: 'unauthorized', status: 401 });
    const { svc: ahead } = await newProgram();
    await expect(ahead.events({ after: 1_000 }).next()).rejects.toMatchObject({
      status: 400,
      message: 'Invalid cursor',
    });
    await expect(ahead.events({ types: ['sale.made' as never] }).next()).rejects.toMatchObject({
      message: 'Unknown event type: sale.made',
    });
    const unset = createSvc({ apiKey: 'x', apiUrl: '' });
    await expect(unset.events().next()).rejects.toMatchObject({ code: 'not_configured' });
  });
});

/** A network that tells when it is used the second time, which is when a reader waits. */
function whenAsked() {
  const through = { count: 0, tell: () => {} };
  const promise = new Promise<void>((resolve) => {
    through.tell = resolve;
  });
  const watched: FetchLike = (url, init) => {
    through.count += 1;
    if (through.count === 2) through.tell();
    return fetch(url, init);
  };
  return { promise, fetch: watched };
}
