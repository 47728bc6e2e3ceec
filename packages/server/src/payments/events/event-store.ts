import type { ProcessorName } from '@svc/contract';
import type { Queryable } from '../../db/db.ts';
import type { EventOutcome } from './outcomes.ts';

export type NewEvent = {
  programIds: number[];
  provider: ProcessorName;
  eventId: string;
  type: string;
  isLive: boolean;
  happenedAt: Date;
  payloadSealed: string;
};

/** Stores the event once per program and returns for how many it was new. */
export async function insertEvent(db: Queryable, event: NewEvent, now: Date): Promise<number> {
  const rows = await db.query(
    `insert into processor_events
       (program_id, provider, event_id, type, is_live, happened_at, received_at, payload_sealed, due_at)
     select program_id, $2, $3, $4, $5, $6, $7, $8, $7 from unnest($1::bigint[]) as program_id
     on conflict do nothing returning id`,
    [
      event.programIds,
      event.provider,
      event.eventId,
      event.type,
      event.isLive,
      event.happenedAt,
      now,
      event.payloadSealed,
    ],
  );
  return rows.length;
}

export type DueEvent = {
  id: number;
  programId: number;
  provider: ProcessorName;
  eventId: string;
  type: string;
  isLive: boolean;
  happenedAt: Date;
  receivedAt: Date;
  payloadSealed: string;
  attempts: number;
  /** When the node's claim ends. */
  claimedUntil: Date;
  outcome: EventOutcome | null;
  waitsFor: string[] | null;
};

/** How long a node may spend on an event before another node may claim it. */
const LEASE_SECONDS = 60;

/**
 * Claims due events: the same number of each program that has some, those that have been due longest first, so that a burst of one
 * program does not hold up the others. Fewer than asked for if a program has less than its share. While a node holds an event,
 * no other node gets it.
 */
export function claimDueEvents(db: Queryable, limit: number, now: Date): Promise<DueEvent[]> {
  return db.query<DueEvent>(
    `with recursive waiting as (
       (select program_id from processor_events where state = 'waiting' order by program_id limit 1)
       union all
       select (select e.program_id from processor_events e
               where e.state = 'waiting' and e.program_id > w.program_id order by e.program_id limit 1)
       from waiting w where w.program_id is not null
     ), programs_due as materialized (
       select w.program_id, oldest.due_at from waiting w cross join lateral (
         select e.due_at from processor_events e
         where e.state = 'waiting' and e.program_id = w.program_id and e.due_at <= $1 order by e.due_at limit 1) oldest
       order by oldest.due_at, w.program_id limit $2
     ), due as (
       select turn.id from programs_due p cross join lateral (
         select e.id from processor_events e
         where e.state = 'waiting' and e.program_id = p.program_id and e.due_at <= $1
         order by e.due_at, e.id limit (select ceil($2::numeric / count(*)) from programs_due) for update skip locked) turn
     ), claimed as (
       update processor_events e set attempts = attempts + 1, due_at = $1::timestamptz + $3 * interval '1 second'
       from due where e.id = due.id
       returning e.*
     )
     select id, program_id as "programId", provider, event_id as "eventId", type, is_live as "isLive",
       happened_at as "happenedAt", received_at as "receivedAt", payload_sealed as "payloadSealed", attempts,
       due_at as "claimedUntil", outcome, waits_for as "waitsFor"
     from claimed order by happened_at, id`,
    [now, limit, LEASE_SECONDS],
  );
}

/** Gives back events that were claimed at a time and not begun, unless they are claimed again. The attempt does not count. */
export async function releaseEvents(db: Queryable, ids: number[], claimedAt: Date): Promise<void> {
  await db.query(
    `update processor_events set attempts = attempts - 1, due_at = $2
     where id = any ($1::bigint[]) and state = 'waiting' and due_at = $2::timestamptz + $3 * interval '1 second'`,
    [ids, claimedAt, LEASE_SECONDS],
  );
}

/** What is known about an event besides its content. */
export type EventDetails = {
  /** Left out when events are requeued: it would lose its lease, and another worker could process it a second time. */
  id: number;
  isTest: boolean;
  happenedAt: Date;
  receivedAt: Date;
  /** Events that the node claimed with this one and has not begun. They will see by themselves what is known by then. */
  notBegun: ReadonlySet<number>;
  /** Whether it was attempted before, perhaps only in part. */
  isRetry: boolean;
  /** The outcome of the previous attempt, if there was one. */
  lastOutcome: EventOutcome | null;
  /** The ids that it depends on, as far as they are stored. */
  waitsFor: string[] | null;
};

export type ProcessedEvent = {
  outcome: EventOutcome;
  error?: string;
  /** When to retry. Without it the event is finished. */
  dueAt?: Date;
  hasFailed?: boolean;
  transactionId?: string;
  customerId?: number;
  /** What to correct in the shop, as a sentence. */
  hint?: string | undefined;
};

/** The claim of a node on an event. */
export type Claim = Pick<DueEvent, 'id' | 'attempts' | 'claimedUntil'>;

/**
 * Stores how an event ended, if the node still holds it. An event that was requeued meanwhile, because more is known by now,
 * stays due at once. One whose content was erased stays as it is.
 */
export async function updateProcessed(
  db: Queryable,
  claim: Claim,
  processed: ProcessedEvent,
  now: Date,
): Promise<void> {
  await db.query(
    `update processor_events set outcome = $2, last_error = $3, due_at = $4, state = $5, worked_at = $6,
       transaction_id = coalesce($7, transaction_id), customer_id = coalesce($8, customer_id), hint = $9
     where id = $1 and payload_sealed is not null and state = 'waiting' and attempts = $10 and due_at = $11`,
    [
      claim.id,
      processed.outcome,
      processed.error ?? null,
      processed.dueAt ?? null,
      processed.dueAt ? 'waiting' : processed.hasFailed ? 'failed' : 'done',
      now,
      processed.transactionId ?? null,
      processed.customerId ?? null,
      processed.hint ?? null,
      claim.attempts,
      claim.claimedUntil,
    ],
  );
}

/** An event, and the processor's ids that its result depends on. */
export type DependentEvent = Pick<EventDetails, 'id' | 'waitsFor'> & { dependsOn: string[] };

/**
 * Stores the processor's ids that the results of events depend on. Called before they are looked up: a transaction that learns more about
 * one of them later finds the event here, and one that did so earlier is seen by it.
 */
export async function updateWaitsFor(db: Queryable, events: DependentEvent[]): Promise<void> {
  const rows = events
    .map(({ id, waitsFor, dependsOn }) => ({ id, before: waitsFor ?? [], waits_for: [...new Set(dependsOn)].sort() }))
    .filter(({ before, waits_for }) => before.join('\n') !== waits_for.join('\n'))
    .map(({ id, waits_for }) => ({ id, waits_for: waits_for.length > 0 ? waits_for : null }))
    .sort((one, other) => one.id - other.id);
  if (rows.length === 0) return;
  await db.query(
    `update processor_events e set waits_for = i.waits_for
     from json_to_recordset($1::json) as i(id bigint, waits_for text[])
     where e.id = i.id and e.payload_sealed is not null`,
    [JSON.stringify(rows)],
  );
}

// By what they wait for first: a plan for small tables would read all events of the program.
const WAITING = `(
  select id, program_id from processor_events where waits_for && $2::text[] and waits_for is not null offset 0)`;

/** Requeues events that depend on one of these references, about which more is known now. */
export async function requeueWaitingFor(
  db: Queryable,
  programId: number,
  references: string[],
  current: Pick<EventDetails, 'id' | 'notBegun'>,
  now: Date,
): Promise<void> {
  await db.query(
    `update processor_events e set state = 'waiting', due_at = $3, attempts = 0 from ${WAITING} w
     where e.id = w.id and w.program_id = $1 and e.waits_for && $2::text[] and e.payload_sealed is not null
       and e.id <> all ($4::bigint[])`,
    [programId, references, now, [current.id, ...current.notBegun]],
  );
}

/** Requeues events about customers of the processor whom the program did not know, because one of them has paid. */
export async function requeueNotYetCustomers(
  db: Queryable,
  programId: number,
  references: string[],
  now: Date,
): Promise<void> {
  await db.query(
    `update processor_events set state = 'waiting', due_at = $3, attempts = 0
     where program_id = $1 and waits_for && $2::text[] and waits_for is not null and payload_sealed is not null
       and state = 'done' and outcome = 'not_a_customer_yet'`,
    [programId, references, now],
  );
}

/** Requeues later payments of the customer that were outside the window: it no longer applies after a first purchase. */
export async function requeueOutsideWindow(
  db: Queryable,
  customerId: number,
  paidAt: Date,
  current: EventDetails,
  now: Date,
): Promise<void> {
  await db.query(
    `update processor_events set state = 'waiting', due_at = $3, attempts = 0
     where customer_id = $1 and outcome = 'outside_window' and happened_at >= $2 and payload_sealed is not null
       and id <> $4`,
    [customerId, paidAt, now, current.id],
  );
}

/** Stores the customer of an event while it is processed, so that others who learn more about the customer can requeue it. */
export async function updateCustomer(db: Queryable, { id }: EventDetails, customerId: number): Promise<void> {
  await db.query(
    `update processor_events set customer_id = $2
     where id = $1 and payload_sealed is not null and customer_id is distinct from $2`,
    [id, customerId],
  );
}

/** Requeues all events of a customer. */
export async function requeueEventsOf(
  db: Queryable,
  customerId: number,
  current: EventDetails,
  now: Date,
): Promise<void> {
  await db.query(
    `update processor_events set state = 'waiting', due_at = $2, attempts = 0
     where customer_id = $1 and payload_sealed is not null and id <> $3`,
    [customerId, now, current.id],
  );
}

/** Outcomes of payments whose customer had no partner at the time who could be credited. */
const UNCREDITED: EventOutcome[] = ['not_attributed', 'partner_blocked', 'partner_removed'];

/** Requeues payments of a customer who turned out to be another partner's: these, and those from a time on that credited nobody. */
export async function requeueMiscredited(
  db: Queryable,
  customerId: number,
  { transactionIds, from }: { transactionIds: string[]; from: Date },
  current: EventDetails,
  now: Date,
): Promise<void> {
  await db.query(
    `update processor_events set state = 'waiting', due_at = $5, attempts = 0
     where customer_id = $1 and payload_sealed is not null and id <> $6
       and (transaction_id = any ($2::text[]) or outcome = any ($3::text[]) and happened_at >= $4)`,
    [customerId, transactionIds, UNCREDITED, from, now, current.id],
  );
}

/** Requeues an event, whatever its outcome was, and returns its processor. Null when there is none, or without its content. */
export async function requeueEvent(db: Queryable, programId: number, id: number, now: Date): Promise<string | null> {
  const [event] = await db.query<{ provider: string }>(
    `update processor_events set state = 'waiting', due_at = $3, attempts = 0
     where program_id = $1 and id = $2 and payload_sealed is not null returning provider`,
    [programId, id, now],
  );
  return event?.provider ?? null;
}

export type RequeuedEvents = { programId: number; workspaceId: number; provider: string; count: number };

/** Requeues all events whose retries have run out, and returns how many of each program and processor. */
export function requeueFailedEvents(db: Queryable, now: Date): Promise<RequeuedEvents[]> {
  return db.query<RequeuedEvents>(
    `with requeued as (
       update processor_events set state = 'waiting', due_at = $1, attempts = 0
       where state = 'failed' and payload_sealed is not null returning program_id, provider
     )
     select r.program_id as "programId", p.advertiser_id as "workspaceId", r.provider, count(*) as count
     from requeued r join programs p on p.id = r.program_id group by 1, 2, 3 order by 1, 3`,
    [now],
  );
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

/** Events of all programs that failed for good or are not finished yet, failed ones first. */
export function listUnfinishedEvents(db: Queryable, limit: number): Promise<UnfinishedEvent[]> {
  return db.query<UnfinishedEvent>(
    `select id, program_id as "programId", event_id as "eventId", type, state, outcome, attempts, last_error as error
     from processor_events where state <> 'done' order by state, id limit $1`,
    [limit],
  );
}

/** When the next event is due. */
export async function findNextDue(db: Queryable): Promise<Date | null> {
  const [row] = await db.query<{ at: Date | null }>(
    `select min(due_at) as at from processor_events where state = 'waiting'`,
  );
  return row?.at ?? null;
}

/** Deletes the content of events finished before `before`. Their ids stay, so a resend is still a duplicate. */
export async function deletePayloads(db: Queryable, before: Date): Promise<number> {
  const rows = await db.query(
    `update processor_events set payload_sealed = null, waits_for = null
     where state = 'done' and payload_sealed is not null and worked_at < $1 returning id`,
    [before],
  );
  return rows.length;
}
