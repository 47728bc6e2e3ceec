import type { DueCommission } from '../commissions/payout-coverage-store.ts';

/**
 * The commissions that go into the next payout: all of them, unless their sum is more than one payout can hold. Reversals come
 * first, so that nothing is paid while the partner owes it. An amount of 0 or less means that nothing can be paid.
 */
export function choosePayoutLines(due: DueCommission[]): { covered: DueCommission[]; amountCents: number } {
  const [reversed, earned] = [due.filter(({ dueCents }) => dueCents < 0), due.filter(({ dueCents }) => dueCents > 0)];
  const covered = [...reversed];
  let sum = reversed.reduce((total, { dueCents }) => total + BigInt(dueCents), 0n);
  for (const commission of earned) {
    const next = sum + BigInt(commission.dueCents);
    if (next > BigInt(Number.MAX_SAFE_INTEGER)) continue;
    covered.push(commission);
    sum = next;
  }
  // Far below zero is only reached when nothing can be paid.
  return { covered, amountCents: sum <= 0n ? 0 : Number(sum) };
}
