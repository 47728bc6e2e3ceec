import type { Queryable } from '../../db/db.ts';
import { wholeFact } from '../../decisions/fact-columns.ts';
import type { Reason } from '../../decisions/reasons.ts';

export type RefusedEvent = {
  kind: 'click' | 'lead' | 'sale' | 'refund';
  outcome: 'refused' | 'not_attributed';
  reason: Reason | 'link_disabled';
  message: string | null;
  field: string | null;
  origin: string | null;
  calls: number;
  transactionId: string | null;
  customerKey: string | null;
  clickId: string | null;
  /** In whole days, rounded up. */
  clickAgeDays: number | null;
  windowDays: number | null;
  isTest: boolean;
  at: Date;
};

// Calls of pages are only counted; everything else has a decision.
const LIST_REFUSED = `
  (select kind, 'refused' as outcome, reason, null as message, null as field, origin, sum(calls)::bigint as calls,
     null as "transactionId", null as "customerKey", null as "clickId", null::bigint as "clickAgeDays",
     null::bigint as "windowDays", false as "isTest", max(last_at) as at
   from refused_calls where program_id = $1 and hour >= $3 group by kind, reason, origin
   having max(last_at) > $2 order by at desc limit $4)
  union all
  (select kind, outcome, reason, facts ->> 'message', facts ->> 'field', facts ->> 'origin', 1, transaction_id, customer_key,
     click_id, ${wholeFact('facts', 'click_age_days')}, ${wholeFact('facts', 'window_days')}, is_test, created_at
   from decisions
   where program_id = $1 and outcome in ('refused', 'not_attributed') and kind <> 'commission' and created_at > $2
   order by created_at desc limit $4)
  order by at desc limit $4`;

/** What was refused or not attributed since a time, the latest first. */
export function listRefusedEvents(
  db: Queryable,
  programId: number,
  since: Date,
  limit: number,
): Promise<RefusedEvent[]> {
  // Calls are counted by the hour, so the hour in which the period begins is read too.
  const hour = new Date(Math.floor(since.getTime() / 3_600_000) * 3_600_000);
  return db.query<RefusedEvent>(LIST_REFUSED, [programId, since, hour, limit]);
}
