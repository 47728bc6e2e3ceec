import { type DeliveryRow, type DeliveryStatus, deliveryRow, type FeedEvent, type WebhookFormat } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import type { Condition } from '../db/lists/list-query.ts';
import { findRow, findRows, listSource } from '../db/lists/sorted-list.ts';
import type { NumberedEvent } from '../feed/feed-store.ts';
import { eventIdOf } from '../feed/render-event.ts';
import type { Answer } from './attempt.ts';

/** Makes a delivery of every event for each active endpoint that wants its type. */
export async function insertDeliveries(db: Queryable, events: NumberedEvent[], now: Date): Promise<void> {
  const rows = events.map(({ programId, sequence, eventId, type }) => ({
    program_id: programId,
    sequence,
    event_id: eventId,
    type,
  }));
  await db.query(
    `insert into webhook_deliveries (endpoint_id, event_id, sequence, type, due_at, created_at)
     select w.id, e.event_id, e.sequence, e.type, $2, $2
     from json_populate_recordset(null::feed_events, $1::json) e
     join webhook_endpoints w on w.program_id = e.program_id and w.status = 'active' and w.types && array[e.type, '*']
     order by e.sequence`,
    [JSON.stringify(rows), now],
  );
}

/** The origins of active endpoints with due deliveries. */
export async function listDueOrigins(db: Queryable, now: Date): Promise<string[]> {
  const rows = await db.query<{ origin: string }>(
    `select distinct w.origin from webhook_endpoints w
     where w.status = 'active' and exists (
       select from webhook_deliveries d where d.endpoint_id = w.id and d.status = 'pending' and d.due_at <= $1)`,
    [now],
  );
  return rows.map(({ origin }) => origin);
}

/**
 * Leases those of the origins that no other node is sending to, and returns them. A node that stops without a word loses its
 * leases after a while.
 */
export async function leaseOrigins(
  db: Queryable,
  node: string,
  origins: string[],
  { now, until }: { now: Date; until: Date },
): Promise<string[]> {
  if (origins.length === 0) return [];
  const rows = await db.query<{ origin: string }>(
    `insert into webhook_origins as o (origin, node, leased_until)
     select distinct origin, $1::uuid, $3::timestamptz from unnest($4::text[]) origin
     order by 1
     on conflict (origin) do update set node = excluded.node, leased_until = excluded.leased_until
     where o.node = excluded.node or o.leased_until <= $2
     returning origin`,
    [node, now, until, origins],
  );
  return rows.map(({ origin }) => origin);
}

/** Keeps leases that this node still holds; returns false if it has lost the origin to another one. */
export async function renewLease(db: Queryable, origin: string, node: string, until: Date): Promise<boolean> {
  const rows = await db.query(
    'update webhook_origins set leased_until = $3 where origin = $1 and node = $2 returning origin',
    [origin, node, until],
  );
  return rows.length > 0;
}

export async function deleteLease(db: Queryable, origin: string, node: string): Promise<void> {
  await db.query('delete from webhook_origins where origin = $1 and node = $2', [origin, node]);
}

export type DueDelivery = {
  id: number;
  endpointId: number;
  programId: number;
  eventId: string;
  url: string;
  format: WebhookFormat;
  secretSealed: string;
  oldSecretSealed: string | null;
  oldSecretUntil: Date | null;
  attempts: number;
  event: FeedEvent | null;
};

const SENDING = `d.id, w.id as "endpointId", w.program_id as "programId", d.event_id as "eventId", w.url, w.format,
  w.secret_sealed as "secretSealed", w.old_secret_sealed as "oldSecretSealed", w.old_secret_until as "oldSecretUntil",
  d.attempts, coalesce(d.body, e.body) as event`;

/** A delivery with what it takes to send it. */
export async function findSending(db: Queryable, deliveryId: number): Promise<DueDelivery | null> {
  const [delivery] = await db.query<DueDelivery>(
    `select ${SENDING} from webhook_deliveries d join webhook_endpoints w on w.id = d.endpoint_id
     left join feed_events e on e.program_id = w.program_id and e.sequence = d.sequence where d.id = $1`,
    [deliveryId],
  );
  return delivery ?? null;
}

/** Due deliveries to an origin: the oldest few of each endpoint, so that none waits behind another one's burst. */
export function listDueDeliveries(
  db: Queryable,
  origin: string,
  now: Date,
  { perEndpoint, without }: { perEndpoint: number; without: number[] },
): Promise<DueDelivery[]> {
  return db.query<DueDelivery>(
    `select ${SENDING}
     from webhook_endpoints w
     cross join lateral (
       select * from webhook_deliveries d
       where d.endpoint_id = w.id and d.status = 'pending' and d.due_at <= $2 and d.id <> all ($4::bigint[])
       order by d.due_at, d.id limit $3
     ) d
     left join feed_events e on e.program_id = w.program_id and e.sequence = d.sequence
     where w.origin = $1 and w.status = 'active'
     order by d.due_at, d.id`,
    [origin, now, perEndpoint, without],
  );
}

/** What became of an attempt. A delivery that is tried again has a time for it. */
export type Attempted = { id: number; status: 'pending' | 'delivered' | 'failed'; dueAt: Date | null; answer: Answer };

/** Stores what became of attempts, all in one statement. */
export async function updateAttempted(db: Queryable, attempted: Attempted[]): Promise<void> {
  const rows = attempted.map(({ id, status, dueAt, answer }) => ({
    id,
    status,
    due_at: dueAt,
    last_status: answer.status,
    last_error: answer.error,
    response_headers: answer.headers,
    response_body: answer.body,
  }));
  await db.query(
    `update webhook_deliveries d set status = i.status, due_at = i.due_at, attempts = d.attempts + 1,
       last_status = i.last_status, last_error = i.last_error, response_headers = i.response_headers,
       response_body = i.response_body
     from json_populate_recordset(null::webhook_deliveries, $1::json) i where d.id = i.id`,
    [JSON.stringify(rows)],
  );
}

/** When the next delivery is due; null when none waits. */
export async function findNextDueDelivery(db: Queryable): Promise<Date | null> {
  const [row] = await db.query<{ due: Date | null }>(
    `select min(d.due) as due from webhook_endpoints w cross join lateral (
       select min(due_at) as due from webhook_deliveries where endpoint_id = w.id and status = 'pending') d
     where w.status = 'active'`,
    [],
  );
  return row?.due ?? null;
}

const DELIVERY_SOURCE = listSource<DeliveryRow, 'created_at', never, 'event_id', { eventId: string }>({
  row: deliveryRow,
  table: 'webhook_deliveries',
  as: 'd',
  joins: 'join webhook_endpoints w on w.id = d.endpoint_id',
  columns: { next_attempt_at: 'd.due_at', eventId: 'd.event_id' },
  computed: { event_id: ({ eventId }) => eventIdOf(eventId) },
  sorts: { created_at: 'time' },
});

const inEndpoint = (programId: number, endpointId: number): Condition[] => [
  ['w.program_id = ? and d.endpoint_id = ?', programId, endpointId],
];

/** The deliveries of an endpoint before `before`, newest first. */
export function listDeliveries(
  db: Queryable,
  { programId, endpointId }: { programId: number; endpointId: number },
  filter: { status?: DeliveryStatus | undefined; sequence?: number | undefined; before?: number | undefined },
  limit: number,
): Promise<DeliveryRow[]> {
  const filters: Condition[] = [
    ['d.status = ?', filter.status],
    ['d.sequence = ?', filter.sequence],
    ['d.id < ?', filter.before],
  ];
  return findRows(db, DELIVERY_SOURCE, { scope: inEndpoint(programId, endpointId), filters }, limit);
}

export function findDelivery(
  db: Queryable,
  programId: number,
  endpointId: number,
  deliveryId: number,
): Promise<DeliveryRow | null> {
  return findRow(db, DELIVERY_SOURCE, [...inEndpoint(programId, endpointId), ['d.id = ?', deliveryId]]);
}

/** Makes a delivery due again, from its first attempt on. */
export async function updateResent(db: Queryable, deliveryId: number, now: Date): Promise<void> {
  await db.query(`update webhook_deliveries set status = 'pending', attempts = 0, due_at = $2 where id = $1`, [
    deliveryId,
    now,
  ]);
}

/** Sends an endpoint what it wants of the events after one that it still got. Returns how many. */
export async function insertMissedDeliveries(
  db: Queryable,
  endpointId: number,
  after: number,
  now: Date,
): Promise<number> {
  const rows = await db.query(`${SEND_AGAIN} and e.sequence > $3 order by e.sequence returning id`, [
    endpointId,
    now,
    after,
  ]);
  return rows.length;
}

/** Sends an endpoint the events of a period again, of these types if they are given. Returns how many. */
export async function insertReplayed(
  db: Queryable,
  endpointId: number,
  { from, to, types }: { from: Date; to: Date; types: string[] | undefined },
  now: Date,
): Promise<number> {
  const rows = await db.query(
    `${SEND_AGAIN} and e.created_at >= $3 and e.created_at < $4 and ($5::text[] is null or $5 && array[e.type, '*'])
     order by e.sequence returning id`,
    [endpointId, now, from, to, types ?? null],
  );
  return rows.length;
}

const SEND_AGAIN = `
  insert into webhook_deliveries (endpoint_id, event_id, sequence, type, due_at, created_at)
  select w.id, e.event_id, e.sequence, e.type, $2, $2 from webhook_endpoints w
  join feed_events e on e.program_id = w.program_id and w.types && array[e.type, '*']
  where w.id = $1`;

/** Stores a delivery of an event that is not in the feed, for one attempt that is made right now. */
export async function insertTestDelivery(
  db: Queryable,
  endpointId: number,
  test: { eventId: string; body: object; type: string },
  now: Date,
): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    `insert into webhook_deliveries (endpoint_id, event_id, type, body, status, created_at)
     values ($1, $2, $3, $4::json, 'failed', $5) returning id`,
    [endpointId, test.eventId, test.type, JSON.stringify(test.body), now],
  );
  return row!.id;
}
