import { expect } from 'vitest';
import type { Queryable } from '../../../server/src/db/db.ts';

const COUNTS = ['leads', 'first_sales', 'sales', 'revenue_cents', 'refunded_cents', 'commission_cents'];
const KEY = 'program_id, day, partner_id, link_id, currency';

// The counts by day, minus those of the rows.
const DIFFERENCES = `
  select * from (
    select ${KEY}, ${COUNTS.map((count) => `sum(${count})::bigint as ${count}`).join(', ')}
    from (
      select ${KEY}, ${COUNTS.join(', ')} from result_days
      union all
      select ${KEY}, ${COUNTS.join(', ')} from result_deltas
      union all
      select program_id, (at at time zone 'UTC')::date, partner_id, link_id, currency,
        ${COUNTS.map((count) => `-${count}`).join(', ')}
      from results
    ) differences group by ${KEY}
  ) sums where ${COUNTS.map((count) => `${count} <> 0`).join(' or ')}`;

// The counts of whole programs, minus those of their partners and links.
const TOTALS = ['clicks', ...COUNTS];
const DIFFERENT_TOTALS = `
  select * from (
    select program_id, day, currency, ${TOTALS.map((count) => `sum(${count})::bigint as ${count}`).join(', ')}
    from (
      select program_id, day, currency, ${TOTALS.join(', ')} from program_days
      union all
      select program_id, day, currency, 0, ${COUNTS.map((count) => `-${count}`).join(', ')} from result_days
      union all
      select program_id, day, null, -clicks, ${COUNTS.map(() => '0').join(', ')} from click_days
    ) differences group by program_id, day, currency
  ) sums where ${TOTALS.map((count) => `${count} <> 0`).join(' or ')}`;

// The counts of links over all days, minus those of their days.
const OF_LINKS = ['clicks', 'leads', 'sales', 'revenue_cents', 'commission_cents'];
const LINK_KEY = 'program_id, partner_id, link_id, currency';
const DIFFERENT_LINKS = `
  select * from (
    select ${LINK_KEY}, ${OF_LINKS.map((count) => `sum(${count})::bigint as ${count}`).join(', ')}
    from (
      select ${LINK_KEY}, ${OF_LINKS.join(', ')} from link_totals
      union all
      select ${LINK_KEY}, 0, -leads, -sales, -revenue_cents, -commission_cents from result_days
      union all
      select program_id, partner_id, link_id, null, -clicks, 0, 0, 0, 0 from click_days
    ) differences group by ${LINK_KEY}
  ) sums where ${OF_LINKS.map((count) => `${count} <> 0`).join(' or ')}`;

/** Whatever happened to leads, sales and commissions, the results by day are the sums of the rows. */
export async function expectResultsToAgree(db: Queryable): Promise<void> {
  expect(await db.query(DIFFERENCES, [])).toEqual([]);
  expect(await db.query(DIFFERENT_TOTALS, [])).toEqual([]);
  expect(await db.query(DIFFERENT_LINKS, [])).toEqual([]);
}
