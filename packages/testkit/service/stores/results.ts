import { expect } from 'vitest';
import type { Queryable } from '../../../server/src/db/db.ts';
import { UNCOUNTED_RESULTS } from '../../src/index.ts';

const COUNTS = ['clicks', 'leads', 'first_sales', 'sales', 'revenue_cents', 'refunded_cents', 'commission_cents'];

/** The counts of a span, minus those of its links by day. */
const differentFromDays = (span: string, key: string) => `
  select * from (
    select ${key}, ${COUNTS.map((count) => `sum(${count})::bigint as ${count}`).join(', ')}
    from (
      select ${key}, ${COUNTS.join(', ')} from counts where span = '${span}'
      union all
      select ${key}, ${COUNTS.map((count) => `-${count}`).join(', ')} from counts where span = 'link_day'
    ) differences group by ${key}
  ) sums where ${COUNTS.map((count) => `${count} <> 0`).join(' or ')}`;

// The clicks of hours, minus those of the days.
const DIFFERENT_HOURS = `
  select program_id, day, link_id, sum(clicks) as clicks from (
    select program_id, (hour at time zone 'UTC')::date as day, link_id, clicks from click_hours
    union all
    select program_id, day, link_id, -clicks from counts where span = 'link_day' and clicks <> 0
  ) differences group by 1, 2, 3 having sum(clicks) <> 0`;

/** Whatever happened to leads, sales and commissions, the counts are the sums of the rows. */
export async function expectResultsToAgree(db: Queryable): Promise<void> {
  expect(await db.query(UNCOUNTED_RESULTS, [])).toEqual([]);
  expect(await db.query(differentFromDays('program_day', 'program_id, day, currency'), [])).toEqual([]);
  expect(await db.query(differentFromDays('link', 'program_id, partner_id, link_id, currency'), [])).toEqual([]);
  expect(await db.query(DIFFERENT_HOURS, [])).toEqual([]);
}
