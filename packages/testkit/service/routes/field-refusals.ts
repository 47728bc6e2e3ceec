import { OPTIONAL_MAIL_KINDS } from '@svc/contract';

/** What a field refuses: a message, followed by the values that are refused with it. */
export type Refusals = [message: string, ...values: unknown[]][];

const UNSTORABLE = ['a\0b', '\0', '\ud800', 'a\udc00b', '\udc00\ud800'];
const NOT_TEXT = [1, 0, 1.5, true, false, [], ['a'], {}, { a: 1 }];
const NOT_INTEGERS = ['1', '', 1.5, true, [], {}, 9_007_199_254_740_992, 1e300];

const EXTERNAL_ID = 'external_id must be 1 to 255 characters without spaces, and neither . nor ..';
const text =
  (maxChars: number, notText: unknown[] = NOT_TEXT) =>
  (field: string): Refusals => [
    [`${field} must be a string`, ...notText],
    [`${field} must be at most ${maxChars} characters`, 'x'.repeat(maxChars + 1), 'x'.repeat(60_000)],
    [`${field} contains characters that cannot be stored`, ...UNSTORABLE],
  ];
const requiredText =
  (maxChars: number, missing: string) =>
  (field: string): Refusals => [
    [`${field} must be a string`, null, ...NOT_TEXT],
    [missing, '', '   '],
    ...text(maxChars)(field).slice(1),
  ];
const oneMessage =
  (message: string, ...values: unknown[]) =>
  (): Refusals => [[message, ...values]];
const json =
  (kind: string, wrong: unknown[], wrap: (value: unknown) => unknown) =>
  (field: string): Refusals => [
    [`${field} must be an ${kind}`, 'text', 1, true, ...wrong],
    [
      `${field} contains characters that cannot be stored`,
      ...[...UNSTORABLE, { 'a\0': 1 }, [{ b: ['\ud800'] }]].map(wrap),
    ],
    [`${field} must be nested at most 32 levels deep`, wrap(JSON.parse('['.repeat(32) + ']'.repeat(32)))],
  ];

const identifier = text(255);
const customerKey = text(255, [1.5, 1e300, true, false, [], {}]);
const additional_data = json('object', [[], [1]], (value) => ({ a: value }));
const line_items = json('array', [{}, { 0: 1 }], (value) => [value]);

const partnerIdsOf = (field: string): Refusals => [
  [
    `${field} must be a list of at most 5000 partner ids`,
    ...['x', 1, true, {}, ['1'], [0], [-1], [1.5], [null], Array.from({ length: 5_001 }, (_, index) => index + 1)],
  ],
];

const shownUnder =
  'Stripe shows the signing secret, which starts with whsec_, under Workbench, Webhooks, your destination.';
const SECRET_FIELDS = {
  provider: oneMessage(
    'provider must be stripe, paddle, polar, lemonsqueezy or custom',
    ...NOT_TEXT,
    null,
    '',
    'paypal',
    'Stripe',
  ),
  webhook_secret: (field: string): Refusals => [
    ['webhook_secret is required', ''],
    [`webhook_secret: this is not a signing secret. ${shownUnder}`, 'x', ' whsec_a', 'WHSEC_a', 'x'.repeat(255)],
    [`webhook_secret: this is a secret API key (sk_…), not a signing secret. ${shownUnder}`, 'sk_live_51Habcdef'],
    [`webhook_secret: this is a restricted API key (rk_…), not a signing secret. ${shownUnder}`, 'rk_live_51Habcdef'],
    [`webhook_secret: this is a publishable API key (pk_…), not a signing secret. ${shownUnder}`, 'pk_test_51Habcdef'],
    [`webhook_secret: this is the id of a webhook endpoint (we_…), not a signing secret. ${shownUnder}`, 'we_1Habcdef'],
    ...identifier(field),
  ],
  label: (field: string): Refusals => text(64)(field),
  test_mode: oneMessage('test_mode must be true or false', 'true', 1, 0, '', [], {}),
};

const rules = (): Refusals => [
  ['rules must be a list of rules', 1, true, 'x', {}],
  ['rule 1: it must be an object', [1], ['x'], [[]], [null]],
  ['rule 1: on must be sale or lead', [{}], [{ on: 'click' }], [{ on: ['sale'] }]],
  ['rule 1: pays must be an object', [{ on: 'sale' }], [{ on: 'sale', pays: 5 }]],
];
const tier = (): Refusals => [
  ['tier must be an object with of, in and at_least', 1, 'x', true, []],
  ['tier.of must be revenue or sales', {}, { of: 'clicks' }],
  ['tier.in must be month or lifetime', { of: 'sales' }, { of: 'sales', in: 'week' }],
  ['tier.at_least must be a whole number, 1 or more', { of: 'sales', in: 'month', at_least: 0 }],
];

const INIT_REQUIRES = 'Missing required fields: name, domain, commission_type, commission_rate';
const NOT_DAYS = [...NOT_INTEGERS, 0, -1, 3_651];
const DOMAIN = 'domain must be a host name, like example.com';
const RATE = 'commission_rate must be a positive number';
const NOT_DOMAINS = ['exa mple.com', '-a.test', 'a..test', 'https://', '.', 'a_b.test', 'x'.repeat(300), ...UNSTORABLE];

const requiredPartner = oneMessage(
  'partner_id must be a whole number',
  ...[null, '1', '', 0, -1, 1.5, true, [], {}, 1e300],
);

const window =
  (min = 1) =>
  (field: string): Refusals => [
    [
      `${field} must be a whole number from ${min} to 3650`,
      ...NOT_DAYS.filter((value) => typeof value !== 'number' || value < min || !Number.isInteger(value)),
    ],
  ];
const READ_BY_OTHERS: Refusals = [
  ['name must be one line without control characters', 'a\r\nb', 'a\u001bb', '\u202eemca'],
  ['name must not contain a web address', 'https://evil.example', 'at www.evil.example', 'evil.example/login'],
];
const name = (field: string): Refusals => [...identifier(field), ...READ_BY_OTHERS];
const rate = (): Refusals => [
  [RATE, '20', true, [], {}, 0, -1],
  ['commission_rate must be at most 999999999', 1_000_000_000, 1e300],
  ['commission_rate keeps at most four decimals', 0.00001, 1.23456],
];
const commissionType = (): Refusals =>
  ['Percent', 'hourly', 'x', '20', 7, true].map((value) => [
    `Invalid commission_type: ${value}. Valid: percent, fixed, recurring_percent, recurring_fixed`,
    value,
  ]);
const origins = (field: string): Refusals => [
  [`${field} must be a list of origins`, 'https://a.test', 1, true, {}],
  [`${field} must hold strings`, [1], [null], [['https://a.test']]],
  [`${field} must hold at most 100 origins`, Array.from({ length: 101 }, (_, n) => `https://a${n}.test`)],
  ...['a.test', 'ftp://a.test', 'https://a.test/path', 'https://a.test/?x', '*', 'null'].map(
    (value): Refusals[number] => [
      `${field}: "${value}" is not an origin like https://example.com or http://localhost:3000`,
      [value],
    ],
  ),
];
const part = (field: string): Refusals => [
  [`${field} must be a whole number of cents, 0 or more`, ...NOT_INTEGERS, -1],
  ['tax_cents and shipping_cents together must be at most amount_cents', 4_901],
];
const email = (field: string): Refusals => [
  ...text(1024)(field),
  ['email must be an email address', 'nobody', 'a@', '@b', 'a b@c.test', 'a@b@c'],
];

const currency = oneMessage('currency must be an ISO 4217 code', ...NOT_TEXT, '', 'US', 'XYZ', 'USD ');
const attribution = oneMessage('attribution must be first or last', ...NOT_TEXT, '', 'Last', 'linear');

const settings = {
  commission_type: commissionType,
  commission_rate: rate,
  commission_base: oneMessage('commission_base must be net or gross', ...NOT_TEXT, '', 'Net'),
  currency,
  recurring_months: window(0),
  cookie_window_days: window(),
  attribution_window_days: window(),
  hold_days: window(0),
  coupons_win: oneMessage('coupons_win must be true or false', 'true', 1, 0, '', [], {}),
  lead_auth: oneMessage('lead_auth must be browser_allowed or server_required', ...NOT_TEXT, '', 'none'),
  allowed_origins: origins,
  link_parameters: (field: string): Refusals => [
    [`${field} must be a list of names`, 'via', 1, true, {}],
    [`${field} must hold strings`, [1], [null], [['via']]],
    [`${field} must hold at most 10 names`, Array.from({ length: 11 }, (_, n) => `p${n}`)],
    [`${field} must name each parameter once`, ['via', 'via'], ['via', 'ref', ' via ']],
    ...['', ' ', 'a b', 'a=b', 'a&b', 'é', 'a.b', '"', 'x'.repeat(41)].map((value): Refusals[number] => [
      `${field}: "${value.trim()}" must be 1 to 40 letters, digits, hyphens or underscores`,
      [value],
    ]),
    ...['aff', 'AFF', 'sub', 'svc_click_id', 'to', 'utm_source', 'utm_'].map((value): Refusals[number] => [
      `${field}: "${value}" has another meaning in links`,
      [value],
    ]),
  ],
  contact_email: (field: string): Refusals => [
    ...text(254)(field),
    ['contact_email must be an email address', 'nobody', 'a@', '@b', 'a b@c.test', 'a@b@c.test'],
  ],
  contact_url: (field: string): Refusals => [
    ...text(2048)(field),
    ['contact_url must be a web address', 'acme.test', 'ftp://acme.test', 'javascript:alert(1)', 'https://'],
  ],
  joining: oneMessage('joining must be closed, on_approval, open', ...NOT_TEXT, '', 'Open'),
};
const workspaceRole = oneMessage(
  'role must be one of owner, member, finance, viewer',
  ...NOT_TEXT,
  '',
  'partner',
  'Owner',
);
const openLink = oneMessage('open_link must be true or false', 'true', 1, 0, '', [], {});
const newPartner = {
  name: (field: string): Refusals => [
    ['name and email are required', null, '', 0, false],
    ...text(255, [1, true, [], {}])(field),
    ...READ_BY_OTHERS,
  ],
  email: (field: string): Refusals => [
    ['name and email are required', null, '', 0, false],
    ...text(1024, [1, true, [], {}])(field),
    ['email must be an email address', 'nobody', 'a@', '@b', 'a b@c.test', 'a@b@c'],
  ],
  open_link: openLink,
};
const token = (field: string): Refusals => [['token is required', ''], ...identifier(field)];
const ids = oneMessage(
  'ids must be a list of 1 to 200 commission ids',
  ...[null, '1', 1, true, {}, [], [0], [-1], [1.5], ['1'], [null], [[1]], [1e300]],
  Array.from({ length: 201 }, (_, id) => id + 1),
);

const destination = (field: string): Refusals => [
  ...text(2048)(field).filter(([message]) => !message.includes('cannot be stored')),
  [
    'destination_url must be a web address, without a user name, a password, backslashes or control characters',
    '',
    'acme.test',
    'ftp://acme.test',
    'javascript:alert(1)',
    'https://',
    'https://user:secret@acme.test',
    'https:\\\\acme.test',
    'https://acme.test/\n',
  ],
];

/** A question of a join page. */
const QUESTION = (parts: object = {}) => ({ label: 'Where?', kind: 'text', required: false, options: [], ...parts });
const count = oneMessage('count must be a whole number, 0 or more', ...NOT_INTEGERS, -1);
const invitees = oneMessage(
  'partners must be a list of 1 to 500 objects with name and email',
  ...[null, 'x', 1, true, {}, [], ['x'], [1], [[]], Array.from({ length: 501 }, () => ({}))],
);

const chosen = {
  ids: oneMessage('Send either ids or filter', [1], [], 'x', 1, {}),
  filter: oneMessage('filter must be an object with the filters of the list', 'x', 1, true, [], [{}]),
  count,
};
const selection = { ...chosen, cursor: text(1_500) };
const seenTotals = oneMessage(
  'totals must be a list of sums with currency and payable_cents',
  ...['x', 1, true, {}, [1], [{ currency: 'USD' }], [{ currency: 1, payable_cents: 1 }]],
  [{ currency: 'USD', payable_cents: '1' }],
  Array.from({ length: 201 }, () => ({ currency: 'USD', payable_cents: 1 })),
);

const TYPES = 'types must be a list of event types, or ["*"] for all';
const eventTypes = (): Refusals => [
  [TYPES, 'sale.created', 1, true, {}, [], [1], [['sale.created']], Array.from({ length: 100 }, () => 'sale.created')],
  ['Unknown event type: sale.made', ['sale.created', 'sale.made'], ['sale.made']],
  ['Unknown event type: ', ['']],
];
const endpoint = {
  url: (field: string): Refusals => [
    ...text(2048)(field),
    ['url is required', '   '],
    ['Enter a full URL that starts with https://.', 'acme.test', 'https://', 'ftp://acme.test', 'javascript:alert(1)'],
    ['The URL must start with https://.', 'http://acme.test/hook'],
    ['The URL must use port 443.', 'https://acme.test:8443/hook'],
    ['The URL must not contain a user name or password.', 'https://jane@acme.test/', 'https://jane:pw@acme.test/'],
    ['127.0.0.1 is not a public address.', 'https://127.0.0.1/', 'https://2130706433/', 'https://0x7f.1/'],
  ],
  types: eventTypes,
  description: text(200),
};

/** Every field that can be refused by itself. */
export const FIELDS: Record<string, Record<string, (field: string) => Refusals>> = {
  trackClick: {
    affiliate_url: () => [
      ['Invalid affiliate_url', ...NOT_TEXT],
      ['affiliate_url must be at most 2048 characters', `https://acme.test/?aff=${'x'.repeat(2048)}`],
      [
        'affiliate_url contains characters that cannot be stored',
        ...UNSTORABLE.map((bad) => `https://a.test/?aff=${bad}`),
      ],
    ],
    page_url: text(2048),
    page_title: text(1024),
    referrer_url: text(2048),
    session_id: identifier,
    user_agent: text(1024),
    screen_resolution: text(1024),
    viewport_size: text(1024),
    language: text(1024),
    timezone: text(1024),
    existing_click_id: identifier,
    additional_data,
  },
  trackLead: { click_id: identifier, customer_key: customerKey, email: text(1024), additional_data },
  trackSale: {
    transaction_id: oneMessage(
      'transaction_id is required and must be a string',
      ...NOT_TEXT,
      ...UNSTORABLE,
      null,
      '',
      '   ',
      'x'.repeat(256),
    ),
    amount_cents: oneMessage('amount_cents is required and must be a positive integer', ...NOT_INTEGERS, null, 0, -1),
    customer_key: customerKey,
    click_id: identifier,
    coupon_code: text(64),
    currency: oneMessage(
      'currency must be an ISO 4217 code',
      ...NOT_TEXT,
      ...UNSTORABLE,
      '',
      'US',
      'XYZ',
      'USD ',
      'x'.repeat(9999),
    ),
    tax_cents: part,
    shipping_cents: part,
    sale_type: oneMessage(
      'sale_type must be payment or subscription',
      ...NOT_TEXT,
      ...UNSTORABLE,
      '',
      'Payment',
      'gift',
    ),
    is_recurring: oneMessage('is_recurring must be a boolean', 'true', 1, 0, '', [], {}),
    subscription_id: identifier,
    subscription_interval: oneMessage(
      'subscription_interval must be monthly, quarterly or annual',
      ...NOT_TEXT,
      ...UNSTORABLE,
      '',
      'weekly',
    ),
    product_id: identifier,
    line_items,
    additional_data,
  },
  trackBatch: {
    items: oneMessage(
      'items must be a list of 1 to 1000 leads, sales and refunds',
      ...[null, 'x', 1, true, {}, { 0: {} }, []],
      Array.from({ length: 1_001 }, () => ({})),
    ),
  },
  trackRefund: {
    transaction_id: oneMessage(
      'transaction_id is required',
      ...NOT_TEXT,
      ...UNSTORABLE,
      null,
      '',
      '   ',
      'x'.repeat(256),
    ),
    refund_amount_cents: oneMessage(
      'refund_amount_cents must be a whole number of cents, 0 or more',
      ...NOT_INTEGERS,
      -1,
      -0.5,
    ),
    refund_reason: text(1024),
    refund_id: identifier,
    additional_data,
  },
  cliAuthStart: { device_name: identifier },
  cliAuthCallback: {
    state: (field) => [
      ['Missing required fields: state, id_token', null, '', 0, false],
      [`${field} must be a string`, 1, true, [], {}],
      [`${field} must be at most 255 characters`, 'x'.repeat(256)],
      [`${field} contains characters that cannot be stored`, ...UNSTORABLE],
    ],
    id_token: () => [
      ['Missing required fields: state, id_token', null, '', 0, false, 1, true, [], {}],
      ['id_token is too long', 'x'.repeat(8193)],
    ],
    user_code: identifier,
  },
  cliInit: {
    name: (field) => [[INIT_REQUIRES, null, ''], ...name(field)],
    domain: () => [
      [INIT_REQUIRES, null, ''],
      [DOMAIN, 1, true, [], {}, ...NOT_DOMAINS],
    ],
    commission_type: () => [[INIT_REQUIRES, null, ''], ...commissionType()],
    commission_rate: () => [[INIT_REQUIRES, null, ''], ...rate()],
    cookie_window_days: window(),
    cookie_duration: window(),
    recurring_months: window(0),
    duration_months: window(0),
    allowed_origins: origins,
  },
  cliTestEvent: {
    event_type: () =>
      ['Click', 'refund', '', 1, true].map((value) => [
        `Invalid event_type: ${value}. Valid: click, lead, sale`,
        value,
      ]),
  },
  manageInvite: {
    email,
    role: workspaceRole,
    open_link: openLink,
  },
  manageAccept: {
    token,
    answers: () => [
      ['answers must be a list of {question, answer}', 'x', 1, true, {}, ['x'], [1]],
      ['question must be a string', [{ question: 1, answer: 'x' }]],
      ['answer must be a string', [{ question: 'x' }], [{ question: 'x', answer: [] }]],
      ['answer must be at most 2000 characters', [{ question: 'x', answer: 'x'.repeat(2_001) }]],
      [
        'answer contains characters that cannot be stored',
        ...UNSTORABLE.map((bad) => [{ question: 'x', answer: bad }]),
      ],
      ['answers must be at most 5', Array.from({ length: 6 }, (_, n) => ({ question: `${n}`, answer: 'x' }))],
    ],
    agreements: () => [
      ['agreements must be a list of {program_id, version}', 'x', 1, true, {}, ['x'], [{}], [{ program_id: 1 }]],
      ['agreements must be at most 100', Array.from({ length: 101 }, () => ({ program_id: 1, version: 1 }))],
    ],
  },
  manageUpdateMe: {
    name: (field) => [['name must not be empty', '', '   '], ...name(field)],
  },
  manageSetPayoutMethod: {
    kind: oneMessage('kind must be one of paypal, wise, iban, us_bank, other', null, ...NOT_TEXT, '', 'IBAN', 'venmo'),
    email: (field) => [
      ...text(254)(field),
      ['email must be an email address', 'jane', 'jane@', '@paypal.test', 'jane@paypal', 'ja ne@paypal.test'],
      ['email does not belong to iban', 'jane@paypal.test'],
    ],
    iban: (field) => [
      ['iban is required', null, ''],
      ...text(64)(field),
      ['iban does not pass its check digits. Compare it with your bank statement.', 'DE88370400440532013000'],
      [
        'iban has 21 characters, and an IBAN that begins with DE has 22',
        'DE8937040044053201300',
        'de89 3704 0044 0532 0130 0',
      ],
      [
        'iban must begin with the code of a country that has IBANs, such as DE or FR',
        'US89370400440532013000',
        '370400440532013000',
      ],
    ],
    bic: (field) => [
      ...text(32)(field),
      ['bic must have 8 or 11 letters and digits, such as COBADEFFXXX', 'COBADEF', 'COBA DE FF XXXX', '1OBADEFF'],
    ],
    routing_number: (field) => [
      ...text(32)(field),
      ['routing_number must have 9 digits', '12345678', '1234567890', 'O21000021'],
      [
        'routing_number does not pass its check digit. Compare it with a check or your bank statement.',
        '021000022',
        '000000000',
      ],
      ['routing_number does not belong to iban', '021000021'],
    ],
    account_number: (field) => [
      ...text(64)(field),
      ['account_number must have 4 to 17 digits and nothing else', '123', '123456789012345678', '12A4'],
      ['account_number does not belong to iban', '123456789'],
    ],
    account_type: (field) => [
      ['account_type must be one of checking, savings', ...NOT_TEXT, '', 'Checking'],
      [`${field} does not belong to iban`, 'checking'],
    ],
    text: (field) => [...text(500)(field), ['text is required', '', '   '], ['text does not belong to iban', 'Ask me']],
    holder_name: (field) => [
      ['holder_name is required', null, '', '   '],
      ...text(140)(field),
      ['holder_name must be one line without control characters', 'Jane\nDoe', 'Jane\u202eDoe'],
    ],
    holder_kind: (field) => [
      [`${field} is required`, null, ''],
      ['holder_kind must be one of person, company', ...NOT_TEXT, 'Person'],
    ],
    country: (field) => [
      [`${field} is required`, null, ''],
      ['country must be a two-letter country code, such as DE', ...NOT_TEXT, 'D', 'DEU', 'ZZ', 'EU', 'Germany'],
    ],
  },
  manageLiftPayoutWait: {
    reason: (field) => [['reason is required', null, '', '   ', 0, false], ...text(500, [1, 1.5, true, [], {}])(field)],
    usable_from: identifier,
  },
  manageUpdateMailSettings: {
    kind: oneMessage(
      `kind must be one of ${OPTIONAL_MAIL_KINDS.join(', ')}`,
      ...NOT_TEXT,
      '',
      'reset_password',
      'payout_paid',
      'statement_ready ',
    ),
    on: oneMessage('on must be true or false', 'true', 1, 0, '', [], {}),
  },
  manageChangeEmail: { email },
  manageConfirmEmail: { token },
  manageUpdateMember: { role: workspaceRole },
  manageUpdateWorkspace: {
    name: (field) => [['name must not be empty', '', '   '], ...name(field)],
    second_factor_required: oneMessage('second_factor_required must be true or false', 'true', 1, 0, '', [], {}),
  },
  manageLookUpInvitation: { token },
  manageCreateProgram: {
    name: (field) => [
      ['name and domain are required', null, '', 0, false],
      ...text(255, [1, true, [], {}])(field),
      ...READ_BY_OTHERS,
    ],
    domain: () => [
      ['name and domain are required', null, '', 0, false],
      [DOMAIN, 1, true, [], {}, ...NOT_DOMAINS],
    ],
    ...settings,
  },
  manageUpdateProgram: {
    name: (field) => [['name must not be empty', ''], ...name(field)],
    domain: oneMessage(DOMAIN, 1, true, [], {}, '', ...NOT_DOMAINS),
    ...settings,
    add_allowed_origins: origins,
  },
  manageSetProgramStatus: {
    status: oneMessage('status must be active, paused, archived', ...NOT_TEXT, null, '', 'deleted', 'Active'),
  },
  manageUpdateJoinPage: {
    brand_color: oneMessage('brand_color must be a color like #1a7f5a', ...NOT_TEXT, '', 'red', '#fff', '#12345g'),
    questions: () => [
      ['questions must be a list of at most 5 questions', 'x', 1, true, {}, Array.from({ length: 6 }, QUESTION)],
      [
        'questions: a question has 1 to 200 characters',
        [QUESTION({ label: ' ' })],
        [QUESTION({ label: 'x'.repeat(201) })],
      ],
      ['questions: kind must be text, long_text, choice', [QUESTION({ kind: 'number' })], [QUESTION({ kind: null })]],
      ['questions: required must be true or false', [QUESTION({ required: 'yes' })]],
      [
        'questions: a choice has 2 to 10 different options of at most 100 characters',
        ...[
          ['a'],
          ['a', 'a'],
          ['a', ''],
          ['a', 'x'.repeat(101)],
          'ab',
          Array.from({ length: 11 }, (_, n) => `${n}`),
        ].map((options) => [QUESTION({ kind: 'choice', options })]),
        [QUESTION({ options: ['a', 'b'] })],
      ],
      ['questions must all be different', [QUESTION(), QUESTION()]],
      ['questions contains characters that cannot be stored', [QUESTION({ label: 'a\0b' })]],
    ],
    agreement: text(20_000),
  },
  manageSetLogo: {
    image: () => [
      ['image is required', null],
      [
        'image must be a PNG, JPEG or WebP file of at most 45 KiB, in base64',
        1,
        true,
        [],
        {},
        '',
        'a b',
        'x'.repeat(61_444),
      ],
      ['image must be a PNG, JPEG or WebP file', Buffer.from('<svg><script/></svg>').toString('base64')],
    ],
  },
  manageInvitePartners: {
    partners: invitees,
    dry_run: oneMessage('dry_run must be true or false', 'true', 1, 0, '', [], {}),
  },
  manageImport: {
    source: () => [
      ['source must be a string', null, ...NOT_TEXT],
      ['source must be at most 32 characters', 'x'.repeat(33)],
      [
        'source must be 1 to 32 lower-case letters, digits, hyphens or underscores',
        ...['', ' ', 'Rewardful', 'a b', '-a', 'é', 'a\nb'],
      ],
    ],
    rows: oneMessage(
      'rows must be a list of 1 to 500 objects',
      ...[null, 'x', 1, true, {}, [], Array.from({ length: 501 }, () => ({}))],
    ),
    pay_approved: oneMessage('pay_approved must be true or false', 'true', 1, 0, '', [], {}),
    dry_run: oneMessage('dry_run must be true or false', 'true', 1, 0, '', [], {}),
  },
  manageAddAdjustment: {
    partner_id: requiredPartner,
    amount_cents: oneMessage(
      'amount_cents must be a whole number of cents, not 0',
      ...[null, '1', 1.5, 0, true, [], {}, 1e300, Number.MAX_SAFE_INTEGER + 1],
    ),
    currency: oneMessage('currency must be an ISO 4217 code', null, ...NOT_TEXT, '', 'US', 'XYZ', 'USD '),
    reason: requiredText(500, 'reason is required'),
    kind: oneMessage('kind must be one of bonus, adjustment', ...NOT_TEXT, '', 'Bonus', 'sale'),
  },
  manageAddCoupon: {
    code: requiredText(64, 'code must not be empty'),
    partner_id: requiredPartner,
  },
  manageUpdateCoupon: { active: oneMessage('active must be true or false', null, 'true', 1, 0, '', [], {}) },
  manageAssignCustomer: {
    partner_id: requiredPartner,
    reason: requiredText(500, 'reason is required'),
  },
  manageAddPartnerNote: {
    text: requiredText(2_000, 'text must not be empty'),
  },
  manageApproveMany: { ids },
  manageEraseCustomer: { reason: text(500) },
  manageReject: { reason: text(500) },
  manageRejectMany: { ids, reason: text(500) },
  manageReviewCommissions: {
    action: oneMessage('action must be one of approve, reject, restore', ...NOT_TEXT, '', 'Approve', 'pay'),
    ...selection,
    reason: text(500),
    dry_run: oneMessage('dry_run must be true or false', 'true', 1, 0, '', [], {}),
  },
  manageStartReview: {
    action: oneMessage('action must be one of approve, reject, restore', ...NOT_TEXT, '', 'Approve', 'pay'),
    ...chosen,
    reason: text(500),
  },
  manageStartMarkingPaid: {
    ...chosen,
    totals: oneMessage(
      'totals must be a list of sums with currency and amount_cents',
      ...['x', 1, true, {}, [1], [{ currency: 'USD' }], [{ currency: 'USD', amount_cents: '1' }]],
      Array.from({ length: 201 }, () => ({ currency: 'USD', amount_cents: 1 })),
    ),
    reference: identifier,
  },
  manageStartInviting: { partners: invitees },
  manageStartResending: chosen,
  manageStartLinkChange: {
    active: oneMessage('active must be true or false', 'true', 1, 0, '', [], {}),
    deleted: oneMessage('Send either active or deleted', true),
    ...chosen,
  },
  manageStartCouponChange: {
    active: oneMessage('active must be true or false', null, 'true', 1, 0, '', [], {}),
    ...chosen,
  },
  manageStartPayouts: {
    with_payout_method: oneMessage('with_payout_method must be true or false', 'true', 1, 0, '', [], {}),
    include_inactive: oneMessage('include_inactive must be true or false', 'true', 1, 0, '', [], {}),
    count,
    totals: seenTotals,
  },
  manageStartPartnerChange: {
    status: oneMessage('status must be active, blocked, removed', ...NOT_TEXT, null, '', 'gone'),
    group_id: oneMessage('group_id must be a whole number or null', ...NOT_INTEGERS, 0, -1),
    from_status: oneMessage('from_status must be applied, active, blocked, removed', ...NOT_TEXT, '', 'gone'),
    ...chosen,
  },
  manageMakePayouts: {
    partner_id: oneMessage('partner_id must be a whole number', '1', 0, -1, 1.5, true, [], {}, 1e300),
    currency,
    with_payout_method: oneMessage('with_payout_method must be true or false', 'true', 1, 0, '', [], {}),
    include_inactive: oneMessage('include_inactive must be true or false', 'true', 1, 0, '', [], {}),
    count,
    totals: seenTotals,
  },
  manageMakePayoutRun: {
    cutoff_at: oneMessage('cutoff_at must be a date or an ISO 8601 time', '', 'yesterday', 1, true, [], {}),
    currency,
    partner_ids: partnerIdsOf,
    excluded_partner_ids: partnerIdsOf,
    exclusion_notes: () => [
      ['exclusion_notes must be an object with texts by partner id', 'x', 1, true, [], { a: 'b' }, { 0: 'b' }],
      ['exclusion_notes must be a string', { 1: 1 }, { 1: null }],
      ['exclusion_notes must be at most 500 characters', { 1: 'x'.repeat(501) }],
    ],
  },
  manageSavePayoutSettings: {
    minimum_cents: () => [
      [
        'minimum_cents must be an object with whole numbers of cents, 0 or more, by currency',
        ...['x', 1, true, [], { USD: -1 }, { USD: 1.5 }, { USD: '1' }],
      ],
      ['minimum_cents must be by ISO 4217 codes', { XYZ: 1 }, { usd: 1 }],
    ],
    schedule: oneMessage(
      'schedule must be null, or an object with a day from 1 to 28',
      ...['x', 1, true, [], {}, { day: 0 }, { day: 29 }, { day: '1' }, { day: 1.5 }],
    ),
    net_days: oneMessage('net_days must be a whole number from 0 to 90', '1', -1, 91, 1.5, true, [], {}),
    two_persons: oneMessage('two_persons must be true or false', 'true', 1, 0, '', [], {}),
    payer: () => [
      ['payer must be null, or an object with a name', 'x', 1, true],
      ['payer.name must be a string', {}, { name: 1 }],
      ['payer.name is required', { name: ' ' }],
      ['payer.name must be at most 70 characters', { name: 'x'.repeat(71) }],
      [
        'payer.iban does not pass its check digits. Compare it with your bank statement.',
        { name: 'Acme', iban: 'DE88370400440532013000' },
      ],
      ['payer.bic must have 8 or 11 letters and digits, such as COBADEFFXXX', { name: 'Acme', bic: 'X' }],
      ['payer.paypal_decimal must be . or ,', { name: 'Acme', paypal_decimal: ';' }],
      ['payer.ach must be an object', { name: 'Acme', ach: 1 }],
      [
        'payer.ach.odfi_routing does not pass its check digit. Compare it with a check or your bank statement.',
        {
          name: 'Acme',
          ach: { company_id: '1', company_name: 'Acme', odfi_routing: '021000022', destination_name: 'Bank' },
        },
      ],
    ],
  },
  manageSettlePayoutRun: {
    payouts: () => [['Send either payouts or all', []]],
    all: oneMessage('all must be paid', 'failed', 1, true, [], {}, ''),
    reference: identifier,
  },
  manageMarkFailed: {
    reason: (field) => [['reason is required', null, '', '   ', 0, false], ...text(500, [1, true, [], {}])(field)],
  },
  manageMarkPaid: { reference: identifier },
  manageMarkPayoutsPaid: { ...selection, reference: identifier },
  manageSaveView: {
    list: oneMessage(
      'list must be one of balances, commissions, coupons, customers, events, links, partners, payouts, sales',
      ...[1, 1.5, true, [], ['sales'], {}, 'Sales', 'clicks'],
    ),
    name: (field) => [...text(60, [1, 1.5, true, [], ['a'], {}])(field), ['name must not be empty', '  ']],
    query: text(1_000),
  },
  manageAddApiKey: {
    mode: oneMessage('mode must be live or test', 1, 1.5, true, [], ['test'], {}, '', 'Live', 'sandbox'),
  },
  manageAddToken: {
    name: (field) => [...name(field), ['name must not be empty', '  ']],
    scopes: oneMessage(
      'scopes must be a list of one or more of read, write, track',
      ...[null, 'read', 1, true, {}, [], ['admin'], [1], ['read', 'read', 'read', 'read']],
    ),
    expires_in_days: oneMessage(
      'expires_in_days must be a whole number from 0 to 365',
      ...['90', -1, 1.5, 366, true, [], {}],
    ),
  },
  manageRequireRotation: {
    rotate_by: () => [
      ['rotate_by must be an ISO 8601 time', null, '', 'tomorrow', '2026-03-11', 1_800_000_000, true, [], {}],
      [
        'rotate_by must be in the future',
        '2026-03-10T12:00:00.000Z',
        '2026-03-10T13:59:59+02:00',
        '1970-01-01T00:00:00Z',
      ],
    ],
  },
  manageAddPartner: {
    ...newPartner,
    external_id: oneMessage(EXTERNAL_ID, ...NOT_TEXT, '', ' ', 'user 42', '.', '..', 'a'.repeat(256), 'a\u0000'),
  },
  manageUpsertPartner: newPartner,
  manageInvitePartner: {
    email,
    open_link: openLink,
    replace_account: oneMessage('replace_account must be true or false', 'true', 1, 0, '', [], {}),
  },
  manageUpdatePartner: {
    status: oneMessage('status must be active, blocked, removed', ...NOT_TEXT, null, '', 'gone'),
    group_id: oneMessage('group_id must be a whole number or null', ...NOT_INTEGERS, 0, -1),
    recruiter_id: oneMessage('recruiter_id must be a whole number or null', ...NOT_INTEGERS, 0, -1),
    external_id: oneMessage(EXTERNAL_ID, ...NOT_TEXT, '', ' ', 'user 42', '.', '..', 'a'.repeat(256), 'a\u0000'),
    name: (field) => [['name is required', ''], ...text(255, NOT_TEXT)(field), ...READ_BY_OTHERS],
  },
  manageAddGroup: {
    name: (field) => [
      ['name is required', '', null],
      ['name must not be empty', ' '],
      ...text(100, NOT_TEXT.filter(Boolean))(field).filter(([, value]) => value !== ''),
    ],
    tier,
  },
  manageUpdateGroup: { name: (field) => [['name must not be empty', '', ' '], ...text(100)(field)], tier },
  manageAddTerms: {
    rules,
    attribution,
    effective_from: oneMessage(
      'effective_from must be an ISO 8601 time',
      1,
      true,
      [],
      {},
      '',
      'soon',
      '2026-13-01',
      '2026-01-01',
    ),
    note: text(500),
    backdate: oneMessage('backdate must be true or false', 'true', 1, 0, '', [], {}),
  },
  manageSimulateTerms: {
    rules,
    attribution,
    from: oneMessage('from must be a date or an ISO 8601 time', 1, true, [], {}, '', 'soon', '2026-13-01'),
    to: (field) => [
      [`${field} must be a date or an ISO 8601 time`, 1, true, [], {}, '', 'soon', '2026-13-01'],
      ['to must be after from', '2020-01-01', '0001-01-01'],
    ],
    groups: oneMessage('groups must be then or now', ...NOT_TEXT, '', 'today'),
  },
  manageAddLink: {
    partner_id: () => [['partner_id is required', null, '1', 1.5, true, [], {}, 1e300]],
    short_link: (field) => [
      ...identifier(field).filter(([message]) => !message.includes('cannot be stored')),
      [
        'short_link must be 1 to 64 letters, digits, hyphens, underscores or dots',
        'x'.repeat(65),
        'a b',
        'a/b',
        'é',
        '?',
      ],
    ],
    destination_url: destination,
    label: text(100),
  },
  manageUpdateLink: {
    active: oneMessage('active must be true or false', null, 'true', 1, 0, '', [], {}),
    destination_url: (field) =>
      destination(field).map(([message, ...values]) => [message, ...values.filter((value) => value !== '')]),
    label: text(100),
  },
  manageSavePostback: {
    url: (field) => [
      ['url is required', null, '', '   ', 0, false],
      ...text(2_000, [1, 1.5, true, [], ['a'], {}])(field),
      ['Enter a full URL that starts with https://.', 'tracker.example', 'ftp://tracker.example/', 'https:///{sub_id}'],
      ['Unknown macro: {clickid}', 'https://tracker.example/?c={clickid}'],
      ['The URL must start with https://.', 'http://tracker.example/'],
      ['10.0.0.1 is not a public address.', 'https://10.0.0.1/'],
    ],
    method: oneMessage('method must be one of GET, POST', 'PUT', 'get', 1, true, [], {}),
    status: oneMessage('status must be one of active, disabled', 'on', 1, true, [], {}),
  },
  manageAskAboutOrder: {
    transaction_id: identifier,
    email: text(1024),
    partner_id: () => [['partner_id is required', null, '1', 1.5, true, [], {}, 1e300]],
  },
  manageAddDomain: {
    host: (field) => [
      [
        'host must be a host name of your own, like go.example.com',
        ...NOT_TEXT,
        ' ',
        'acme',
        '192.0.2.1',
        '0x7f.1',
        '[::1]',
      ],
      [
        `${field} must be a host name of your own, like go.example.com`,
        'go.acme.test:8443',
        'https://go.acme.test',
        'go.acme.test/x',
      ],
      ['This is the host of the service. Choose a host of your own, like go.example.com.', 'track.test', 'TRACK.test.'],
      ["acme.test is the program's own site. Choose another host, like go.acme.test.", 'acme.test', ' ACME.test'],
    ],
  },
  manageAddWebhook: {
    ...endpoint,
    format: oneMessage('format must be one of json, slack, discord', ...NOT_TEXT, '', 'xml', 'JSON'),
  },
  manageChangeWebhook: {
    ...endpoint,
    status: oneMessage('status must be one of active, disabled', ...NOT_TEXT, '', 'paused'),
    send_missed: oneMessage('send_missed must be true or false', 'true', 1, 0, '', [], {}),
  },
  manageReplayWebhook: {
    from: (field) => [
      [`${field} must be a date or an ISO 8601 time`, 1, true, [], {}, '', 'soon', '2026-13-01'],
      ['from must be before to', '2030-01-01', '2040-01-01'],
    ],
    to: oneMessage('to must be a date or an ISO 8601 time', 1, true, [], {}, '', 'soon', '2026-13-01'),
    types: eventTypes,
    dry_run: oneMessage('dry_run must be true or false', 'true', 1, 0, '', [], {}),
  },
  manageAddProcessorSecret: SECRET_FIELDS,
  manageConnectProcessor: {
    ...SECRET_FIELDS,
    account_id: identifier,
    sandbox: oneMessage('sandbox must be true or false', 'true', 1, 0, '', [], {}),
  },
};
