import type { FeedEvent } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import type { SearchedEvents } from '../outbox/erased-outbox-store.ts';

export type StoredEvent = {
  programId: number;
  sequence: number;
  customerId: number | null;
  partnerId: number | null;
  body: FeedEvent;
};

/** Locks events of the feed that may name somebody, in their order, after one of them. */
export function listEventsNaming(
  tx: Queryable,
  searched: SearchedEvents,
  after: Pick<StoredEvent, 'programId' | 'sequence'>,
  limit: number,
): Promise<StoredEvent[]> {
  return tx.query<StoredEvent>(
    `select e.program_id as "programId", e.sequence, e.customer_id as "customerId", e.partner_id as "partnerId", e.body
     from feed_events e
     where e.program_id = any ($1::bigint[]) and (e.program_id, e.sequence) > ($5, $6)
       and (e.customer_id = any ($2::bigint[]) or e.partner_id = any ($3::bigint[]) or exists (
         select from unnest($4::text[]) word where position(lower(word) in lower(e.body::text)) > 0))
     order by e.program_id, e.sequence limit $7 for update`,
    [
      searched.programIds,
      searched.customerIds,
      searched.partnerIds,
      searched.words,
      after.programId,
      after.sequence,
      limit,
    ],
  );
}

/** Changes what an event says. Its place in the feed stays. */
export async function updateEventBody(tx: Queryable, { programId, sequence, body }: StoredEvent): Promise<void> {
  await tx.query('update feed_events set body = $3::json where program_id = $1 and sequence = $2', [
    programId,
    sequence,
    JSON.stringify(body),
  ]);
}
