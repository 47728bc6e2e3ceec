import type { LeadAuth, ProcessorName } from '@svc/contract';
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

/** The terms of the program, and a key that Bob's page claims with his customer's click before anything is paid. */
export type Circumstances = {
  couponsWin: boolean;
  leadAuth: LeadAuth;
  claims: 'new key' | 'key of Jane’s' | null;
};

export type PurchaseWithTerms = Purchase & Circumstances;

const circumstances: fc.Arbitrary<Circumstances> = fc.record({
  couponsWin: fc.boolean(),
  leadAuth: fc.constantFrom('server_required' as const, 'browser_allowed' as const),
  claims: fc.constantFrom('new key' as const, 'new key' as const, 'key of Jane’s' as const, null, null),
});

export const purchasesWithTerms: fc.Arbitrary<PurchaseWithTerms> = fc
  .tuple(purchases, circumstances)
  .map(([purchase, terms]) => ({
    ...purchase,
    ...terms,
    hasNewKey: purchase.hasNewKey || terms.claims === 'new key',
    isSignupLate:
      purchase.isSignupLate && !isClaimSettledBefore(purchase, terms) && !isPaidByClaimBefore(purchase, terms),
  }));

/** Whether a payment before the signup would give the key of the signup to the page that claimed it. */
function isClaimSettledBefore({ says }: Purchase, { claims }: Circumstances): boolean {
  const said = Object.values(says);
  return claims === 'key of Jane’s' && (said.includes('key of Jane’s') || said.includes('click of Bob’s'));
}

/** Whether a payment before the signup would be the claimer's, because its address is nobody's yet. */
function isPaidByClaimBefore({ says }: Purchase, { claims, leadAuth }: Circumstances): boolean {
  return claims === 'new key' && leadAuth === 'server_required' && Object.values(says).includes('email of Jane’s');
}

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
export const newKeyOf = (purchase: Purchase, key: string): Record<string, string> =>
  namesNewKey(purchase) ? { svc_customer_key: newKeyFor(key) } : {};

/** A key that nobody holds, for the person who has the other one. */
export const newKeyFor = (key: string) => `new-${key}`;

function namesNewKey({ says, hasNewKey }: Purchase): boolean {
  const said = Object.values(says);
  const isMixed =
    said.includes('key of Jane’s') || (said.includes('click of Jane’s') && said.includes('click of Bob’s'));
  return hasNewKey && !isMixed;
}

export const START_CENTS = 5_000;
export const RENEWAL_CENTS = 2_000;
export const REFUND_CENTS = 1_250;

/** Who is credited for the payments, which of the two customers has bought, and why the commission is held. */
export type Credit = {
  who: 'Jane' | 'Bob' | null;
  buyer: 'Jane’s' | 'Bob’s' | null;
  hold: 'claimed_key' | null;
};

/** Who is credited for the payments of a purchase. Written down from the list in docs/payments.md. */
export function creditedFor(purchase: PurchaseWithTerms, processor: ProcessorName): Credit {
  const hasCoupon = readableCoupon(processor, purchase.coupon);
  const payer = payerOf(purchase, processor);
  if (payer === null) return { who: hasCoupon ? 'Bob' : null, buyer: null, hold: null };
  const { who, hold } = payer;
  return { who: hasCoupon && purchase.couponsWin ? 'Bob' : who, buyer: `${who}’s`, hold };
}

/** Whose customer pays, without the coupon. */
function payerOf(
  purchase: PurchaseWithTerms,
  processor: ProcessorName,
): { who: 'Jane' | 'Bob'; hold: Credit['hold'] } | null {
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
  const isClaimed = purchase.claims === 'new key' && namesNewKey(purchase);
  // Where pages may report signups, the key is Bob's customer's. Elsewhere it is a claim.
  const isHeldKey = isClaimed && purchase.leadAuth === 'browser_allowed';
  // The holder of the key, then the first click, then the address, then the claim.
  const holder = says('key of Jane’s') ? 'Jane' : isHeldKey ? 'Bob' : undefined;
  const sure = holder ?? click ?? (says('email of Jane’s') ? 'Jane' : undefined);
  if (sure !== undefined) return { who: sure, hold: null };
  return isClaimed ? { who: 'Bob', hold: 'claimed_key' } : null;
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
