/** The share of `amountCents` that `part` is of `whole`, rounded half up. */
export function shareOf(amountCents: number, part: number, whole: number): number {
  if (whole <= 0) return 0;
  const numerator = BigInt(amountCents) * BigInt(part);
  return Number((2n * numerator + BigInt(whole)) / (2n * BigInt(whole)));
}
