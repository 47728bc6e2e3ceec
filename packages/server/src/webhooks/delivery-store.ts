import type { WebhookFormat } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import { type NumberedRange, STORED_EVENT } from '../feed/feed-store.ts';
import { renderEvent, type StoredEvent } from '../feed/render-event.ts';
import type { Answer } from './attempt.ts';
import type { DueCall, DueHost, ListedDue } from './call-kind.ts';
import { leasedUntil } from './host-store.ts';

/**
 * Makes a delivery of every event for each active endpoint that wants its type. Returns how many. An endpoint that is being
 * deleted is left out instead of being missed afterwards, which would fail the events of everybody.
 */
export async function insertDeliveries(db: Queryable, numbered: NumberedRange[], now: Date): Promise<number> {
  const rows = await db.query(
    `with n as (
       select * from json_to_recordset($1::json) as n ("programId" bigint, first bigint, last bigint)
     ), w as materialized (
       select id, program_id, types from webhook_endpoints
       where program_id in (select "programId" from n) and status = 'active' for key share
     )
     insert into webhook_deliveries (endpoint_id, event_id, sequence, type, due_at, created_at)
     select w.id, e.event_id, e.sequence, e.type, $2, $2
     from n join w on w.program_id = n."programId"
     join feed_events e on e.program_id = w.program_id and e.sequence between n.first and n.last
       and w.types && array[e.type, '*']
     order by e.sequence returning id`,
    [JSON.stringify(numbered), now],
  );
  return rows.length;
}

/** The hosts of active endpoints with due deliveries. */
export function listDueHosts(db: Queryable, now: Date): Promise<DueHost[]> {
  return db.query<DueHost>(
    `select w.host, bool_and(w.failing_since is not null) as "isFailing" from webhook_endpoints w
     where w.status = 'active' and exists (
       select from webhook_deliveries d where d.endpoint_id = w.id and d.status = 'pending' and d.due_at <= $1)
     group by 1`,
    [now],
  );
}

/** A delivery with what it takes to send it. */
export type Sending = DueCall & {
  eventId: string;
  url: string;
  format: WebhookFormat;
  secretSealed: string;
  oldSecretSealed: string | null;
  oldSecretUntil: Date | null;
  attempts: number;
  /** What the feed says, byte for byte; null once it is no longer kept. */
  event: string | null;
};

// Null where the event is no longer kept.
const STORED_JSON = `(select row_to_json(stored) from (select ${STORED_EVENT}) stored where e.sequence is not null)`;

type StoredSending = Omit<Sending, 'event'> & { body: string | null; stored: StoredEvent | null };

function withEvent({ body, stored, ...sending }: StoredSending): Sending {
  return { ...sending, event: body ?? (stored && JSON.stringify(renderEvent(stored))) };
}

const SENDING = `d.id, w.id as "endpointId", d.event_id as "eventId", w.url, w.format, w.secret_sealed as "secretSealed",
  w.old_secret_sealed as "oldSecretSealed", w.old_secret_until as "oldSecretUntil", d.attempts,
  coalesce(d.due_at, d.created_at) as "dueAt", w.failing_since is not null as "isFailing", d.body::text as body, ${STORED_JSON} as stored`;

export async function findSending(db: Queryable, deliveryId: number): Promise<Sending | null> {
  const [sending] = await db.query<StoredSending>(
    `select ${SENDING} from webhook_deliveries d join webhook_endpoints w on w.id = d.endpoint_id
     left join feed_events e on e.program_id = w.program_id and e.sequence = d.sequence where d.id = $1`,
    [deliveryId],
  );
  return sending ? withEvent(sending) : null;
}

/** Due deliveries to a host: the oldest few of each endpoint, so that none waits behind another one's burst. */
export async function listDueDeliveries(
  db: Queryable,
  host: string,
  now: Date,
  { perEndpoint, without }: ListedDue,
): Promise<Sending[]> {
  const due = await db.query<StoredSending>(
    `select ${SENDING}
     from webhook_endpoints w
     cross join lateral (
       select * from webhook_deliveries d
       where d.endpoint_id = w.id and d.status = 'pending' and d.due_at <= $2 and d.id <> all ($4::bigint[])
       order by d.due_at, d.id limit $3
     ) d
     left join feed_events e on e.program_id = w.program_id and e.sequence = d.sequence
     where w.host = $1 and w.status = 'active'
     order by d.due_at, d.id`,
    [host, now, perEndpoint, without],
  );
  return due.map(withEvent);
}

/** What became of an attempt. A delivery that is tried again has a time for it, and keeps its event as it was sent. */
export type Attempted = {
  id: number;
  status: 'pending' | 'delivered' | 'failed';
  dueAt: Date | null;
  answer: Answer;
  event?: string | null;
};

/** Stores what became of attempts, all in one statement. */
export async function updateAttempted(db: Queryable, attempted: Attempted[]): Promise<void> {
  const rows = attempted.map(({ id, status, dueAt, answer, event }) => ({
    id,
    status,
    body: event ? JSON.parse(event) : null,
    due_at: dueAt,
    last_status: answer.status,
    last_error: answer.error,
    response_headers: answer.headers,
    response_body: answer.body,
  }));
  await db.query(
    `update webhook_deliveries d set status = i.status, due_at = i.due_at, attempts = d.attempts + 1, body = coalesce(d.body, i.body),
       last_status = i.last_status, last_error = i.last_error, response_headers = i.response_headers,
       response_body = i.response_body
     from json_populate_recordset(null::webhook_deliveries, $1::json) i where d.id = i.id`,
    [JSON.stringify(rows)],
  );
}

/** When a node should look again: when the next delivery is due, or when a host is free that another node may have left. */
export async function findNextDueDelivery(db: Queryable): Promise<Date | null> {
  const [row] = await db.query<{ due: Date | null }>(
    `select min(greatest(d.due, ${leasedUntil('w.host')})) as due
     from webhook_endpoints w
     cross join lateral (
       select min(due_at) as due from webhook_deliveries where endpoint_id = w.id and status = 'pending'
     ) d
     where w.status = 'active' and d.due is not null`,
    [],
  );
  return row?.due ?? null;
}

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

const NO_LONGER_KEPT = 'The event was deleted before it could be sent: it is older than events are kept.';

/**
 * Ends pending deliveries of events from before a time, or of deleted ones, as failed. At most `limit`; returns how many. Tests
 * are in no feed, and are as old as their deliveries.
 */
export async function updateExpired(db: Queryable, before: Date, now: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `update webhook_deliveries set status = 'failed', due_at = null, expired_at = $2, last_error = $4 where id in (
       select d.id from webhook_deliveries d join webhook_endpoints w on w.id = d.endpoint_id
       left join feed_events e on e.program_id = w.program_id and e.sequence = d.sequence
       where d.status = 'pending' and case when d.sequence is null then d.created_at < $1
         else e.sequence is null or e.created_at < $1 end limit $3
     ) and status = 'pending' returning id`,
    [before, now, limit, NO_LONGER_KEPT],
  );
  return rows.length;
}

const MAX_ID = '9223372036854775807';

/**
 * Deletes finished deliveries from before a time, at most `limit`, and returns how many. Pending ones stay. They are numbered in
 * the order of their times, so no more is read than there is of that time.
 */
export async function deleteDeliveriesBefore(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `delete from webhook_deliveries where id in (
       select id from webhook_deliveries
       where id < coalesce((select id from webhook_deliveries where created_at >= $1 order by id limit 1), ${MAX_ID})
         and status <> 'pending' and coalesce(expired_at, '-infinity') < $1
       order by id limit $2
     ) and status <> 'pending' returning id`,
    [before, limit],
  );
  return rows.length;
}
