import type { Queryable } from '../db/db.ts';

export type Payable = { partnerId: number; currency: string };

/** Partners and currencies with a balance above zero, as they stand now. */
export function listPayable(
  db: Queryable,
  programId: number,
  wanted: { partnerId?: number; currency?: string },
  limit: number,
): Promise<Payable[]> {
  return db.query<Payable>(
    `select partner_id as "partnerId", currency from commissions
     where program_id = $1 and due_cents <> 0 and ($2::bigint is null or partner_id = $2)
       and ($3::text is null or currency = $3)
     group by 1, 2 having sum(due_cents) > 0 order by 1, 2 limit $4`,
    [programId, wanted.partnerId ?? null, wanted.currency ?? null, limit],
  );
}

/** Holds what is due, in one order for everybody. Whoever waited for another's payout finds nothing due any more. */
export async function findDueForUpdate(db: Queryable, programId: number, payable: Payable): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `select id from commissions
     where program_id = $1 and partner_id = $2 and currency = $3 and due_cents <> 0
     order by id for update`,
    [programId, payable.partnerId, payable.currency],
  );
  return rows.map(({ id }) => id);
}

/** Makes a payout of what is due on the held commissions; null when that is not above zero. */
export async function insertPayout(
  db: Queryable,
  programId: number,
  { partnerId, currency }: Payable,
  commissionIds: number[],
  now: Date,
): Promise<number | null> {
  const [row] = await db.query<{ id: number }>(
    `with due as (
       select id, due_cents from commissions where id = any ($4::bigint[])
     ), payout as (
       insert into payouts (program_id, partner_id, currency, amount_cents, created_at)
       select $1, $2, $3, sum(due_cents), $5 from due having sum(due_cents) > 0
       returning id
     ), lines as (
       insert into payout_lines (payout_id, commission_id, amount_cents)
       select payout.id, due.id, due.due_cents from payout, due
     ), settled as (
       update commissions c set settled_cents = c.settled_cents + c.due_cents
       from payout where c.id = any ($4::bigint[])
     )
     select id from payout`,
    [programId, partnerId, currency, commissionIds, now],
  );
  return row?.id ?? null;
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

/** Holds the commissions of a payout, in the same order as those who make payouts. */
export async function lockCommissionsOf(db: Queryable, payoutId: number): Promise<void> {
  await db.query(
    `select id from commissions where id in (select commission_id from payout_lines where payout_id = $1)
     order by id for update`,
    [payoutId],
  );
}

/** Makes what a cancelled payout was made of due again. */
export async function updateReleased(db: Queryable, payoutId: number): Promise<void> {
  await db.query(
    `update commissions c set settled_cents = c.settled_cents - l.amount_cents
     from payout_lines l where l.payout_id = $1 and c.id = l.commission_id`,
    [payoutId],
  );
}

/** Moves those commissions of a payout to `paid` that payouts have covered in full, and that no open one touches. */
export async function updateCoveredToPaid(db: Queryable, payoutId: number): Promise<void> {
  await db.query(
    `update commissions c set stage = 'paid'
     where c.id in (select commission_id from payout_lines where payout_id = $1)
       and c.stage = 'approved' and c.settled_cents > 0 and c.due_cents <= 0
       and not exists (
         select 1 from payout_lines l join payouts o on o.id = l.payout_id
         where l.commission_id = c.id and o.status = 'open')`,
    [payoutId],
  );
}
