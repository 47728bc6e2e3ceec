import { errors, MAX_BULK_ROWS } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import type { Selection } from '../db/lists/list-query.ts';
import { findTotals, listIds } from '../db/lists/sorted-list.ts';
import type { Sum } from '../db/lists/sum.ts';
import { PAYOUTS } from './payout-list-store.ts';
import { lockPayouts } from './payout-store.ts';
import { areSeenSums } from './seen-sums.ts';

/** What a person saw before they acted on a list of payouts: how many they are, and what they add up to. */
export type SeenPayouts = { count: number; totals: { currency: string; amount_cents: number }[] };

/** Locks the payouts that match, and returns their ids, if they are the ones that the person saw. */
export async function lockSeenPayouts(
  tx: Queryable,
  programId: number,
  selection: Selection,
  seen: SeenPayouts,
): Promise<number[]> {
  const ids = await listIds(tx, PAYOUTS, selection, MAX_BULK_ROWS + 1);
  await lockPayouts(tx, programId, ids);
  // Only now: what is locked can no longer change, and what was created before this is among the sums.
  const { count, totals } = await findTotals(tx, PAYOUTS, selection);
  if (count !== seen.count || ids.length !== count) throw errors.selectionChanged(count, seen.count, 'payouts');
  if (!areSeenSums(totals.map(sumOf), seen.totals.map(sumOf))) throw errors.payoutSumsChanged();
  return ids;
}

const sumOf = ({ currency, amount_cents: cents }: { currency: string; amount_cents: Sum }) => ({
  currency,
  cents,
});
