import type { Queryable } from '../db/db.ts';
import { wholeDays } from './performance.ts';

export type Grouping = 'total' | 'day' | 'partner' | 'link';

/** What happened under one value of the grouping; money by currency. */
export type PerformanceRow = {
  key: string;
  clicks: number;
  leads: number;
  sales: number;
  currency: string | null;
  revenueCents: number;
  refundedCents: number;
  commissionCents: number;
};

const utcDay = (column: string) => `(${column} at time zone 'UTC')::date`;

/** What rows are grouped by: of counted clicks, of a table `t` by one of its times, and as it is told. */
const KEYS = {
  total: { clicks: `'total'`, at: () => `'total'`, told: 'key' },
  day: { clicks: 'day', at: (column: string) => utcDay(`t.${column}`), told: `to_char(key, 'YYYY-MM-DD')` },
  partner: { clicks: 'partner_id', at: () => 't.partner_id', told: 'key::text' },
  link: { clicks: 'link_id', at: () => 't.link_id', told: 'key::text' },
};

// Clicks come from roll-ups and what is not folded in yet, never from the clicks themselves: whole days ($7 to $8) by day,
// the rest of the period by hour.
const COUNTED_CLICKS = `
  select partner_id, link_id, day, clicks from click_days
  where program_id = $1 and day >= ${utcDay('$7::timestamptz')} and day < ${utcDay('$8::timestamptz')}
  union all
  select partner_id, link_id, ${utcDay('hour')}, clicks from click_hours
  where program_id = $1 and hour >= $2 and hour < $7
  union all
  select partner_id, link_id, ${utcDay('hour')}, clicks from click_hours
  where program_id = $1 and hour >= $8 and hour < $3
  union all
  select partner_id, link_id, ${utcDay('hour')}, clicks from click_deltas
  where program_id = $1 and hour >= $2 and hour < $3`;

const OF_PART = '($4::bigint is null or t.partner_id = $4) and ($5::bigint is null or t.link_id = $5)';

// A commission is made with its sale or, repaired, after it: none from before the period needs to be looked at.
const COMMISSION_OF_SALE = `
  m.sale_id = t.id and m.stage <> 'rejected' and m.program_id = $1 and m.created_at >= $2`;

const statement = (grouping: Grouping) => {
  const { clicks, at, told } = KEYS[grouping];
  return `
  with sold as (
    select ${at('created_at')} as key, t.currency, m.currency as earned_in, count(*) as sales,
      sum(t.amount_cents) as revenue, sum(t.refunded_cents) as refunded,
      sum(m.commission_cents - m.deducted_cents) as earned
    from sales t left join commissions m on ${COMMISSION_OF_SALE}
    where t.program_id = $1 and t.created_at >= $2 and t.created_at < $3 and not t.is_test and ${OF_PART}
    group by 1, 2, 3
  ), parts as (
    select ${clicks} as key, sum(clicks) as clicks, 0 as leads, 0 as sales, null::text as currency,
      0 as revenue, 0 as refunded, 0 as commission
    from (${COUNTED_CLICKS}) t
    where ${OF_PART}
    group by 1
    union all
    select ${at('lead_at')}, 0, count(*), 0, null, 0, 0, 0
    from customers t
    where t.program_id = $1 and t.lead_at >= $2 and t.lead_at < $3 and t.lead_at is not null and not t.is_test
      and ${OF_PART}
    group by 1
    union all
    select key, 0, 0, sum(sales), currency, sum(revenue), sum(refunded), 0 from sold group by 1, 5
    union all
    select key, 0, 0, 0, earned_in, 0, 0, sum(earned) from sold where earned_in is not null group by 1, 5
  ), ranked as (
    select key from parts where key is not null group by key
    order by sum(sales) desc, sum(clicks) desc, key desc limit $6
  )
  select ${told} as key, sum(clicks)::bigint as clicks, sum(leads)::bigint as leads, sum(sales)::bigint as sales,
    currency, sum(revenue)::bigint as "revenueCents", sum(refunded)::bigint as "refundedCents",
    sum(commission)::bigint as "commissionCents"
  from parts where key in (select key from ranked) group by parts.key, currency order by parts.key`;
};

export type Period = { from: Date; to: Date };
/** Whose numbers are meant: of one partner, of one link, or of the whole program. */
export type Part = { partnerId: number | null; linkId: number | null };

export function findPerformance(
  db: Queryable,
  programId: number,
  { from, to }: Period,
  { partnerId, linkId }: Part,
  grouping: Grouping,
  maxGroups: number | null = null,
): Promise<PerformanceRow[]> {
  const days = wholeDays(from, to);
  return db.query<PerformanceRow>(statement(grouping), [
    programId,
    from,
    to,
    partnerId,
    linkId,
    maxGroups,
    days.from,
    days.to,
  ]);
}

/** How many customers bought for the first time. */
export async function findFirstSales(
  db: Queryable,
  programId: number,
  { from, to }: Period,
  { partnerId, linkId }: Part,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) as count from customers
     where program_id = $1 and converted_at >= $2 and converted_at < $3 and converted_at is not null and not is_test
       and ($4::bigint is null or partner_id = $4) and ($5::bigint is null or link_id = $5)`,
    [programId, from, to, partnerId, linkId],
  );
  return row?.count ?? 0;
}

export async function findGroupNames(
  db: Queryable,
  programId: number,
  grouping: 'partner' | 'link',
  ids: number[],
): Promise<Map<number, string>> {
  const sql =
    grouping === 'partner'
      ? `select p.id, p.name from partners p join memberships m on m.partner_id = p.id
         where m.program_id = $1 and p.id = any ($2::bigint[])`
      : 'select id, short_link as name from links where program_id = $1 and id = any ($2::bigint[])';
  const rows = await db.query<{ id: number; name: string }>(sql, [programId, ids]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
