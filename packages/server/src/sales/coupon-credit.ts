import type { MembershipStatus } from '@svc/contract';
import { type Customer, isAttributed } from '../customers/customer.ts';
import { belongToPartner } from '../customers/self-referral.ts';
import { hasLiveClaim } from './attribution-window.ts';
import type { CouponUse, SaleAttempt, SaleFacts } from './sale.ts';

/** A code of the program that a sale names, with the partner whom it belongs to. */
export type FoundCoupon = {
  partnerId: number;
  membershipId: number;
  membershipStatus: MembershipStatus;
  isActive: boolean;
  /** The addresses of the partner and of their account. */
  partnerEmails: (string | null)[];
  /** Where the partner stood when it was paid. */
  groupId: number | null;
  recruiterId: number | null;
};

type Credited = { facts: SaleFacts; coupon: CouponUse | null };

/**
 * Credits the partner of a code with the sale. The first partner keeps the customer until the attribution window closes, unless
 * the program lets codes win. A renewal takes nobody from a partner whose claim lasts: the code was used when the subscription
 * began.
 */
export function creditCoupon(
  { program, sale }: SaleAttempt,
  facts: SaleFacts,
  found: FoundCoupon | null,
  at: { paidAt: Date; emailSecret: string },
): Credited {
  const { couponCode: code } = sale;
  if (code === undefined) return { facts, coupon: null };
  const named = {
    code,
    partnerId: found?.partnerId ?? null,
    loserId: null,
    takesCustomer: false,
  };
  const customer = facts.customer ?? sale.realCustomer ?? null;
  if (!found) return { facts, coupon: { ...named, result: 'unknown' } };
  if (!found.isActive) return { facts, coupon: { ...named, result: 'inactive' } };
  if (found.membershipStatus !== 'active') return { facts, coupon: { ...named, result: 'partner_inactive' } };
  const isClaimed = customer !== null && isAttributed(customer) && hasLiveClaim(customer, program, sale, at.paidAt);
  const isOwn = customer?.partnerId === found.partnerId;
  if (isClaimed && isOwn) return { facts, coupon: { ...named, result: 'credited' } };
  if (program.status !== 'active') return { facts, coupon: { ...named, result: 'program_inactive' } };
  const mayTakeOver = program.couponsWin && !sale.isRecurring && !sale.isChange;
  if (isClaimed && !mayTakeOver) return { facts, coupon: { ...named, result: 'kept', loserId: found.partnerId } };
  const loserId = isOwn ? null : (customer?.partnerId ?? null);
  // A test shows what the code would do. It changes nobody's customers.
  if (sale.isTest) {
    return {
      facts: { ...facts, couponWouldCreditId: found.partnerId },
      coupon: { ...named, result: 'credited', loserId },
    };
  }
  return {
    facts: creditedFacts(facts, customer ?? newCustomer(program.id, sale.customerKey), found, sale, at),
    coupon: { ...named, result: 'credited', loserId, takesCustomer: true },
  };
}

function creditedFacts(
  facts: SaleFacts,
  customer: Customer,
  { partnerId, membershipId, membershipStatus, partnerEmails, groupId, recruiterId }: FoundCoupon,
  sale: SaleAttempt['sale'],
  { paidAt, emailSecret }: { paidAt: Date; emailSecret: string },
): SaleFacts {
  const buyer = [facts.emailIdentityHash, sale.emailIdentityHash];
  return {
    ...facts,
    customer: { ...customer, partnerId, membershipId, linkId: null, assignedAt: paidAt },
    foundElsewhere: false,
    membershipStatus,
    partnerExists: true,
    isSelfReferral: belongToPartner(buyer, partnerEmails, emailSecret),
    groupId,
    recruiterId,
  };
}

/** The code that rules may ask for: one that the program has and that is active, no matter who was credited. */
export function usedCouponOf(coupon: CouponUse | null): string | null {
  return coupon?.result === 'credited' || coupon?.result === 'kept' ? coupon.code : null;
}

/** The id of a customer who is added with the sale. */
export const NEW_CUSTOMER_ID = 0;

/** A customer created from the partner's coupon, who is the partner's from that payment on. */
export function assignedCustomer(
  programId: number,
  customerKey: string | undefined,
  { partnerId, membershipId }: Pick<FoundCoupon, 'partnerId' | 'membershipId'>,
  assignedAt: Date,
): Customer {
  return { ...newCustomer(programId, customerKey), partnerId, membershipId, assignedAt };
}

/** A new customer identified only by a coupon code. */
function newCustomer(programId: number, customerKey: string | undefined): Customer {
  return {
    id: NEW_CUSTOMER_ID,
    programId,
    linkId: null,
    partnerId: null,
    membershipId: null,
    clickedAt: null,
    customerKey: customerKey ?? null,
    status: 'click',
    leadAt: null,
    leadState: null,
    leadSource: null,
    claimedCustomerKey: null,
    convertedAt: null,
    creditedClickAt: null,
    assignedAt: null,
    isTest: false,
  };
}

/** The code among the facts of a decision. The partner who was not credited is named too. */
export function couponFacts(code: string | undefined, coupon: CouponUse | null): Record<string, unknown> {
  if (code === undefined) return {};
  return {
    coupon_code: code,
    coupon_result: coupon?.result,
    coupon_partner_id: coupon?.partnerId ?? undefined,
    coupon_loser_id: coupon?.loserId ?? undefined,
  };
}
