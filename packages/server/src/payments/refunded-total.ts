import type { ChargeFact, DeductionFact } from './processor-fact.ts';
import { shareOf } from './processors/stripe/money.ts';

type Charge = Omit<ChargeFact, 'kind'>;
type Sale = { amountCents: number; currency: string };

/**
 * The total refunded or disputed of a sale, whatever the order in which its charges, refunds and disputes became known. A
 * charge's own total and its individual refunds are the same money reported twice; the larger of the two is the newer.
 */
export function refundedTotalCents(sale: Sale, charges: Charge[], deductions: DeductionFact[]): number {
  let total = 0;
  for (const [charge, chargeDeductions] of groupByCharge(charges, deductions)) {
    const refunds = chargeDeductions.filter(({ kind }) => kind === 'refund');
    const disputes = chargeDeductions.filter(({ kind }) => kind === 'dispute');
    const refundedCents = Math.max(
      sum(refunds.filter(isInEffect), sale, charge),
      charge ? inSaleCurrency(chargeRefundedCents(charge, refunds), charge.currency, sale, charge) : 0,
    );
    // A dispute that was given back may become known before the dispute itself.
    total += refundedCents + Math.max(sum(disputes.filter(isInEffect), sale, charge), 0);
  }
  return Math.min(total, sale.amountCents);
}

/** The charge's own total, minus refunds that it still includes but that have failed since. */
function chargeRefundedCents(charge: Charge, refunds: DeductionFact[]): number {
  const undoneSince = refunds.filter(
    ({ state, madeAt, stateAt }) => state === 'undone' && madeAt <= charge.asOf && stateAt > charge.asOf,
  );
  const undoneCents = undoneSince.reduce((cents, { amountCents }) => cents + amountCents, 0);
  return Math.max(charge.refundedCents - undoneCents, 0);
}

const isInEffect = ({ state }: DeductionFact) => state !== 'undone';

function sum(deductions: DeductionFact[], sale: Sale, charge: Charge | null): number {
  return deductions.reduce(
    (cents, { amountCents, currency }) => cents + inSaleCurrency(amountCents, currency, sale, charge),
    0,
  );
}

/** Converts to the sale's currency: an amount in the charge's currency counts as the same share of the sale. */
function inSaleCurrency(cents: number, currency: string, sale: Sale, charge: Charge | null): number {
  if (currency === sale.currency) return cents;
  return charge && charge.currency === currency ? shareOf(sale.amountCents, cents, charge.amountCents) : 0;
}

function groupByCharge(charges: Charge[], deductions: DeductionFact[]): [Charge | null, DeductionFact[]][] {
  const groups = new Map<string, [Charge | null, DeductionFact[]]>();
  // Sorted, so that a payment intent with several charges always resolves to the same one.
  const sorted = [...charges].sort((a, b) => (a.chargeId < b.chargeId ? -1 : 1));
  for (const charge of sorted) groups.set(charge.chargeId, [charge, []]);
  for (const deduction of deductions) {
    const charge = sorted.find(
      ({ chargeId, paymentIntent }) =>
        chargeId === deduction.chargeId || (deduction.chargeId === null && paymentIntent === deduction.paymentIntent),
    );
    const key = charge?.chargeId ?? deduction.chargeId ?? String(deduction.paymentIntent);
    const group = groups.get(key) ?? [null, []];
    group[1].push(deduction);
    groups.set(key, group);
  }
  return [...groups.values()];
}
