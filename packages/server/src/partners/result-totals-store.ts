import type { SentNumbers } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import { type Selection, whereClause } from '../db/lists/list-query.ts';
import type { SortColumn } from '../db/lists/sorted-list.ts';
import { toSum } from '../db/lists/sum.ts';

// Totals by link, and what is not rolled up yet.
const RESULTS = `
  select program_id, partner_id, link_id, currency, clicks, leads, sales, revenue_cents, commission_cents, 0 as due_cents
  from counts where span = 'link'
  union all
  select program_id, partner_id, link_id, currency, clicks, leads, sales, revenue_cents, commission_cents, 0 from count_deltas`;

// What is due to partners, which an index holds exactly. It belongs to no link.
const DUE = `
  select program_id, partner_id, null::bigint, currency, 0, 0, 0, 0, 0, due_cents from commissions where due_cents <> 0`;

/** Where the numbers of partners and of links come from, and which column says whose they are. */
const SOURCES = {
  partner: { rows: `${RESULTS} union all ${DUE}`, key: 'partner_id' },
  link: { rows: RESULTS, key: 'link_id' },
} as const;

export type NumbersOf = keyof typeof SOURCES;

/** A join that a list is sorted by: the numbers as one row for each partner or link, amounts in the program's currency. */
export function numbersJoin(of: NumbersOf, programId: string, id: string): string {
  const { rows, key } = SOURCES[of];
  const inOwnCurrency = (sum: string) => `coalesce(sum(${sum}) filter (where r.currency = own.currency), 0)`;
  return `left join (
      select r.program_id, r.${key} as id, sum(r.clicks) as clicks, sum(r.leads) as leads, sum(r.sales) as sales,
        ${inOwnCurrency('r.revenue_cents')} as revenue, ${inOwnCurrency('r.commission_cents')} as commission,
        greatest(${inOwnCurrency('r.due_cents')}, 0) as payable
      from (${rows}) r join programs own on own.id = r.program_id group by 1, 2
    ) numbers on numbers.program_id = ${programId} and numbers.id = ${id}`;
}

/** A number as a sort key. Sums have no bound; beyond what a cursor can hold, the order no longer matters. */
const sortable = (column: string): SortColumn => ({
  sql: `least(coalesce(numbers.${column}, 0), ${Number.MAX_SAFE_INTEGER})::bigint`,
  type: 'number',
});

export const NUMBER_SORTS = {
  clicks: sortable('clicks'),
  leads: sortable('leads'),
  sales: sortable('sales'),
  revenue_cents: sortable('revenue'),
  commission_cents: sortable('commission'),
} as const;

export const PAYABLE_SORT = sortable('payable');

type Row = { id: number | null; currency: string | null; clicks: number; leads: number; sales: number } & Record<
  'revenue_cents' | 'commission_cents' | 'due_cents',
  string
>;

const SUMS = `
  currency, sum(clicks)::bigint as clicks, sum(leads)::bigint as leads, sum(sales)::bigint as sales,
  sum(revenue_cents)::text as revenue_cents, sum(commission_cents)::text as commission_cents, sum(due_cents)::text as due_cents`;

/** The numbers of these partners or links, by id. */
export async function findNumbers(
  db: Queryable,
  of: NumbersOf,
  programId: number,
  ids: number[],
): Promise<(id: number) => SentNumbers> {
  const { rows, key } = SOURCES[of];
  const found = await db.query<Row>(
    `select ${key} as id, ${SUMS} from (${rows}) r where program_id = $1 and ${key} = any ($2::bigint[]) group by 1, 2`,
    [programId, ids],
  );
  return (id) => sumOf(found.filter((row) => row.id === id));
}

/** The numbers of all partners or links in a list. `listed` is the list without its conditions, as ids. */
export async function findNumbersOfList(
  db: Queryable,
  of: NumbersOf,
  programId: number,
  { listed, selection }: { listed: string; selection: Selection },
): Promise<SentNumbers> {
  const { rows, key } = SOURCES[of];
  const params: unknown[] = [programId];
  const where = whereClause(selection, params);
  const found = await db.query<Row>(
    `select null as id, ${SUMS} from (${rows}) r where program_id = $1 and ${key} in (${listed} ${where}) group by 2`,
    params,
  );
  return sumOf(found);
}

/** Adds up rows. Amounts in different currencies are kept apart, in the order of their codes. */
function sumOf(rows: Row[]): SentNumbers {
  const total = (name: 'clicks' | 'leads' | 'sales') => rows.reduce((sum, row) => sum + row[name], 0);
  const money = rows.flatMap(({ currency, ...sums }): SentNumbers['money'] => {
    if (currency === null) return [];
    return [
      {
        currency,
        revenue_cents: toSum(sums.revenue_cents),
        commission_cents: toSum(sums.commission_cents),
        payable_cents: sums.due_cents.startsWith('-') ? 0 : toSum(sums.due_cents),
      },
    ];
  });
  money.sort((a, b) => a.currency.localeCompare(b.currency));
  return { clicks: total('clicks'), leads: total('leads'), sales: total('sales'), money };
}
