import type { ANSWERS } from '@svc/contract';
import type { Reason } from '../../decisions/reasons.ts';
import type { Order } from './order-store.ts';

/** What a partner is told about an order. Facts are given only about orders of their own. */
export type OrderAnswer = { answer: (typeof ANSWERS)[number]; sentence: string; order: Order | null };

const COMMISSION_SENTENCES: Record<NonNullable<Order['commission']>['status'], string> = {
  pending: 'This order is credited to you. Its commission is on hold.',
  approved: 'This order is credited to you. Its commission is approved and will be in a payout.',
  paid: 'This order is credited to you, and its commission has been paid.',
  reversed: 'This order was credited to you. It was refunded, so its commission was reversed.',
  partially_reversed:
    'This order is credited to you. Part of it was refunded, and the same share of the commission was reversed.',
  rejected: 'This order came through your link, but the brand rejected its commission.',
};
const IN_REVIEW = 'This order is credited to you. The brand will review its commission before it is approved.';

const WITHOUT_COMMISSION: Partial<Record<Reason, string>> = {
  renewal_without_commission: 'This is a renewal of your customer. The program pays no commission for it.',
  change_without_commission: 'This is a change of your customer’s subscription. The program pays no commission for it.',
  commission_failed: 'This order is credited to you. Its commission has not been created yet, and is owed to you.',
  partner_missing: 'This order is credited to you. Its commission has not been created yet, and is owed to you.',
  rule_without_commission: 'This order is recorded as yours. The program’s commission rules pay no commission for it.',
  cap_reached:
    'This order is recorded as yours. It has no commission, because a cap of the program’s commission rules was reached.',
  months_over:
    'This order is credited to you. An earlier order of your customer became known, so its commission is computed again.',
  commission_too_large: 'This order is recorded as yours, but its commission could not be computed. Contact the brand.',
  payment_counted_once: 'This payment of your customer is counted under another id.',
  payer_known_better: 'It became known who paid for this order. It is credited where that customer came from.',
};
const NO_COMMISSION = 'This order is recorded as yours, but it has no commission. Contact the brand about it.';

/** Why an order of the partner’s own customer was not recorded. */
const OWN_REFUSALS: Partial<Record<Reason, string>> = {
  partner_blocked: 'This order came through your link while you were blocked in the program.',
  partner_removed: 'This order came through your link after you were removed from the program.',
  membership_missing: 'This order came through your link while you were not in the program.',
  click_after_payment: 'The customer clicked your link only after paying for this order.',
  nothing_paid:
    'Nothing was paid for this order, as at the start of a free trial. The first payment is the first sale.',
};
const NOT_RECORDED =
  'The brand reported this order, but it could not be recorded. Contact the brand and name the order.';

/** Reasons that say nothing about whose customer it was: the request itself was wrong, or named nobody. */
const NOBODYS: readonly Reason[] = [
  'invalid_request',
  'program_mismatch',
  'key_retired',
  'customer_not_found',
  'key_claimed_by_several',
  'transaction_of_other_program',
];

export const UNKNOWN_ORDER: OrderAnswer = {
  answer: 'unknown',
  sentence: 'The brand has not reported an order with this ID. Check the ID, or ask the brand.',
  order: null,
};
export const UNKNOWN_CUSTOMER: OrderAnswer = {
  answer: 'unknown',
  sentence: 'Nobody who clicked your links has signed up with this address.',
  order: null,
};
export const CUSTOMER_OF_ANOTHER: OrderAnswer = {
  answer: 'credited_to_another',
  sentence: 'This customer clicked your link, but had come through another partner’s link before.',
  order: null,
};
export const NO_ORDER_YET: OrderAnswer = {
  answer: 'no_order_yet',
  sentence: 'This customer is yours. The brand has not reported an order of theirs.',
  order: null,
};

/** Answers a partner who asks about an order. Nothing in it comes from the data of another partner. */
export function answerAbout(order: Order, partnerId: number): OrderAnswer {
  if (order.partnerId === partnerId) return answerAboutOwn(order);
  if (order.isRecorded && order.partnerId !== null)
    return { answer: 'credited_to_another', sentence: CREDITED_TO_ANOTHER, order: null };
  if (order.reason && NOBODYS.includes(order.reason)) {
    return { answer: 'not_recorded', sentence: NOT_RECORDED, order: null };
  }
  return { answer: 'not_yours', sentence: NOT_YOURS, order: null };
}

const CREDITED_TO_ANOTHER = 'The brand has reported this order. It is credited to another partner.';
const NOT_YOURS = 'The brand has reported this order, but it did not come through your links.';

function answerAboutOwn(order: Order): OrderAnswer {
  const { commission, reason } = order;
  if (commission) {
    const isInReview = commission.status === 'pending' && commission.isInReview;
    return { answer: 'credited', sentence: isInReview ? IN_REVIEW : COMMISSION_SENTENCES[commission.status], order };
  }
  if (order.isRecorded) {
    const sentence = (reason && WITHOUT_COMMISSION[reason]) ?? NO_COMMISSION;
    return { answer: 'recorded_without_commission', sentence, order };
  }
  if (reason === 'attribution_window_expired')
    return { answer: 'window_expired', sentence: windowSentence(order), order };
  return { answer: 'not_recorded', sentence: (reason && OWN_REFUSALS[reason]) ?? NOT_RECORDED, order };
}

function windowSentence({ clickAgeDays, windowDays, hasSignedUp }: Order): string {
  const days = (count: number | null) => `${count ?? 0} ${count === 1 ? 'day' : 'days'}`;
  const event = hasSignedUp ? 'the customer signed up' : 'the customer paid';
  return `Your link was clicked ${days(clickAgeDays)} before ${event}. The program counts clicks for ${days(windowDays)}.`;
}
