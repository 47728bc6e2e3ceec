import type { Sum } from '../db/lists/sum.ts';

type Amount = { currency: string; cents: Sum };

/** Whether these are the sums that a person saw: each currency once, with the same amount. */
export function areSeenSums(sums: Amount[], seen: Amount[]): boolean {
  const found = new Map(sums.map(({ currency, cents }) => [currency, BigInt(cents)]));
  const named = new Set(seen.map(({ currency }) => currency));
  return (
    seen.length === found.size &&
    named.size === found.size &&
    seen.every(({ currency, cents }) => found.get(currency) === BigInt(cents))
  );
}
