import { type RouteDefinition, routes } from '@svc/contract';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { platformError, useService } from '../../test/service.ts';
import { validRequest } from '../../test/valid-request.ts';

const service = useService();

/** What a field refuses: the message, then values that are answered with it. */
type Refusals = [message: string, ...values: unknown[]][];

const UNSTORABLE = ['a\0b', '\0', '\ud800', 'a\udc00b', '\udc00\ud800'];
const NOT_TEXT = [1, 0, 1.5, true, false, [], ['a'], {}, { a: 1 }];
const NO_INTEGER = ['1', '', 1.5, true, [], {}, 9_007_199_254_740_992, 1e300];

const text =
  (maxChars: number, notText: unknown[] = NOT_TEXT) =>
  (field: string): Refusals => [
    [`${field} must be a string`, ...notText],
    [`${field} must be at most ${maxChars} characters`, 'x'.repeat(maxChars + 1), 'x'.repeat(60_000)],
    [`${field} contains characters that cannot be stored`, ...UNSTORABLE],
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

/** Every field that can be refused by itself. */
const FIELDS: Record<string, Record<string, (field: string) => Refusals>> = {
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
    amount_cents: oneMessage('amount_cents is required and must be a positive integer', ...NO_INTEGER, null, 0, -1),
    customer_key: customerKey,
    click_id: identifier,
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
      ...NO_INTEGER,
      -1,
      -0.5,
    ),
    refund_reason: text(1024),
    refund_id: identifier,
    additional_data,
  },
};

/** A reference that names nothing when it is malformed, instead of being refused. */
const NEVER_REFUSED = ['program_id'];

const posts = routes.filter(({ body }) => body !== undefined);
const fieldsOf = ({ body }: RouteDefinition) => Object.keys((body as z.ZodObject).shape);
const everyField = posts.flatMap((route) =>
  Object.entries(FIELDS[route.id] ?? {}).map(([field, refusals]) => ({ path: route.path, field, route, refusals })),
);

it.each(posts)('$path: every field of the contract is looked at here', (route) => {
  expect(Object.keys(FIELDS[route.id] ?? {}).sort()).toEqual(
    fieldsOf(route)
      .filter((field) => !NEVER_REFUSED.includes(field))
      .sort(),
  );
});

describe('400 with the field’s message, and nothing stored, for wrong types, unstorable text and over-long values', () => {
  it.each(everyField)('$path: $field', async ({ route, field, refusals }) => {
    const valid = await validRequest(service, route);
    const before = await valid.stored();
    for (const [message, ...values] of refusals(field)) {
      for (const value of values) {
        const { status, body, headers } = await valid.send({ body: { ...valid.body, [field]: value } });
        const expected = { value, status: 400, body: platformError(400, 'BadRequestError', message) };
        expect({ value, status, body }).toEqual(expected);
        expect(headers['x-request-id']).toBeTruthy();
      }
    }
    expect(await valid.stored()).toEqual(before);
    expect((await valid.send()).status).toBe(200);
  });
});

describe('null counts as absent', () => {
  it.each(posts)('$path: in every optional field', async (route) => {
    const valid = await validRequest(service, route);
    const nulls = Object.fromEntries(fieldsOf(route).map((field) => [field, null]));
    expect((await valid.send({ body: { ...nulls, ...valid.body } })).status).toBe(200);
  });

  it.each(posts)('$path: in every field at once, as with an empty body', async (route) => {
    const valid = await validRequest(service, route);
    const nulls = Object.fromEntries(fieldsOf(route).map((field) => [field, null]));
    const answer = await valid.send({ body: nulls });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual((await valid.send({ body: {} })).body);
  });
});

describe('a lead’s program_id that is malformed', () => {
  it.each([
    ['an object', {}],
    ['a list', [1]],
    ['a fraction', 1.5],
    ['a negative number', -1],
    ['more than an integer holds', 1e300],
    ['text that is no number', 'acme'],
    ['a number with a sign', '+1'],
  ])('names no program: %s', async (_what, program_id) => {
    const answer = await service.lead({ customer_key: 'user-1', program_id, additional_data: { program_id } });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(
      platformError(400, 'BadRequestError', 'Customer not found. Provide a valid click_id or customer_key.'),
    );
  });
});

describe('identifiers that look like SQL, numbers or addresses are taken as they are', () => {
  it.each([`'; drop table customers; --`, '$1', '%s', '../../etc/passwd', '1e5', '0', '\u202eabc', '🙂', '\u0001'])(
    'customer_key and transaction_id %j',
    async (value) => {
      const { link, apiKey: key, program } = await service.program();
      const click_id = await service.clickId(link);
      expect((await service.lead({ click_id, customer_key: value }, { key })).status).toBe(200);
      const sale = { transaction_id: value, amount_cents: 100, customer_key: value };
      expect((await service.sale(sale, { key })).status).toBe(200);
      expect((await service.refund({ transaction_id: value, refund_reason: value }, { key })).status).toBe(200);
      const [stored] = await service.sql(
        'select processor_event_id, customer_key from sales s join customers c on c.id = s.customer_id where s.program_id = $1',
        [program.id],
      );
      expect(stored).toEqual({ processor_event_id: value, customer_key: value });
    },
  );
});
