import type { BalanceRow, BalanceSort } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import {
  andFilters,
  type Condition,
  inProgram,
  type ProgramScope,
  selectList,
  whereClause,
} from '../db/lists/list-query.ts';
import { type SortColumn, sortColumn, type Totals, timesAsText } from '../db/lists/sorted-list.ts';
import { type Sum, toSum } from '../db/lists/sum.ts';

export type BalanceFilter = {
  currency?: string;
  isPayable?: boolean;
  /** Whether partners who are not active in the program are paid too. */
  includesInactive?: boolean;
  hasPayoutMethod?: boolean;
  partnerIds?: number[];
  search?: string;
};

export type BalancePosition = { key: string | number; partnerId: number; currency: string };
export type BalancePage = {
  sort: { by: BalanceSort; isDescending: boolean };
  after: BalancePosition | null;
  limit: number;
};

export const BALANCE_SORT_COLUMNS: Record<BalanceSort, SortColumn> = {
  partner_id: { sql: 'b.partner_id', type: 'number' },
  partner_name: sortColumn('p.name', 'text'),
  payable_cents: { sql: 'b.payable', type: 'number' },
  pending_cents: { sql: 'b.pending', type: 'number' },
};

const SUMS = ['approved_cents', 'carried_cents', 'pending_cents', 'payable_cents'] as const;
type BalanceSum = (typeof SUMS)[number];

// Sums come as text, because they may be larger than the largest integer of the database.
const COLUMNS: Record<keyof BalanceRow, string> = {
  partner_id: 'b.partner_id',
  partner_name: 'p.name',
  partner_status: 'm.status',
  payout_method_kind: 'y.kind',
  payout_method: 'y.masked',
  account_changed_at: 'p.account_changed_at',
  currency: 'b.currency',
  approved_cents: 'b.approved::text',
  carried_cents: 'b.carried::text',
  pending_cents: 'b.pending::text',
  payable_cents: 'b.payable::text',
  due_commissions: 'b.due',
};

const exactSums = (read: Record<BalanceSum, string>) =>
  Object.fromEntries(SUMS.map((name) => [name, toSum(read[name])])) as Record<BalanceSum, Sum>;

// Two partial indexes hold exactly the rows needed: what is due, and what is on hold.
const balancesOf = (conditions: string) => `
  (
    select partner_id, currency, sum(approved) as approved, sum(carried) as carried, sum(pending) as pending,
      greatest(sum(approved) + sum(carried), 0) as payable, sum(due)::int as due
    from (
      select partner_id, currency, sum(greatest(due_cents, 0)) as approved, sum(least(due_cents, 0)) as carried,
        0 as pending, count(*) as due
      from commissions ${conditions} and due_cents <> 0 group by 1, 2
      union all
      select partner_id, currency, 0, 0, sum(commission_cents - deducted_cents), 0
      from commissions ${conditions} and stage = 'pending' group by 1, 2
    ) parts
    group by 1, 2
    having sum(approved) <> 0 or sum(carried) <> 0 or sum(pending) <> 0
  ) b join partners p on p.id = b.partner_id left join payout_methods y on y.user_id = p.user_id and y.replaced_at is null
  left join memberships m on m.program_id = $1 and m.partner_id = b.partner_id`;

/** The rows of a filter; its values are added to `params`. */
function rowsOf(scope: ProgramScope, filter: BalanceFilter, params: unknown[], more: Condition[] = []): string {
  const balances = balancesOf(
    whereClause(
      {
        scope: inProgram({ program: 'program_id', partner: 'partner_id' }, scope),
        filters: [
          ['currency = ?', filter.currency],
          ['partner_id = any (?::bigint[])', filter.partnerIds],
        ],
      },
      params,
    ),
  );
  const filters: Condition[] = [
    [
      `(b.payable > 0${filter.includesInactive ? '' : " and m.status is not distinct from 'active'"}) = ?`,
      filter.isPayable,
    ],
    ['(y.id is not null) = ?', filter.hasPayoutMethod],
    [`strpos(lower(p.name || ' ' || p.email), lower(?)) > 0`, filter.search],
  ];
  return `from ${balances} where true${andFilters([...filters, ...more], params)}`;
}

export type ListedBalance = { row: BalanceRow; position: BalancePosition };

/** Balances by partner and currency. */
export async function listBalances(
  db: Queryable,
  scope: ProgramScope,
  filter: BalanceFilter,
  { sort, after, limit }: BalancePage,
): Promise<ListedBalance[]> {
  const params: unknown[] = [];
  const { sql: key, type } = BALANCE_SORT_COLUMNS[sort.by];
  const [direction, comparison] = sort.isDescending ? ['desc', '<'] : ['asc', '>'];
  const position = `(${key}, b.partner_id, b.currency)`;
  const rest: Condition = [`${position} ${comparison} (?, ?, ?)`, after?.key, after?.partnerId, after?.currency];
  const from = rowsOf(scope, filter, params, [rest]);
  params.push(limit);
  const rows = await db.query<Record<BalanceSum, string> & { sortKey: string }>(
    `select ${selectList(COLUMNS)}, (${key})::text as "sortKey"
     ${from} order by ${key} ${direction}, b.partner_id ${direction}, b.currency ${direction} limit $${params.length}`,
    params,
  );
  return rows.map(({ sortKey, ...read }) => {
    const row = timesAsText<BalanceRow>({ ...read, ...exactSums(read) });
    const { partner_id: partnerId, currency } = row;
    return { row, position: { key: type === 'text' ? sortKey : Number(sortKey), partnerId, currency } };
  });
}

/** How many balances match, and what they add up to. */
export async function findBalanceTotals(
  db: Queryable,
  scope: ProgramScope,
  filter: BalanceFilter,
): Promise<Totals<BalanceSum>> {
  const params: unknown[] = [];
  const rows = await db.query<{ currency: string; count: number } & Record<BalanceSum, string>>(
    `select b.currency, count(*) as count, sum(b.approved)::text as approved_cents, sum(b.carried)::text as carried_cents,
       sum(b.pending)::text as pending_cents, sum(b.payable)::text as payable_cents
     ${rowsOf(scope, filter, params)} group by 1 order by 1`,
    params,
  );
  return {
    count: rows.reduce((total, { count }) => total + count, 0),
    totals: rows.map((row) => ({ currency: row.currency, count: row.count, ...exactSums(row) })),
  };
}

export type Payable = { partnerId: number; currency: string };

/** Partners and currencies with a positive balance, which may be larger than the largest integer, in a fixed order. */
export async function listPayable(
  db: Queryable,
  scope: ProgramScope,
  filter: BalanceFilter,
  limit: number,
): Promise<(Payable & { payableCents: string })[]> {
  const params: unknown[] = [];
  const from = rowsOf(scope, { ...filter, isPayable: true }, params);
  params.push(limit);
  return db.query<Payable & { payableCents: string }>(
    `select b.partner_id as "partnerId", b.currency, b.payable::text as "payableCents" ${from} order by 1, 2 limit $${params.length}`,
    params,
  );
}
