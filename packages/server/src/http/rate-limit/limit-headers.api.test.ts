import { type RateBucket, routes } from '@svc/contract';
import { newAddress } from '@svc/testkit/service/addresses.ts';
import { type Answer, type CallOptions, type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { whileMissing } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';

const service = useService({ SVC_RATE_LIMITS: '' });

const LIMITS: Record<RateBucket, number> = {
  click: 60,
  lead: 30,
  sale: 120,
  readiness: 30,
  feed: 120,
  cli: 60,
  manage: 600,
  webhook: 3_000,
};
const CLICK = '/api/v1/track/click';
const LEAD = '/api/v1/track/lead';
const SALE = '/api/v1/track/sale';
const REFUND = '/api/v1/track/refund';
const READINESS = '/api/v1/programs/me/readiness';
const FEED = '/api/v1/events';
const affiliateUrl = (link: string) => ({ affiliate_url: `https://acme.test/?aff=${link}` });
const testOf = (programId: number) => ({ additional_data: { test_mode: true, program_id: programId } });

/** The first answer to an address and a key that have sent nothing before. */
function expectFirstOfWindow({ headers }: Answer, bucket: RateBucket, hasRequestId = true) {
  const limit = LIMITS[bucket];
  expect(headers).toMatchObject({
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(limit - 1),
    'x-ratelimit-reset': String(service.time.getTime() / 1000 + 60),
  });
  expect('x-request-id' in headers).toBe(hasRequestId);
  expect(headers).not.toHaveProperty('retry-after');
}

type Request = CallOptions & { path: string; method?: string };
type Row = [status: number, what: string, bucket: RateBucket, request: (made: TestProgram) => Request];

const answers: Row[] = [
  [200, 'click', 'click', ({ link }) => ({ path: CLICK, body: affiliateUrl(link) })],
  [400, 'click: affiliate_url is required', 'click', () => ({ path: CLICK, body: {} })],
  [
    401,
    'click: Invalid API token in test mode',
    'click',
    ({ program }) => ({ path: CLICK, body: testOf(program.id), key: 'svc_key_unknown' }),
  ],
  [
    403,
    'click: Origin not allowed for this program',
    'click',
    ({ link }) => ({ path: CLICK, body: affiliateUrl(link), headers: { origin: 'https://elsewhere.test' } }),
  ],
  [405, 'click: another method', 'click', () => ({ path: CLICK, method: 'GET' })],
  [413, 'click: body over 64 KiB', 'click', () => ({ path: CLICK, body: { page_title: 'x'.repeat(70_000) } })],
  [
    415,
    'click: another content type',
    'click',
    () => ({ path: CLICK, body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
  ],
  [200, 'lead', 'lead', ({ apiKey }) => ({ path: LEAD, body: { customer_key: 'user-1' }, key: apiKey })],
  [400, 'lead: click_id or customer_key is required', 'lead', () => ({ path: LEAD, body: {} })],
  [401, 'lead: Invalid API token', 'lead', () => ({ path: LEAD, body: {}, key: 'svc_key_unknown' })],
  [
    403,
    'lead: program_id does not match the API key',
    'lead',
    ({ apiKey, program }) => ({
      path: LEAD,
      body: { customer_key: 'user-1', ...testOf(program.id + 1) },
      key: apiKey,
    }),
  ],
  [405, 'lead: another method', 'lead', () => ({ path: LEAD, method: 'PUT', body: {} })],
  [400, 'sale: Invalid JSON body', 'sale', ({ apiKey }) => json(SALE, '{', apiKey)],
  [400, 'sale: Request body must be a JSON object', 'sale', ({ apiKey }) => json(SALE, '[]', apiKey)],
  [401, 'sale: Missing or malformed Authorization header', 'sale', () => ({ path: SALE, body: {} })],
  [401, 'sale: Invalid API token', 'sale', () => ({ path: SALE, body: {}, key: 'svc_key_unknown' })],
  [405, 'sale: another method', 'sale', ({ apiKey }) => ({ path: SALE, method: 'DELETE', key: apiKey })],
  [
    404,
    'refund: Sale not found for transaction_id',
    'sale',
    ({ apiKey }) => ({ path: REFUND, body: { transaction_id: 'none' }, key: apiKey }),
  ],
  [401, 'refund: Invalid API token', 'sale', () => ({ path: REFUND, body: {}, headers: { authorization: 'Bearer' } })],
  [405, 'refund: another method', 'sale', () => ({ path: REFUND, method: 'GET' })],
  [200, 'feed', 'feed', ({ apiKey }) => ({ path: FEED, method: 'GET', key: apiKey })],
  [400, 'feed: Invalid cursor', 'feed', ({ apiKey }) => ({ path: `${FEED}?after=x`, method: 'GET', key: apiKey })],
  [401, 'feed: invalid_key', 'feed', () => ({ path: FEED, method: 'GET' })],
  [405, 'feed: another method', 'feed', ({ apiKey }) => ({ path: FEED, body: {}, key: apiKey })],
  [200, 'readiness', 'readiness', ({ apiKey }) => ({ path: READINESS, method: 'GET', key: apiKey })],
  [401, 'readiness: invalid_key', 'readiness', () => ({ path: READINESS, method: 'GET' })],
  [405, 'readiness: another method', 'readiness', ({ apiKey }) => ({ path: READINESS, body: {}, key: apiKey })],
  [200, 'cli: auth/start', 'cli', () => ({ path: '/api/v1/cli/auth/start' })],
  [400, 'cli: auth/callback', 'cli', () => ({ path: '/api/v1/cli/auth/callback', body: {} })],
  [404, 'cli: auth/poll', 'cli', () => ({ path: '/api/v1/cli/auth/poll?state=unknown', method: 'GET' })],
  [401, 'cli: init', 'cli', () => ({ path: '/api/v1/cli/init', body: {}, key: 'svc_at_unknown' })],
  [401, 'cli: programs', 'cli', ({ apiKey }) => ({ path: '/api/v1/cli/programs?x=1', method: 'GET', key: apiKey })],
  [400, 'cli: test-event', 'cli', ({ apiKey }) => ({ path: '/api/v1/cli/test-event', body: {}, key: apiKey })],
  [410, 'cli: stripe-connect', 'cli', () => ({ path: '/api/v1/cli/stripe-connect', body: {} })],
  [405, 'cli: another method', 'cli', () => ({ path: '/api/v1/cli/status', method: 'DELETE' })],
  [404, 'cli: no route', 'cli', () => ({ path: '/api/v1/cli/nowhere', method: 'GET' })],
  [401, 'manage: me', 'manage', () => ({ path: '/api/v1/manage/me', method: 'GET' })],
  [404, 'manage: no route', 'manage', () => ({ path: '/api/v1/manage/nowhere', method: 'GET' })],
  [405, 'manage: another method', 'manage', () => ({ path: '/api/v1/manage/me', method: 'DELETE' })],
  [400, 'webhook', 'webhook', () => ({ path: '/api/v1/webhooks/stripe', body: {} })],
  [404, 'cli: an address that cannot be decoded', 'cli', () => ({ path: '/api/v1/cli/%zz', method: 'GET' })],
];

function json(path: string, text: string, key: string): Request {
  return { path, body: text, key, headers: { 'content-type': 'application/json' } };
}

async function send({ path, method = 'POST', ...options }: Request): Promise<Answer> {
  return service.call(method, path, { ip: newAddress(), ...options });
}

describe('X-RateLimit headers are on every response', () => {
  it.each(answers)('%i %s', async (status, _what, bucket, request) => {
    const answer = await send(request(await service.program()));
    expect(answer.status).toBe(status);
    expectFirstOfWindow(answer, bucket);
  });

  it('410 click: link_disabled', async () => {
    const { link } = await service.program();
    await service.sql('update links set active = false where short_link = $1', [link]);
    const answer = await send({ path: CLICK, body: affiliateUrl(link) });
    expect(answer.status).toBe(410);
    expectFirstOfWindow(answer, 'click');
  });

  it('409 sale: Duplicate transaction_id', async () => {
    const made = await service.program();
    const clickId = await service.clickId(made.link);
    const body = { transaction_id: 'order-409', amount_cents: 100, click_id: clickId };
    await send({ path: SALE, body, key: made.apiKey });
    service.advance({ seconds: 60 });
    const answer = await send({ path: SALE, body, key: made.apiKey });
    expect(answer.status).toBe(409);
    expectFirstOfWindow(answer, 'sale');
  });

  it.each([
    [200, (apiKey: string) => apiKey],
    [401, () => 'svc_key_unknown'],
  ])('%i cli: status, which carries no X-Request-ID', async (status, keyOf) => {
    const { apiKey } = await service.program();
    const answer = await send({ path: '/api/v1/cli/status', method: 'GET', key: keyOf(apiKey) });
    expect(answer.status).toBe(status);
    expectFirstOfWindow(answer, 'cli', false);
  });

  it('401 api_key_rotation_required, on every route that checks a key', async () => {
    const { program, apiKey, link } = await service.program();
    await service.sql('update program_keys set marked_at = $2, rotate_by = $2 where program_id = $1', [
      program.id,
      service.time,
    ]);
    for (const { path, method, bucket, withoutRequestId } of routes.filter(({ signed }) => !signed)) {
      // The key has a new window on each route.
      service.advance({ seconds: 60 });
      const answer = await send({ path, method, key: apiKey, ...(method !== 'GET' && { body: affiliateUrl(link) }) });
      expect(answer).toMatchObject({ status: 401, body: { error: { code: 'api_key_rotation_required' } } });
      if (bucket) expectFirstOfWindow(answer, bucket, !withoutRequestId?.includes(401));
      else expect(Object.keys(answer.headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
    }
  });

  it.each([
    '/api/v1/unknown',
    '/api/auth/get-session',
    '/cli/login',
    '/healthz',
    '/readyz',
    '/metrics',
    '/docs',
    '/openapi.json',
  ])('but not on a route without a limit: %s', async (path) => {
    const { headers } = await send({ path, method: 'GET' });
    expect(Object.keys(headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
  });
});

describe('X-RateLimit headers are on a 500 too', () => {
  const failures: [what: string, bucket: RateBucket, table: string, request: (made: TestProgram) => Request][] = [
    ['Click tracking failed', 'click', 'clicks', ({ link }) => ({ path: CLICK, body: affiliateUrl(link) })],
    ['Lead tracking failed', 'lead', 'customers', ({ apiKey }) => keyed(LEAD, { customer_key: 'a' }, apiKey)],
    [
      'Sale tracking failed',
      'sale',
      'customers',
      ({ apiKey }) => keyed(SALE, { transaction_id: 'a', amount_cents: 1, customer_key: 'a' }, apiKey),
    ],
    ['Refund tracking failed', 'sale', 'sales', ({ apiKey }) => keyed(REFUND, { transaction_id: 'a' }, apiKey)],
    [
      'Failed to compute readiness. Retry shortly.',
      'readiness',
      'sales',
      ({ apiKey }) => ({ path: READINESS, method: 'GET', key: apiKey }),
    ],
    [
      expect.stringMatching(/^Failed to get status /),
      'cli',
      'sales',
      ({ apiKey }) => ({ path: '/api/v1/cli/status', method: 'GET', key: apiKey }),
    ],
  ];
  const keyed = (path: string, body: object, key: string): Request => ({ path, body, key });

  it.each(failures)('%s', async (message, bucket, table, request) => {
    const made = await service.program();
    await whileMissing(service, table, async () => {
      const answer = await send(request(made));
      expect(answer).toMatchObject({ status: 500, body: { error: { message } } });
      expectFirstOfWindow(answer, bucket);
    });
  });

  it.each(failures.slice(1))('%s, when the key could not be looked up', async (message, bucket, _table, request) => {
    const made = await service.program();
    await whileMissing(service, 'program_keys', async () => {
      const answer = await send(request(made));
      expect(answer).toMatchObject({ status: 500, body: { error: { message } } });
      expectFirstOfWindow(answer, bucket);
    });
  });
});
