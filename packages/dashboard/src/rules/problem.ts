/** What is wrong with a request: in the words of the pages, and the field of the request that it is about, if it is about one. */
export type Problem = { text: string; field: string | null };

/** What the pages call the fields of requests. */
const NOUNS: Record<string, string | undefined> = {
  account_id: 'account ID',
  action: 'action',
  add_allowed_origins: 'list of origins',
  active: 'status',
  agreement: 'text of the terms',
  agreements: 'acceptance of the terms',
  allowed_origins: 'list of origins',
  amount_cents: 'amount',
  answers: 'list of answers',
  at_least: 'threshold',
  attribution_window_days: 'attribution window',
  backdate: 'start in the past',
  brand_color: 'color',
  code: 'coupon code',
  commission_base: 'base of the commission',
  commission_rate: 'rate',
  commission_type: 'commission type',
  contact_email: 'contact email',
  contact_url: 'contact page',
  cookie_window_days: 'cookie duration',
  count: 'number of records',
  coupons_win: 'choice for coupons',
  currency: 'currency',
  cursor: 'page of the list',
  destination_url: 'URL',
  domain: 'website',
  dry_run: 'preview',
  effective_from: 'start',
  email: 'email',
  filter: 'filter',
  from: 'start of the period',
  group_id: 'group',
  groups: 'choice of groups',
  hold_days: 'hold period',
  id_token: 'sign-in',
  ids: 'selection',
  image: 'logo',
  joining: 'choice of who can join',
  kind: 'kind of mail',
  label: 'label',
  lead_auth: 'choice for signups',
  list: 'list',
  name: 'name',
  note: 'note',
  on: 'choice',
  open_link: 'choice of who can accept',
  partner_id: 'partner',
  partners: 'list of partners',
  password: 'password',
  payout_details: 'payout details',
  provider: 'payment processor',
  query: 'filters of the view',
  questions: 'list of questions',
  reason: 'reason',
  recruiter_id: 'recruiter',
  recurring_months: 'number of months',
  reference: 'reference',
  replace_account: 'hand-over',
  role: 'role',
  rotate_by: 'deadline',
  rules: 'list of rules',
  sandbox: 'choice for test payments',
  second_factor_required: 'choice of second factors',
  short_link: 'link name',
  state: 'sign-in link',
  status: 'status',
  test_mode: 'environment',
  text: 'note',
  tier: 'tier',
  to: 'end of the period',
  token: 'link',
  totals: 'totals',
  transaction_id: 'order ID',
  user_code: 'code',
  webhook_secret: 'signing secret',
  with_payout_details: 'choice of partners',
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

/** Messages for programs that would not read well as they are. */
const REPHRASED: [pattern: RegExp, text: string][] = [
  [/^currency must be an ISO 4217 code$/, 'Enter the three letters of a currency, such as USD or EUR'],
  [/^(add_)?allowed_origins: /, ''],
  [/^to must be after from$/, 'The period must end after it starts'],
  [/^tier\.at_least /, 'The threshold '],
  [/^tier\.of /, 'What the tier counts '],
  [/^tier\.in /, 'The period of the tier '],
  [
    /^amount_cents must be a whole number of cents, not 0$/,
    'Enter an amount other than 0, with no more decimals than its currency has',
  ],
  [/^answers: the answer/, 'The answer'],
  [/^answers: /, ''],
  [/^agreements: accept/, 'Accept'],
  [/^questions: a /, 'A '],
  [/^webhook_secret is (?!required)/, 'This is '],
  [/^domain must be a host name, like /, 'Enter the address of a website, like '],
  [/^cursor is not valid for this list$/, 'This page of the list does not exist. Go back to the first one.'],
  [/ for commission_type \w+$/, ' for this commission type'],
  [/, a workspace owner sends replace_account: true\.$/, ', an owner reloads this page and chooses Hand over.'],
];

/** The fields that failures of signing in and signing up are about, by the code of the failure. */
const FIELDS_OF_CODES: Record<string, string | undefined> = {
  INVALID_EMAIL: 'email',
  INVALID_PASSWORD: 'currentPassword',
  USER_ALREADY_EXISTS: 'email',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'email',
};

/** `rule 2: pays.rate must be …` in the words of the editor: `Rule 2: the rate must be …`. */
function ruleProblem(message: string): string | null {
  const [, number, rest = ''] = /^rule (\d+): (.+)$/s.exec(message) ?? [];
  if (!number) return null;
  if (/^on can never match: /.test(rest))
    return `Rule ${number} can never match: ${rest.slice('on can never match: '.length)}`;
  const [name = ''] = /^[a-z_.]+/.exec(rest) ?? [];
  return `Rule ${number}: ${RULE_FIELDS[name] ?? name}${rest.slice(name.length)}`;
}

/** Reads the message of an error response. Messages of the API start with the name of the field that they are about. */
export function readProblem(message: string, code?: string): Problem {
  const [, signInField, signInText] = /^\[body\.(\w+)\] (.+)$/s.exec(message) ?? [];
  if (signInField && signInText) return { text: signInText, field: signInField };
  const ofRule = ruleProblem(message);
  if (ofRule) return { text: ofRule, field: null };
  const name = /^[a-z_]+\b/.exec(message)?.[0] ?? '';
  const field = NOUNS[name] ? name : (FIELDS_OF_CODES[code ?? ''] ?? fieldNamedIn(message));
  const [pattern, replacement] = REPHRASED.find(([known]) => known.test(message)) ?? [];
  const rephrased = pattern ? message.replace(pattern, replacement ?? '') : message;
  const sentence = rephrased.replace(/^[a-z_]+\b/, (first) => (NOUNS[first] ? `The ${NOUNS[first]}` : first));
  return { text: withoutNames(sentence), field };
}

// Quoted text is what somebody has typed, so it stays.
const QUOTED_OR_NAME = /"[^"]*"|\b[a-z]+(?:_[a-z]+)+\b/g;

function fieldNamedIn(message: string): string | null {
  return message.match(QUOTED_OR_NAME)?.find((part) => NOUNS[part]) ?? null;
}

function withoutNames(message: string): string {
  return message.replace(QUOTED_OR_NAME, (part) => NOUNS[part] ?? part);
}
