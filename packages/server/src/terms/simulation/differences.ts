import type { Change } from './simulation.ts';

/** What was paid and what would be paid, added up. */
export type Difference = { currency: string; actualCents: bigint; simulatedCents: bigint };
export type PartnerDifference = Difference & { partnerId: number };

const LARGEST = 20;

/** Adds up changes and keeps the largest ones, so that it does not matter how many there are. */
export function openDifferences() {
  const totals = new Map<string, Difference>();
  const partners = new Map<string, PartnerDifference>();
  let largest: Change[] = [];

  function add(change: Change) {
    const { currency, partnerId } = change;
    addTo(totals, currency, change, () => ({ currency, actualCents: 0n, simulatedCents: 0n }));
    const key = `${partnerId} ${currency}`;
    addTo(partners, key, change, () => ({ partnerId, currency, actualCents: 0n, simulatedCents: 0n }));
    if (change.actualCents === change.simulatedCents) return;
    largest.push(change);
    if (largest.length >= 50 * LARGEST) largest = largestOf(largest);
  }

  return {
    add,
    totals: () => [...totals.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1)),
    partners: (limit: number) => [...partners.values()].sort(bySize).slice(0, limit),
    largest: () => largestOf(largest),
  };
}

/** Sums are added to in place: there is one for every change. */
function addTo<Sum extends Difference>(sums: Map<string, Sum>, key: string, change: Change, create: () => Sum): void {
  const known = sums.get(key);
  const sum = known ?? create();
  if (!known) sums.set(key, sum);
  sum.actualCents += change.actualCents;
  sum.simulatedCents += change.simulatedCents;
}

const largestOf = (changes: Change[]) => changes.sort(bySize).slice(0, LARGEST);

function bySize(a: Difference, b: Difference): number {
  const [sizeOfA, sizeOfB] = [sizeOf(a), sizeOf(b)];
  return sizeOfA === sizeOfB ? 0 : sizeOfA > sizeOfB ? -1 : 1;
}

function sizeOf({ actualCents, simulatedCents }: Difference): bigint {
  const difference = simulatedCents - actualCents;
  return difference < 0n ? -difference : difference;
}
