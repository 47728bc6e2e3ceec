import type { Db, Queryable } from '../db/db.ts';
import { DAY_MS, HOUR_MS } from '../time.ts';
import { FACET_ROWS, FACETS_OF_CLICK, MAX_VALUES_A_DAY } from './facets.ts';
import type { ProgramDay } from './result-rollup-store.ts';

// Clicks of one or all programs between two times. A value that the day already has keeps its row. Of the others, those with
// the most clicks get the rows that are left, and the rest are counted under null. Equal visits are added up first: deriving
// facets costs more than counting.
const ADD_CLICKS = `
  with visits as materialized (
    select k.program_id, k.partner_id, (k.clicked_at at time zone 'UTC')::date as day, k.page_url, k.affiliate_url,
      k.referrer_url, k.user_agent, k.country, count(*) as clicks
    from programs p join clicks k on k.program_id = p.id
    where k.clicked_at >= $1 and k.clicked_at < $2 and ($3::bigint is null or p.id = $3) and not k.is_test
    group by 1, 2, 3, 4, 5, 6, 7, 8
  ), derived as materialized (
    select k.program_id, k.partner_id, k.day, k.clicks, ${FACETS_OF_CLICK} from visits k
  ), by_partner as materialized (
    select program_id, coalesce(partner_id, -1) as partner_id, f.facet, day, f.value, sum(clicks)::bigint as clicks
    from derived cross join lateral ${FACET_ROWS} group by 1, 2, 3, 4, 5
  ), counted as (
    select program_id, 0::bigint as partner_id, facet, day, value, sum(clicks)::bigint as clicks
    from by_partner group by 1, 2, 3, 4, 5
    union all
    select * from by_partner where partner_id > 0
  ), placed as (
    select c.*, known.value is not null as is_known,
      row_number() over (partition by c.program_id, c.partner_id, c.facet, c.day, known.value is not null
        order by c.clicks desc, c.value) as place,
      case when known.value is null then (
        select count(*) from click_facet_days taken
        where taken.program_id = c.program_id and taken.partner_id = c.partner_id and taken.facet = c.facet
          and taken.day = c.day and taken.value is not null) end as taken
    from counted c left join click_facet_days known on known.program_id = c.program_id and known.partner_id = c.partner_id
      and known.facet = c.facet and known.day = c.day and known.value = c.value
  )
  insert into click_facet_days as known (program_id, partner_id, facet, day, value, clicks)
  select program_id, partner_id, facet, day, case when is_known or place <= ${MAX_VALUES_A_DAY} - taken then value end,
    sum(clicks)
  from placed group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict (program_id, partner_id, facet, day, value) do update set clicks = known.clicks + excluded.clicks
  returning 1`;

/** The time of the first click at or after `from`, of any program; null when there is none before `to`. */
async function findNextClickTime(db: Queryable, from: Date, to: Date): Promise<Date | null> {
  const [row] = await db.query<{ next: Date | null }>(
    `select min(first.clicked_at) as next from programs p cross join lateral (
       select clicked_at from clicks where program_id = p.id and clicked_at >= $1 and clicked_at < $2
       order by clicked_at limit 1) first`,
    [from, to],
  );
  return row?.next ?? null;
}

/** Until when clicks are counted, locked for the rest of the transaction. At first that is before any click. */
async function lockClicksUntil(tx: Queryable, today: Date): Promise<Date> {
  await tx.query(
    `insert into facets_rolled_up (clicks_until, compared_until) values ('2000-01-01T00:00:00Z', $1)
     on conflict do nothing`,
    [today],
  );
  const [row] = await tx.query<{ until: Date }>('select clicks_until as until from facets_rolled_up for update', []);
  return (row as { until: Date }).until;
}

/**
 * Counts the clicks after those that are counted, at most to the end of their hour and to `until`, so that nobody waits long
 * behind it. Returns whether there may be more.
 */
export async function rollUpClickFacets(db: Db, until: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    const since = await lockClicksUntil(tx, until);
    if (since >= until) return false;
    const from = await findNextClickTime(tx, since, until);
    const to = from === null ? until : new Date(Math.min(endOf(from, HOUR_MS), until.getTime()));
    if (from !== null) await tx.query(ADD_CLICKS, [from, to, null]);
    await tx.query('update facets_rolled_up set clicks_until = $1', [to]);
    return to < until;
  });
}

/** Recounts the clicks of one day of a program by facet, up to the time until which clicks are counted. */
export async function rebuildClickFacetDay(db: Db, { programId, day }: ProgramDay): Promise<void> {
  await db.transaction(async (tx) => {
    const until = await lockClicksUntil(tx, new Date(`${day}T00:00:00Z`));
    await tx.query('delete from click_facet_days where program_id = $1 and day = $2::date', [programId, day]);
    const from = new Date(`${day}T00:00:00Z`);
    const to = new Date(Math.min(endOf(from, DAY_MS), until.getTime()));
    await tx.query(ADD_CLICKS, [from, to, programId]);
  });
}

/**
 * The days before `day` that were not compared yet and whose clicks by facet are not all their clicks, or whose rest may hide
 * a value with more clicks than another.
 */
export function listDifferentClickDays(db: Queryable, day: string): Promise<ProgramDay[]> {
  return db.query<ProgramDay>(
    `select p.program_id as "programId", p.day::text
     from facets_rolled_up r join program_days p on p.day >= r.compared_until and p.day < $1::date
     where p.currency is null and (
       p.clicks <> (select coalesce(sum(clicks), 0) from click_facet_days f
         where f.program_id = p.program_id and f.partner_id = 0 and f.facet = 'device' and f.day = p.day)
       or exists (select from click_facet_days f where f.program_id = p.program_id and f.day = p.day and f.value is null))
     order by p.day, p.program_id`,
    [day],
  );
}

/** Stores that the days before this one were compared. */
export async function updateComparedUntil(db: Queryable, day: string): Promise<void> {
  await db.query('update facets_rolled_up set compared_until = greatest(compared_until, $1::date)', [day]);
}

/** The end of the UTC hour or day that a time is in. */
function endOf(time: Date, lengthMs: number): number {
  return (Math.floor(time.getTime() / lengthMs) + 1) * lengthMs;
}
