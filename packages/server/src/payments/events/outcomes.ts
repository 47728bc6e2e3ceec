import { INVOICE_LINKS, PROCESSORS } from '@svc/contract';
import { processors } from '../processors/processors.ts';

/** The events that link invoices to their payments, each with the processor that sends it. */
const LINK_EVENTS = PROCESSORS.flatMap((name) => {
  const link = INVOICE_LINKS[name];
  return link ? [`${link.event} (${processors[name].title})`] : [];
}).join(' or ');

/** The outcomes of a payment processor's event: a code for programs, a sentence for people. */
export const outcomes = {
  recorded: 'The payment was recorded as a sale.',
  settled_and_recorded: 'The payment confirmed the signup and was recorded as a sale.',
  duplicate: 'This payment was already recorded. It counts once.',
  left_to_invoice: 'The customer was identified. The payment is recorded from its invoice.',
  payer_known: 'The customer was identified. Their payments arrive in other events.',
  code_known: 'The coupon code was noted. The payments with it arrive in other events.',
  payment_linked: 'The invoice was linked to its payment.',
  refunded: 'The sale was updated to match its refunds and disputes.',
  restored: 'A refund failed or a dispute was won, so the sale and its commission were restored.',
  unchanged: 'The sale was already up to date.',
  no_sale_yet: 'No sale is recorded for this payment yet. If one is recorded later, this will be applied to it.',
  no_invoice_link:
    'No sale is linked to this payment, and recent invoices arrived without their payments. Add the event ' +
    `that links them to this endpoint’s events: ${LINK_EVENTS}.`,
  no_customer: 'The payer could not be matched to a customer of the program.',
  not_a_customer_yet: 'Nobody whom the program knows. A payment of theirs asks again.',
  test_recorded: 'A test payment. In live mode, the partner of this customer would be credited. It counts nowhere.',
  test_no_customer:
    'A test payment that matches no customer of the program. In live mode, no partner would be credited. Check ' +
    'the metadata or custom data of the checkout.',
  waiting_for_checkout:
    'Only an email address or a coupon says who paid. Waiting briefly for another event of the purchase.',
  other_program: 'The payment belongs to another program.',
  not_attributed: 'The customer is known, but no partner is credited for them.',
  click_after_payment: 'The customer clicked the partner’s link only after this payment.',
  outside_window: 'The click was older than the attribution window.',
  partner_blocked: 'The partner is blocked in the program and earns nothing.',
  partner_removed: 'The partner has left the program and earns nothing.',
  commission_owed: 'The payment was recorded, but its commission could not be created yet. It will be created later.',
  zero_amount: 'Nothing was paid, so no sale was recorded.',
  unknown_currency: 'The payment’s currency is not supported.',
  inquiry: 'The bank asked about the payment. No money was taken back, so the sale is unchanged.',
  awaiting_approval: 'The refund has not been approved by the payment processor yet. Until then the sale is unchanged.',
  credited:
    'The amount was credited towards later payments, which are recorded as they are paid. The sale is unchanged.',
  not_paid: 'The payment is not complete yet. Another event follows when it is.',
  ping: 'The payment processor checked that this endpoint can be reached.',
  thin_event: 'This is a thin event, which does not contain the payment. Choose snapshot payloads for this endpoint.',
  malformed: 'An id, a time or an amount in the event is missing or out of range, so nothing was recorded.',
  not_used: 'The service does not use events of this type, or this one does not say who the customer is.',
  erased: 'The customer was erased before this event was processed, and its content with them.',
  program_gone: 'The program no longer exists.',
  failed: 'Processing failed and is retried automatically.',
} as const;

export type EventOutcome = keyof typeof outcomes;
