import type { ChargeFact, DeductionFact } from './processor-fact.ts';
import { shareOf } from './share-of.ts';

type Charge = Omit<ChargeFact, 'kind'>;
type Sale = { transactionId: string; amountCents: number; taxCents: number | null; currency: string };
/** How much a payment paid of an invoice. */
type InvoiceShare = { reference: string; transactionId: string; amountCents: number };

export type RefundedTotal = {
  cents: number;
  /** The part of it that is disputed. */
  disputedCents: number;
  /** How much of it is tax beyond its share. Negative if less tax was given back than its share. */
  taxOnlyCents: number;
};

/**
 * The total refunded or disputed of a sale, whatever the order in which its charges, refunds and disputes became known. A
 * charge's own total and its individual refunds are the same money reported twice; the larger of the two is the newer. So are
 * the total of the sale itself and those of its payments. What a payment paid of several invoices is taken back from each in
 * proportion.
 */
export function refundedTotal(
  sale: Sale,
  charges: Charge[],
  deductions: DeductionFact[],
  shares: InvoiceShare[],
): RefundedTotal {
  const ofSale = { cents: 0, disputedCents: 0 };
  const ofPayments = { cents: 0, disputedCents: 0 };
  for (const [charge, chargeDeductions] of groupByCharge(charges, deductions)) {
    const payment = paymentOf(sale, charge, sharesOf(charge, chargeDeductions, shares));
    const refunds = chargeDeductions.filter(({ kind }) => kind === 'refund');
    const disputes = chargeDeductions.filter(({ kind }) => kind === 'dispute');
    // What a dispute gave back may become known before the dispute itself.
    const disputed = atLeastNothing(sum(payment, disputes.filter(isInEffect)));
    const refunded = larger(
      withoutUncaptured(payment, sum(payment, refunds.filter(isInEffect))),
      charge ? convert(payment, chargeRefundedCents(charge, refunds), charge.currency) : NOTHING,
    );
    // Split as one amount: two that are rounded apart could take more from an invoice than was paid of it.
    const cents = centsOf(payment, plus(refunded, disputed));
    const total = charge?.chargeId === sale.transactionId ? ofSale : ofPayments;
    total.cents += cents;
    total.disputedCents += Math.min(centsOf(payment, disputed), cents);
  }
  const cents = Math.min(Math.max(ofSale.cents, ofPayments.cents), sale.amountCents);
  const disputedCents = Math.max(ofSale.disputedCents, ofPayments.disputedCents);
  const taxOnlyCents = taxOnly(sale, deductions, cents);
  return { cents, disputedCents: Math.min(disputedCents, cents), taxOnlyCents };
}

/**
 * The net amount of a refund takes its share of the net amount of the sale. What is refunded beyond what that comes to is tax
 * alone. Deductions that do not name their tax contain its share.
 */
function taxOnly({ amountCents, taxCents, currency }: Sale, deductions: DeductionFact[], totalCents: number): number {
  const netCents = amountCents - (taxCents ?? 0);
  if (!taxCents || netCents <= 0 || totalCents >= amountCents) return 0;
  const named = deductions.filter((one) => isInEffect(one) && one.taxCents != null && one.currency === currency);
  const refunded = named.reduce((cents, one) => cents + one.amountCents, 0);
  const refundedNet = named.reduce((cents, one) => cents + one.amountCents - (one.taxCents ?? 0), 0);
  return refundedNet < 0 ? 0 : refunded - shareOf(amountCents, Math.min(refundedNet, netCents), netCents);
}

/** Leaves out the refund that older versions of Stripe's API make of what was not captured. */
function withoutUncaptured({ charge, sale }: Payment, { shared, own }: Money): Money {
  const uncaptured = charge?.currency === sale.currency ? (charge.uncapturedCents ?? 0) : 0;
  return { shared: Math.max(shared - uncaptured, 0), own };
}

/** The charge's own total, minus refunds that it still includes but that have failed since. */
function chargeRefundedCents(charge: Charge, refunds: DeductionFact[]): number {
  // One that failed in the same second counts as failed since. If another refund followed within that second, its own event
  // says so, and the larger of the two totals counts.
  const undoneSince = refunds.filter(
    ({ state, madeAt, stateAt }) => state === 'undone' && madeAt <= charge.asOf && stateAt >= charge.asOf,
  );
  const undoneCents = undoneSince.reduce((cents, { amountCents }) => cents + amountCents, 0);
  return Math.max(charge.refundedCents - undoneCents, 0);
}

const isInEffect = ({ state }: DeductionFact) => state !== 'undone';

/** Money of a payment: `shared` has yet to be divided among its invoices, `own` is the sale's already. */
type Money = { shared: number; own: number };
const NOTHING: Money = { shared: 0, own: 0 };
const plus = (one: Money, other: Money) => ({ shared: one.shared + other.shared, own: one.own + other.own });
const atLeastNothing = ({ shared, own }: Money) => ({ shared: Math.max(shared, 0), own: Math.max(own, 0) });
const larger = (one: Money, other: Money) => (one.shared + one.own >= other.shared + other.own ? one : other);

/** A payment of the sale, which may have paid other invoices as well. `paidCents` is what it paid of the sale. */
type Payment = { sale: Sale; charge: Charge | null; shares: InvoiceShare[]; own: number; paidCents: number };

function paymentOf(sale: Sale, charge: Charge | null, shares: InvoiceShare[]): Payment {
  const own = shares.findIndex(({ transactionId }) => transactionId === sale.transactionId);
  return { sale, charge, shares, own, paidCents: shares[own]?.amountCents || sale.amountCents };
}

/** An amount in another currency counts as the same share of what was paid of the sale. */
function convert({ sale, charge, paidCents }: Payment, cents: number, currency: string): Money {
  if (currency === sale.currency) return { shared: cents, own: 0 };
  return { shared: 0, own: charge?.currency === currency ? shareOf(paidCents, cents, charge.amountCents) : 0 };
}

function sum(payment: Payment, deductions: DeductionFact[]): Money {
  const { sale, charge, paidCents } = payment;
  return deductions
    .map(({ kind, amountCents, currency }) => {
      const isUnknown = currency !== sale.currency && charge?.currency !== currency;
      // A dispute is usually about the whole payment. How much it really is can be told once the charge is known.
      return kind === 'dispute' && isUnknown ? { shared: 0, own: paidCents } : convert(payment, amountCents, currency);
    })
    .reduce(plus, NOTHING);
}

/** What the sale loses of an amount of the payment. */
function centsOf({ shares, own: position }: Payment, { shared, own }: Money): number {
  if (position < 0 || shares.length < 2) return shared + own;
  const weights = shares.map(({ amountCents }) => amountCents);
  return splitCents(shared, weights)[position]! + own;
}

/** Splits an amount in proportion to the weights. The cents that are left over go to the largest remainders. */
export function splitCents(cents: number, weights: number[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
  if (whole === 0n) return weights.map((_, index) => (index === 0 ? cents : 0));
  const products = weights.map((weight) => BigInt(cents) * BigInt(weight));
  const parts = products.map((product) => product / whole);
  const left = Number(BigInt(cents) - parts.reduce((sum, part) => sum + part, 0n));
  const byRemainder = products
    .map((product, index) => ({ index, remainder: product % whole }))
    .sort((one, other) => (one.remainder === other.remainder ? 0 : one.remainder > other.remainder ? -1 : 1));
  const lucky = new Set(byRemainder.slice(0, left).map(({ index }) => index));
  return parts.map((part, index) => Number(part) + (lucky.has(index) ? 1 : 0));
}

/** The shares of the payment that a charge and its deductions belong to. */
function sharesOf(charge: Charge | null, deductions: DeductionFact[], shares: InvoiceShare[]): InvoiceShare[] {
  const intents = [charge, ...deductions].map((one) => one?.paymentIntent);
  const chargeIds = [charge, ...deductions].map((one) => one?.chargeId);
  for (const id of [...intents, ...chargeIds]) {
    const found = shares.filter(({ reference }) => reference === id);
    if (found.length > 0) return found;
  }
  return [];
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
