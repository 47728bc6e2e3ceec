import type {
  CommissionBase,
  CommissionKind,
  CommissionSort,
  CommissionStage,
  CommissionStatus,
  CommissionType,
  HoldReason,
} from '@svc/contract';
import { COMMISSION_STATUS } from '../../commissions/commission-state.ts';
import type { Queryable } from '../../db/db.ts';
import { type Condition, selectList } from '../../db/list-query.ts';
import {
  findTotals,
  type ListSource,
  listSorted,
  type PageOf,
  type Positioned,
  type Totals,
  textSort,
} from '../../db/sorted-list.ts';
import { commissionSearchCondition, type SaleSearch } from './sale-search-store.ts';

export type ListedCommission = {
  id: number;
  kind: CommissionKind;
  saleId: number | null;
  transactionId: string | null;
  customerId: number | null;
  customerKey: string | null;
  partnerId: number;
  partnerName: string;
  status: CommissionStatus;
  stage: CommissionStage;
  commissionCents: number;
  amountCents: number | null;
  saleCurrency: string | null;
  taxCents: number | null;
  shippingCents: number | null;
  commissionType: CommissionType;
  /** An exact decimal. */
  commissionRate: string;
  commissionBase: CommissionBase;
  termsVersion: number | null;
  rule: number | null;
  /** What the rule says. Null if it is the commission settings, or not known. */
  ruleDescription: string | null;
  recurringMonths: number | null;
  reason: string | null;
  deductedCents: number;
  currency: string;
  approveAfter: Date;
  holdReason: HoldReason | null;
  rejectionReason: string | null;
  /** The latest payout that pays for it and was not cancelled. */
  payoutId: number | null;
  paidAt: Date | null;
  createdAt: Date;
};

export type CommissionFilter = {
  kind?: CommissionKind;
  status?: CommissionStatus;
  stage?: CommissionStage;
  partnerId: number | null;
  transactionId?: string;
  search?: SaleSearch;
  from?: Date;
  to?: Date;
};

type CommissionSum = 'commissionCents' | 'deductedCents';

const SOURCE: ListSource<ListedCommission, CommissionSort, CommissionSum> = {
  table: 'commissions m',
  id: 'm.id',
  joins: `left join sales s on s.id = m.sale_id left join partners p on p.id = m.partner_id
    left join customers c on c.id = coalesce(s.customer_id, m.customer_id)`,
  pageJoins: `left join lateral (
      select l.payout_id, o.paid_at from payout_lines l join payouts o on o.id = l.payout_id
      where l.commission_id = m.id and l.amount_cents > 0 and o.status <> 'cancelled'
      order by l.payout_id desc limit 1
    ) payout on true
    left join terms_versions v on v.program_id = m.program_id and v.version = m.terms_version`,
  columns: {
    id: 'm.id',
    kind: 'm.kind',
    saleId: 'm.sale_id',
    transactionId: 's.processor_event_id',
    customerId: 'c.id',
    customerKey: 'c.customer_key',
    partnerId: 'm.partner_id',
    partnerName: 'p.name',
    status: COMMISSION_STATUS,
    stage: 'm.stage',
    commissionCents: 'm.commission_cents',
    amountCents: 's.amount_cents',
    saleCurrency: 's.currency',
    taxCents: 's.tax_cents',
    shippingCents: 's.shipping_cents',
    commissionType: 'm.commission_type',
    commissionRate: 'm.commission_rate::text',
    commissionBase: `coalesce(s.commission_base, 'gross')`,
    termsVersion: 'coalesce(m.terms_version, s.terms_version)',
    rule: 'm.rule',
    ruleDescription: `v.rules -> (m.rule - 1) ->> 'description'`,
    recurringMonths: 'v.recurring_months',
    reason: 'm.reason',
    deductedCents: 'm.deducted_cents',
    currency: 'm.currency',
    approveAfter: 'm.approve_after',
    holdReason: 'm.hold_reason',
    rejectionReason: 'm.rejection_reason',
    payoutId: 'payout.payout_id',
    paidAt: 'payout.paid_at',
    createdAt: 'm.created_at',
  },
  sorts: {
    created_at: { sql: 'm.created_at', type: 'time' },
    commission_cents: { sql: 'm.commission_cents - m.deducted_cents', type: 'number' },
    sale_cents: { sql: 'coalesce(s.amount_cents, 0)', type: 'number' },
    partner_name: textSort('p.name'),
  },
  sums: { currency: 'm.currency', of: { commissionCents: 'm.commission_cents', deductedCents: 'm.deducted_cents' } },
};

export const COMMISSION_SORT_COLUMNS = SOURCE.sorts;

const conditions = (programId: number, filter: CommissionFilter): Condition[] => [
  ['m.program_id = ?', programId],
  ['m.partner_id = ?', filter.partnerId],
  ['m.kind = ?', filter.kind],
  [`${COMMISSION_STATUS} = ?`, filter.status],
  ['m.stage = ?', filter.stage],
  ['s.processor_event_id = ?', filter.transactionId],
  commissionSearchCondition(programId, filter.search),
  // Partners cannot find out about the customers of partners whom they recruited.
  ...(filter.search?.withoutEmailKeys ? [[`m.kind <> 'override'`] as Condition] : []),
  ['m.created_at >= ?', filter.from],
  ['m.created_at < ?', filter.to],
];

export function listCommissions(
  db: Queryable,
  programId: number,
  filter: CommissionFilter,
  page: PageOf<CommissionSort>,
): Promise<Positioned<ListedCommission>[]> {
  return listSorted(db, SOURCE, conditions(programId, filter), page);
}

export function findCommissionTotals(
  db: Queryable,
  programId: number,
  filter: CommissionFilter,
): Promise<Totals<CommissionSum>> {
  return findTotals(db, SOURCE, conditions(programId, filter));
}

export async function findCommission(
  db: Queryable,
  programId: number,
  commissionId: number,
): Promise<ListedCommission | null> {
  const { table, joins, pageJoins, columns } = SOURCE;
  const [commission] = await db.query<ListedCommission>(
    `select ${selectList(columns)} from ${table} ${joins} ${pageJoins} where m.program_id = $1 and m.id = $2`,
    [programId, commissionId],
  );
  return commission ?? null;
}
