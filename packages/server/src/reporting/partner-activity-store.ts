import type { Queryable } from '../db/db.ts';

export type PartnerActivity = { clicks: number; leads: number; sales: number };

// Counted in whole UTC days, including what is not rolled up yet.
const FIND_ACTIVITY = `
  select partner_id as "partnerId", sum(clicks)::bigint as clicks, sum(leads)::bigint as leads, sum(sales)::bigint as sales
  from (
    select partner_id, clicks, leads, sales from counts
    where program_id = $1 and span = 'link_day' and day >= ($3::timestamptz at time zone 'UTC')::date
    union all
    select partner_id, clicks, leads, sales from count_deltas
    where program_id = $1 and hour >= date_trunc('day', $3::timestamptz, 'UTC')
  ) counted where partner_id = any ($2::bigint[]) group by partner_id`;

/** What each partner has brought in since the day of `since`; partners without activity have no row. */
export function findPartnerActivity(
  db: Queryable,
  programId: number,
  partnerIds: number[],
  since: Date,
): Promise<(PartnerActivity & { partnerId: number })[]> {
  return db.query(FIND_ACTIVITY, [programId, partnerIds, since]);
}
