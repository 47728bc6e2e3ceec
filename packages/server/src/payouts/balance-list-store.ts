import type { BalanceSort } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import { type Condition, whereClause } from '../db/list-query.ts';
import { type SortColumn, type Totals, textSort } from '../db/sorted-list.ts';
import { type Sum, toSum } from '../db/sum.ts';

export type Balance = {
  partnerId: number;
  partnerName: string;
  payoutDetails: string | null;
  accountChangedAt: Date | null;
  currency: string;
  approvedCents: Sum;
  carriedCents: Sum;
  pendingCents: Sum;
  payableCents: Sum;
  dueCommissions: number;
};

export type BalanceFilter = {
  partnerId?: number | null;
  currency?: string;
  isPayable?: boolean;
  hasPayoutDetails?: boolean;
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
  partner_name: textSort('p.name'),
  payable_cents: { sql: 'b.payable', type: 'number' },
  pending_cents: { sql: 'b.pending', type: 'number' },
};

type BalanceSum = 'approvedCents' | 'carriedCents' | 'pendingCents' | 'payableCents';

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
  ) b join partners p on p.id = b.partner_id left join users u on u.id = p.user_id`;

const HAS_DETAILS = `(coalesce(u.payout_details, '') <> '')`;

/** The rows of a filter; its values are added to `params`. */
function rowsOf(programId: number, filter: BalanceFilter, params: unknown[], more: Condition[] = []): string {
  const balances = balancesOf(
    whereClause(
      [
        ['program_id = ?', programId],
        ['partner_id = ?', filter.partnerId],
        ['currency = ?', filter.currency],
      ],
      params,
    ),
  );
  const conditions: Condition[] = [
    ['true'],
    ['(b.payable > 0) = ?', filter.isPayable],
    [`${HAS_DETAILS} = ?`, filter.hasPayoutDetails],
    [`strpos(lower(p.name || ' ' || p.email), lower(?)) > 0`, filter.search],
  ];
  return `from ${balances} ${whereClause([...conditions, ...more], params)}`;
}

type Texts = Omit<Balance, BalanceSum> & Record<BalanceSum, string>;

export type PositionedBalance = Balance & { position: BalancePosition };

/** Balances by partner and currency. */
export async function listBalances(
  db: Queryable,
  programId: number,
  filter: BalanceFilter,
  { sort, after, limit }: BalancePage,
): Promise<PositionedBalance[]> {
  const params: unknown[] = [];
  const { sql: key, type } = BALANCE_SORT_COLUMNS[sort.by];
  const [direction, comparison] = sort.isDescending ? ['desc', '<'] : ['asc', '>'];
  const position = `(${key}, b.partner_id, b.currency)`;
  const rest: Condition = [`${position} ${comparison} (?, ?, ?)`, after?.key, after?.partnerId, after?.currency];
  const from = rowsOf(programId, filter, params, [rest]);
  params.push(limit);
  const rows = await db.query<Texts & { sortKey: string }>(
    `select b.partner_id as "partnerId", p.name as "partnerName", u.payout_details as "payoutDetails",
       p.account_changed_at as "accountChangedAt", b.currency, b.approved::text as "approvedCents",
       b.carried::text as "carriedCents", b.pending::text as "pendingCents", b.payable::text as "payableCents",
       b.due as "dueCommissions", (${key})::text as "sortKey"
     ${from} order by ${key} ${direction}, b.partner_id ${direction}, b.currency ${direction} limit $${params.length}`,
    params,
  );
  return rows.map(({ sortKey, ...row }) => ({
    ...row,
    approvedCents: toSum(row.approvedCents),
    carriedCents: toSum(row.carriedCents),
    pendingCents: toSum(row.pendingCents),
    payableCents: toSum(row.payableCents),
    position: {
      key: type === 'text' ? sortKey : Number(sortKey),
      partnerId: row.partnerId,
      currency: row.currency,
    },
  }));
}

/** How many balances match, and what they add up to. */
export async function findBalanceTotals(
  db: Queryable,
  programId: number,
  filter: BalanceFilter,
): Promise<Totals<BalanceSum>> {
  const params: unknown[] = [];
  const rows = await db.query<{ currency: string; count: number } & Record<BalanceSum, string>>(
    `select b.currency, count(*) as count, sum(b.approved)::text as "approvedCents", sum(b.carried)::text as "carriedCents",
       sum(b.pending)::text as "pendingCents", sum(b.payable)::text as "payableCents"
     ${rowsOf(programId, filter, params)} group by 1 order by 1`,
    params,
  );
  return {
    count: rows.reduce((total, { count }) => total + count, 0),
    currencies: rows.map(({ currency, count, ...sums }) => ({
      currency,
      count,
      approvedCents: toSum(sums.approvedCents),
      carriedCents: toSum(sums.carriedCents),
      pendingCents: toSum(sums.pendingCents),
      payableCents: toSum(sums.payableCents),
    })),
  };
}

export type Payable = { partnerId: number; currency: string };

/** Partners and currencies with a positive balance, in a fixed order. */
export function listPayable(
  db: Queryable,
  programId: number,
  filter: BalanceFilter,
  limit: number,
): Promise<Payable[]> {
  const params: unknown[] = [];
  const from = rowsOf(programId, { ...filter, isPayable: true }, params);
  params.push(limit);
  return db.query<Payable>(
    `select b.partner_id as "partnerId", b.currency ${from} order by 1, 2 limit $${params.length}`,
    params,
  );
}
