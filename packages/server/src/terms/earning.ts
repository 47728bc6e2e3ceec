import { COMMISSION_TYPES, type CommissionType, currencyExponent } from '@svc/contract';
import { divideHalfUp } from './half-up.ts';
import { baseCents, type PaidAmount, type Terms } from './terms.ts';

export type Earned = { cents: bigint; currency: string };

/** The largest amount that every reader of the API can represent. */
const MAX_CENTS = BigInt(Number.MAX_SAFE_INTEGER);

const RATE_SCALE = 10_000n;

/** What the partner earns on the sale: exact, rounded half up to the smallest unit of the currency. */
export function commissionFor(
  terms: Pick<Terms, 'type' | 'rate' | 'currency' | 'base'>,
  sale: PaidAmount & { currency: string },
): Earned {
  const rate = scaledRate(terms.rate);
  const { basis } = COMMISSION_TYPES[terms.type];
  switch (basis) {
    case 'percent':
      return {
        cents: divideHalfUp(BigInt(baseCents(terms.base, sale)) * rate, 100n * RATE_SCALE),
        currency: sale.currency,
      };
    case 'fixed': {
      const smallestUnits = 10n ** BigInt(currencyExponent(terms.currency));
      return { cents: divideHalfUp(rate * smallestUnits, RATE_SCALE), currency: terms.currency };
    }
    default:
      return basis satisfies never;
  }
}

/** What the percentage of a sale is computed from; null under terms that pay a fixed amount. */
export function commissionableCents({ type, base }: Pick<Terms, 'type' | 'base'>, sale: PaidAmount): number | null {
  return COMMISSION_TYPES[type].basis === 'percent' ? baseCents(base, sale) : null;
}

/** Whether the amount can be stored and paid. */
export function isRepresentable({ cents }: Earned): boolean {
  return cents <= MAX_CENTS;
}

/** What a payment is within its subscription. One without a subscription is a first payment too. */
export type Period = 'first' | 'renewal' | 'change';

/** Whether the type of the terms pays for such a payment: a change earns percent of what it brings, and no fixed amount. */
export function earnsWithin(type: CommissionType, period: Period): boolean {
  switch (period) {
    case 'first':
      return true;
    case 'renewal':
      return COMMISSION_TYPES[type].renewals;
    case 'change':
      return COMMISSION_TYPES[type].basis === 'percent';
  }
}

/** Every first payment earns a commission. Later ones depend on the terms and, under recurring terms, their months. */
export function earnsCommission(
  terms: Pick<Terms, 'type' | 'recurringMonths'>,
  period: Period,
  firstSaleAt: Date | null,
  paidAt: Date,
): boolean {
  if (period === 'first') return true;
  if (!earnsWithin(terms.type, period)) return false;
  if (terms.recurringMonths === null || firstSaleAt === null) return true;
  return paidAt.getTime() < addMonths(firstSaleAt, terms.recurringMonths).getTime();
}

function scaledRate(rate: string): bigint {
  const [whole = '0', fraction = ''] = rate.split('.');
  return BigInt(whole + fraction.padEnd(4, '0').slice(0, 4));
}

/** The same day of a later month, or the last day of that month if it is shorter. */
export function addMonths(date: Date, months: number): Date {
  const moved = new Date(date);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  if (moved.getUTCDate() !== date.getUTCDate()) moved.setUTCDate(0);
  return moved;
}
