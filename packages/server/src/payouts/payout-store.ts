import type { Queryable } from '../db/db.ts';
import { listQuery } from '../db/list-query.ts';

export type PayoutStatus = 'open' | 'paid' | 'cancelled';

export type Payout = {
  id: number;
  partnerId: number;
  partnerName: string;
  partnerEmail: string;
  payoutDetails: string | null;
  accountChangedAt: Date | null;
  currency: string;
  amountCents: number;
  status: PayoutStatus;
  reference: string | null;
  createdAt: Date;
  paidAt: Date | null;
  cancelledAt: Date | null;
};

const SELECT_PAYOUT = `
  select o.id, o.partner_id as "partnerId", p.name as "partnerName", p.email as "partnerEmail",
    u.payout_details as "payoutDetails", p.account_changed_at as "accountChangedAt", o.currency, o.amount_cents as "amountCents", o.status, o.reference,
    o.created_at as "createdAt", o.paid_at as "paidAt", o.cancelled_at as "cancelledAt"
  from payouts o join partners p on p.id = o.partner_id left join users u on u.id = p.user_id`;

export type PayoutFilter = {
  status?: PayoutStatus;
  partnerId: number | null;
  beforeId: number | null;
  limit: number;
};

export function listPayouts(db: Queryable, programId: number, filter: PayoutFilter): Promise<Payout[]> {
  return db.query<Payout>(
    ...listQuery(
      SELECT_PAYOUT,
      [
        ['o.program_id = ?', programId],
        ['o.partner_id = ?', filter.partnerId],
        ['o.status = ?', filter.status],
        ['o.id < ?', filter.beforeId],
      ],
      'o.id desc',
      filter.limit,
    ),
  );
}

export function listPayoutsByIds(db: Queryable, programId: number, ids: number[]): Promise<Payout[]> {
  return db.query<Payout>(`${SELECT_PAYOUT} where o.program_id = $1 and o.id = any ($2::bigint[]) order by o.id`, [
    programId,
    ids,
  ]);
}

/** Finds a payout of the program; for a partner, only one of their own. */
export async function findPayout(
  db: Queryable,
  programId: number,
  payoutId: number,
  partnerId: number | null = null,
): Promise<Payout | null> {
  const [payout] = await db.query<Payout>(
    `${SELECT_PAYOUT} where o.program_id = $1 and o.id = $2 and ($3::bigint is null or o.partner_id = $3)`,
    [programId, payoutId, partnerId],
  );
  return payout ?? null;
}

export type PayoutLine = {
  id: number;
  saleId: number;
  transactionId: string;
  amountCents: number;
  createdAt: Date;
};

/** The lines of a payout, newest commissions first; `id` is the commission's. */
export function listPayoutLines(
  db: Queryable,
  payoutId: number,
  beforeId: number | null,
  limit: number,
): Promise<PayoutLine[]> {
  return db.query<PayoutLine>(
    `select m.id, m.sale_id as "saleId", s.processor_event_id as "transactionId", l.amount_cents as "amountCents",
       m.created_at as "createdAt"
     from payout_lines l join commissions m on m.id = l.commission_id join sales s on s.id = m.sale_id
     where l.payout_id = $1 and ($2::bigint is null or l.commission_id < $2)
     order by l.commission_id desc limit $3`,
    [payoutId, beforeId, limit],
  );
}

export type Payable = { partnerId: number; currency: string };

/** Partners and currencies with a positive balance. */
export function listPayable(
  db: Queryable,
  programId: number,
  only: { partnerId?: number; currency?: string },
  limit: number,
): Promise<Payable[]> {
  return db.query<Payable>(
    `select partner_id as "partnerId", currency from commissions
     where program_id = $1 and due_cents <> 0 and ($2::bigint is null or partner_id = $2)
       and ($3::text is null or currency = $3)
     group by 1, 2 having sum(due_cents) > 0 order by 1, 2 limit $4`,
    [programId, only.partnerId ?? null, only.currency ?? null, limit],
  );
}

export type NewPayout = Payable & { programId: number; amountCents: number };

/** What a payout pays for one commission; negative for a refund after an earlier payout. */
export type NewPayoutLine = { commissionId: number; amountCents: number };

export async function insertPayout(
  db: Queryable,
  payout: NewPayout,
  lines: NewPayoutLine[],
  now: Date,
): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    `insert into payouts (program_id, partner_id, currency, amount_cents, created_at)
     values ($1, $2, $3, $4, $5) returning id`,
    [payout.programId, payout.partnerId, payout.currency, payout.amountCents, now],
  );
  const { id } = row as { id: number };
  const rows = lines.map((line) => ({ commission_id: line.commissionId, amount_cents: line.amountCents }));
  await db.query(
    `insert into payout_lines (payout_id, commission_id, amount_cents)
     select $1, commission_id, amount_cents from json_populate_recordset(null::payout_lines, $2::json)`,
    [id, JSON.stringify(rows)],
  );
  return id;
}

/** Marks the payout as paid; false when it is not open. */
export async function updatePaid(
  db: Queryable,
  programId: number,
  payoutId: number,
  reference: string | null,
  now: Date,
): Promise<boolean> {
  const rows = await db.query(
    `update payouts set status = 'paid', paid_at = $3, reference = $4
     where program_id = $1 and id = $2 and status = 'open' returning id`,
    [programId, payoutId, now, reference],
  );
  return rows.length > 0;
}

/** Marks the payout as cancelled; false when it is not open. */
export async function updateCancelled(db: Queryable, programId: number, payoutId: number, now: Date): Promise<boolean> {
  const rows = await db.query(
    `update payouts set status = 'cancelled', cancelled_at = $3
     where program_id = $1 and id = $2 and status = 'open' returning id`,
    [programId, payoutId, now],
  );
  return rows.length > 0;
}

/** Every line of a payout. */
export function listAllLines(db: Queryable, payoutId: number): Promise<NewPayoutLine[]> {
  return db.query<NewPayoutLine>(
    'select commission_id as "commissionId", amount_cents as "amountCents" from payout_lines where payout_id = $1',
    [payoutId],
  );
}
