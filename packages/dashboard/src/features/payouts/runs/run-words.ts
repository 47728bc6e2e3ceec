import type { OmissionReason, PayoutFileName, ReportOutcome, RunDifference } from '@svc/contract';

/** Why a partner is left out of a run, and what to do about it. */
export const OMISSIONS: Record<OmissionReason, { why: string; todo: string }> = {
  excluded: { why: 'Excluded', todo: 'Include them in the next run.' },
  negative_balance: {
    why: 'Owes more than is due',
    todo: 'Nothing to do. It is deducted from the next commissions.',
  },
  no_method: { why: 'No payout method', todo: 'Ask them to add one in their account settings.' },
  method_held: {
    why: 'Payout method changed less than 72 hours ago',
    todo: 'Wait, or ask an owner to lift the wait on the partner’s page.',
  },
  currency_not_payable: {
    why: 'The payout method can’t receive this currency',
    todo: 'Ask them for another method, or pay by hand.',
  },
  country_not_payable: {
    why: 'The payout method can’t be paid in this country',
    todo: 'Ask them for another method, or pay by hand.',
  },
  tax_form_missing: { why: 'A tax form is missing', todo: 'Ask them for it.' },
  below_minimum: { why: 'Below the minimum', todo: 'Nothing to do. It stays on the balance until it is enough.' },
};

/** What has changed since a run was made. */
export const DIFFERENCES: Record<RunDifference['reason'], string> = {
  balance_changed: 'A refund, a rejection or an adjustment changed the balance',
  method_changed: 'The payout method was changed',
  method_removed: 'The payout method was removed',
  method_held: 'The payout method can’t be used yet',
  partner_not_active: 'The partner is no longer active',
};

/** What each file is, and where it goes. */
export const FILES: Record<PayoutFileName, { title: string; to: string }> = {
  'paypal.csv': { title: 'PayPal', to: 'Upload it at PayPal under Payouts.' },
  'wise.csv': { title: 'Wise', to: 'Upload it at Wise as a batch payment.' },
  'sepa.xml': { title: 'SEPA credit transfer', to: 'Upload it in your online banking (pain.001).' },
  'nacha.txt': { title: 'ACH', to: 'Upload it at your US bank (NACHA).' },
  'payouts.csv': { title: 'All payouts', to: 'For your records, and for what you pay by hand.' },
};

/** What a row of a report did. */
export const OUTCOMES: Record<ReportOutcome, string> = {
  changed: 'Changed',
  already: 'Already so',
  pending: 'Accepted, not paid yet',
  refused: 'Can’t become this',
  other_run: 'Payout of another run',
  unknown: 'Unknown',
};

/** Codes that banks and PayPal use most. The service knows more, and says them to the partner in words. */
export const COMMON_CODES: readonly (readonly [code: string, meaning: string])[] = [
  ['AC01', 'The account number is wrong'],
  ['AC04', 'The account is closed'],
  ['AC06', 'The account is blocked'],
  ['AG01', 'The account can’t receive payments of this kind'],
  ['AM05', 'The payment was sent before'],
  ['BE01', 'The name doesn’t match the account'],
  ['MS03', 'The bank gives no reason'],
  ['R02', 'ACH: the account is closed'],
  ['R03', 'ACH: no such account'],
  ['R04', 'ACH: the account number is wrong'],
  ['14765', 'PayPal: nobody has an account with this email'],
  ['3015', 'PayPal: the account is locked'],
];
