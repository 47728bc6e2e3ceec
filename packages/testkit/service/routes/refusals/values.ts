/** What a field refuses: a message, followed by the values that are refused with it. */
export type Refusals = [message: string, ...values: unknown[]][];

/** What the fields of routes refuse, by the id of the route. */
export type FieldRefusals = Record<string, Record<string, (field: string) => Refusals>>;

export const UNSTORABLE = ['a\0b', '\0', '\ud800', 'a\udc00b', '\udc00\ud800'];

export const NOT_TEXT = [1, 0, 1.5, true, false, [], ['a'], {}, { a: 1 }];

export const NOT_INTEGERS = ['1', '', 1.5, true, [], {}, 9_007_199_254_740_992, 1e300];

export const text =
  (maxChars: number, notText: unknown[] = NOT_TEXT) =>
  (field: string): Refusals => [
    [`${field} must be a string`, ...notText],
    [`${field} must be at most ${maxChars} characters`, 'x'.repeat(maxChars + 1), 'x'.repeat(60_000)],
    [`${field} contains characters that cannot be stored`, ...UNSTORABLE],
  ];

export const requiredText =
  (maxChars: number, missing: string) =>
  (field: string): Refusals => [
    [`${field} must be a string`, null, ...NOT_TEXT],
    [missing, '', '   '],
    ...text(maxChars)(field).slice(1),
  ];

export const oneMessage =
  (message: string, ...values: unknown[]) =>
  (): Refusals => [[message, ...values]];

export const identifier = text(255);

const NOT_DAYS = [...NOT_INTEGERS, 0, -1, 3_651];

export const DOMAIN = 'domain must be a host name, like example.com';

const RATE = 'commission_rate must be a positive number';

export const NOT_DOMAINS = [
  'exa mple.com',
  '-a.test',
  'a..test',
  'https://',
  '.',
  'a_b.test',
  'x'.repeat(300),
  ...UNSTORABLE,
];

export const requiredPartner = oneMessage(
  'partner_id must be a whole number',
  ...[null, '1', '', 0, -1, 1.5, true, [], {}, 1e300],
);

export const window =
  (min = 1) =>
  (field: string): Refusals => [
    [
      `${field} must be a whole number from ${min} to 3650`,
      ...NOT_DAYS.filter((value) => typeof value !== 'number' || value < min || !Number.isInteger(value)),
    ],
  ];

export const READ_BY_OTHERS: Refusals = [
  ['name must be one line without control characters', 'a\r\nb', 'a\u001bb', '\u202eemca'],
  ['name must not contain a web address', 'https://evil.example', 'at www.evil.example', 'evil.example/login'],
];

export const name = (field: string): Refusals => [...identifier(field), ...READ_BY_OTHERS];

export const rate = (): Refusals => [
  [RATE, '20', true, [], {}, 0, -1],
  ['commission_rate must be at most 999999999', 1_000_000_000, 1e300],
  ['commission_rate keeps at most four decimals', 0.00001, 1.23456],
];

export const commissionType = (): Refusals =>
  ['Percent', 'hourly', 'x', '20', 7, true].map((value) => [
    `Invalid commission_type: ${value}. Valid: percent, fixed, recurring_percent, recurring_fixed`,
    value,
  ]);

export const origins = (field: string): Refusals => [
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

export const email = (field: string): Refusals => [
  ...text(1024)(field),
  ['email must be an email address', 'nobody', 'a@', '@b', 'a b@c.test', 'a@b@c'],
];

export const currency = oneMessage('currency must be an ISO 4217 code', ...NOT_TEXT, '', 'US', 'XYZ', 'USD ');

export const openLink = oneMessage('open_link must be true or false', 'true', 1, 0, '', [], {});

export const token = (field: string): Refusals => [['token is required', ''], ...identifier(field)];

export const count = oneMessage('count must be a whole number, 0 or more', ...NOT_INTEGERS, -1);

export const invitees = oneMessage(
  'partners must be a list of 1 to 500 objects with name and email',
  ...[null, 'x', 1, true, {}, [], ['x'], [1], [[]], Array.from({ length: 501 }, () => ({}))],
);

export const chosen = {
  ids: oneMessage('Send either ids or filter', [1], [], 'x', 1, {}),
  filter: oneMessage('filter must be an object with the filters of the list', 'x', 1, true, [], [{}]),
  count,
};

export const selection = { ...chosen, cursor: text(1_500) };

export const seenTotals = oneMessage(
  'totals must be a list of sums with currency and payable_cents',
  ...['x', 1, true, {}, [1], [{ currency: 'USD' }], [{ currency: 1, payable_cents: 1 }]],
  [{ currency: 'USD', payable_cents: '1' }],
  Array.from({ length: 201 }, () => ({ currency: 'USD', payable_cents: 1 })),
);
