import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '@svc/server/db/db';
import { type Amounts, expectedAmounts, type Sale } from './model.ts';

type Stored = Amounts & { id: string; cents: number; programId: number; count: number; rows: number };

export type Differences = { lost: string[]; doubled: string[]; wrong: string[] };

/** Waits until every event of the payment processor has been processed. */
export async function untilProcessed(db: Queryable): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const due = await db.query(`select 1 from processor_events where state = 'waiting' limit 1`, []);
    if (due.length === 0) return;
    await sleep(200);
  }
}

/** Compares every acknowledged sale with what is stored, to the cent. */
export async function compareSales(db: Queryable, sales: Sale[]): Promise<Differences> {
  const stored = new Map((await listStored(db)).map((row) => [row.id, row]));
  const found: Differences = { lost: [], doubled: [], wrong: [] };
  for (const sale of sales) {
    const row = stored.get(sale.id);
    if (!row) {
      found.lost.push(sale.id);
      continue;
    }
    if (row.count > 1) found.doubled.push(sale.id);
    const expected = { ...expectedAmounts(sale), cents: sale.cents, programId: sale.programId, rows: 0 };
    expected.rows = expected.refunded;
    const fields = Object.keys(expected) as (keyof typeof expected)[];
    const differing = fields.filter((field) => row[field] !== expected[field]);
    if (differing.length === 0) continue;
    const parts = differing.map((field) => `${field} ${row[field]} instead of ${expected[field]}`);
    found.wrong.push(`${sale.id} (${sale.cents}): ${parts.join(', ')}`);
  }
  return found;
}

function listStored(db: Queryable): Promise<Stored[]> {
  return db.query<Stored>(
    `select s.processor_event_id as id, s.program_id as "programId", s.amount_cents as cents,
       s.refunded_cents as refunded, coalesce(m.commission_cents, -1) as commission,
       coalesce(m.deducted_cents, -1) as deducted,
       (select coalesce(sum(amount_cents), 0)::bigint from refunds r where r.sale_id = s.id) as rows,
       (select coalesce(sum(reported_cents), 0)::bigint from refunds r where r.sale_id = s.id) as reported,
       (select count(*) from decisions d where d.sale_id = s.id and d.kind = 'sale' and d.outcome = 'recorded') as count
     from sales s left join commissions m on m.sale_id = s.id`,
    [],
  );
}

/** The sums that reports show, as far as they differ from the rows: results by day, and clicks by hour. */
export async function compareReports(
  db: Queryable,
  acknowledged: { clicks: number; leads: number },
): Promise<string[]> {
  const counts = ['leads', 'first_sales', 'sales', 'revenue_cents', 'refunded_cents', 'commission_cents'];
  const columns = counts.join(', ');
  const days = await db.query<{ key: string }>(
    `select concat_ws(' ', program_id, day, currency) as key from (
       select program_id, day, currency, ${columns} from result_days
       union all select program_id, day, currency, ${columns} from result_deltas
       union all select program_id, (at at time zone 'UTC')::date, currency, ${counts.map((name) => `-${name}`).join(', ')}
         from results) differences
     group by program_id, day, currency having ${counts.map((name) => `sum(${name}) <> 0`).join(' or ')}`,
    [],
  );
  const [sums] = await db.query<{ rows: number; counted: number; leads: number }>(
    `select (select count(*) from clicks) as rows,
       (select coalesce(sum(clicks), 0)::bigint from (
         select clicks from click_hours union all select clicks from click_deltas) counted) as counted,
       (select count(*) from customers where lead_at is not null) as leads`,
    [],
  );
  const { rows = 0, counted = 0, leads = 0 } = sums ?? {};
  return [
    ...days.map(({ key }) => `results of ${key} differ from their rows`),
    ...(rows === counted ? [] : [`${counted} clicks are counted, ${rows} are stored`]),
    ...(rows >= acknowledged.clicks ? [] : [`${rows} clicks are stored, ${acknowledged.clicks} were acknowledged`]),
    ...(leads >= acknowledged.leads ? [] : [`${leads} leads are stored, ${acknowledged.leads} were acknowledged`]),
  ];
}
