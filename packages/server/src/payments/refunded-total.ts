import type { ChargeFact, DeductionFact } from './processor-fact.ts';
import { shareOf } from './processors/stripe/money.ts';

type Charge = Omit<ChargeFact, 'kind'>;
type Sale = { amountCents: number; currency: string };

/**
 * How much of a sale was taken back in all, from what is known of its charges, refunds and disputes: the same in whatever
 * order they became known. A charge's own total and its single refunds tell the same money twice; the larger is the newer.
 */
export function refundedTotalCents(sale: Sale, charges: Charge[], deductions: DeductionFact[]): number {
  let total = 0;
  for (const [charge, ofCharge] of byCharge(charges, deductions)) {
    const refunds = ofCharge.filter(({ kind }) => kind === 'refund');
    const disputes = ofCharge.filter(({ kind }) => kind === 'dispute');
    const refundedCents = Math.max(
      sum(refunds.filter(stands), sale, charge),
      charge ? inSale(refundedBy(charge, refunds), charge.currency, sale, charge) : 0,
    );
    total += refundedCents + sum(disputes.filter(stands), sale, charge);
  }
  return Math.min(total, sale.amountCents);
}

/** The charge's own total, less refunds that it still counts but that came undone since. */
function refundedBy(charge: Charge, refunds: DeductionFact[]): number {
  const undoneSince = refunds.filter(
    ({ state, madeAt, stateAt }) => state === 'undone' && madeAt <= charge.asOf && stateAt > charge.asOf,
  );
  const undoneCents = undoneSince.reduce((cents, { amountCents }) => cents + amountCents, 0);
  return Math.max(charge.refundedCents - undoneCents, 0);
}

const stands = ({ state }: DeductionFact) => state !== 'undone';

function sum(deductions: DeductionFact[], sale: Sale, charge: Charge | null): number {
  return deductions.reduce((cents, each) => cents + inSale(each.amountCents, each.currency, sale, charge), 0);
}

/** In the sale's currency. What was charged in another one counts as its share of the charge. */
function inSale(cents: number, currency: string, sale: Sale, charge: Charge | null): number {
  if (currency === sale.currency) return cents;
  return charge && charge.currency === currency ? shareOf(sale.amountCents, cents, charge.amountCents) : 0;
}

function byCharge(charges: Charge[], deductions: DeductionFact[]): [Charge | null, DeductionFact[]][] {
  const groups = new Map<string, [Charge | null, DeductionFact[]]>();
  // Where only the payment intent tells the charge, it is the same one of several in whatever order they come.
  const sorted = [...charges].sort((one, other) => (one.chargeId < other.chargeId ? -1 : 1));
  for (const charge of sorted) groups.set(charge.chargeId, [charge, []]);
  for (const deduction of deductions) {
    const charge = sorted.find(
      ({ chargeId, paymentIntent }) =>
        chargeId === deduction.chargeId || (deduction.chargeId === null && paymentIntent === deduction.paymentIntent),
    );
    const name = charge?.chargeId ?? deduction.chargeId ?? String(deduction.paymentIntent);
    const group = groups.get(name) ?? [null, []];
    group[1].push(deduction);
    groups.set(name, group);
  }
  return [...groups.values()];
}
