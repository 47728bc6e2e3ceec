import type { ProcessorName } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import type { EventOutcome } from '../payments/outcomes.ts';

export type ListedProcessorEvent = {
  id: number;
  provider: ProcessorName;
  eventId: string;
  type: string;
  isLive: boolean;
  state: 'waiting' | 'done' | 'failed';
  outcome: EventOutcome | null;
  lastError: string | null;
  attempts: number;
  dueAt: Date | null;
  workedAt: Date | null;
  transactionId: string | null;
  customerId: number | null;
  happenedAt: Date;
  receivedAt: Date;
};

const COLUMNS = `id, provider, event_id as "eventId", type, is_live as "isLive", state, outcome, last_error as "lastError", attempts,
  due_at as "dueAt", worked_at as "workedAt", transaction_id as "transactionId", customer_id as "customerId",
  happened_at as "happenedAt", received_at as "receivedAt"`;

export function listProcessorEvents(
  db: Queryable,
  programId: number,
  filter: { provider: ProcessorName | undefined; state: string | undefined; beforeId: number | null; limit: number },
): Promise<ListedProcessorEvent[]> {
  return db.query<ListedProcessorEvent>(
    `select ${COLUMNS} from processor_events
     where program_id = $1 and ($2::text is null or state = $2) and ($3::bigint is null or id < $3)
       and ($5::text is null or provider = $5)
     order by id desc limit $4`,
    [programId, filter.state ?? null, filter.beforeId, filter.limit, filter.provider ?? null],
  );
}

export async function findProcessorEvent(
  db: Queryable,
  programId: number,
  id: number,
): Promise<ListedProcessorEvent | null> {
  const [event] = await db.query<ListedProcessorEvent>(
    `select ${COLUMNS} from processor_events where program_id = $1 and id = $2`,
    [programId, id],
  );
  return event ?? null;
}

/** The newest event of the processor, and the newest one that failed and has not succeeded since. */
export async function findLastProcessorEvents(
  db: Queryable,
  programId: number,
  provider: ProcessorName,
): Promise<{ last: ListedProcessorEvent | null; failing: ListedProcessorEvent | null }> {
  const [last] = await listProcessorEvents(db, programId, { provider, state: undefined, beforeId: null, limit: 1 });
  const [failing] = await db.query<ListedProcessorEvent>(
    `select ${COLUMNS} from processor_events
     where program_id = $1 and provider = $2 and outcome = 'failed' order by id desc limit 1`,
    [programId, provider],
  );
  return { last: last ?? null, failing: failing ?? null };
}
