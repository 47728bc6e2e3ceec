type Earned = { currency: string; commission_cents: number; deducted_cents: number };

/** What commissions, or totals of them, add up to after refunds, by currency. */
export function sumsOf(earned: readonly Earned[]): { currency: string; cents: number }[] {
  const sums = new Map<string, number>();
  for (const { currency, commission_cents, deducted_cents } of earned) {
    sums.set(currency, (sums.get(currency) ?? 0) + commission_cents - deducted_cents);
  }
  return [...sums].map(([currency, cents]) => ({ currency, cents }));
}
