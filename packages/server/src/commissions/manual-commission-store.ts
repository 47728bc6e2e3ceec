import type { ManualKind } from '@svc/contract';
import { bookAdded, bookRemoved } from '../books/book-entry-store.ts';
import type { Queryable } from '../db/db.ts';
import { COMMISSIONS, countAdded, countRemoved } from '../rollups/delta-store.ts';

export type NewManualCommission = {
  kind: ManualKind;
  programId: number;
  partnerId: number;
  cents: number;
  currency: string;
  reason: string;
};

/** Inserts what a person decided. It has no hold, and no rate: nodes of an earlier release read it as a fixed amount. */
export async function insertManualCommission(db: Queryable, made: NewManualCommission, now: Date): Promise<number> {
  const [id] = await insertManualCommissions(db, [made], now);
  return id as number;
}

/** Inserts several of them, and returns their ids in the same order. */
export async function insertManualCommissions(
  db: Queryable,
  made: NewManualCommission[],
  now: Date,
): Promise<number[]> {
  if (made.length === 0) return [];
  const rows = made.map(({ kind, programId, partnerId, cents, currency, reason }) => ({
    kind,
    program_id: programId,
    partner_id: partnerId,
    commission_cents: cents,
    currency,
    reason,
  }));
  // Ids are assigned in input order, so sorting them matches them to the commissions.
  const inserted = await db.query<{ id: number }>(
    `with written as (
       insert into commissions (kind, program_id, partner_id, commission_type, commission_rate, commission_cents, currency,
         reason, stage, approve_after, approved_at, created_at)
       select kind, program_id, partner_id, 'fixed', 0, commission_cents, currency, reason, 'approved', $2, $2, $2
       from json_populate_recordset(null::commissions, $1::json) with ordinality order by ordinality returning *
     ), ${bookAdded('commission_created', '$2::timestamptz')}, ${countAdded(COMMISSIONS, 'id')}`,
    [JSON.stringify(rows), now],
  );
  return inserted.map(({ id }) => id).sort((one, other) => one - other);
}

/** Deletes those of the manual commissions that were never in a payout, and returns their ids. */
export async function deleteManualCommissions(
  db: Queryable,
  programId: number,
  ids: number[],
  now: Date,
): Promise<number[]> {
  if (ids.length === 0) return [];
  await db.query('select 1 from commissions where program_id = $1 and id = any ($2::bigint[]) order by id for update', [
    programId,
    ids,
  ]);
  const [row] = await db.query<{ gone: number[] | null }>(
    `with before as (
       delete from commissions m where m.program_id = $1 and m.id = any ($2::bigint[]) and m.sale_id is null
         and m.customer_id is null and m.settled_cents = 0
         and not exists (select 1 from payout_lines l where l.commission_id = m.id)
       returning m.*
     ), ${bookRemoved('commission_revoked', '$3::timestamptz')}, ${countRemoved(
       COMMISSIONS,
       '(select json_agg(id) from before) as gone',
     )}`,
    [programId, ids, now],
  );
  return row?.gone ?? [];
}
