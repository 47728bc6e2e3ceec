import { COMMISSION_TYPES, type CommissionType, currencyExponent } from '@svc/contract';

/** What a program pays, as it stands when a sale is made. */
export type Terms = {
  type: CommissionType;
  /** A decimal with up to four places: percent of the amount, or whole units of `currency`. */
  rate: string;
  currency: string;
  recurringMonths: number | null;
};

export type CommissionableSale = { amountCents: number; currency: string; isRecurring: boolean };

export type Earned = { cents: bigint; currency: string };

const RATE_SCALE = 10_000n;

/** What the sale is worth to the partner, exact, rounded half up to the smallest unit of its currency. */
export function commissionFor(terms: Terms, sale: Pick<CommissionableSale, 'amountCents' | 'currency'>): Earned {
  const rate = scaledRate(terms.rate);
  const { basis } = COMMISSION_TYPES[terms.type];
  switch (basis) {
    case 'percent':
      return { cents: divideHalfUp(BigInt(sale.amountCents) * rate, 100n * RATE_SCALE), currency: sale.currency };
    case 'fixed': {
      const smallestUnits = 10n ** BigInt(currencyExponent(terms.currency));
      return { cents: divideHalfUp(rate * smallestUnits, RATE_SCALE), currency: terms.currency };
    }
    default:
      return basis satisfies never;
  }
}

/** Every sale earns except renewals; those earn under recurring terms, for as many months as the terms say. */
export function earnsCommission(terms: Terms, isRecurring: boolean, firstSaleAt: Date | null, paidAt: Date): boolean {
  if (!isRecurring) return true;
  if (!COMMISSION_TYPES[terms.type].renewals) return false;
  if (terms.recurringMonths === null || firstSaleAt === null) return true;
  return paidAt.getTime() < addMonths(firstSaleAt, terms.recurringMonths).getTime();
}

/** How much of a commission is taken back once `refundedCents` of the sale's amount are refunded in all. */
export function deductionFor(commissionCents: number, refundedCents: number, amountCents: number): number {
  return Number(divideHalfUp(BigInt(commissionCents) * BigInt(refundedCents), BigInt(amountCents)));
}

/** When a commission's hold is over: so many times 24 hours later, whatever clocks are changed meanwhile. */
export function holdEnd(madeAt: Date, holdDays: number): Date {
  return new Date(madeAt.getTime() + holdDays * 86_400_000);
}

function scaledRate(rate: string): bigint {
  const [whole = '0', fraction = ''] = rate.split('.');
  return BigInt(whole) * RATE_SCALE + BigInt(fraction.padEnd(4, '0').slice(0, 4));
}

function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}

/** The same day so many months later, or the month's last day where it has no such day. */
function addMonths(date: Date, months: number): Date {
  const moved = new Date(date);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  if (moved.getUTCDate() !== date.getUTCDate()) moved.setUTCDate(0);
  return moved;
}
