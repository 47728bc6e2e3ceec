import type { Queryable } from '../db/db.ts';
import { TAKE_WAITING } from '../outbox/outbox-store.ts';
import type { StoredEvent } from './render-event.ts';

/** Numbers are given by one node at a time. The lock ends with the transaction. */
export async function lockNumbering(db: Queryable): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(hashtextextended('svc numbering', 0))`, []);
}

/** The numbers that events of a program have got, all of them in a row. */
export type NumberedRange = { programId: number; first: number; last: number };

// One statement for the whole batch, without a word between: what it costs is added to every sale. Whom the events are for is
// told the nodes when it is committed.
const NUMBER_EVENTS = `
  with taken as materialized (
    ${TAKE_WAITING}
  ), counted as (
    select program_id, count(*) as events from taken group by 1
  ), moved as (
    insert into feed_sequences (program_id, last_sequence) select program_id, events from counted order by program_id
    on conflict (program_id) do update set last_sequence = feed_sequences.last_sequence + excluded.last_sequence
    returning program_id, last_sequence
  ), numbered as (
    insert into feed_events (program_id, sequence, event_id, type, subject, facts, gone, more, decision_id, reason, customer_id,
      partner_id, created_at)
    select t.program_id, m.last_sequence - c.events + row_number() over (partition by t.program_id order by t.id), t.event_id,
      t.type, t.subject, t.facts, t.gone, t.more, t.decision_id, d.reason, t.customer_id, t.partner_id, t.created_at
    from taken t join counted c using (program_id) join moved m using (program_id) left join decisions d on d.id = t.decision_id
  )
  select program_id as "programId", m.last_sequence - c.events + 1 as first, m.last_sequence as last,
    pg_notify('svc_feed', program_id::text)
  from moved m join counted c using (program_id)`;

/** Numbers the oldest committed events, at most `limit`, and wakes the readers of their programs on every node. */
export async function numberEvents(db: Queryable, limit: number): Promise<NumberedRange[]> {
  const rows = await db.query<NumberedRange>(NUMBER_EVENTS, [limit]);
  return rows.map(({ programId, first, last }) => ({ programId, first, last }));
}

/** The select list of a stored event `e`. */
export const STORED_EVENT = `e.program_id as "programId", e.sequence, e.event_id as "eventId", e.type, e.subject, e.facts, e.gone,
  e.more, e.decision_id as "decisionId", e.reason, e.created_at as "createdAt"`;

/** Events after a place in the feed, oldest first. */
export function listFeedEvents(db: Queryable, programId: number, after: number, limit: number): Promise<StoredEvent[]> {
  return db.query<StoredEvent>(
    `select ${STORED_EVENT} from feed_events e where e.program_id = $1 and e.sequence > $2 order by e.sequence limit $3`,
    [programId, after, limit],
  );
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

/** More events than any program has between a backup and its restore. */
const SKIPPED_EVENTS = 1_000_000;

/**
 * After the backup, the service may have given out further numbers of events, also in a program that had none yet. They are not
 * used for other events: a reader who has seen some of them is told that the feed goes on elsewhere, instead of missing what gets
 * their numbers.
 */
export async function skipSequences(db: Queryable): Promise<void> {
  await db.query(
    `insert into feed_sequences (program_id, last_sequence) select id, $1 from programs
     on conflict (program_id) do update set last_sequence = feed_sequences.last_sequence + excluded.last_sequence`,
    [SKIPPED_EVENTS],
  );
}
