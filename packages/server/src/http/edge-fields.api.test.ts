import { type RouteDefinition, routes } from '@svc/contract';
import { FIELDS } from '@svc/testkit/service/routes/field-refusals.ts';
import { useSharedRequests } from '@svc/testkit/service/routes/shared-requests.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';

const service = useService();
const requestOf = useSharedRequests(service);

/** Fields whose malformed values are compared like any other, instead of being refused for their form. */
const NEVER_REFUSED = ['program_id', 'type', 'advertiser_id'];

/** Routes whose fields are all optional. */
const ASKS_FOR_NOTHING = [
  'cliAuthStart',
  'manageAddApiKey',
  'manageEraseCustomer',
  'manageChangeWebhook',
  'manageInvitePartner',
  'manageUpdateCreative',
  'manageUpdateGroup',
  // A group of null leaves the partner to the tiers.
  'manageUpdatePartner',
  'manageUpdateProgram',
  'manageUpdateJoinPage',
  'manageUpdateMailOpenings',
  'manageUpdateMe',
  'manageUpdateWorkspace',
  'manageReject',
  'manageMakePayoutRun',
  'manageMakePayouts',
  'manageMarkPaid',
  'manageSavePayoutSettings',
];
/** A repeated request finds what the first one did. */
const CHANGES_WHAT_IT_FINDS = [
  'cliAuthStart',
  'manageAddApiKey',
  'manageUpdatePartner',
  'manageEraseCustomer',
  'manageInvitePartner',
  'manageReject',
  'manageMakePayoutRun',
  'manageMakePayouts',
  'manageSettlePayoutRun',
  'manageMarkFailed',
  'manageMarkPaid',
];

const posts = routes.filter(({ body }) => body !== undefined);
const fieldsOf = ({ body }: RouteDefinition) => Object.keys((body as z.ZodObject).shape);
/**
 * The values to try. The management routes share the parsers of their fields, which are tried with every value beside them, so
 * two values show that a field has its parser. The long form tries all.
 */
function triedOf({ auth }: RouteDefinition, values: unknown[]): unknown[] {
  return auth === 'account' && !process.env.SVC_TEST_LONG ? [...new Set([values[0], values.at(-1)])] : values;
}

/** The management API names the field, or the rule of the terms and the field in it. The specification has no details here. */
function detailsOf({ path }: RouteDefinition, field: string): object {
  if (!path.startsWith('/api/v1/manage/')) return {};
  const named = expect.toSatisfy((details) => details.field === field || details.field.startsWith(`${field}.`));
  return field === 'rules' ? expect.toSatisfy((details) => details.rule > 0 || details.field === 'rules') : named;
}

it.each(posts)('$path: every field of the contract is covered here', (route) => {
  expect(Object.keys(FIELDS[route.id] ?? {}).sort()).toEqual(
    fieldsOf(route)
      .filter((field) => !NEVER_REFUSED.includes(field))
      .sort(),
  );
});

const nullsOf = (route: RouteDefinition) => Object.fromEntries(fieldsOf(route).map((field) => [field, null]));

describe('400 with the field’s message, and nothing stored, for wrong types, unstorable text and over-long values; null counts as absent', () => {
  it.each(posts)('$path: in every field', async (route) => {
    const valid = await requestOf(route);
    const before = await valid.stored();
    for (const [field, refusals] of Object.entries(FIELDS[route.id] ?? {})) {
      for (const [message, ...values] of refusals(field)) {
        for (const value of triedOf(route, values)) {
          const { status, body, headers } = await valid.send({ body: { ...valid.body, [field]: value } });
          const error = platformError(400, 'BadRequestError', message, detailsOf(route, field));
          expect({ field, value, status, body }).toEqual({ field, value, status: 400, body: error });
          expect(headers['x-request-id']).toBeTruthy();
        }
      }
    }
    if (!ASKS_FOR_NOTHING.includes(route.id)) {
      const { status, body } = await valid.send({ body: nullsOf(route) });
      expect({ status, body }).toEqual({ status: 400, body: (await valid.send({ body: {} })).body });
    }
    expect(await valid.stored()).toEqual(before);
    expect((await valid.send({ body: { ...nullsOf(route), ...valid.body } })).status).toBe(valid.status);
  });

  const asksForNothing = posts.filter(({ id }) => ASKS_FOR_NOTHING.includes(id));
  it.each(asksForNothing)('$path: null in every field at once is accepted, as an empty body is', async (route) => {
    const valid = await requestOf(route);
    const answer = await valid.send({ body: nullsOf(route) });
    expect(answer.status).toBe(valid.status);
    if (!CHANGES_WHAT_IT_FINDS.includes(route.id)) expect(answer.body).toEqual((await valid.send({ body: {} })).body);
  });
});

describe('values that cannot be converted to text are refused too', () => {
  const hostile = ['{"toString":1,"valueOf":1}', '['.repeat(10_000) + ']'.repeat(10_000)];
  const headers = { 'content-type': 'application/json' };

  it.each([
    ['cliInit', 'commission_type', 'Invalid commission_type: '],
    ['cliTestEvent', 'event_type', 'Invalid event_type: '],
    ['manageUpdateProgram', 'commission_type', 'Invalid commission_type: '],
  ])('%s: %s', async (id, field, message) => {
    const valid = await requestOf(routes.find((route) => route.id === id) as RouteDefinition);
    for (const value of hostile) {
      const body = JSON.stringify({ ...valid.body, [field]: '@' }).replace('"@"', value);
      const answer = await valid.send({ body, headers });
      expect(answer.status).toBe(400);
      expect(answer.body.error.message).toContain(message);
    }
  });
});

describe('a lead’s program_id that is malformed', () => {
  it.each([
    ['an object', {}],
    ['a list', [1]],
    ['a fraction', 1.5],
    ['a negative number', -1],
    ['larger than any integer', 1e300],
    ['text that is not a number', 'acme'],
    ['a number with a sign', '+1'],
  ])('names no program: %s', async (_what, program_id) => {
    const answer = await service.lead({ customer_key: 'user-1', program_id, additional_data: { program_id } });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(
      platformError(400, 'BadRequestError', 'Customer not found. Provide a valid click_id or customer_key.'),
    );
  });
});

describe('identifiers that look like SQL, numbers or paths are stored unchanged', () => {
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
