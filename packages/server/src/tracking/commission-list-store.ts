import type { Queryable } from '../db/db.ts';

export type CommissionStage = 'pending' | 'approved' | 'paid' | 'rejected';

export type ListedCommission = {
  id: number;
  saleId: number;
  transactionId: string;
  partnerId: number;
  status: string;
  stage: CommissionStage;
  commissionCents: number;
  deductedCents: number;
  currency: string;
  approveAfter: Date;
  createdAt: Date;
};

// What callers see as one status: a rejection stands, then what was refunded shows, then the stage.
const STATUS = `case when m.stage = 'rejected' then 'rejected' when m.reversal = 'full' then 'reversed'
  when m.reversal = 'partial' then 'partially_reversed' else m.stage end`;

const SELECT_COMMISSION = `
  select m.id, m.sale_id as "saleId", s.processor_event_id as "transactionId", m.partner_id as "partnerId",
    ${STATUS} as status, m.stage, m.commission_cents as "commissionCents", m.deducted_cents as "deductedCents",
    m.currency, m.approve_after as "approveAfter", m.created_at as "createdAt"
  from commissions m join sales s on s.id = m.sale_id
  where m.program_id = $1`;

export type CommissionFilter = {
  status?: string;
  partnerId: number | null;
  transactionId?: string;
  from?: Date;
  to?: Date;
  beforeId: number | null;
  limit: number;
};

export function listCommissions(
  db: Queryable,
  programId: number,
  filter: CommissionFilter,
): Promise<ListedCommission[]> {
  return db.query<ListedCommission>(
    `${SELECT_COMMISSION} and ($2::text is null or ${STATUS} = $2) and ($3::bigint is null or m.partner_id = $3)
       and ($4::text is null or s.processor_event_id = $4)
       and ($5::timestamptz is null or m.created_at >= $5) and ($6::timestamptz is null or m.created_at < $6)
       and ($7::bigint is null or m.id < $7)
     order by m.id desc limit $8`,
    [
      programId,
      filter.status ?? null,
      filter.partnerId,
      filter.transactionId ?? null,
      filter.from ?? null,
      filter.to ?? null,
      filter.beforeId,
      filter.limit,
    ],
  );
}

export async function findCommission(
  db: Queryable,
  programId: number,
  commissionId: number,
): Promise<ListedCommission | null> {
  const [row] = await db.query<ListedCommission>(`${SELECT_COMMISSION} and m.id = $2`, [programId, commissionId]);
  return row ?? null;
}

/** Moves the commission on if it is still at one of the stages it may come from. */
export async function updateStage(
  db: Queryable,
  commissionId: number,
  from: CommissionStage[],
  to: CommissionStage,
  now: Date,
): Promise<boolean> {
  const rows = await db.query(
    `update commissions set stage = $3, approved_at = case when $3 = 'approved' then $4 else approved_at end
     where id = $1 and stage = any ($2::text[]) and (reversal <> 'full' or $3 = 'rejected') returning id`,
    [commissionId, from, to, now],
  );
  return rows.length > 0;
}
