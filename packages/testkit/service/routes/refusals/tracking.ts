import {
  type FieldRefusals,
  identifier,
  NOT_INTEGERS,
  NOT_TEXT,
  oneMessage,
  type Refusals,
  text,
  UNSTORABLE,
} from './values.ts';

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
const customerKey = text(255, [1.5, 1e300, true, false, [], {}]);
const additional_data = json('object', [[], [1]], (value) => ({ a: value }));
const line_items = json('array', [{}, { 0: 1 }], (value) => [value]);
const part = (field: string): Refusals => [
  [`${field} must be a whole number of cents, 0 or more`, ...NOT_INTEGERS, -1],
  ['tax_cents and shipping_cents together must be at most amount_cents', 4_901],
];

export const TRACKING_FIELDS: FieldRefusals = {
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
};
