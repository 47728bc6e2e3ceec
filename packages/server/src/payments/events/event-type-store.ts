import type { ProcessorName } from '@svc/contract';
import type { Queryable } from '../../db/db.ts';
import type { DueEvent } from './event-store.ts';

/** How many events of a type have arrived, real ones and tests apart, and when the last one did. */
export type SeenType = { type: string; isLive: boolean; events: number; lastAt: Date };

/** What is counted of an event. */
type Counted = Pick<DueEvent, 'programId' | 'provider' | 'type' | 'isLive' | 'receivedAt' | 'attempts' | 'outcome'>;

// Of several nodes that count the same types, each waits for the other in the same order. An event that is tried again only
// makes sure that its type is there, and writes nothing if it is.
const UPSERT_TYPES = `
  insert into processor_event_types as t (program_id, provider, type, is_live, events, last_at)
  select program_id, provider, type, is_live, sum(events), max(received_at)
  from json_to_recordset($1::json) as e(
    program_id bigint, provider text, type text collate "C", is_live boolean, events int, received_at timestamptz)
  group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (program_id, provider, type, is_live) do update
    set events = t.events + excluded.events, last_at = greatest(t.last_at, excluded.last_at)
    where excluded.events > 0`;

/** Counts events by their type, each once however often it is processed. One statement for a batch of them. */
export async function upsertSeenTypes(db: Queryable, events: Counted[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ programId, provider, type, isLive, receivedAt, attempts, outcome }) => ({
    program_id: programId,
    provider,
    type,
    is_live: isLive,
    events: attempts === 1 && outcome === null ? 1 : 0,
    received_at: receivedAt,
  }));
  await db.query(UPSERT_TYPES, [JSON.stringify(rows)]);
}

/** The types that a processor has sent to a program, the last one first. */
export function listSeenTypes(db: Queryable, programId: number, provider: ProcessorName): Promise<SeenType[]> {
  return db.query<SeenType>(
    `select type, is_live as "isLive", events, last_at as "lastAt" from processor_event_types
     where program_id = $1 and provider = $2 order by last_at desc, type`,
    [programId, provider],
  );
}

/** Forgets what was sent. A new connection starts with nothing. */
export async function deleteSeenTypes(tx: Queryable, programId: number, provider: ProcessorName): Promise<void> {
  await tx.query('delete from processor_event_types where program_id = $1 and provider = $2', [programId, provider]);
}
