/** Why an attempt ended the way it did: the code is for software, the sentence for people. */
export const reasons = {
  lead_recorded: 'The signup was recorded and credited to the partner whose link was clicked.',
  lead_recorded_unattributed:
    'The signup was recorded, but this customer has no known click, so no partner is credited.',
  lead_claimed_by_several:
    'The signup was recorded, but several web pages claim this customer key, so no partner is credited.',
  lead_took_over_key:
    'The server confirmed the signup for this click. The customer key had been reported only by a web page with another click; it now belongs to this customer.',
  lead_provisional: 'A web page reported the signup. It is provisional until the server confirms it.',
  lead_settled: 'The server confirmed the signup that a web page had reported.',
  lead_settled_by_payment: 'A payment confirmed the signup that a web page had reported.',
  lead_status_refused: 'This customer has already signed up or made a purchase.',
  customer_not_found: 'No customer of the program matches the identifiers in the request.',
  key_claimed_by_several:
    'Several web pages claim the customer key of this payment and no server confirmed one, so it identifies nobody.',
  other_program: 'The customer belongs to a different program than the API key.',
  origin_not_allowed: 'The event came from a page whose origin the program does not allow.',
  program_mismatch: 'The program_id in the request does not match the API key.',
  key_retired: 'The API key had passed its rotation deadline, so the request was refused.',
  invalid_request: 'A field in the request was missing or invalid.',
  customer_assigned: 'The brand assigned the customer to this partner. What they pay from now on is credited to them.',
  sale_attributed: 'The sale was recorded and the partner earned a commission.',
  self_referral:
    'The sale was recorded and the partner earned a commission. It is held until the brand approves or rejects it, because ' +
    'the customer has the email address of the partner.',
  commission_too_large:
    'The sale was recorded without a commission: at the program’s rate it would be larger than the service can represent. ' +
    'Check the amount and the rate.',
  renewal_without_commission: 'The renewal was recorded. The program’s commission rules pay nothing for it.',
  change_without_commission:
    'The change of the subscription was recorded. The program’s commission rules pay nothing for it.',
  rule_without_commission: 'The sale was recorded. The commission rule that fits it pays nothing.',
  months_over:
    'An earlier first sale of the customer became known, so the months that the rule pays for were over. The commission was ' +
    'taken back, and the sale is judged by the other commission rules of its time.',
  cap_reached:
    'The sale was recorded without a commission, because a cap of the program’s commission rules has been reached.',
  nothing_paid:
    'The payment was for zero, as at the start of a free trial, so no sale was recorded. The first payment with money is the ' +
    'first sale.',
  attributed_elsewhere: 'The customer is attributed in another program, not in this one.',
  customer_unattributed: 'The customer is known but did not come through a partner’s link.',
  click_after_payment: 'The customer clicked the partner’s link only after this payment.',
  membership_missing: 'The partner is not a member of the program.',
  partner_blocked: 'The partner is blocked in the program and earns no commission.',
  partner_removed: 'The partner was removed from the program and earns no commission.',
  partner_missing:
    'The customer is attributed, but the partner record is missing. The sale was recorded and its commission is owed.',
  attribution_window_expired: 'The click was older than the attribution window, so the sale was not attributed.',
  duplicate_transaction: 'A sale with this transaction id has already been recorded. It is counted once.',
  payment_counted_once:
    'This payment is also known by its invoice, and is counted once, as the sale of the invoice. The sale under this ' +
    'id and its commission were taken back.',
  payer_known_better:
    'It became known only after this payment was recorded who had paid, or with which coupon. The sale and its commission were ' +
    'taken back, and the payment is judged again.',
  transaction_of_other_program:
    'A sale in another program already has this transaction id. Ids are unique across all programs, so this sale was not ' +
    'recorded. Report it under another id.',
  commission_failed:
    'The sale was recorded, but its commission could not be created. The commission is owed and will be created later.',
  commission_repaired: 'The commission owed for the sale was created.',
  commission_reversed: 'The sale was refunded in full and the commission was reversed.',
  commission_partially_reversed: 'Part of the sale was refunded and the same share of the commission was reversed.',
  refund_without_commission: 'The refund was recorded. The sale had no commission to reverse.',
  refund_restored:
    'A refund or dispute was undone at the payment processor, so the commission was restored accordingly.',
  payment_disputed:
    'The customer disputed the payment. The disputed amount and its share of the commission are held back until the ' +
    'dispute ends.',
  dispute_won: 'The dispute was won. What it held back of the sale and the commission was restored.',
  dispute_lost: 'The dispute was lost. The disputed amount and its share of the commission are taken back for good.',
  already_refunded: 'The sale had already been refunded in full. Nothing more was reversed.',
  refund_repeated: 'A refund with this refund id has already been recorded. It is counted once.',
  refund_known: 'The payment processor had already reported this refund. It is counted once.',
  refund_corrected:
    'The refund had been counted too low while the service was upgraded. The rest and its share of the commission were ' +
    'deducted afterwards.',
  refund_too_large: 'The refund was larger than what is left of the sale.',
  sale_not_found: 'The program has no sale with this transaction id.',
  test_event: 'This was a test event. It was accepted but is not counted.',
} as const;

export type Reason = keyof typeof reasons;

/** Only decisions of earlier releases, and of migrations, have these reasons. */
export type RetiredReason = 'origin_not_allowed' | 'refund_corrected';
