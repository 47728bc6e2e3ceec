import type { HoldReason, MembershipStatus, SaleDetails } from '@svc/contract';
import type { Holder } from '../customers/attribution-store.ts';
import { type Customer, isAttributed } from '../customers/customer.ts';
import type { DecisionSource } from '../decisions/decision.ts';
import type { Program } from '../programs/program.ts';
import type { LastClick } from '../terms/credited-click.ts';
import type { Earned, Period } from '../terms/earning.ts';
import type { Terms } from '../terms/terms.ts';
import { clickAgeDays, isClickAfter, isWindowExpired, windowOf } from './attribution-window.ts';

export type NewSale = {
  /** What the caller added about it, in the spelling of the contract. */
  details?: SaleDetails;
  transactionId: string;
  /** Generated for a test sale. On a collision we retry with a new id and record no decision. */
  hasGeneratedId?: boolean;
  customerKey: string | undefined;
  clickId: string | undefined;
  /** Set when the caller has already identified the customer; the identifiers then only explain how. */
  customerId?: number;
  /** Set when nobody holds the key of a payment and several web pages claim it. */
  isKeyDisputed?: boolean;
  /** Set when the payer was matched by an e-mail that only a web page reported. */
  isEmailFromPage?: boolean;
  /** Whether only a web page connects the payment's key with the customer. */
  isKeyFromPage?: boolean;
  /** The coupon code that was used. */
  couponCode?: string;
  /** The hash of the payer's e-mail at the payment processor: see `hashEmailIdentity`. */
  emailIdentityHash?: string;
  /** When it was paid, if a payment processor reported it. Otherwise now. */
  paidAt?: Date;
  amountCents: number;
  /** How much of the amount is tax and shipping, if it was reported. */
  taxCents?: number;
  shippingCents?: number;
  currency: string;
  saleType: 'payment' | 'subscription';
  isRecurring: boolean;
  /** Set by a payment processor that reports why the subscription was charged. */
  subscriptionStage?: SubscriptionStage;
  /** Whether the payment changes a subscription that has been paid for before. */
  isChange?: boolean;
  /** The ids of what paid it, at the payment processor. */
  paidBy?: string[];
  /** The real customer of a test payment. It changes nothing about them. */
  realCustomer?: Customer;
  /** What to correct in the shop, if the payment shows it. */
  hint?: string;
  additionalData?: Record<string, unknown>;
  isTest: boolean;
  source: DecisionSource;
  requestId: string | null;
};

/** Why the subscription was charged: its start, a renewal, or a change of plan. */
export type SubscriptionStage = 'start' | 'cycle' | 'change';

/** The first payment of a subscription is a sale, however it came about: a trial or a free month may precede it. */
export function periodOf(stage: SubscriptionStage | undefined, hasEarlierPayment: boolean): Period {
  if (!hasEarlierPayment || stage === undefined || stage === 'start') return 'first';
  return stage === 'cycle' ? 'renewal' : 'change';
}

export type SaleAttempt = { program: Program; sale: NewSale };

/** Why a code credits its partner, or does not. */
export type CouponResult = 'credited' | 'kept' | 'unknown' | 'inactive' | 'partner_inactive' | 'program_inactive';

/** What the code of a sale did. */
export type CouponUse = {
  code: string;
  result: CouponResult;
  partnerId: number | null;
  /** Who would have been credited otherwise: the customer's partner before, or the partner of a code that lost. */
  loserId: number | null;
  /** Whether the customer becomes the partner's with this sale. */
  takesCustomer: boolean;
};

/** What is stored about the customer of a reported sale. */
export type SaleFacts = {
  /** With the partner whom they belonged to when it was paid. */
  customer: Customer | null;
  /** Whose customer it is by now. */
  holder: Holder | null;
  /** A customer was found, but only in another program. Their identity must not leak from there. */
  foundElsewhere: boolean;
  membershipStatus: MembershipStatus | null;
  partnerExists: boolean;
  /** Of the customer: see `hashEmailIdentity`. */
  emailIdentityHash: string | null;
  /** Whether the customer or the payer has an e-mail of the partner who would earn the commission. */
  isSelfReferral: boolean;
  /** Whether the customer was found by a key that only a web page connects with them. */
  isKeyFromPage: boolean;
  /** Set when the customer came through the program's test link: the sale is a test, whatever it says. */
  isFromTestLink?: boolean;
  /** Set when this sale decides which click of the customer is credited: it is their first conversion. */
  lastClick?: LastClick;
  /** The group of the partner when it was paid; null for the default one. */
  groupId: number | null;
  /** Who recruited the partner, if that partner is active. */
  recruiterId: number | null;
  /** The code that the customer used, if the program has it and it is active. */
  usedCoupon?: string | null;
  /** The partner whom the code of a test sale would credit. */
  couponWouldCreditId?: number;
};

type SaleRefusal =
  | 'customer_not_found'
  | 'key_claimed_by_several'
  | 'attributed_elsewhere'
  | 'customer_unattributed'
  | 'click_after_payment'
  | 'membership_missing'
  | 'partner_blocked'
  | 'partner_removed';

/** Why a reported sale is not recorded. */
export type RefusedSale =
  | { is: 'refused'; reason: SaleRefusal }
  | { is: 'outside_window'; reason: 'attribution_window_expired'; clickAgeDays: number; windowDays: number };

/** The verdict on a reported sale, before the duplicate guard. */
export type SaleVerdict =
  | RefusedSale
  | { is: 'recorded'; reason: 'sale_attributed' | 'self_referral'; earned: Earned; holdReason: HoldReason | null }
  | { is: 'recorded'; reason: UnpaidReason | 'commission_too_large' | 'test_event'; earned: null }
  | UnpaidSale;

export type UnpaidReason =
  | 'renewal_without_commission'
  | 'change_without_commission'
  | 'rule_without_commission'
  | 'cap_reached';

type UnpaidSale = {
  is: 'unpaid';
  reason: 'partner_missing' | 'commission_failed';
  owesCommission: boolean;
  earned?: Earned;
  holdReason?: HoldReason | null;
};

/** The outcome for the caller who reported the sale. */
export type SaleOutcome =
  | {
      is: 'recorded';
      saleId: number;
      commissionId: number | null;
      earned: { cents: number; currency: string };
      attributed: boolean;
      /** What the customer was granted. */
      credit: { cents: number; currency: string } | null;
      decisionId: number;
      isTest: boolean;
    }
  | { is: 'outside_window'; clickAgeDays: number; windowDays: number }
  | { is: 'refused'; reason: SaleRefusal | 'duplicate_transaction' | 'partner_missing' | 'commission_failed' };

/** A reported sale, with what was looked up and whose customer it is of. */
export type JudgedSale = {
  attempt: SaleAttempt;
  facts: SaleFacts;
  /** What its coupon code did; null without one. */
  coupon: CouponUse | null;
  /** The terms in force when it was paid. */
  terms: Terms;
  /** Null if it is to be recorded, provided that its transaction id is free. */
  refusal: RefusedSale | null;
  paidAt: Date;
  now: Date;
};

/** Checks a sale in this order: customer, attribution, relationship, window. Null: nothing is against recording it. */
export function judgeSale({ program, sale }: SaleAttempt, facts: SaleFacts, paidAt: Date): RefusedSale | null {
  const { customer, membershipStatus } = facts;
  if (sale.isTest && (!customer || !isAttributed(customer))) return judgeTestSale(sale, facts);
  if (!customer) return { is: 'refused', reason: unknownCustomer(sale, facts) };
  if (!isAttributed(customer)) return { is: 'refused', reason: 'customer_unattributed' };
  if (sale.paidAt && isClickAfter(customer, sale.paidAt)) return { is: 'refused', reason: 'click_after_payment' };
  if (membershipStatus !== 'active') {
    return { is: 'refused', reason: membershipStatus ? INACTIVE_REASONS[membershipStatus] : 'membership_missing' };
  }
  return expiredWindow(customer, program.attributionWindowDays, sale, paidAt);
}

/** A test payment without a test customer shows what would happen to a real one. Other test sales need no customer. */
function judgeTestSale(sale: NewSale, facts: SaleFacts): RefusedSale | null {
  if (sale.source !== 'processor' || facts.customer || wouldCreditId(sale, facts) !== null) return null;
  if (sale.realCustomer) return { is: 'refused', reason: 'customer_unattributed' };
  return { is: 'refused', reason: sale.isKeyDisputed ? 'key_claimed_by_several' : 'customer_not_found' };
}

/** The partner whom a test payment would credit: that of its code, or else that of the real customer. */
export function wouldCreditId({ realCustomer }: NewSale, { couponWouldCreditId }: SaleFacts): number | null {
  if (couponWouldCreditId !== undefined) return couponWouldCreditId;
  return realCustomer && isAttributed(realCustomer) ? realCustomer.partnerId : null;
}

function unknownCustomer({ isKeyDisputed }: NewSale, { foundElsewhere }: SaleFacts): SaleRefusal {
  if (foundElsewhere) return 'attributed_elsewhere';
  return isKeyDisputed ? 'key_claimed_by_several' : 'customer_not_found';
}

/** Why a partner who is not an active member of the program earns nothing. */
const INACTIVE_REASONS = {
  applied: 'membership_missing',
  blocked: 'partner_blocked',
  removed: 'partner_removed',
} as const satisfies Record<Exclude<MembershipStatus, 'active'>, SaleRefusal>;

function expiredWindow(customer: Customer, windowDays: number, sale: NewSale, paidAt: Date): RefusedSale | null {
  const window = windowOf(customer, windowDays, paidAt);
  if (!window || !isWindowExpired(customer, windowDays, sale, paidAt)) return null;
  return {
    is: 'outside_window',
    reason: 'attribution_window_expired',
    clickAgeDays: clickAgeDays(window),
    windowDays,
  };
}
