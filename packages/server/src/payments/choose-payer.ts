import { type Customer, hasClickedAfter } from '../customers/customer.ts';
import { isClickAfter } from '../sales/attribution-window.ts';

/**
 * What identifies a payer, in the order in which it counts. The customer who holds the key comes first, so that a customer stays with
 * their first partner whatever link they clicked since; what only a page claims, and a coupon, come last. The index is the stored rank.
 */
export const MATCHES = ['key', 'reference', 'click', 'client_reference', 'email', 'claim', 'coupon'] as const;
export type Match = (typeof MATCHES)[number];
export const rankOf = (match: Match) => MATCHES.indexOf(match);

/** What makes a match doubtful, or certain. */
export type Doubts = {
  isEmailFromPage: boolean;
  /** Whether the address on the payment is that of the customer's lead. */
  isEmailOfLead: boolean;
  /** Whether a sale to them rests on a claimed key, and whether the brand has approved such a sale. */
  hasClaimedSale: boolean;
  isClaimApproved: boolean;
};

/** A customer who may have paid, and what says so. */
export type Candidate = Doubts & {
  customer: Customer;
  /** What the event itself says, or by what the processor's id was learnt. */
  evidence: Match;
  /** When the evidence happened: with this event, or with the one that taught the processor's id. */
  seenAt: Date;
  /** When the earliest event happened that said who the payer is, if only by weaker evidence. */
  knownSince: Date;
  /** Whether an event before, or after, taught it. */
  isReference: boolean;
};

export type Payer = Candidate & {
  /** As in `MATCHES`: an id that was learnt by weak evidence counts as that evidence. */
  matchedBy: Match;
  /** Whether this event is the earliest one that identified the owner of the processor's ids. */
  isFirstWord: boolean;
  /** The customer who has the key of the payment by nothing but the claim of a page. */
  claimantIds: number[];
};

/**
 * Whether nothing but a claim of a web page says that the payer is this customer. A payment settles the claim, so later payments
 * by the same key or processor's id are no better, until the brand has approved a commission that rests on it.
 */
export function isKeyFromPage(payer: Payer): boolean {
  const { matchedBy, evidence, isReference, isEmailOfLead, hasClaimedSale, isClaimApproved } = payer;
  const isClickKnown = isReference && CLICKS.includes(evidence);
  if (isEmailOfLead || isClickKnown) return false;
  const isKnownByClaim = isReference && evidence === 'claim';
  if (matchedBy === 'claim' && !isKnownByClaim) return true;
  const isFollowUp = matchedBy === 'key' || matchedBy === 'reference' || isKnownByClaim;
  return isFollowUp && !isClaimApproved && (isKnownByClaim || hasClaimedSale || holdsClaimedKey(payer.customer));
}

/** Whether the customer has their key from a claim that a payment settled. It need not have become a sale. */
function holdsClaimedKey({ leadState, leadSource, customerKey, claimedCustomerKey }: Customer): boolean {
  const isFromPage = leadState === 'settled' && leadSource === 'page';
  return isFromPage && customerKey !== null && customerKey === claimedCustomerKey;
}

/** A client reference is a click id that came another way, so both are as strong as each other. */
const strengthOf = (evidence: Match) => rankOf(evidence === 'client_reference' ? 'click' : evidence);

/** The click ids among the evidence. */
export const CLICKS: Match[] = ['click', 'client_reference'];

/** Only what proves who paid makes a processor's id a proof. An id that was learnt by an e-mail counts as an e-mail. */
const PROOFS: Match[] = ['key', 'click', 'client_reference'];

/**
 * Chooses who paid, whatever the order in which the evidence became known: the strongest evidence, of equals the earliest, and
 * within a second the older customer. Customers who clicked only after the payment, or after the processor's ids were already
 * known, count only if there is no other candidate.
 */
export function choosePayer(candidates: Candidate[], paidAt: Date | null): Payer | null {
  const knownSince = earliest(candidates.map((candidate) => candidate.knownSince));
  const position = (candidate: Candidate) => positionOf(candidate, paidAt, knownSince);
  const [best] = [...candidates].sort((one, other) => compare(position(one), position(other)));
  if (!best) return null;
  const said = candidates.filter(({ isReference }) => !isReference);
  const learnt = candidates.filter(({ isReference }) => isReference);
  const saidSince = earliest([best, ...said].map((candidate) => candidate.knownSince));
  const isProven = best.isReference && PROOFS.includes(best.evidence);
  return {
    ...best,
    knownSince: saidSince,
    matchedBy: isProven ? 'reference' : best.evidence,
    isFirstWord: learnt.some((candidate) => saidSince < candidate.knownSince),
    claimantIds: said.filter(({ evidence }) => evidence === 'claim').map(({ customer }) => customer.id),
  };
}

const earliest = (times: Date[]) => new Date(Math.min(...times.map((time) => time.getTime())));

function positionOf(candidate: Candidate, paidAt: Date | null, knownSince: Date): number[] {
  const { customer, evidence, seenAt, isReference } = candidate;
  const isTooLate = paidAt !== null && isClickAfter(customer, paidAt);
  // The key on the payment itself is the last word about that payment.
  const strength = evidence === 'key' && !isReference ? -1 : strengthOf(evidence);
  const isLaterClick = CLICKS.includes(evidence) && hasClickedAfter(customer, knownSince);
  return [Number(isTooLate), Number(isLaterClick), strength, seenAt.getTime(), customer.id];
}

function compare(one: number[], other: number[]): number {
  const index = one.findIndex((value, position) => value !== other[position]);
  return index < 0 ? 0 : one[index]! - other[index]!;
}

/** The strength of a stored rank, in SQL. */
export const STRENGTH_OF_RANK = (rank: string) =>
  `case ${rank} when ${rankOf('client_reference')} then ${rankOf('click')} else ${rank} end`;
