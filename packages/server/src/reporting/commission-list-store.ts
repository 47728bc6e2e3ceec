import type { CommissionBase, CommissionStage, CommissionStatus, CommissionType, HoldReason } from '@svc/contract';
import { COMMISSION_STATUS } from '../commissions/commission-state.ts';
import type { Queryable } from '../db/db.ts';
import { listQuery, prefixBounds } from '../db/list-query.ts';

export type ListedCommission = {
  id: number;
  saleId: number;
  transactionId: string;
  customerId: number | null;
  partnerId: number;
  partnerName: string;
  isInPayout: boolean;
  status: CommissionStatus;
  stage: CommissionStage;
  commissionCents: number;
  amountCents: number;
  taxCents: number | null;
  shippingCents: number | null;
  commissionType: CommissionType;
  commissionBase: CommissionBase;
  termsVersion: number | null;
  deductedCents: number;
  currency: string;
  approveAfter: Date;
  holdReason: HoldReason | null;
  createdAt: Date;
};

const SELECT_COMMISSION = `
  select m.id, m.sale_id as "saleId", s.processor_event_id as "transactionId", s.customer_id as "customerId",
    m.partner_id as "partnerId", p.name as "partnerName", m.settled_cents <> 0 as "isInPayout",
    ${COMMISSION_STATUS} as status, m.stage, m.commission_cents as "commissionCents", s.amount_cents as "amountCents",
    s.tax_cents as "taxCents", s.shipping_cents as "shippingCents",
    m.commission_type as "commissionType", coalesce(s.commission_base, 'gross') as "commissionBase", s.terms_version as "termsVersion",
    m.deducted_cents as "deductedCents", m.currency, m.approve_after as "approveAfter", m.hold_reason as "holdReason",
    m.created_at as "createdAt"
  from commissions m join sales s on s.id = m.sale_id join partners p on p.id = m.partner_id`;

export type CommissionFilter = {
  status?: CommissionStatus;
  stage?: CommissionStage;
  partnerId: number | null;
  transactionId?: string;
  transactionPrefix?: string;
  from?: Date;
  to?: Date;
  before: { at: Date; id: number } | null;
  limit: number;
};

export function listCommissions(
  db: Queryable,
  programId: number,
  filter: CommissionFilter,
): Promise<ListedCommission[]> {
  return db.query<ListedCommission>(
    ...listQuery(
      SELECT_COMMISSION,
      [
        ['m.program_id = ?', programId],
        ['m.partner_id = ?', filter.partnerId],
        [`${COMMISSION_STATUS} = ?`, filter.status],
        ['m.stage = ?', filter.stage],
        ['s.processor_event_id = ?', filter.transactionId],
        ['s.processor_event_id >= ? and s.processor_event_id < ?', ...prefixBounds(filter.transactionPrefix)],
        ['m.created_at >= ?', filter.from],
        ['m.created_at < ?', filter.to],
        ['(m.created_at, m.id) < (?, ?)', filter.before?.at, filter.before?.id],
      ],
      'm.created_at desc, m.id desc',
      filter.limit,
    ),
  );
}

export function listCommissionsByIds(db: Queryable, programId: number, ids: number[]): Promise<ListedCommission[]> {
  return db.query<ListedCommission>(`${SELECT_COMMISSION} where m.program_id = $1 and m.id = any ($2::bigint[])`, [
    programId,
    ids,
  ]);
}

export async function findCommission(
  db: Queryable,
  programId: number,
  commissionId: number,
): Promise<ListedCommission | null> {
  const [commission] = await listCommissionsByIds(db, programId, [commissionId]);
  return commission ?? null;
}
