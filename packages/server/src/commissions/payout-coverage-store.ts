import type { Queryable } from '../db/db.ts';
import { COMMISSION_STATUS, TRANSITIONS, transitionGuard } from './commission-state.ts';
import type { MovedCommission } from './commission-store.ts';

/** Whether partners know of the payout `o`. What is in a draft may still change, so they hear of it when it is approved. */
export const IS_TOLD = `(o.run_id is null or exists (select from payout_runs r where r.id = o.run_id and r.approved_at is not null))`;

export type DueCommission = { id: number; partnerId: number; currency: string; dueCents: number };

/** Locks what is due to partners, each in one currency, in their order. What a concurrent payout took is not among it. */
export function listDueForUpdate(
  db: Queryable,
  programId: number,
  balances: { partnerId: number; currency: string }[],
): Promise<DueCommission[]> {
  const rows = balances.map(({ partnerId, currency }) => ({ partner_id: partnerId, currency }));
  return db.query<DueCommission>(
    `with due as materialized (
       select m.id, m.partner_id, m.currency, m.due_cents from commissions m
       join json_populate_recordset(null::commissions, $2::json) i on i.partner_id = m.partner_id and i.currency = m.currency
       where m.program_id = $1 and m.due_cents <> 0
       order by m.id for update of m
     )
     select id, partner_id as "partnerId", currency, due_cents as "dueCents" from due order by 2, 3, 1`,
    [programId, JSON.stringify(rows)],
  );
}

/**
 * Locks what is due in the program: what was approved until the cutoff, and everything that partners owe. What a concurrent
 * payout took is not among it.
 */
export function listDueUntilForUpdate(
  db: Queryable,
  programId: number,
  { cutoffAt, currency, partnerIds }: { cutoffAt: Date; currency: string | null; partnerIds: number[] | null },
): Promise<DueCommission[]> {
  return db.query<DueCommission>(
    `with due as materialized (
       select m.id, m.partner_id, m.currency, m.due_cents from commissions m
       where m.program_id = $1 and m.due_cents <> 0 and (m.due_cents < 0 or coalesce(m.approved_at, m.created_at) <= $2)
         and ($3::text is null or m.currency = $3) and ($4::bigint[] is null or m.partner_id = any ($4))
       order by m.id for update of m
     )
     select id, partner_id as "partnerId", currency, due_cents as "dueCents" from due order by 2, 3, 1`,
    [programId, cutoffAt, currency, partnerIds],
  );
}

/** What these partners owe in the program, by currency. */
export function listOwed(
  db: Queryable,
  programId: number,
  partnerIds: number[],
): Promise<{ partnerId: number; currency: string; owedCents: string }[]> {
  return db.query(
    `select partner_id as "partnerId", currency, sum(due_cents)::text as "owedCents" from commissions
     where program_id = $1 and due_cents < 0 and partner_id = any ($2::bigint[]) group by 1, 2`,
    [programId, partnerIds],
  );
}

export async function lockCommissions(db: Queryable, commissionIds: number[]): Promise<void> {
  await db.query('select m.id from commissions m where m.id = any ($1::bigint[]) order by m.id for update', [
    commissionIds,
  ]);
}

/** Adds amounts to what commissions have in payouts (`settled_cents`); negative amounts take it out again. */
export async function updateInPayouts(db: Queryable, amounts: { id: number; cents: number }[]): Promise<void> {
  const sums = new Map<number, number>();
  for (const { id, cents } of amounts) sums.set(id, (sums.get(id) ?? 0) + cents);
  await db.query(
    `update commissions c set settled_cents = c.settled_cents + i.cents
     from unnest($1::bigint[], $2::bigint[]) as i (id, cents) where c.id = i.id`,
    [[...sums.keys()], [...sums.values()]],
  );
}

/**
 * Takes amounts out of payouts again. Commissions that are no longer covered are no longer paid. Returns those that other
 * payouts turn out to have paid.
 */
export async function updateUncovered(
  db: Queryable,
  amounts: { id: number; cents: number }[],
): Promise<MovedCommission[]> {
  await updateInPayouts(
    db,
    amounts.map(({ id, cents }) => ({ id, cents: -cents })),
  );
  const ids = amounts.map(({ id }) => id);
  await db.query(
    `update commissions m set stage = '${TRANSITIONS.payment_failed.to}'
     where m.id = any ($1::bigint[]) and ${transitionGuard('payment_failed')}`,
    [ids],
  );
  return updateCoveredToPaid(db, ids);
}

/** Marks commissions as paid if payouts cover them in full and none of those payouts is still on its way. Returns those as they were. */
export function updateCoveredToPaid(db: Queryable, commissionIds: number[]): Promise<MovedCommission[]> {
  return db.query<MovedCommission>(
    `with before as materialized (
       select m.id, m.stage, ${COMMISSION_STATUS} as status from commissions m
       where m.id = any ($1::bigint[]) and ${transitionGuard('pay')}
         and not exists (
           select 1 from payout_lines l join payouts o on o.id = l.payout_id
           where l.commission_id = m.id and o.status in ('open', 'sent'))
       order by m.id for update
     )
     update commissions c set stage = '${TRANSITIONS.pay.to}' from before where c.id = before.id returning before.*`,
    [commissionIds],
  );
}
