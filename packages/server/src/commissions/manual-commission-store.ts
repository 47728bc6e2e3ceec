import type { ManualKind } from '@svc/contract';
import { bookAdded } from '../books/book-entry-store.ts';
import type { Queryable } from '../db/db.ts';
import { COMMISSIONS, countAdded } from '../rollups/delta-store.ts';

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
  const [row] = await db.query<{ id: number }>(
    `with written as (
       insert into commissions (kind, program_id, partner_id, commission_type, commission_rate, commission_cents, currency,
         reason, stage, approve_after, approved_at, created_at)
       values ($1, $2, $3, 'fixed', 0, $4, $5, $6, 'approved', $7, $7, $7) returning *
     ), ${bookAdded('commission_created', '$7')}, ${countAdded(COMMISSIONS, 'id')}`,
    [made.kind, made.programId, made.partnerId, made.cents, made.currency, made.reason, now],
  );
  return (row as { id: number }).id;
}
