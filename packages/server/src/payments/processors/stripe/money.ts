import { currencyExponent } from '@svc/contract';

/** Where Stripe counts a currency in another unit than its smallest one by ISO 4217. */
const STRIPE_EXPONENTS: Record<string, number> = { ISK: 2, UGX: 2, MGA: 0 };

/** An amount as Stripe sends it, in the currency's smallest unit. */
export function smallestUnits(amount: number, currency: string): number {
  const smallest = currencyExponent(currency);
  const shift = smallest - (STRIPE_EXPONENTS[currency] ?? smallest);
  return shift >= 0 ? amount * 10 ** shift : Math.round(amount / 10 ** -shift);
}

/** The share of `amountCents` that `part` is of `whole`, rounded half up. */
export function shareOf(amountCents: number, part: number, whole: number): number {
  if (whole <= 0) return 0;
  const numerator = BigInt(amountCents) * BigInt(part);
  return Number((2n * numerator + BigInt(whole)) / (2n * BigInt(whole)));
}
