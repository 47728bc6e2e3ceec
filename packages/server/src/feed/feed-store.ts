import type { FeedEvent, FeedEventType } from '@svc/contract';
import type { Queryable } from '../db/db.ts';

/** Numbers are given by one node at a time. The lock ends with the transaction. */
export async function lockNumbering(db: Queryable): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(hashtextextended('svc numbering', 0))`, []);
}

/** Takes the next numbers of programs, as many as asked for, and returns the first one of each. */
export async function takeSequences(db: Queryable, counts: Map<number, number>): Promise<Map<number, number>> {
  const asked = [...counts].map(([programId, count]) => ({ program_id: programId, last_sequence: count }));
  const rows = await db.query<{ programId: number; last: number }>(
    `insert into feed_sequences (program_id, last_sequence)
     select program_id, last_sequence from json_populate_recordset(null::feed_sequences, $1::json)
     on conflict (program_id) do update set last_sequence = feed_sequences.last_sequence + excluded.last_sequence
     returning program_id as "programId", last_sequence as last`,
    [JSON.stringify(asked)],
  );
  return new Map(rows.map(({ programId, last }) => [programId, last - (counts.get(programId) ?? 0) + 1]));
}

/** An event with its number. `body` is what the feed and every delivery say, byte for byte. */
export type NumberedEvent = {
  programId: number;
  sequence: number;
  eventId: string;
  type: FeedEventType;
  customerId: number | null;
  partnerId: number | null;
  body: FeedEvent;
  createdAt: Date;
};

/** Stores numbered events, and wakes the readers of their programs on every node. */
export async function insertFeedEvents(db: Queryable, events: NumberedEvent[]): Promise<void> {
  const rows = events.map((event) => ({
    program_id: event.programId,
    sequence: event.sequence,
    event_id: event.eventId,
    type: event.type,
    customer_id: event.customerId,
    partner_id: event.partnerId,
    body: event.body,
    created_at: event.createdAt,
  }));
  await db.query(
    `with stored as (
       insert into feed_events (program_id, sequence, event_id, type, customer_id, partner_id, body, created_at)
       select program_id, sequence, event_id, type, customer_id, partner_id, body, created_at
       from json_populate_recordset(null::feed_events, $1::json) returning program_id
     )
     select pg_notify('svc_feed', program_id::text) from (select distinct program_id from stored) woken`,
    [JSON.stringify(rows)],
  );
}

export type FeedPage = {
  /** The events after the cursor, oldest first; the last one may be left out by the types that were asked for. */
  events: { sequence: number; type: FeedEventType; body: FeedEvent }[];
  lastSequence: number;
};

const LIST_FEED = `
  select e.sequence, e.type, e.body from feed_events e
  where e.program_id = $1 and e.sequence > $2 order by e.sequence limit $3`;

export function listFeedEvents(
  db: Queryable,
  programId: number,
  after: number,
  limit: number,
): Promise<FeedPage['events']> {
  return db.query(LIST_FEED, [programId, after, limit]);
}

export type FeedBounds = {
  /** The number of the newest event; 0 if there has never been one. */
  last: number;
  /** The first kept event after the cursor, or after everything that is gone. */
  next: number | null;
};

/** What is known about a place in the feed. */
export async function findFeedBounds(db: Queryable, programId: number, after: number): Promise<FeedBounds> {
  const [row] = await db.query<FeedBounds>(
    `select coalesce((select last_sequence from feed_sequences where program_id = $1), 0) as last,
       (select min(sequence) from feed_events where program_id = $1 and sequence > $2) as next`,
    [programId, after],
  );
  return row!;
}

/** Deletes events from before a time, at most `limit` of each program, and returns how many. They are numbered in their order. */
export async function deleteFeedEventsBefore(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `delete from feed_events e using (
       select o.program_id, o.sequence from feed_sequences s, lateral (
         select program_id, sequence, created_at from feed_events
         where program_id = s.program_id order by sequence limit $2
       ) o where o.created_at < $1
     ) old where e.program_id = old.program_id and e.sequence = old.sequence returning e.sequence`,
    [before, limit],
  );
  return rows.length;
}
