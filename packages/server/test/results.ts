import { expect } from 'vitest';
import type { Queryable } from '../src/db/db.ts';

const COUNTS = ['leads', 'first_sales', 'sales', 'revenue_cents', 'refunded_cents', 'commission_cents'];
const KEY = 'program_id, day, partner_id, link_id, currency';

// What was counted day by day, less what the rows say.
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
    ) both_ways group by ${KEY}
  ) sums where ${COUNTS.map((count) => `${count} <> 0`).join(' or ')}`;

// What was counted for programs as a whole, less what was counted for their parts.
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
    ) both_ways group by program_id, day, currency
  ) sums where ${TOTALS.map((count) => `${count} <> 0`).join(' or ')}`;

/** Whatever happened to leads, sales and commissions: the results by day are what the rows add up to. */
export async function expectResultsToAgree(db: Queryable): Promise<void> {
  expect(await db.query(DIFFERENCES, [])).toEqual([]);
  expect(await db.query(DIFFERENT_TOTALS, [])).toEqual([]);
}
