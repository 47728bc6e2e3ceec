import type { Queryable } from '@svc/server/db/db';

const COUNTS = ['leads', 'first_sales', 'sales', 'revenue_cents', 'refunded_cents', 'commission_cents'];

/** The sums that reports show, as far as they differ from the rows: results by day, and clicks by hour. */
export async function compareReports(db: Queryable): Promise<string[]> {
  const columns = COUNTS.join(', ');
  const days = await db.query<{ key: string }>(
    `select concat_ws(' ', program_id, day, currency) as key from (
       select program_id, day, currency, ${columns} from result_days
       union all select program_id, day, currency, ${columns} from result_deltas
       union all select program_id, (at at time zone 'UTC')::date, currency, ${COUNTS.map((name) => `-${name}`).join(', ')}
         from results) differences
     group by program_id, day, currency having ${COUNTS.map((name) => `sum(${name}) <> 0`).join(' or ')}`,
    [],
  );
  const [sums] = await db.query<{ rows: number; counted: number }>(
    `select (select count(*) from clicks) as rows,
       (select coalesce(sum(clicks), 0)::bigint from (
         select clicks from click_hours union all select clicks from click_deltas) counted) as counted`,
    [],
  );
  const { rows = 0, counted = 0 } = sums ?? {};
  return [
    ...days.map(({ key }) => `results of ${key} differ from their rows`),
    ...(rows === counted ? [] : [`${counted} clicks are counted, ${rows} are stored`]),
  ];
}
