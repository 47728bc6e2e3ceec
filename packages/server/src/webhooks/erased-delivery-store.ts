import type { Queryable } from '../db/db.ts';

/**
 * Deletes what receivers answered to these events, because they may have repeated what they were sent, and what was sent. What is
 * sent again is what the feed says from now on.
 */
export async function deleteAnswersTo(tx: Queryable, events: { programId: number; sequence: number }[]): Promise<void> {
  await tx.query(
    `update webhook_deliveries d set response_headers = null, response_body = null, body = null
     from webhook_endpoints w, unnest($1::bigint[], $2::bigint[]) as e (program_id, sequence)
     where w.program_id = e.program_id and d.endpoint_id = w.id and d.sequence = e.sequence
       and (d.response_headers is not null or d.response_body is not null or d.body is not null)`,
    [events.map(({ programId }) => programId), events.map(({ sequence }) => sequence)],
  );
}
