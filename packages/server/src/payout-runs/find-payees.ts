import type { Queryable } from '../db/db.ts';
import { listPartnerMethods } from '../payout-methods/payout-method-store.ts';
import type { Payee } from './obstacle.ts';
import { listPayees } from './payee-store.ts';

export type NamedPayee = Payee & { name: string };

/** These partners of the program with their payout methods. Partners of other workspaces are left out. */
export async function findPayees(
  db: Queryable,
  programId: number,
  partnerIds: number[],
): Promise<Map<number, NamedPayee>> {
  const [rows, methods] = await Promise.all([
    listPayees(db, programId, partnerIds),
    listPartnerMethods(db, programId, partnerIds),
  ]);
  const methodOf = new Map(methods.map((method) => [method.partnerId, method]));
  return new Map(
    rows.map(({ partnerId, name, status }) => [partnerId, { name, status, method: methodOf.get(partnerId) ?? null }]),
  );
}
