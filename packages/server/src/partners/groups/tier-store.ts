import type { GroupTier } from '@svc/contract';
import type { Queryable } from '../../db/db.ts';

/** What tiers count of a partner, and where the partner stands. */
export type Standing = {
  partnerId: number;
  groupId: number | null;
  recruiterId: number | null;
  /** Confirmed sales or revenue before the day, as text because sums can be large. */
  counted: string;
};

// A sale is confirmed on the day on which its commission was approved or, if the terms paid nothing for it, on the day on which the
// hold would have ended. Refunds are taken off.
const COUNTED: Record<GroupTier['of'], string> = {
  sales: 'count(*) filter (where s.refunded_cents < s.amount_cents)',
  revenue: 'coalesce(sum(s.amount_cents - s.refunded_cents) filter (where s.currency = g.currency), 0)',
};

// The start of the month of the last day that counts.
const SINCE: Record<GroupTier['in'], string> = {
  month: `date_trunc('month', ($2::date - 1)::timestamp) at time zone 'UTC'`,
  lifetime: `'-infinity'::timestamptz`,
};

/** What partners have reached up to the end of the day before `day`. Those whom a person placed are left out. */
export function listStandings(
  db: Queryable,
  programId: number,
  { of, in: period }: GroupTier,
  day: string,
  partnerId: number | null = null,
): Promise<Standing[]> {
  return db.query<Standing>(
    `select m.partner_id as "partnerId", m.group_id as "groupId", m.recruiter_id as "recruiterId",
       coalesce(reached.counted, 0)::text as counted
     from memberships m
     left join (
       select s.partner_id, ${COUNTED[of]} as counted
       from (
         select c.partner_id, s.amount_cents, s.refunded_cents, s.currency, c.approved_at as confirmed_at
         from commissions c join sales s on s.id = c.sale_id
         where c.program_id = $1 and c.kind = 'sale' and c.stage in ('approved', 'paid')
         union all
         select s.partner_id, s.amount_cents, s.refunded_cents, s.currency, s.created_at + make_interval(days => s.hold_days)
         from sales s where s.program_id = $1 and s.commission_state = 'none' and not s.is_test) s
       join programs g on g.id = $1
       where s.confirmed_at < $2::date::timestamp at time zone 'UTC' and s.confirmed_at >= ${SINCE[period]}
         and ($3::bigint is null or s.partner_id = $3)
       group by s.partner_id) reached on reached.partner_id = m.partner_id
     where m.program_id = $1 and (m.group_by = 'tier' or m.partner_id = $3) and ($3::bigint is null or m.partner_id = $3)
     order by m.partner_id`,
    [programId, day, partnerId],
  );
}

export type DueTiers = {
  programId: number;
  /** The next day to count for. */
  day: string;
};

/** The programs with tiers that are not counted up to today, each with the first day that is missing. */
export function listDueTiers(db: Queryable, today: string): Promise<DueTiers[]> {
  return db.query<DueTiers>(
    `select p.id as "programId", to_char(coalesce(t.day + 1, $1::date), 'YYYY-MM-DD') as day
     from programs p left join tier_days t on t.program_id = p.id
     where p.deleted_at is null and (t.day is null or t.day < $1::date)
       and exists (select from partner_groups g where g.program_id = p.id and g.tier_of is not null)
     order by p.id`,
    [today],
  );
}

/** Marks a day as counted, and returns whether this call did it. */
export async function updateTierDay(db: Queryable, programId: number, day: string): Promise<boolean> {
  const rows = await db.query(
    `insert into tier_days (program_id, day) values ($1, $2)
     on conflict (program_id) do update set day = excluded.day where tier_days.day < excluded.day returning 1`,
    [programId, day],
  );
  return rows.length > 0;
}
