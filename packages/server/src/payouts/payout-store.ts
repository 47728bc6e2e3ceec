import type { PayoutRow } from '@svc/contract';
import type { Queryable } from '../db/db.ts';

export type PayoutStatus = PayoutRow['status'];

export type NewPayout = { programId: number; partnerId: number; currency: string; amountCents: number };

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

/** Marks those of the payouts that are open as paid, and returns their ids. */
export async function updatePaid(
  db: Queryable,
  programId: number,
  payoutIds: number[],
  reference: string | null,
  now: Date,
): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `with opened as materialized (
       select id from payouts where program_id = $1 and id = any ($2::bigint[]) and status = 'open' order by id for update
     )
     update payouts o set status = 'paid', paid_at = $3, reference = $4 from opened where o.id = opened.id returning o.id`,
    [programId, payoutIds, now, reference],
  );
  return rows.map(({ id }) => id);
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

/** Every line of these payouts. */
export function listAllLines(db: Queryable, payoutIds: number[]): Promise<NewPayoutLine[]> {
  return db.query<NewPayoutLine>(
    `select commission_id as "commissionId", amount_cents as "amountCents" from payout_lines
     where payout_id = any ($1::bigint[])`,
    [payoutIds],
  );
}

export type PayoutRecipient = { userId: string; payoutId: number; currency: string; amountCents: number };

/** The accounts that these payouts are for, with what each is about. Partners without an account are left out. */
export function listPayoutRecipients(
  db: Queryable,
  programId: number,
  payoutIds: number[],
): Promise<PayoutRecipient[]> {
  return db.query<PayoutRecipient>(
    `select p.user_id as "userId", o.id as "payoutId", o.currency, o.amount_cents as "amountCents"
     from payouts o join partners p on p.id = o.partner_id
     where o.program_id = $1 and o.id = any ($2::bigint[]) and p.user_id is not null order by o.id`,
    [programId, payoutIds],
  );
}

/** The statuses of these payouts of the program. */
export function listPayoutStatuses(
  db: Queryable,
  programId: number,
  payoutIds: number[],
): Promise<{ id: number; status: PayoutStatus }[]> {
  return db.query('select id, status from payouts where program_id = $1 and id = any ($2::bigint[])', [
    programId,
    payoutIds,
  ]);
}
