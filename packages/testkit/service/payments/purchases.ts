import type { ProcessorName } from '@svc/contract';
import fc from 'fast-check';
import { GENERATIONS, type Generation } from './stripe.ts';

// A purchase is told by several events that share the processor's ids. Each of them says something else about who paid, or
// nothing. Whoever reads them in another order must come to the same result.

/** What an event says about who paid. Jane's customer signed up with an e-mail address; Bob's customer only clicked. */
export const EVIDENCE = ['nothing', 'email of Jane’s', 'key of Jane’s', 'click of Jane’s', 'click of Bob’s'] as const;
export type Evidence = (typeof EVIDENCE)[number];

/** The events of a purchase that can say who paid, in the order in which they happen. */
export const TELLERS = ['checkout', 'customer', 'start', 'renewal'] as const;
export type Teller = (typeof TELLERS)[number];

/** What is taken back of the first payment. A dispute that is won takes nothing. */
export type Taken = 'nothing' | 'refund' | 'dispute' | 'dispute, won';

export type Purchase = {
  says: Record<Teller, Evidence>;
  /** Which event names Bob's coupon, if one does. */
  coupon: 'checkout' | 'start' | null;
  hasRenewal: boolean;
  taken: Taken;
  /** Whether the first payment has a key that nobody holds. */
  hasNewKey: boolean;
  /** Whether the shop reports the signup of Jane's customer only while the events arrive. */
  isSignupLate: boolean;
  /** Whether somebody gives Jane's customer to Carol while the events arrive. */
  isAssigned: boolean;
  generation: Generation;
};

/** The people behind a purchase, and what they are known by. */
export type People = { email: string; key: string; janesClick: string; bobsClick: string };

const evidence = fc.constantFrom(...EVIDENCE, 'nothing' as const, 'nothing' as const);
const seldom = fc.constantFrom(true, false, false, false);

export const purchases: fc.Arbitrary<Purchase> = fc
  .record({
    says: fc.record({ checkout: evidence, customer: evidence, start: evidence, renewal: evidence }),
    coupon: fc.constantFrom('checkout' as const, 'start' as const, null, null),
    hasRenewal: fc.boolean(),
    taken: fc.constantFrom<Taken>('nothing', 'nothing', 'refund', 'dispute', 'dispute, won'),
    hasNewKey: fc.boolean(),
    isSignupLate: seldom,
    isAssigned: seldom,
    generation: fc.constantFrom(...GENERATIONS),
  })
  .map((purchase) => ({ ...purchase, isSignupLate: purchase.isSignupLate && !isTakenBefore(purchase) }));

/**
 * Whether a payment before the signup would make somebody else the customer whom the signup is about: a signup happens when it is
 * reported, and its key stays with who holds it by then.
 */
function isTakenBefore({ says, coupon }: Purchase): boolean {
  const said = Object.values(says);
  const isKnownBySignup = said.includes('key of Jane’s') || (said.includes('email of Jane’s') && coupon !== null);
  return isKnownBySignup && (coupon !== null || said.includes('click of Bob’s'));
}

/** A key belongs to one person, so it is not put next to the evidence of two. */
export const newKeyOf = ({ says, hasNewKey }: Purchase, key: string): Record<string, string> => {
  const said = Object.values(says);
  const isMixed =
    said.includes('key of Jane’s') || (said.includes('click of Jane’s') && said.includes('click of Bob’s'));
  return hasNewKey && !isMixed ? { svc_customer_key: `new-${key}` } : {};
};

export const START_CENTS = 5_000;
export const RENEWAL_CENTS = 2_000;
export const REFUND_CENTS = 1_250;

/** Who is credited for the payments, and which of the two customers has bought. Coupons make customers of their own. */
export type Credit = { who: 'Jane' | 'Bob' | null; buyer: 'Jane’s' | 'Bob’s' | null };

/** Who is credited for the payments of a purchase. Written down from the list in docs/payments.md. */
export function creditedFor(purchase: Purchase, processor: ProcessorName): Credit {
  const told = TELLERS.filter((teller) => teller !== 'renewal' || purchase.hasRenewal).map((teller) => ({
    teller,
    evidence: readable(processor, teller, purchase.says[teller]),
  }));
  // All but the renewal happen in the same second, in which Jane's click, the older one, comes first.
  const clicksAmong = (tellers: Teller[]) => {
    const said = told.filter(({ teller }) => tellers.includes(teller)).map((one) => one.evidence);
    return said.includes('click of Jane’s') ? 'Jane' : said.includes('click of Bob’s') ? 'Bob' : undefined;
  };
  const click = clicksAmong(['checkout', 'customer', 'start']) ?? clicksAmong(['renewal']);
  const says = (said: Evidence) => told.some((one) => one.evidence === said);
  // The holder of the key, then the first click, then the address, then the coupon.
  const who = says('key of Jane’s') ? 'Jane' : (click ?? (says('email of Jane’s') ? 'Jane' : undefined));
  if (who !== undefined) return { who, buyer: `${who}’s` };
  return { who: readableCoupon(processor, purchase.coupon) ? 'Bob' : null, buyer: null };
}

/** The events in which an e-mail address can be read. */
const WITH_EMAIL: Record<ProcessorName, Teller[]> = {
  stripe: ['checkout', 'start', 'renewal'],
  paddle: ['customer'],
  polar: ['start', 'renewal'],
  lemonsqueezy: ['checkout', 'start', 'renewal'],
  custom: ['checkout', 'customer', 'start', 'renewal'],
};

/** Polar's checkouts are not used: what they contain is on the order. */
function readable(processor: ProcessorName, teller: Teller, said: Evidence): Evidence {
  if (processor === 'polar' && teller === 'checkout') return 'nothing';
  return said !== 'email of Jane’s' || WITH_EMAIL[processor].includes(teller) ? said : 'nothing';
}

/** Paddle's subscriptions name no coupon, and neither do events of the shop that are no payments. */
function readableCoupon(processor: ProcessorName, coupon: Purchase['coupon']): boolean {
  return coupon === 'start' || (coupon === 'checkout' && processor !== 'paddle' && processor !== 'custom');
}

/** How much of the first payment is gone in the end. */
export function refundedOf({ taken }: Purchase): number {
  return { nothing: 0, refund: REFUND_CENTS, dispute: START_CENTS, 'dispute, won': 0 }[taken];
}
