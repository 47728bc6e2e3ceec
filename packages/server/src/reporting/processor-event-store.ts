import type { ProcessorName } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import type { EventOutcome } from '../payments/events/outcomes.ts';

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
  partnerId: number | null;
  partnerName: string | null;
  hint: string | null;
  happenedAt: Date;
  receivedAt: Date;
};

const SELECT_EVENT = `
  select e.id, e.provider, e.event_id as "eventId", e.type, e.is_live as "isLive", e.state, e.outcome, e.last_error as "lastError",
    e.attempts, e.due_at as "dueAt", e.worked_at as "workedAt", e.transaction_id as "transactionId",
    e.customer_id as "customerId", p.id as "partnerId", p.name as "partnerName", e.hint,
    e.happened_at as "happenedAt", e.received_at as "receivedAt"
  from processor_events e
  left join customers c on c.id = e.customer_id and c.program_id = e.program_id
  left join partners p on p.id = c.partner_id`;

export function listProcessorEvents(
  db: Queryable,
  programId: number,
  filter: { provider: ProcessorName | undefined; state: string | undefined; beforeId: number | null; limit: number },
): Promise<ListedProcessorEvent[]> {
  return db.query<ListedProcessorEvent>(
    `${SELECT_EVENT}
     where e.program_id = $1 and ($2::text is null or e.state = $2) and ($3::bigint is null or e.id < $3)
       and ($5::text is null or e.provider = $5)
     order by e.id desc limit $4`,
    [programId, filter.state ?? null, filter.beforeId, filter.limit, filter.provider ?? null],
  );
}

export async function findProcessorEvent(
  db: Queryable,
  programId: number,
  id: number,
): Promise<ListedProcessorEvent | null> {
  const [event] = await db.query<ListedProcessorEvent>(`${SELECT_EVENT} where e.program_id = $1 and e.id = $2`, [
    programId,
    id,
  ]);
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
    `${SELECT_EVENT}
     where e.program_id = $1 and e.provider = $2 and e.outcome = 'failed' order by e.id desc limit 1`,
    [programId, provider],
  );
  return { last: last ?? null, failing: failing ?? null };
}
