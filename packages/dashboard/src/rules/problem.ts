/** What the service says about a request that it refuses. */
export type Refused = {
  message: string;
  code?: string | undefined;
  field?: string | undefined;
  rule?: number | undefined;
};

/** What is wrong with a request: in the words of the pages, and the field of the form that it is about, if it is about one. */
export type Problem = { text: string; field: string | null };

/** What to say when the service could not be reached: whether anything was changed, and what to do. */
export function unreachable(isOffline: boolean, isChange: boolean): string {
  if (!isOffline) return 'Can’t reach the server. Check your connection and try again.';
  return isChange ? 'You’re offline. Nothing was changed.' : 'You’re offline. Check your connection and try again.';
}

/** What to say without a connection about a request that may have been carried out when it was sent before. */
export const stillOffline =
  'You’re offline. Your first try may have reached the server. Try again when you’re online: nothing is done twice.';

/** What to say when the service has not finished a request that was sent before. */
export const stillInProgress = 'The server is still working on your first try. Try again in a moment.';

/** What to say when the service itself has failed. Its log has the cause under the id of the request. */
export function serverFailure(requestId: string | null): string {
  const report = requestId ? ` If it happens again, report it with the request ID ${requestId}.` : '';
  return `Something went wrong on the server. Try again.${report}`;
}

/** What the pages call the fields of requests. */
const NOUNS: Record<string, string | undefined> = {
  account_id: 'account ID',
  account_number: 'account number',
  account_type: 'kind of account',
  action: 'action',
  add_allowed_origins: 'list of origins',
  active: 'status',
  agreement: 'text of the agreement',
  agreements: 'acceptance of the agreement',
  allowed_origins: 'list of origins',
  amount_cents: 'amount',
  answers: 'list of answers',
  at_least: 'threshold',
  attribution_window_days: 'attribution window',
  backdate: 'start in the past',
  bic: 'BIC',
  brand_color: 'color',
  code: 'coupon code',
  commission_base: 'base of the commission',
  commission_rate: 'rate',
  commission_type: 'commission type',
  contact_email: 'contact email',
  contact_url: 'contact page',
  cookie_window_days: 'cookie duration',
  country: 'country',
  count: 'number of records',
  coupons_win: 'choice for coupons',
  currency: 'currency',
  currentPassword: 'current password',
  cursor: 'page of the list',
  cutoff_at: 'last day',
  description: 'description',
  destination_url: 'URL',
  domain: 'website',
  dry_run: 'preview',
  effective_from: 'start',
  email: 'email',
  excluded_partner_ids: 'list of partners who are left out',
  expires_in_days: 'number of days',
  exclusion_notes: 'note',
  filter: 'filter',
  format: 'format',
  from: 'start of the period',
  group_id: 'group',
  groups: 'choice of groups',
  hold_days: 'hold period',
  holder_kind: 'kind of account holder',
  holder_name: 'account holder',
  host: 'host',
  iban: 'IBAN',
  id_token: 'sign-in',
  ids: 'selection',
  image: 'logo',
  joining: 'choice of who can join',
  kind: 'kind',
  label: 'label',
  lead_auth: 'choice for signups',
  link_parameters: 'list of parameters',
  list: 'list',
  minimum_cents: 'smallest payout',
  name: 'name',
  net_days: 'wait after approval',
  newPassword: 'new password',
  note: 'note',
  on: 'choice',
  open_link: 'choice of who can accept',
  partner_id: 'partner',
  partner_ids: 'list of partners',
  partners: 'list of partners',
  password: 'password',
  payer: 'payer',
  'payer.ach.company_id': 'company ID',
  'payer.ach.company_name': 'company name',
  'payer.ach.destination_name': 'name of your bank',
  'payer.ach.odfi_routing': 'routing number of your bank',
  'payer.bic': 'BIC',
  'payer.iban': 'IBAN',
  'payer.name': 'name',
  payouts: 'list of payouts',
  program_id: 'program',
  provider: 'payment processor',
  query: 'filters of the view',
  questions: 'list of questions',
  reason: 'reason',
  external_id: 'external ID',
  recruiter_id: 'recruiter',
  recurring_months: 'number of months',
  reference: 'reference',
  replace_account: 'hand-over',
  role: 'role',
  rotate_by: 'deadline',
  rules: 'list of rules',
  sandbox: 'choice for test payments',
  schedule: 'schedule',
  second_factor_required: 'choice of second factors',
  send_missed: 'choice for missed events',
  sequence: 'number of the event',
  routing_number: 'routing number',
  short_link: 'link name',
  state: 'sign-in link',
  status: 'status',
  test_mode: 'environment',
  text: 'text',
  tier: 'tier',
  'tier.at_least': 'threshold',
  'tier.in': 'period of the tier',
  'tier.of': 'unit that the tier counts',
  to: 'end of the period',
  token: 'link',
  totals: 'totals',
  transaction_id: 'order ID',
  two_persons: 'choice of who approves',
  types: 'choice of events',
  url: 'URL',
  usable_from: 'payout method',
  user_code: 'code',
  webhook_secret: 'signing secret',
  with_payout_method: 'choice of partners',
};

/** What the editor of terms calls the fields of a rule. */
const RULE_FIELDS: Record<string, string | undefined> = {
  base: 'the base of the percentage',
  'caps.per_customer_cents': 'the cap per customer',
  'caps.per_partner_month_cents': 'the cap per partner and month',
  'caps.per_sale_cents': 'the cap per sale',
  credit: 'the credit',
  'credit.amount_cents': 'the credit',
  'for.group_id': 'the group',
  'for.partner_id': 'the partner',
  'pays.max_payments': 'the number of payments',
  'pays.months': 'the number of months',
  'pays.rate': 'the rate',
  'pays.renewals': 'paying for renewals',
  'pays.type': 'what it pays',
  'when.coupon': 'the coupon code',
  'when.customer': 'the kind of customer',
  'when.min_amount_cents': 'the smallest amount',
  'when.product_id': 'the product ID',
};

/** Fields about which the pages say the same whatever is wrong with them. */
const SENTENCES: Record<string, string | undefined> = {
  amount_cents: 'Enter an amount other than 0, with no more decimals than its currency has',
  currency: 'Enter the three letters of a currency, such as USD or EUR',
  cursor: 'This page of the list does not exist. Go back to the first one.',
  domain: 'Enter the address of a website, like example.com',
  types: 'Select at least one event',
};

/** The fields that failures of signing in and signing up are about, by the code of the failure. */
const FIELDS_OF_CODES: Record<string, string | undefined> = {
  INVALID_EMAIL: 'email',
  INVALID_PASSWORD: 'currentPassword',
  USER_ALREADY_EXISTS: 'email',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'email',
};

/** What is wrong, in the words of the pages. Messages of the API begin with the name of the field that they are about. */
export function readProblem({ message, code, field: place, rule }: Refused): Problem {
  if (rule !== undefined) return { text: ruleText(message, rule, place ?? ''), field: null };
  const field = place ?? FIELDS_OF_CODES[code ?? ''];
  if (field === undefined) return { text: withoutNames(message), field: null };
  return { text: SENTENCES[field] ?? withoutNames(fieldText(message, field)), field: formFieldOf(field) };
}

/** `rule 2: pays.rate must be …` in the words of the editor: `Rule 2: the rate must be …`. */
function ruleText(message: string, rule: number, field: string): string {
  const problem = after(`rule ${rule}: `, message);
  // The whole rule is meant, whatever it is about.
  if (field === 'on') return `Rule ${rule}${problem.slice(field.length)}`;
  return `Rule ${rule}: ${RULE_FIELDS[field] ?? field}${after(field, problem)}`;
}

/** `hold_days must be …` is about “The hold period”. After a colon, the message is a sentence of its own. */
function fieldText(message: string, field: string): string {
  const noun = NOUNS[field];
  if (message.startsWith(`${field}: `)) return capitalized(after(`${field}: `, message));
  return noun && message.startsWith(`${field} `) ? `The ${noun}${after(field, message)}` : capitalized(message);
}

/** A form has one input for a field with parts. */
function formFieldOf(field: string): string {
  return field.split('.')[0] ?? field;
}

function after(start: string, text: string): string {
  return text.startsWith(start) ? text.slice(start.length) : text;
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

// Quoted text is what a person has typed, so it stays.
const QUOTED_OR_NAME = /"[^"]*"|\b[a-z]+(?:_[a-z]+)+\b/g;

function withoutNames(message: string): string {
  return message.replace(QUOTED_OR_NAME, (part) => NOUNS[part] ?? part);
}
