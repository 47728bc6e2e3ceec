import { type Beneficiary, couponKey, isForPartner, type TermsRule } from '@svc/contract';
import { addMonths, type Period } from './earning.ts';
import type { PaidAmount } from './terms.ts';

/** What a sale is, as far as rules can ask. */
export type RewardedSale = PaidAmount & {
  currency: string;
  productId: string | null | undefined;
  /** The code of the coupon that was used, if the program has it. */
  coupon?: string | null;
};

/** What is known about a sale or lead when the terms are applied to it. */
export type RewardFacts = {
  /** Null for a lead. */
  sale: RewardedSale | null;
  /** When it was paid, or when the customer signed up. */
  at: Date;
  partnerId: number;
  groupId: number;
  recruiterId: number | null;
  period: Period;
  /** The customer's first sale, if there was one before. */
  firstSaleAt: Date | null;
  /** Which payment of the customer it is, from 1. Null if it was not counted, because no rule asked for it. */
  paymentNumber: number | null;
};

export function isNewCustomer({ sale, paymentNumber, firstSaleAt }: RewardFacts): boolean {
  if (sale === null) return true;
  return paymentNumber === null ? firstSaleAt === null : paymentNumber === 1;
}

/** What a rule may ask for, one condition each. All of them have to hold. */
const CONDITIONS: ((rule: TermsRule, facts: RewardFacts) => boolean)[] = [
  ({ on }, { sale }) => (on === 'sale') === (sale !== null),
  isForPartner,
  ({ when }, { sale }) => isFreeOr(when?.product_id, sale?.productId),
  ({ when }, { sale }) => when?.coupon === undefined || (sale?.coupon ? isSameCode(when.coupon, sale.coupon) : false),
  ({ when }, { sale }) => when?.min_amount_cents === undefined || (sale?.amountCents ?? 0) >= when.min_amount_cents,
  ({ when }, facts) => isFreeOr(when?.customer, isNewCustomer(facts) ? 'new' : 'returning'),
  ({ pays }, { period }) => FITS[period](pays),
  ({ pays }, { firstSaleAt, at }) =>
    pays.months === undefined || firstSaleAt === null || at < addMonths(firstSaleAt, pays.months),
  ({ pays }, { paymentNumber }) => pays.max_payments === undefined || (paymentNumber ?? 1) <= pays.max_payments,
];

/** A change of a subscription earns percent of what it brings, and no fixed amount. */
const FITS: Record<Period, (pays: TermsRule['pays']) => boolean> = {
  first: () => true,
  renewal: ({ renewals }) => renewals === true,
  change: ({ type }) => type === 'percent',
};

function isFreeOr<Value>(asked: Value | undefined, actual: Value | null | undefined): boolean {
  return asked === undefined || asked === actual;
}

const isSameCode = (a: string, b: string) => couponKey(a) === couponKey(b);

/** The number of the first rule that matches and pays this beneficiary, from 1; null if none does. */
export function matchRule(rules: TermsRule[], facts: RewardFacts, to: Beneficiary): number | null {
  const index = rules.findIndex(
    (rule) => (rule.pays.to ?? 'partner') === to && CONDITIONS.every((holds) => holds(rule, facts)),
  );
  return index === -1 ? null : index + 1;
}
