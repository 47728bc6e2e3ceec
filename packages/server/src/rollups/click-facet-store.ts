import type { Db, Queryable } from '../db/db.ts';
import { DAY_MS } from '../time.ts';
import type { ProgramDay } from './count-store.ts';
import {
  addClickCounts,
  type ClickCounts,
  forEachFacet,
  readClickCounts,
  scopesOf,
  WHOLE_PROGRAM,
  writeClickCounts,
} from './facet-counts.ts';
import { FACET_COLUMNS, FACETS, type Facet, facetsOf, type Visit } from './facets.ts';

/** Before any click. */
const NEVER = '2000-01-01T00:00:00Z';
/** How many clicks are counted at once, so that nobody waits long behind them. */
const CLICKS_AT_ONCE = 5_000;

type Visits = Visit & { partnerId: number | null; day: string; clicks: number };

// Equal visits are added up by the database: that is cheaper than reading and deriving each.
const FIND_VISITS = `
  select partner_id as "partnerId", (clicked_at at time zone 'UTC')::date::text as day, page_url as "pageUrl",
    affiliate_url as "affiliateUrl", referrer_url as "referrerUrl", user_agent as "userAgent", country, sub, count(*) as clicks
  from clicks where program_id = $1 and clicked_at >= $2 and clicked_at < $3 and not is_test
  group by 1, 2, 3, 4, 5, 6, 7, 8`;

/** The programs with clicks before `until` that are not counted by facet. */
export async function listProgramsWithNewClicks(db: Queryable, until: Date): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `select p.id from programs p left join facets_rolled_up r on r.program_id = p.id
     where exists (
       select from clicks c where c.program_id = p.id and c.clicked_at >= coalesce(r.clicks_until, '${NEVER}')
         and c.clicked_at < $1)
     order by p.id`,
    [until],
  );
  return rows.map(({ id }) => id);
}

/** Counts the next clicks of a program by facet, at most to `until`. Returns whether there may be more. */
export async function rollUpClickFacets(db: Db, programId: number, until: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    const since = await lockClicksUntil(tx, programId, until);
    if (since >= until) return false;
    const to = await findStep(tx, programId, since, until);
    await countClicks(tx, programId, since, to);
    await tx.query('update facets_rolled_up set clicks_until = $2 where program_id = $1', [programId, to]);
    return to < until;
  });
}

/** Recounts the clicks of one day of a program by facet, up to the time until which its clicks are counted. */
export async function rebuildClickFacetDay(db: Db, { programId, day }: ProgramDay): Promise<void> {
  await db.transaction(async (tx) => {
    const from = new Date(`${day}T00:00:00Z`);
    const until = await lockClicksUntil(tx, programId, from);
    await tx.query('delete from click_facet_days where program_id = $1 and day = $2::date', [programId, day]);
    await countClicks(tx, programId, from, new Date(Math.min(from.getTime() + DAY_MS, until.getTime())));
  });
}

/** Until when the clicks of a program are counted, locked for the rest of the transaction. */
async function lockClicksUntil(tx: Queryable, programId: number, today: Date): Promise<Date> {
  await tx.query(
    `insert into facets_rolled_up (program_id, clicks_until, compared_until) values ($1, '${NEVER}', $2)
     on conflict do nothing`,
    [programId, today],
  );
  const [row] = await tx.query<{ until: Date }>(
    'select clicks_until as until from facets_rolled_up where program_id = $1 for update',
    [programId],
  );
  return (row as { until: Date }).until;
}

/** The time before which there are as many clicks as are counted at once. */
async function findStep(tx: Queryable, programId: number, from: Date, until: Date): Promise<Date> {
  const [row] = await tx.query<{ at: Date }>(
    `select clicked_at as at from clicks where program_id = $1 and clicked_at >= $2 and clicked_at < $3
     order by clicked_at offset ${CLICKS_AT_ONCE} limit 1`,
    [programId, from, until],
  );
  // More clicks than that within one millisecond are counted together.
  return row ? new Date(Math.max(row.at.getTime(), from.getTime() + 1)) : until;
}

type DayCounts = { partnerId: number; day: string; counts: Record<Facet, ClickCounts> };

async function countClicks(tx: Queryable, programId: number, from: Date, to: Date): Promise<void> {
  const added = new Map<string, DayCounts>();
  for (const visits of await tx.query<Visits>(FIND_VISITS, [programId, from, to])) {
    const facets = facetsOf(visits);
    for (const partnerId of scopesOf(visits.partnerId)) {
      const key = `${partnerId} ${visits.day}`;
      const place = added.get(key) ?? { partnerId, day: visits.day, counts: forEachFacet(() => new Map()) };
      added.set(key, place);
      for (const facet of FACETS) {
        const counts = place.counts[facet];
        counts.set(facets[facet], (counts.get(facets[facet]) ?? 0) + visits.clicks);
      }
    }
  }
  if (added.size > 0) await addCounts(tx, programId, [...added.values()]);
}

async function addCounts(tx: Queryable, programId: number, added: DayCounts[]): Promise<void> {
  const keys = JSON.stringify(added.map(({ partnerId, day }, position) => ({ position, partnerId, day })));
  const known = await tx.query<Record<Facet, string> & { position: number }>(
    `select i.position, d.* from json_to_recordset($2::json) as i(position int, "partnerId" bigint, day date)
     cross join lateral (
       select ${FACET_COLUMNS} from click_facet_days
       where program_id = $1 and day = i.day and partner_id = i."partnerId" offset 0) d`,
    [programId, keys],
  );
  const knownByPosition = new Map(known.map((row) => [row.position, row]));
  const rows = added.map(({ partnerId, day, counts }, position) => {
    const before = knownByPosition.get(position);
    const sums = forEachFacet((facet) => addClickCounts(readClickCounts(before?.[facet] ?? '[]'), counts[facet]));
    return { partnerId, day, ...forEachFacet((facet) => writeClickCounts(sums[facet])) };
  });
  await tx.query(
    `insert into click_facet_days (program_id, partner_id, day, ${FACET_COLUMNS})
     select $1, "partnerId", day, ${FACET_COLUMNS}
     from json_to_recordset($2::json) as i("partnerId" bigint, day date, ${FACETS.map((facet) => `${facet} text`).join(', ')})
     on conflict (program_id, day, partner_id)
       do update set ${FACETS.map((facet) => `${facet} = excluded.${facet}`).join(', ')}`,
    [programId, JSON.stringify(rows)],
  );
}

/**
 * The days before `day` that were not compared yet, and whose clicks by facet are not all their clicks, or where a value that
 * came late may have more clicks than others but no place of its own.
 */
export async function listDifferentClickDays(db: Queryable, day: string): Promise<ProgramDay[]> {
  const days = await db.query<ProgramDay & { clicks: number; sub: string | null; hasRest: boolean | null }>(
    `select p.program_id as "programId", p.day::text, p.clicks, d.sub,
       concat(${FACET_COLUMNS}) like '%[null,%' as "hasRest"
     from facets_rolled_up r join counts p on p.program_id = r.program_id and p.span = 'program_day'
       and p.day >= r.compared_until and p.day < $1::date and p.currency is null
     left join click_facet_days d on d.program_id = p.program_id and d.day = p.day and d.partner_id = ${WHOLE_PROGRAM}
     where p.clicks <> 0
     order by p.day, p.program_id`,
    [day],
  );
  return days.filter(({ clicks, sub, hasRest }) => {
    // The newest facet: nodes of the release before it count the others only.
    const counted = [...readClickCounts(sub ?? '[]').values()];
    return hasRest || clicks !== counted.reduce((sum, each) => sum + each, 0);
  });
}

/** Stores that the days before this one were compared. */
export async function updateComparedUntil(db: Queryable, day: string): Promise<void> {
  await db.query('update facets_rolled_up set compared_until = $1::date where compared_until < $1::date', [day]);
}
