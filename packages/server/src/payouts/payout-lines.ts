import type { DueCommission } from '../commissions/payout-coverage-store.ts';

/** A payout that can be made, and what it covers. */
export type ChosenPayout = { partnerId: number; currency: string; amountCents: number; covered: DueCommission[] };

/** The payouts for what is due, at most so many, by partner and currency. A balance that is too large for one payout takes several. */
export function choosePayouts(due: DueCommission[], most: number): { payouts: ChosenPayout[]; isComplete: boolean } {
  const balances = new Map<string, DueCommission[]>();
  for (const commission of due) {
    const key = `${commission.partnerId} ${commission.currency}`;
    const balance = balances.get(key);
    if (balance) balance.push(commission);
    else balances.set(key, [commission]);
  }
  const payouts: ChosenPayout[] = [];
  for (const balance of balances.values()) {
    const [{ partnerId, currency }] = balance as [DueCommission];
    for (let rest = balance; ; ) {
      const { covered, amountCents } = choosePayoutLines(rest);
      if (amountCents <= 0) break;
      if (payouts.length === most) return { payouts, isComplete: false };
      payouts.push({ partnerId, currency, amountCents, covered });
      const paid = new Set(covered);
      rest = rest.filter((commission) => !paid.has(commission));
    }
  }
  return { payouts, isComplete: true };
}

/**
 * The commissions that go into the next payout: all of them, unless their sum is more than one payout can hold. Reversals come
 * first, so that nothing is paid while the partner owes it. An amount of 0 or less means that nothing can be paid.
 */
export function choosePayoutLines<Due extends Pick<DueCommission, 'dueCents'>>(
  due: Due[],
): { covered: Due[]; amountCents: number } {
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

type LineAmounts = { commissionCents: number; amountCents: number; earlierCents: number };

/**
 * What refunds had taken from a commission, and what earlier payouts had paid of it, when a payout got its line:
 * commission - deducted - earlier = amount, always. Which payouts still counted then is told by their times, which the clocks of
 * two nodes may put in the wrong order; a deduction is never negative or more than the commission.
 */
export function splitLine({ commissionCents, amountCents, earlierCents }: LineAmounts): {
  deductedCents: number;
  earlierCents: number;
} {
  const left = commissionCents - amountCents;
  const deductedCents = Math.min(Math.max(left - earlierCents, 0), Math.max(commissionCents, 0));
  return { deductedCents, earlierCents: left - deductedCents };
}
