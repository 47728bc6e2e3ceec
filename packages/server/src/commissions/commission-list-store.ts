import type { CommissionStage, CommissionStatus } from '@svc/contract';
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
  deductedCents: number;
  currency: string;
  approveAfter: Date;
  createdAt: Date;
};

/** What callers see as one status of a commission `m`: a rejection stands, then what was refunded shows, then the stage. */
export const COMMISSION_STATUS = `case when m.stage = 'rejected' then 'rejected' when m.reversal = 'full' then 'reversed'
  when m.reversal = 'partial' then 'partially_reversed' else m.stage end`;

const SELECT_COMMISSION = `
  select m.id, m.sale_id as "saleId", s.processor_event_id as "transactionId", s.customer_id as "customerId",
    m.partner_id as "partnerId", p.name as "partnerName", m.settled_cents <> 0 as "isInPayout",
    ${COMMISSION_STATUS} as status, m.stage, m.commission_cents as "commissionCents", m.deducted_cents as "deductedCents",
    m.currency, m.approve_after as "approveAfter", m.created_at as "createdAt"
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

/**
 * Moves those of the commissions on that are still at one of the stages they may come from, and returns their ids. They are
 * held in one order, so that nobody who moves some of the same waits for ever. One in a payout cannot be rejected.
 */
export async function updateStages(
  db: Queryable,
  programId: number,
  commissionIds: number[],
  from: CommissionStage[],
  to: CommissionStage,
  now: Date,
): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `with held as materialized (
       select id from commissions
       where program_id = $1 and id = any ($2::bigint[]) and stage = any ($3::text[])
         and (case when $4 = 'rejected' then settled_cents = 0 else reversal <> 'full' end)
       order by id for update
     )
     update commissions c set stage = $4, approved_at = case when $4 = 'approved' then $5 else approved_at end
     from held where c.id = held.id returning c.id`,
    [programId, commissionIds, from, to, now],
  );
  return rows.map(({ id }) => id);
}
