import type { Queryable } from '../db/db.ts';

/** A UTC day of a program, such as `2026-03-01`. */
export type ProgramDay = { programId: number; day: string };

/** What leads, sales and commissions add to the counts; the columns of the view `results` and of all counts. */
export const RESULT_COLUMNS = [
  'leads',
  'first_sales',
  'sales',
  'revenue_cents',
  'refunded_cents',
  'commission_cents',
] as const;

/** The columns of `counts` and `count_deltas`. */
export const COUNT_COLUMNS = ['clicks', ...RESULT_COLUMNS] as const;

/**
 * The sum of a column over days, as fast as it can be had: no day has more than an integer holds, integers are added up several
 * times as fast as others, and only rows with a currency have amounts.
 */
export const sumOf = (column: string) =>
  column.endsWith('_cents')
    ? `coalesce(sum(${column}) filter (where currency is not null), 0) as ${column}`
    : `sum(${column}::int) as ${column}`;

/** How many deltas are rolled up at once, so that nobody waits long behind them. */
const DELTAS_AT_ONCE = 2_000;

// One statement, so a delta is either not rolled up yet or in all counts. Counts are written in key order, so that all nodes lock
// them in the same order.
const ROLL_UP = `
  with taken as (
    delete from count_deltas where ctid = any (array(select ctid from count_deltas limit ${DELTAS_AT_ONCE}))
    returning *, (hour at time zone 'UTC')::date as day
  ), due as (
    insert into facet_days_due (program_id, day)
    select distinct program_id, day from taken where clicks = 0 order by 1, 2
    on conflict do nothing
  ), hours as (
    insert into click_hours as known (program_id, hour, link_id, partner_id, clicks)
    select program_id, hour, link_id, min(partner_id), sum(clicks) from taken where clicks <> 0 group by 1, 2, 3 order by 1, 2, 3
    on conflict (program_id, hour, link_id) do update set clicks = known.clicks + excluded.clicks
  ), added as (
    insert into counts as known (program_id, span, day, partner_id, link_id, currency, ${COUNT_COLUMNS.join(', ')})
    select program_id, case grouping(day, link_id) when 0 then 'link_day' when 1 then 'program_day' else 'link' end,
      day, partner_id, link_id, currency, ${COUNT_COLUMNS.map((column) => `sum(${column})`).join(', ')}
    from taken
    group by grouping sets (
      (program_id, day, partner_id, link_id, currency), (program_id, day, currency), (program_id, partner_id, link_id, currency))
    order by 1, 2, 3, 4, 5, 6
    on conflict (program_id, span, day, partner_id, link_id, currency)
      do update set ${COUNT_COLUMNS.map((column) => `${column} = known.${column} + excluded.${column}`).join(', ')}
  )
  select count(*) as count from taken`;

/** Adds the next deltas to the counts, each exactly once. Returns how many there were, and whether there may be more. */
export async function rollUpDeltas(db: Queryable): Promise<{ added: number; hasMore: boolean }> {
  const [row] = await db.query<{ count: number }>(ROLL_UP, []);
  const { count: added } = row as { count: number };
  return { added, hasMore: added === DELTAS_AT_ONCE };
}
