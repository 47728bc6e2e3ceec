import type { Queryable } from '../db/db.ts';
import type { PayableMethod } from '../payout-methods/payout-method-store.ts';
import type { Payee } from './obstacle.ts';
import { listPayees } from './payee-store.ts';

export type NamedPayee<Method extends PayableMethod = PayableMethod> = Payee<Method> & { name: string };

/** These partners of the program with their payout methods, as they are listed. Partners of other workspaces are left out. */
export async function findPayees<Method extends PayableMethod>(
  db: Queryable,
  programId: number,
  partnerIds: number[],
  listMethods: (db: Queryable, programId: number, partnerIds: number[]) => Promise<Method[]>,
): Promise<Map<number, NamedPayee<Method>>> {
  const [rows, methods] = await Promise.all([
    listPayees(db, programId, partnerIds),
    listMethods(db, programId, partnerIds),
  ]);
  const methodOf = new Map(methods.map((method) => [method.partnerId, method]));
  return new Map(
    rows.map(({ partnerId, name, status }) => [partnerId, { name, status, method: methodOf.get(partnerId) ?? null }]),
  );
}
