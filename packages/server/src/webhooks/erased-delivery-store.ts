import type { Queryable } from '../db/db.ts';

/**
 * Deletes what receivers answered to events about these people, because they may have repeated what they were sent, and what was
 * sent. What is sent again is what the feed says from now on.
 */
export async function deleteAnswersAbout(
  tx: Queryable,
  about: { programIds: number[]; customerIds: number[]; partnerIds: number[] },
): Promise<void> {
  await tx.query(
    `update webhook_deliveries d set response_headers = null, response_body = null, body = null
     from webhook_endpoints w, feed_events e
     where w.program_id = any ($1::bigint[]) and d.endpoint_id = w.id
       and e.program_id = w.program_id and e.sequence = d.sequence
       and (e.customer_id = any ($2::bigint[]) or e.partner_id = any ($3::bigint[]))
       and (d.response_headers is not null or d.response_body is not null or d.body is not null)`,
    [about.programIds, about.customerIds, about.partnerIds],
  );
}
