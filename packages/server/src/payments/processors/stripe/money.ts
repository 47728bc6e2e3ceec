import { currencyExponent } from '@svc/contract';

/** Currencies that Stripe counts in a different unit than the smallest one of ISO 4217. */
const STRIPE_EXPONENTS: Record<string, number> = { ISK: 2, UGX: 2, MGA: 0 };

/** Converts an amount from Stripe to the currency's smallest unit. */
export function smallestUnits(amount: number, currency: string): number {
  const smallest = currencyExponent(currency);
  const shift = smallest - (STRIPE_EXPONENTS[currency] ?? smallest);
  return shift >= 0 ? amount * 10 ** shift : Math.round(amount / 10 ** -shift);
}
