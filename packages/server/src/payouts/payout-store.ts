import type { PayoutRow } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import type { ChosenPayout } from './payout-lines.ts';

export type PayoutStatus = PayoutRow['status'];

/** What a payout pays for one commission; negative for a refund after an earlier payout. */
export type PayoutLine = { commissionId: number; amountCents: number };

// Ids are assigned in input order, so sorting them matches them to the payouts.
const INSERT_PAYOUTS = `
  insert into payouts (program_id, partner_id, currency, amount_cents, created_at)
  select program_id, partner_id, currency, amount_cents, created_at
  from json_populate_recordset(null::payouts, $1::json) with ordinality order by ordinality returning id`;

/** Inserts payouts with their lines and returns their ids in the same order. */
export async function insertPayouts(
  db: Queryable,
  programId: number,
  payouts: ChosenPayout[],
  now: Date,
): Promise<number[]> {
  const rows = payouts.map(({ partnerId, currency, amountCents }) => {
    return { program_id: programId, partner_id: partnerId, currency, amount_cents: amountCents, created_at: now };
  });
  const inserted = await db.query<{ id: number }>(INSERT_PAYOUTS, [JSON.stringify(rows)]);
  const ids = inserted.map(({ id }) => id).sort((one, other) => one - other);
  const lines = payouts.flatMap(({ covered }, index) =>
    covered.map(({ id, dueCents }) => ({ payout_id: ids[index], commission_id: id, amount_cents: dueCents })),
  );
  await db.query(
    `insert into payout_lines (payout_id, commission_id, amount_cents)
     select payout_id, commission_id, amount_cents from json_populate_recordset(null::payout_lines, $1::json)`,
    [JSON.stringify(lines)],
  );
  return ids;
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

/** Marks the payout as failed, and returns what it was; null when it is neither open nor paid. */
export async function updateFailed(
  db: Queryable,
  programId: number,
  payoutId: number,
  { reason, now }: { reason: string; now: Date },
): Promise<PayoutStatus | null> {
  const [row] = await db.query<{ status: PayoutStatus }>(
    `with payable as materialized (
       select id, status from payouts where program_id = $1 and id = $2 and status in ('open', 'paid') for update
     )
     update payouts o set status = 'failed', failed_at = $3, failure_reason = $4
     from payable where o.id = payable.id returning payable.status`,
    [programId, payoutId, now, reason],
  );
  return row?.status ?? null;
}

/** Every line of these payouts. */
export function listAllLines(db: Queryable, payoutIds: number[]): Promise<PayoutLine[]> {
  return db.query<PayoutLine>(
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

/** Forgets where the payouts of erased partners went; how they were paid stays. */
export async function updatePayoutsErased(db: Queryable, partnerIds: number[]): Promise<void> {
  await db.query(
    'update payouts set method_masked = null where partner_id = any ($1::bigint[]) and method_masked is not null',
    [partnerIds],
  );
}
