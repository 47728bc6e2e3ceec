/** What became of an event of the payment processor: the code for programs, the sentence for people. */
export const outcomes = {
  recorded: 'The payment was recorded as a sale.',
  settled_and_recorded: 'The payment confirmed the signup and was recorded as a sale.',
  duplicate: 'This payment had been recorded before; it is counted once.',
  left_to_invoice: 'The customer is known now; the payment itself comes with the invoice.',
  payment_linked: 'It is known now which payment the invoice was paid by.',
  refunded: 'The sale was brought in step with what was refunded or disputed.',
  restored: 'A refund or dispute was undone; the commission was restored accordingly.',
  unchanged: 'The sale was in step already.',
  no_sale_yet: 'No recorded sale belongs to this payment; should one be recorded later, this is applied to it.',
  no_customer: 'Nobody who came through a partner’s link could be recognised as the payer.',
  waiting_for_checkout: 'Only the e-mail tells who paid; for a moment it waits for the event of the checkout.',
  other_program: 'The payment belongs to another program.',
  not_attributed: 'The customer is known, but no partner stands behind them.',
  click_after_payment: 'The customer clicked the partner’s link only after this payment.',
  outside_window: 'The click was older than the attribution window.',
  partner_blocked: 'The partner is blocked in the program and earns nothing.',
  partner_removed: 'The partner has left the program and earns nothing.',
  commission_owed: 'The payment was recorded; its commission could not be created yet and is owed.',
  zero_amount: 'Nothing was paid, so there is no sale.',
  unknown_currency: 'The payment is in a currency that is not known here.',
  not_paid: 'The payment is not complete yet; another event follows when it is.',
  not_used: 'Events of this type mean nothing here.',
  program_gone: 'The program does not exist any more.',
  failed: 'Working it off failed; it is tried again.',
} as const;

export type EventOutcome = keyof typeof outcomes;
