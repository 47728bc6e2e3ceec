import type { Queryable } from '../db/db.ts';
import {
  type ClickCounts,
  forEachFacet,
  limitResultCounts,
  readClickCounts,
  readResultCounts,
  writeClickCounts,
  writeResultCounts,
} from './facet-counts.ts';
import { FACET_COLUMNS, FACETS, type Facet } from './facets.ts';

/**
 * Removes the visits behind the results of customers, and has the days of these results counted again without them. Counts
 * that have begun start over: they may have read these visits.
 */
export async function deleteCustomerFacets(db: Queryable, programId: number, customerIds: number[]): Promise<void> {
  await db.query(
    `with stopped as (delete from facet_days_in_progress where program_id = $1 returning program_id, day)
     insert into facet_days_due (program_id, day) select program_id, day from stopped order by day on conflict do nothing`,
    [programId],
  );
  await db.query('delete from customer_facets where customer_id = any ($1::bigint[])', [customerIds]);
  await db.query(
    `insert into facet_days_due (program_id, day)
     select $1, day from (
       select (lead_at at time zone 'UTC')::date as day from customers where id = any ($2::bigint[]) and lead_at is not null
       union
       select (converted_at at time zone 'UTC')::date from customers where id = any ($2::bigint[]) and converted_at is not null
       union
       select (created_at at time zone 'UTC')::date from sales where customer_id = any ($2::bigint[])) days
     order by day on conflict do nothing`,
    [programId, customerIds],
  );
}

/** Whether a value of a facet has to go. */
type IsErased = (value: string) => boolean;

const DAYS = `where program_id = $1 and day >= $2::date and exists (
  select from unnest($3::text[]) word where position(lower(word) in lower(concat(${FACET_COLUMNS}))) > 0)`;

/** The two tables of counts by facet: how they are read and written, and how the values of one facet are replaced. */
const COUNTED = [
  {
    list: `select day::text, partner_id as "partnerId", ${FACET_COLUMNS} from click_facet_days ${DAYS}`,
    update: (columns: string) => `update click_facet_days d set ${columns}`,
    without: (counts: string, isErased: IsErased) => {
      const kept: ClickCounts = new Map();
      for (const [value, clicks] of readClickCounts(counts)) {
        const now = value !== null && isErased(value) ? UNKNOWN : value;
        kept.set(now, (kept.get(now) ?? 0) + clicks);
      }
      return writeClickCounts(kept);
    },
  },
  {
    list: `select day::text, partner_id as "partnerId", ${FACET_COLUMNS} from result_facet_days ${DAYS}`,
    update: (columns: string) => `update result_facet_days d set ${columns}`,
    without: (counts: string, isErased: IsErased) => {
      const rows = readResultCounts(counts).map((row) =>
        row.value !== null && isErased(row.value) ? { ...row, value: UNKNOWN } : row,
      );
      return writeResultCounts(limitResultCounts(rows));
    },
  },
];

/** What a visit without the facet is counted under. */
const UNKNOWN = '';

/**
 * Counts what is counted under erased values of the program as unknown, from a day on. Only days that contain one of the words,
 * in any case, are looked at. A job that counts clicks of the program finishes first or sees clicks without these values.
 */
export async function deleteFacetValues(
  db: Queryable,
  { programId, since, words }: { programId: number; since: Date; words: string[] },
  isErased: IsErased,
): Promise<void> {
  if (words.length === 0) return;
  await db.query('select 1 from facets_rolled_up where program_id = $1 for update', [programId]);
  for (const { list, update, without } of COUNTED) {
    const days = await db.query<Record<Facet, string>>(list, [programId, since.toISOString().slice(0, 10), words]);
    const rows = days.map((day) => ({ ...day, ...forEachFacet((facet) => without(day[facet], isErased)) }));
    await db.query(
      `${update(FACETS.map((facet) => `${facet} = i.${facet}`).join(', '))}
       from json_to_recordset($2::json) as i(day date, "partnerId" bigint, ${FACETS.map((facet) => `${facet} text`).join(', ')})
       where d.program_id = $1 and d.day = i.day and d.partner_id = i."partnerId"`,
      [programId, JSON.stringify(rows)],
    );
  }
}
