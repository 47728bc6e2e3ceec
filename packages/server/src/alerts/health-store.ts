import type { ProcessorName } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import type { EndpointHealth, ProcessorHealth } from './alert.ts';

/** The endpoints that the owners were warned about, and those that are disabled. */
export function listEndpointHealth(db: Queryable): Promise<EndpointHealth[]> {
  return db.query<EndpointHealth>(
    `select w.program_id as "programId", w.id, w.url, w.disabled_reason as "disabledReason", w.warned_at as "warnedAt"
     from webhook_endpoints w join programs p on p.id = w.program_id and p.deleted_at is null
     where w.warned_at is not null or w.disabled_reason is not null order by w.id`,
    [],
  );
}

export type StoredProcessorHealth = Omit<ProcessorHealth, 'title'> & { provider: ProcessorName };

/** Every connection to a payment processor. */
export function listProcessorHealth(db: Queryable): Promise<StoredProcessorHealth[]> {
  return db.query<StoredProcessorHealth>(
    `select c.program_id as "programId", c.provider, c.connected_at as "connectedAt",
       greatest(c.last_mismatch_at, c.last_late_at) as "lastRefusedAt",
       (select max(t.last_at) from processor_event_types t
        where t.program_id = c.program_id and t.provider = c.provider) as "lastAcceptedAt",
       exists (
         select from processor_events e
         where e.program_id = c.program_id and e.provider = c.provider and e.outcome = 'failed' and e.state = 'failed'
           and e.payload_sealed is not null) as "hasFailedEvents"
     from processor_connections c join programs p on p.id = c.program_id and p.deleted_at is null
     order by c.program_id, c.provider`,
    [],
  );
}

/** Programs whose books did not agree when they were last compared. */
export async function listDiffering(db: Queryable): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `select b.program_id as id from books b join programs p on p.id = b.program_id and p.deleted_at is null
     where b.differences <> '[]' order by 1`,
    [],
  );
  return rows.map(({ id }) => id);
}
