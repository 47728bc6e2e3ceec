import type { Queryable } from '@svc/server/db/db';
import { compareReports } from './compare-reports.ts';
import { type Amounts, expectedAmounts, type Lead, type Sale } from './model.ts';

/** What was acknowledged. */
export type Acknowledged = { clicks: string[]; leads: Lead[]; sales: Sale[]; unknownClicks: number };

/** `lost` is absent, `wrong` is there and differs, `doubled` is there more than once. */
export type Differences = { lost: string[]; doubled: string[]; wrong: string[]; reports: string[] };

/** Compares every acknowledged event with what is stored, to the cent, and the reports with the rows. */
export async function compareStore(db: Queryable, acknowledged: Acknowledged): Promise<Differences> {
  const found: Differences = { lost: [], doubled: [], wrong: [], reports: await compareReports(db) };
  await compareClicks(db, acknowledged, found);
  await compareLeads(db, acknowledged.leads, found);
  await compareSales(db, acknowledged.sales, found);
  await compareRefunds(db, acknowledged.sales, found);
  return found;
}

/** Each acknowledged click is stored once. Of those without an answer, any number may be stored. */
async function compareClicks(
  db: Queryable,
  { clicks, unknownClicks }: Acknowledged,
  found: Differences,
): Promise<void> {
  const rows = await db.query<{ id: string; count: number }>(
    `select concat('cust_', c.id, '_', (extract(epoch from c.clicked_at) * 1000)::bigint) as id,
       (select count(*) from clicks k where k.customer_id = c.id) as count
     from customers c where c.clicked_at is not null`,
    [],
  );
  const stored = new Map(rows.map(({ id, count }) => [id, count]));
  for (const id of clicks) {
    const count = stored.get(id) ?? 0;
    if (count === 0) found.lost.push(`click ${id}`);
    if (count > 1) found.doubled.push(`click ${id}: ${count} rows`);
  }
  const repeated = clicks.length - new Set(clicks).size;
  if (repeated > 0) found.wrong.push(`${repeated} click ids were given to two visitors`);
  const others = rows.length - clicks.length;
  if (others > unknownClicks) {
    found.doubled.push(
      `${others} clicks besides the acknowledged ones are stored, but only ${unknownClicks} had no answer`,
    );
  }
}

/** Each signup is stored once, with the customer of its click. */
async function compareLeads(db: Queryable, leads: Lead[], found: Differences): Promise<void> {
  const rows = await db.query<{ id: string; clickId: string; signups: number }>(
    `select concat(program_id, ' ', customer_key) as id,
       concat('cust_', c.id, '_', (extract(epoch from c.clicked_at) * 1000)::bigint) as "clickId",
       (select count(*) from decisions d where d.customer_id = c.id and d.kind = 'lead' and d.outcome = 'recorded') as signups
     from customers c where customer_key is not null and lead_at is not null`,
    [],
  );
  const stored = new Map(rows.map((row) => [row.id, row]));
  for (const { programId, customerKey, clickId } of leads) {
    const row = stored.get(`${programId} ${customerKey}`);
    if (!row) found.lost.push(`lead ${customerKey}`);
    else if (row.signups > 1) found.doubled.push(`lead ${customerKey}: ${row.signups} decisions`);
    else if (row.signups < 1) found.wrong.push(`lead ${customerKey} has no decision`);
    if (row && row.clickId !== clickId)
      found.wrong.push(`lead ${customerKey}: click ${row.clickId} instead of ${clickId}`);
  }
}

type StoredSale = Amounts & {
  id: string;
  cents: number;
  programId: number;
  sales: number;
  commissions: number;
  decisions: number;
  rows: number;
};

/** Each sale is stored once, with one commission and one decision, and every amount is the one of the model. */
async function compareSales(db: Queryable, sales: Sale[], found: Differences): Promise<void> {
  const stored = new Map((await listSales(db)).map((row) => [row.id, row]));
  for (const sale of sales) {
    const row = stored.get(sale.id);
    if (!row) {
      found.lost.push(`sale ${sale.id}`);
      continue;
    }
    if (Math.max(row.sales, row.commissions, row.decisions) > 1) {
      const counts = `${row.sales} rows, ${row.commissions} commissions, ${row.decisions} decisions`;
      found.doubled.push(`sale ${sale.id}: ${counts}`);
    }
    const amounts = expectedAmounts(sale);
    const once = { sales: 1, commissions: 1, decisions: 1 };
    const expected = { ...amounts, ...once, cents: sale.cents, programId: sale.programId, rows: amounts.refunded };
    const fields = Object.keys(expected) as (keyof typeof expected)[];
    const isDoubled = (field: keyof typeof expected) => field in once && row[field] > 1;
    const differing = fields.filter((field) => row[field] !== expected[field] && !isDoubled(field));
    if (differing.length === 0) continue;
    const parts = differing.map((field) => `${field} ${row[field]} instead of ${expected[field]}`);
    found.wrong.push(`sale ${sale.id} (${sale.cents}): ${parts.join(', ')}`);
  }
}

function listSales(db: Queryable): Promise<StoredSale[]> {
  return db.query<StoredSale>(
    `select s.processor_event_id as id, s.program_id as "programId", s.amount_cents as cents,
       s.refunded_cents as refunded, coalesce(m.commission_cents, -1) as commission,
       coalesce(m.deducted_cents, -1) as deducted,
       count(*) over (partition by s.processor_event_id) as sales,
       (select count(*) from commissions each where each.sale_id = s.id) as commissions,
       (select coalesce(sum(amount_cents), 0)::bigint from refunds r where r.sale_id = s.id) as rows,
       (select coalesce(sum(reported_cents), 0)::bigint from refunds r where r.sale_id = s.id) as reported,
       coalesce(d.count, 0) as decisions
     from sales s left join commissions m on m.sale_id = s.id
       left join (
         select sale_id, count(*) from decisions where kind = 'sale' and outcome = 'recorded' group by sale_id
       ) d on d.sale_id = s.id`,
    [],
  );
}

/** Each refund that the shop sent is stored once, under its id. What was refunded in all is compared with the sale. */
async function compareRefunds(db: Queryable, sales: Sale[], found: Differences): Promise<void> {
  const rows = await db.query<{ id: string; count: number }>(
    'select refund_key as id, count(*) as count from refunds where refund_key is not null group by refund_key',
    [],
  );
  const stored = new Map(rows.map(({ id, count }) => [id, count]));
  for (const { id } of sales.flatMap(({ refunds }) => refunds)) {
    const count = stored.get(id) ?? 0;
    if (count === 0) found.lost.push(`refund ${id}`);
    if (count > 1) found.doubled.push(`refund ${id}: ${count} rows`);
  }
}
