/** Every kind of mail that the service sends. */
export const MAIL_KINDS = [
  'verify_address',
  'change_address',
  'reset_password',
  'team_invitation',
  'partner_invitation',
  'new_device',
  'security_changed',
  'payout_method_changed',
  'payout_wait_lifted',
  'key_deadline',
  'application_received',
  'application_approved',
  'application_declined',
  'first_sale',
  'weekly_digest',
  'balance_adjusted',
  'partner_message',
  'payout_created',
  'statement_ready',
  'payout_failed',
  'payout_run_ready',
  'processor_trouble',
  'webhook_failing',
  'webhook_disabled',
  'postback_disabled',
] as const;

export type MailKind = (typeof MAIL_KINDS)[number];

/** The kinds that a person can switch off, as the account page lists them. All others concern access to accounts and keys. */
export const OPTIONAL_MAILS = {
  application_received: 'Someone applies to one of your programs',
  application_approved: 'A brand approves your application',
  application_declined: 'A brand declines your application',
  first_sale: 'A first sale, yours or one of your partners’',
  weekly_digest: 'Sales of the week, every Monday',
  balance_adjusted: 'A brand gives you a bonus or adjusts your balance',
  partner_message: 'A brand writes to its partners',
  payout_created: 'A brand prepares a payout for you',
  statement_ready: 'A brand pays you, and the statement is ready',
  payout_failed: 'A payout is canceled or does not arrive',
  payout_run_ready: 'A payout run is prepared and waits for approval',
  processor_trouble: 'Payment events that could not be processed',
  webhook_failing: 'Nothing arrives at a webhook endpoint',
  webhook_disabled: 'A webhook endpoint was disabled',
  postback_disabled: 'Your postback is turned off because every call failed',
} as const satisfies Partial<Record<MailKind, string>>;

export type OptionalMailKind = keyof typeof OPTIONAL_MAILS;

export const OPTIONAL_MAIL_KINDS = Object.keys(OPTIONAL_MAILS) as [OptionalMailKind, ...OptionalMailKind[]];

export function isOptionalMail(kind: string): kind is OptionalMailKind {
  return Object.hasOwn(OPTIONAL_MAILS, kind);
}
