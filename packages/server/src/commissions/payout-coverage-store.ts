import type { Queryable } from '../db/db.ts';
import { canMake, TRANSITIONS } from './commission-state.ts';

export type DueCommission = { id: number; dueCents: number };

/** Locks what is due to the partner in one currency. Whoever waited for another payout finds nothing due any more. */
export function listDueForUpdate(
  db: Queryable,
  programId: number,
  partnerId: number,
  currency: string,
): Promise<DueCommission[]> {
  return db.query<DueCommission>(
    `select m.id, m.due_cents as "dueCents" from commissions m
     where m.program_id = $1 and m.partner_id = $2 and m.currency = $3 and m.due_cents <> 0
     order by m.id for update`,
    [programId, partnerId, currency],
  );
}

export async function lockCommissions(db: Queryable, commissionIds: number[]): Promise<void> {
  await db.query('select m.id from commissions m where m.id = any ($1::bigint[]) order by m.id for update', [
    commissionIds,
  ]);
}

/** Counts amounts as put into a payout, or, negative, as taken out of it again. */
export async function updateInPayouts(db: Queryable, amounts: { id: number; cents: number }[]): Promise<void> {
  const rows = amounts.map(({ id, cents }) => ({ id, settled_cents: cents }));
  await db.query(
    `update commissions c set settled_cents = c.settled_cents + i.settled_cents
     from json_populate_recordset(null::commissions, $1::json) i where c.id = i.id`,
    [JSON.stringify(rows)],
  );
}

/** Marks those of the commissions paid that payouts cover in full, unless an open payout still has a part in them. */
export async function updateCoveredToPaid(db: Queryable, commissionIds: number[]): Promise<void> {
  await db.query(
    `update commissions m set stage = '${TRANSITIONS.pay.to}'
     where m.id = any ($1::bigint[]) and ${canMake('pay')}
       and not exists (
         select 1 from payout_lines l join payouts o on o.id = l.payout_id
         where l.commission_id = m.id and o.status = 'open')`,
    [commissionIds],
  );
}
