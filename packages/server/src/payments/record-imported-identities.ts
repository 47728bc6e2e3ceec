import type { Queryable } from '../db/db.ts';
import { requeueWaitingFor } from './events/event-store.ts';
import { insertImportedIdentities } from './payer-store.ts';
import { processors } from './processors/processors.ts';

/** No event brings an import. */
const NO_EVENT = { id: 0, notBegun: new Set<number>() };

/** What events of payment processors call the customer with this id at one of them. The id says at which ones it can be. */
export function referencesOf(processorCustomerId: string): string[] {
  return Object.values(processors)
    .filter(({ customerIds }) => customerIds.pattern.test(processorCustomerId))
    .map(({ referencePrefix, customerIds }) => `${referencePrefix}${customerIds.referenceOf(processorCustomerId)}`);
}

/** Stores whose the processor's ids are, and processes again what was waiting to learn it. */
export async function recordImportedIdentities(
  tx: Queryable,
  programId: number,
  identities: { reference: string; customerId: number }[],
  now: Date,
): Promise<void> {
  if (identities.length === 0) return;
  const learnt = await insertImportedIdentities(tx, programId, identities, now);
  if (learnt.length > 0) await requeueWaitingFor(tx, programId, learnt, NO_EVENT, now);
}
