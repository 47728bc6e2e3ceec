import type { Queryable } from '../db/db.ts';
import type { EventOutcome } from './outcomes.ts';

export type NewEvent = {
  programIds: number[];
  eventId: string;
  type: string;
  isLive: boolean;
  happenedAt: Date;
  payloadSealed: string;
};

/** Stores the event once for each program. Says how many had not known it. */
export async function insertEvent(db: Queryable, event: NewEvent, now: Date): Promise<number> {
  const rows = await db.query(
    `insert into processor_events (program_id, event_id, type, is_live, happened_at, received_at, payload_sealed, due_at)
     select program_id, $2, $3, $4, $5, $6, $7, $6 from unnest($1::bigint[]) as program_id
     on conflict do nothing returning id`,
    [event.programIds, event.eventId, event.type, event.isLive, event.happenedAt, now, event.payloadSealed],
  );
  return rows.length;
}

export type DueEvent = {
  id: number;
  programId: number;
  eventId: string;
  type: string;
  isLive: boolean;
  receivedAt: Date;
  payloadSealed: string;
  attempts: number;
  outcome: EventOutcome | null;
};

/** How long a node may take over an event before another one may try. */
const LEASE_SECONDS = 60;

/** Takes events that are due, oldest happening first. No two nodes get the same one while the first is at it. */
export function claimDueEvents(db: Queryable, limit: number, now: Date): Promise<DueEvent[]> {
  return db.query<DueEvent>(
    `with due as (
       select id from processor_events where state = 'waiting' and due_at <= $1
       order by happened_at, id limit $2 for update skip locked
     ), claimed as (
       update processor_events e set attempts = attempts + 1, due_at = $1::timestamptz + $3 * interval '1 second'
       from due where e.id = due.id
       returning e.*
     )
     select id, program_id as "programId", event_id as "eventId", type, is_live as "isLive",
       received_at as "receivedAt", payload_sealed as "payloadSealed", attempts, outcome
     from claimed order by happened_at, id`,
    [now, limit, LEASE_SECONDS],
  );
}

export type ProcessedEvent = {
  outcome: EventOutcome;
  error?: string;
  /** When to try again; without it the event is done with. */
  dueAt?: Date;
  hasFailed?: boolean;
  transactionId?: string;
  customerId?: number;
  waitsFor?: string[];
};

export async function updateProcessed(db: Queryable, id: number, worked: ProcessedEvent, now: Date): Promise<void> {
  await db.query(
    `update processor_events set outcome = $2, last_error = $3, due_at = $4, state = $5, worked_at = $6,
       transaction_id = coalesce($7, transaction_id), customer_id = coalesce($8, customer_id), waits_for = $9
     where id = $1`,
    [
      id,
      worked.outcome,
      worked.error ?? null,
      worked.dueAt ?? null,
      worked.dueAt ? 'waiting' : worked.hasFailed ? 'failed' : 'done',
      now,
      worked.transactionId ?? null,
      worked.customerId ?? null,
      worked.waitsFor && worked.waitsFor.length > 0 ? worked.waitsFor : null,
    ],
  );
}

/** Makes events due that may be told better now that somebody knows whom one of these references stands for. */
export async function wakeWaitingFor(db: Queryable, programId: number, references: string[], now: Date): Promise<void> {
  await db.query(
    `update processor_events set state = 'waiting', due_at = $3, attempts = 0
     where program_id = $1 and waits_for && $2::text[] and waits_for is not null and payload_sealed is not null`,
    [programId, references, now],
  );
}

/** Makes payments due again that came too late for the window while their customer had not bought yet. */
export async function wakeOutsideWindow(db: Queryable, customerId: number, paidAt: Date, now: Date): Promise<void> {
  await db.query(
    `update processor_events set state = 'waiting', due_at = $3, attempts = 0
     where customer_id = $1 and outcome = 'outside_window' and happened_at >= $2 and payload_sealed is not null`,
    [customerId, paidAt, now],
  );
}

/** Makes an event due again, whatever became of it before. False when there is none, or its content is gone. */
export async function wakeEvent(db: Queryable, programId: number, id: number, now: Date): Promise<boolean> {
  const rows = await db.query(
    `update processor_events set state = 'waiting', due_at = $3, attempts = 0
     where program_id = $1 and id = $2 and payload_sealed is not null returning id`,
    [programId, id, now],
  );
  return rows.length > 0;
}

/** Makes all events due again that were given up. */
export async function wakeFailedEvents(db: Queryable, now: Date): Promise<number> {
  const rows = await db.query(
    `update processor_events set state = 'waiting', due_at = $1, attempts = 0
     where state = 'failed' and payload_sealed is not null returning id`,
    [now],
  );
  return rows.length;
}

export type UnfinishedEvent = {
  id: number;
  programId: number;
  eventId: string;
  type: string;
  state: string;
  outcome: string | null;
  attempts: number;
  error: string | null;
};

/** Events of all programs that were given up or are still to be worked off, those given up first. */
export function listUnfinishedEvents(db: Queryable, limit: number): Promise<UnfinishedEvent[]> {
  return db.query<UnfinishedEvent>(
    `select id, program_id as "programId", event_id as "eventId", type, state, outcome, attempts, last_error as error
     from processor_events where state <> 'done' order by state, id limit $1`,
    [limit],
  );
}

/** When the next event falls due. */
export async function findNextDue(db: Queryable): Promise<Date | null> {
  const [row] = await db.query<{ at: Date | null }>(
    `select min(due_at) as at from processor_events where state = 'waiting'`,
  );
  return row?.at ?? null;
}

/** Drops the content of events that were done with before `before`; that they came stays known. */
export async function deletePayloads(db: Queryable, before: Date): Promise<number> {
  const rows = await db.query(
    `update processor_events set payload_sealed = null
     where state = 'done' and payload_sealed is not null and worked_at < $1 returning id`,
    [before],
  );
  return rows.length;
}
