/**
 * What the contract says a program earns, computed from the lives of its customers and from nothing else: it knows no
 * events, no order and no database, and shares no code with the service.
 */

type RefundEnd = 'succeeded' | 'pending' | 'failed' | 'canceled';
type DisputeEnd = 'open' | 'won' | 'lost' | 'inquiry';

/** Money from a customer, and what becomes of it. */
export type Payment = {
  cents: number;
  refunds: { cents: number; ends: RefundEnd; isInstant: boolean }[];
  dispute: { cents: number; ends: DisputeEnd } | null;
};

/** How a one-off payment reaches Stripe, and thereby which of its events exist. */
export const SHAPES = ['checkout', 'intent', 'both', 'captured', 'invoiced', 'attached'] as const;
export type OneOff = { kind: 'one_off'; shape: (typeof SHAPES)[number]; day: number; payment: Payment };

/** A payment pays one bill of a subscription or several of them at once. */
export type Bill = { reason: 'cycle' | 'update'; cents: number };
export type Subscription = {
  kind: 'subscription';
  day: number;
  hasTrial: boolean;
  hasMetadata: boolean;
  payments: { bills: Bill[]; payment: Payment }[];
};

export type Life = { signup: 'server' | 'page' | 'none'; purchases: (OneOff | Subscription)[] };

export type Terms = {
  type: 'percent' | 'fixed' | 'recurring_percent' | 'recurring_fixed';
  rate: string;
  months: number | null;
};

export type ExpectedSale = {
  id: string;
  cents: number;
  refunded: number;
  recurring: boolean;
  commission: number | null;
  deducted: number | null;
};

const DAY = 86_400;
const PERIOD_DAYS = 31;
export const WINDOW_DAYS = 30;

/** When a payment of a purchase is made, in seconds after the click. No two of them fall on a limit of the rules. */
export function paidAfter(purchase: number, day: number, period: number, bill = 0): number {
  return (day + period * PERIOD_DAYS) * DAY + period * 3_600 + purchase * 420 + bill * 5 + 60;
}

type Paid = { id: string; cents: number; refunded: number; at: number; period: 'first' | 'renewal' | 'change' };

/** The sales of one customer, with what their partner earns and loses. */
export function expectedSales(life: Life, terms: Terms, clickedAt: Date): ExpectedSale[] {
  const paid = life.purchases
    .flatMap((purchase, index) => (purchase.kind === 'one_off' ? [oneOff(purchase, index)] : bills(purchase, index)))
    .sort((one, other) => one.at - other.at);
  const [first] = paid;
  if (!first) return [];
  // The window is checked against the signup, or else against payments until the customer has bought.
  if (life.signup === 'none' && first.at > WINDOW_DAYS * DAY) return [];
  const lastAt = terms.months === null ? Number.POSITIVE_INFINITY : secondsToMonths(clickedAt, first.at, terms.months);
  return paid.map(({ id, cents, refunded, at, period }) => {
    const commission = earns(terms, period, at < lastAt) ? earned(terms, cents) : null;
    const deducted = commission === null ? null : halfUp(BigInt(commission) * BigInt(refunded), BigInt(cents));
    return { id, cents, refunded, recurring: period === 'renewal', commission, deducted };
  });
}

/** The ids that sales are recorded under: that of the invoice where there is one. */
export const intentId = (purchase: number, period = 0) => `pi_${purchase}_${period}`;
export const invoiceId = (purchase: number, period = 0, bill = 0) => `in_${purchase}_${period}_${bill}`;

function oneOff({ shape, day, payment }: OneOff, purchase: number): Paid {
  const hasInvoice = shape === 'invoiced' || shape === 'attached';
  return {
    id: hasInvoice ? invoiceId(purchase) : intentId(purchase),
    cents: payment.cents,
    refunded: takenBack(payment),
    at: paidAfter(purchase, day, 0),
    period: 'first',
  };
}

/** The first money of a subscription is its first payment, whatever it is for. */
function bills({ day, hasTrial, payments }: Subscription, purchase: number): Paid[] {
  const paid = payments.flatMap(({ bills: list, payment }, index) => {
    const period = index + (hasTrial ? 1 : 0);
    const refunded = split(
      takenBack(payment),
      list.map(({ cents }) => cents),
    );
    return list.map(({ reason, cents }, bill) => ({
      id: invoiceId(purchase, period, bill),
      cents,
      refunded: refunded[bill] ?? 0,
      at: paidAfter(purchase, day, period, bill),
      later: reason === 'cycle' ? ('renewal' as const) : ('change' as const),
    }));
  });
  return paid
    .filter(({ cents }) => cents > 0)
    .map(({ later, ...rest }, index) => ({ ...rest, period: index === 0 ? 'first' : later }));
}

/** Refunds count unless they failed, disputes unless they were won; an inquiry takes nothing. */
function takenBack({ cents, refunds, dispute }: Payment): number {
  const refunded = refunds
    .filter(({ ends }) => ends === 'succeeded' || ends === 'pending')
    .reduce((sum, refund) => sum + refund.cents, 0);
  const disputed = dispute && (dispute.ends === 'open' || dispute.ends === 'lost') ? dispute.cents : 0;
  return Math.min(refunded + disputed, cents);
}

/** In proportion, exact to the cent: the cent that is left goes to the larger remainder, and of equal ones to the first. */
function split(cents: number, parts: number[]): number[] {
  const whole = parts.reduce((sum, part) => sum + part, 0);
  if (whole === 0) return parts.map(() => 0);
  const shares = parts.map((part) => Math.floor((cents * part) / whole));
  let left = cents - shares.reduce((sum, share) => sum + share, 0);
  const order = parts
    .map((part, index) => ({ index, rest: (cents * part) % whole }))
    .sort((one, other) => other.rest - one.rest || one.index - other.index);
  for (const { index } of order) {
    if (left === 0) break;
    shares[index] = (shares[index] ?? 0) + 1;
    left -= 1;
  }
  return shares;
}

function earns({ type }: Terms, period: Paid['period'], isWithinMonths: boolean): boolean {
  if (period === 'first') return true;
  if (!isWithinMonths) return false;
  if (period === 'renewal') return type === 'recurring_percent' || type === 'recurring_fixed';
  return type === 'percent' || type === 'recurring_percent';
}

function earned({ type, rate }: Terms, cents: number): number {
  const scaled = BigInt(Math.round(Number(rate) * 10_000));
  return type === 'fixed' || type === 'recurring_fixed'
    ? halfUp(scaled * 100n, 10_000n)
    : halfUp(BigInt(cents) * scaled, 1_000_000n);
}

function halfUp(numerator: bigint, denominator: bigint): number {
  return Number((numerator * 2n + denominator) / (denominator * 2n));
}

function secondsToMonths(clickedAt: Date, firstAt: number, months: number): number {
  const end = new Date(clickedAt.getTime() + firstAt * 1000);
  const day = end.getUTCDate();
  end.setUTCMonth(end.getUTCMonth() + months);
  if (end.getUTCDate() !== day) end.setUTCDate(0);
  return (end.getTime() - clickedAt.getTime()) / 1000;
}
