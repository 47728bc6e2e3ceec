import type { PayoutRow } from '@svc/contract';
import { bookPayouts } from '../books/book-entry-store.ts';
import { IS_PREPARED } from '../commissions/payout-coverage-store.ts';
import type { Queryable } from '../db/db.ts';
import { slicesOf } from '../db/slices.ts';
import type { ChosenPayout } from './payout-lines.ts';

export type PayoutStatus = PayoutRow['status'];

/** What a payout pays for one commission; negative for a refund after an earlier payout. */
export type PayoutLine = { commissionId: number; amountCents: number };

// Ids are assigned in input order, so sorting them matches them to the payouts. They are taken first, because banks name the
// payouts of a run after them. Arrays cost the database less than one JSON text.
const INSERT_PAYOUTS = `
  with written as (
    insert into payouts (id, program_id, partner_id, currency, amount_cents, created_at, run_id, method_id, method_kind,
      method_masked, end_to_end_id)
    overriding system value
    select id, $1::bigint, partner_id, currency, amount_cents, $2::timestamptz, run_id, method_id, method_kind,
      method_masked, case when run_id is not null then 'P' || id end
    from (
      select nextval('payouts_id_seq') as id, sent.* from (
        select * from unnest($3::bigint[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[], $9::text[])
          with ordinality i (partner_id, currency, amount_cents, run_id, method_id, method_kind, method_masked, ordinality)
        order by ordinality
      ) sent
    ) numbered returning *
  ), ${bookPayouts('payout_created', 'o.created_at', 'payable_cents', 'in_payouts_cents', 'written o')}
  select id from written`;

/** The run that a payout is part of, and what it is paid to. */
export type RunPart = { runId: number; methodId: number; methodKind: string; methodMasked: string };

/** Inserts payouts with their lines and returns their ids in the same order. */
export async function insertPayouts(
  db: Queryable,
  programId: number,
  payouts: (ChosenPayout & { part?: RunPart })[],
  now: Date,
): Promise<number[]> {
  const ids: number[] = [];
  for (const slice of slicesOf(payouts)) {
    const inserted = await db.query<{ id: number }>(INSERT_PAYOUTS, [
      programId,
      now,
      slice.map(({ partnerId }) => partnerId),
      slice.map(({ currency }) => currency),
      slice.map(({ amountCents }) => amountCents),
      slice.map(({ part }) => part?.runId ?? null),
      slice.map(({ part }) => part?.methodId ?? null),
      slice.map(({ part }) => part?.methodKind ?? null),
      slice.map(({ part }) => part?.methodMasked ?? null),
    ]);
    ids.push(...inserted.map(({ id }) => id).sort((one, other) => one - other));
  }
  const lines = payouts.flatMap(({ covered }, index) => covered.map((line) => ({ ...line, payoutId: ids[index] })));
  for (const slice of slicesOf(lines)) {
    await db.query(
      `insert into payout_lines (payout_id, commission_id, amount_cents)
       select * from unnest($1::bigint[], $2::bigint[], $3::bigint[])`,
      [slice.map(({ payoutId }) => payoutId), slice.map(({ id }) => id), slice.map(({ dueCents }) => dueCents)],
    );
  }
  return ids;
}

/** Says why no file holds these payouts of a run. */
export async function updateNotInFile(db: Queryable, reasons: { id: number; reason: string }[]): Promise<void> {
  const rows = reasons.map(({ id, reason }) => ({ id, not_in_file: reason }));
  await db.query(
    `update payouts o set not_in_file = i.not_in_file
     from json_populate_recordset(null::payouts, $1::json) i where o.id = i.id`,
    [JSON.stringify(rows)],
  );
}

/** A payout, and the run that it is part of, if any. */
export type LockedPayout = {
  id: number;
  status: PayoutStatus;
  reference: string | null;
  notInFile: string | null;
  runId: number | null;
};

/** Locks these payouts of the program, in their order. Those of other programs, and of runs that are being prepared, are left out. */
export function lockPayouts(db: Queryable, programId: number, payoutIds: number[]): Promise<LockedPayout[]> {
  return db.query<LockedPayout>(
    `select o.id, o.status, o.reference, o.not_in_file as "notInFile", o.run_id as "runId" from payouts o
     where o.program_id = $1 and o.id = any ($2::bigint[]) and ${IS_PREPARED} order by o.id for update`,
    [programId, payoutIds],
  );
}

/** Marks payouts as sent to the bank or payment service. */
export async function updateSent(db: Queryable, payoutIds: number[], now: Date): Promise<void> {
  await db.query(`update payouts set status = 'sent', sent_at = $2 where id = any ($1::bigint[])`, [payoutIds, now]);
}

/** Marks payouts as paid. */
export async function updatePaid(
  db: Queryable,
  paid: { id: number; reference: string | null }[],
  now: Date,
): Promise<void> {
  for (const slice of slicesOf(paid)) {
    await db.query(
      `with written as (
         update payouts o set status = 'paid', paid_at = $2, reference = i.reference
         from json_populate_recordset(null::payouts, $1::json) i where o.id = i.id returning o.*
       ), ${bookPayouts('payout_paid', '$2', 'in_payouts_cents', 'paid_cents', 'written o')}
       select 1`,
      [JSON.stringify(slice), now],
    );
  }
}

/** Marks payouts as cancelled. */
export async function updateCancelled(db: Queryable, payoutIds: number[], now: Date): Promise<void> {
  for (const ids of slicesOf(payoutIds)) {
    await db.query(
      `with written as (
         update payouts set status = 'cancelled', cancelled_at = $2 where id = any ($1::bigint[]) returning *
       ), ${bookPayouts('payout_undone', '$2', 'in_payouts_cents', 'payable_cents', 'written o')}
       select 1`,
      [ids, now],
    );
  }
}

/** Why a payout did not arrive. */
export type Unpaid = { id: number; reason: string; code: string | null; reference?: string | undefined };

/** Marks payouts as failed, or as returned if they came back. */
export async function updateUnpaid(
  db: Queryable,
  status: 'failed' | 'returned',
  unpaid: Unpaid[],
  now: Date,
): Promise<void> {
  const rows = unpaid.map(({ id, reason, code, reference }) => {
    return { id, failure_reason: reason, failure_code: code, reference: reference ?? null };
  });
  for (const slice of slicesOf(rows)) {
    await db.query(
      `with before as materialized (
         select o.id, o.status as was, i.failure_reason, i.failure_code, i.reference
         from json_populate_recordset(null::payouts, $1::json) i join payouts o on o.id = i.id
       ), written as (
         update payouts o set status = $2, ${status}_at = $3, failure_reason = i.failure_reason, failure_code = i.failure_code,
           reference = coalesce(i.reference, o.reference)
         from before i where o.id = i.id returning o.*, i.was
       ), ${bookPayouts('payout_undone', '$3', 'in_payouts_cents', 'payable_cents', `written o where o.was <> 'paid'`)},
       ${bookPayouts('payout_undone', '$3', 'paid_cents', 'payable_cents', `written o where o.was = 'paid'`, 'booked_back')}
       select 1`,
      [JSON.stringify(slice), status, now],
    );
  }
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

/**
 * Forgets where payouts went that are of erased partners, or to these payout methods; how they were paid stays. In one statement:
 * deleting the methods would change the rows again, and then Postgres also locks their runs, whose steps may wait for these rows.
 */
export async function updatePayoutsErased(
  db: Queryable,
  { partnerIds, methodIds }: { partnerIds: number[]; methodIds: number[] },
): Promise<void> {
  await db.query(
    `update payouts set method_masked = null, method_id = null
     where (partner_id = any ($1::bigint[]) or method_id = any ($2::bigint[]))
       and (method_masked is not null or method_id is not null)`,
    [partnerIds, methodIds],
  );
}
