import type { Queryable } from '@svc/server/db/db';
import { UNCOUNTED_RESULTS } from '@svc/testkit';

const COUNTS = ['leads', 'first_sales', 'sales', 'revenue_cents', 'refunded_cents', 'commission_cents'];

/** The sums that reports show, as far as they differ from the rows: results by link and day, and clicks by hour. */
export async function compareReports(db: Queryable): Promise<string[]> {
  const days = await db.query<{ key: string } & Record<string, number>>(
    `select concat_ws(' ', 'program', program_id, day, currency) as key,
       ${COUNTS.map((name) => `-${name}::bigint as ${name}`).join(', ')}
     from (${UNCOUNTED_RESULTS}) uncounted`,
    [],
  );
  const [sums] = await db.query<{ rows: number; counted: number }>(
    `select (select count(*) from clicks) as rows,
       (select coalesce(sum(clicks), 0)::bigint from (
         select clicks from click_hours union all select clicks from count_deltas) counted) as counted`,
    [],
  );
  const { rows = 0, counted = 0 } = sums ?? {};
  return [
    ...days.map((day) => `${day.key}: the reports differ from the rows by ${differencesOf(day)}`),
    ...(rows === counted ? [] : [`${counted} clicks are counted, ${rows} are stored`]),
  ];
}

function differencesOf(day: Record<string, unknown>): string {
  return COUNTS.filter((name) => day[name] !== 0)
    .map((name) => `${day[name]} ${name}`)
    .join(', ');
}
