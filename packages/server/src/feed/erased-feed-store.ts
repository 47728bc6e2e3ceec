import type { Queryable } from '../db/db.ts';
import { type EventTexts, NAMES_A_PERSON, type SearchedEvents, searchedFor } from '../outbox/erased-outbox-store.ts';

export type NumberedTexts = EventTexts & { programId: number; sequence: number };

/** Locks events of the feed that may name a person, in their order, after one of them. */
export function listEventsNaming(
  tx: Queryable,
  searched: SearchedEvents,
  after: Pick<NumberedTexts, 'programId' | 'sequence'>,
  limit: number,
): Promise<NumberedTexts[]> {
  return tx.query<NumberedTexts>(
    `select o.program_id as "programId", o.sequence, o.customer_id as "customerId", o.partner_id as "partnerId", o.facts, o.gone,
       o.more
     from feed_events o where ${NAMES_A_PERSON} and (o.program_id, o.sequence) > ($5, $6)
     order by o.program_id, o.sequence limit $7 for update`,
    [...searchedFor(searched), after.programId, after.sequence, limit],
  );
}

/** Changes what an event says. Its place in the feed stays. */
export async function updateEventTexts(tx: Queryable, event: NumberedTexts): Promise<void> {
  const { programId, sequence, facts, gone, more } = event;
  await tx.query(
    'update feed_events set facts = $3::json, gone = $4::json, more = $5::json where program_id = $1 and sequence = $2',
    [programId, sequence, ...[facts, gone, more].map((text) => text && JSON.stringify(text))],
  );
}
