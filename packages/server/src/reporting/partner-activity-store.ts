import type { Queryable } from '../db/db.ts';

export type PartnerActivity = { clicks: number; leads: number; sales: number };

// By whole days, with what is not folded in yet: nobody needs the hour here.
const FIND_RECENT = `
  select partner_id as "partnerId", sum(clicks)::bigint as clicks, sum(leads)::bigint as leads, sum(sales)::bigint as sales
  from (
    select partner_id, clicks, 0 as leads, 0 as sales from click_days where program_id = $1 and day >= ($3::timestamptz at time zone 'UTC')::date
    union all
    select partner_id, clicks, 0, 0 from click_deltas where program_id = $1 and hour >= $3::timestamptz
    union all
    select partner_id, 0, leads, sales from result_days where program_id = $1 and day >= ($3::timestamptz at time zone 'UTC')::date
    union all
    select partner_id, 0, leads, sales from result_deltas where program_id = $1 and day >= ($3::timestamptz at time zone 'UTC')::date
  ) counted where partner_id = any ($2::bigint[]) group by partner_id`;

/** What partners brought in since a day; who brought nothing has no row. */
export function findPartnerActivity(
  db: Queryable,
  programId: number,
  partnerIds: number[],
  since: Date,
): Promise<(PartnerActivity & { partnerId: number })[]> {
  return db.query(FIND_RECENT, [programId, partnerIds, since]);
}
