import { newAddress } from '@svc/testkit/service/addresses.ts';
import {
  type Answer,
  type CallOptions,
  platformError,
  type TestProgram,
  useService,
} from '@svc/testkit/service/service.ts';
import { badRequest, whileMissing } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';
import { OPERATOR } from '../audit/audit-store.ts';
import { regenerateKey } from '../programs/regenerate-key.ts';
import { requireRotation } from '../programs/require-rotation.ts';
import { explain } from '../reporting/explain.ts';

const service = useService();

const CLICK = '/api/v1/track/click';
const LEAD = '/api/v1/track/lead';
const SALE = '/api/v1/track/sale';
const REFUND = '/api/v1/track/refund';
const READINESS = '/api/v1/programs/me/readiness';
const DOCS_URL = 'https://track.test/docs/errors#api_key_rotation_required';
const DAY = 86_400_000;

type Rotating = TestProgram & { rotateBy: Date };

/** A program whose key was just marked and must be rotated within seven days. */
async function rotating(): Promise<Rotating> {
  const made = await service.program();
  const rotateBy = new Date(service.time.getTime() + 7 * DAY);
  const key = await requireRotation(service.ctx, made.program, rotateBy, OPERATOR);
  expect(key).toMatchObject({ markedAt: service.time, rotateBy });
  return { ...made, rotateBy };
}

function expectWarned({ headers, body }: Answer, markedAt: Date, rotateBy: Date) {
  expect(headers).toMatchObject({
    deprecation: `@${markedAt.getTime() / 1000}`,
    sunset: rotateBy.toUTCString(),
    link: `<${DOCS_URL}>; rel="deprecation"`,
  });
  expect(body.warnings).toEqual([
    {
      code: 'api_key_rotation_required',
      message: expect.stringMatching(/./),
      hint: expect.stringMatching(/./),
      rotate_by: rotateBy.toISOString(),
      docs_url: DOCS_URL,
    },
  ]);
}

type Request = CallOptions & { path: string; method?: string };
const send = ({ path, method = 'POST', ...options }: Request, key: string | undefined) =>
  service.call(method, path, { key, ...options });
const url = (link: string) => ({ affiliate_url: `https://acme.test/?aff=${link}` });
const asJson = { 'content-type': 'application/json' };

describe('until its deadline a key marked for rotation works and every response warns', () => {
  it.each([
    ['click', async ({ link }: Rotating) => ({ path: CLICK, body: url(link) })],
    [
      'click in test mode',
      async ({ link }: Rotating) => ({ path: CLICK, body: { ...url(link), additional_data: { test_mode: true } } }),
    ],
    ['lead', async () => ({ path: LEAD, body: { customer_key: 'user-1' } })],
    [
      'sale',
      async ({ link, program }: Rotating) => ({
        path: SALE,
        body: { transaction_id: `order-${program.id}`, amount_cents: 1000, click_id: await service.clickId(link) },
      }),
    ],
    ['readiness', async () => ({ path: READINESS, method: 'GET' })],
    ['cli status', async () => ({ path: '/api/v1/cli/status', method: 'GET' })],
    ['cli test event', async () => ({ path: '/api/v1/cli/test-event', body: { event_type: 'click' } })],
    ['cli test chain', async () => ({ path: '/api/v1/cli/test-event', body: { type: 'chain' } })],
  ] satisfies [string, (made: Rotating) => Promise<Request>][])('200 %s', async (_what, request) => {
    const made = await rotating();
    const markedAt = service.time;
    service.advance({ days: 1 });
    const { status, body, ...answer } = await send(await request(made), made.apiKey);
    expect(status).toBe(200);
    expectWarned({ status, body, ...answer }, markedAt, made.rotateBy);

    const unmarked = await service.program();
    const plain = await send(await request({ ...unmarked, rotateBy: service.time }), unmarked.apiKey);
    expect(Object.keys(body).sort()).toEqual([...Object.keys(plain.body), 'warnings'].sort());
  });

  it('200 refund', async () => {
    const made = await rotating();
    const markedAt = service.time;
    await service.customer(made, 'buyer');
    const order = { transaction_id: 'order-refund', amount_cents: 1000, customer_key: 'buyer' };
    await service.sale(order, { key: made.apiKey });
    const answer = await service.refund({ transaction_id: 'order-refund' }, { key: made.apiKey });
    expect(answer).toMatchObject({ status: 200, body: { success: true, data: { status: 'reversed' } } });
    expectWarned(answer, markedAt, made.rotateBy);
  });

  it.each([
    [CLICK, { body: {} }, badRequest('affiliate_url is required')],
    [LEAD, { body: {} }, badRequest('click_id or customer_key is required')],
    [SALE, { body: {} }, badRequest('transaction_id is required and must be a string')],
    [
      SALE,
      { body: { transaction_id: 'order-nobody', amount_cents: 1 } },
      badRequest('Customer not found. Provide customer_key or click_id.'),
    ],
    [SALE, { body: '{', headers: asJson }, badRequest('Invalid JSON body')],
    [REFUND, { body: {} }, badRequest('transaction_id is required')],
    [
      REFUND,
      { body: { transaction_id: 'none' } },
      platformError(404, 'NotFoundError', 'Sale not found for transaction_id'),
    ],
    [
      LEAD,
      { body: { customer_key: 'user-1', additional_data: { test_mode: true, program_id: 987_654 } } },
      platformError(403, 'ForbiddenError', 'program_id does not match the API key'),
    ],
    [
      SALE,
      { body: { additional_data: { x: 'x'.repeat(70_000) } } },
      platformError(413, 'PayloadTooLargeError', 'Request body is larger than 64 KiB'),
    ],
    [
      SALE,
      { body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      platformError(415, 'UnsupportedMediaTypeError', expect.any(String)),
    ],
    [CLICK, { method: 'GET' }, platformError(405, 'MethodNotAllowedError', expect.any(String))],
    [READINESS, { body: {} }, platformError(405, 'MethodNotAllowedError', expect.any(String))],
    ['/api/v1/cli/nowhere', { method: 'GET' }, platformError(404, 'NotFoundError', 'Not Found')],
    ['/api/v1/cli/test-event', { body: {} }, badRequest('Invalid event_type: undefined. Valid: click, lead, sale')],
    ['/api/v1/cli/init', { body: {} }, platformError(401, 'UnauthorizedError', expect.any(String))],
    ['/api/v1/cli/stripe-connect', { body: {} }, platformError(410, 'GoneError', expect.any(String))],
    ['/api/v1/manage/me', { method: 'GET' }, platformError(401, 'UnauthorizedError', expect.any(String))],
  ] satisfies [string, Omit<Request, 'path'>, object][])('error of %s %j', async (path, request, expected) => {
    const made = await rotating();
    const { body, ...answer } = await send({ path, ...request }, made.apiKey);
    expect(answer.status).toBe(body.error.status);
    const { warnings, ...rest } = body;
    expect(rest).toEqual(expected);
    expectWarned({ body: { warnings }, ...answer }, service.time, made.rotateBy);
  });

  it('410 link_disabled', async () => {
    const made = await rotating();
    await service.sql('update links set active = false where short_link = $1', [made.link]);
    const answer = await send({ path: CLICK, body: url(made.link) }, made.apiKey);
    expect(answer).toMatchObject({ status: 410, body: { success: false, error: { code: 'link_disabled' } } });
    expectWarned(answer, service.time, made.rotateBy);
  });

  it.each([
    ['Click tracking failed', 'clicks', ({ link }: Rotating) => ({ path: CLICK, body: url(link) })],
    ['Failed to compute readiness. Retry shortly.', 'sales', () => ({ path: READINESS, method: 'GET' })],
  ])('500 %s', async (message, table, request) => {
    const made = await rotating();
    const answer = await whileMissing(service, table, () => send(request(made), made.apiKey));
    expect(answer).toMatchObject({ status: 500, body: { error: { message } } });
    expectWarned(answer, service.time, made.rotateBy);
  });

  it('but no response to a request without the key, or with the regenerated key', async () => {
    const made = await rotating();
    const { apiKey } = await regenerateKey(service.ctx, made.program, OPERATOR);
    for (const answer of [
      await send({ path: CLICK, body: url(made.link) }, undefined),
      await service.readiness(apiKey),
    ]) {
      expect(answer.status).toBe(200);
      expect(answer.body).not.toHaveProperty('warnings');
      for (const name of ['deprecation', 'sunset', 'link']) expect(answer.headers).not.toHaveProperty(name);
    }
  });
});

describe('over the rate limit', () => {
  const limited = useService({ SVC_RATE_LIMITS: 'click=1,lead=1,sale=1,readiness=1' });

  it.each([CLICK, LEAD, SALE, REFUND, READINESS])('429 of %s warns too', async (path) => {
    const { program, apiKey } = await limited.program();
    const rotateBy = new Date(limited.time.getTime() + DAY);
    await requireRotation(limited.ctx, program, rotateBy, OPERATOR);
    const options = { key: apiKey, ip: newAddress(), ...(path !== READINESS && { body: {} }) };
    const call = () => limited.call(path === READINESS ? 'GET' : 'POST', path, options);
    await call();
    const answer = await call();
    expect(answer).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
    expectWarned(answer, limited.time, rotateBy);
  });
});

describe('after the deadline every request with the key is 401 api_key_rotation_required', () => {
  const retired = {
    error: {
      code: 'api_key_rotation_required',
      message: expect.stringMatching(/./),
      hint: expect.stringMatching(/./),
      docs_url: DOCS_URL,
    },
  };

  it.each([
    ['click', ({ link }: Rotating) => ({ path: CLICK, body: url(link) })],
    ['click without a body', () => ({ path: CLICK, body: {} })],
    ['lead', () => ({ path: LEAD, body: { customer_key: 'user-1' } })],
    ['sale', () => ({ path: SALE, body: { transaction_id: 'order-late', amount_cents: 1, customer_key: 'buyer' } })],
    ['refund', () => ({ path: REFUND, body: { transaction_id: 'order-late' } })],
    ['a body that is not JSON', () => ({ path: SALE, body: '{', headers: asJson })],
    ['a body that is not an object', () => ({ path: SALE, body: '[]', headers: asJson })],
    ['a body over 64 KiB', () => ({ path: SALE, body: { product_id: 'x'.repeat(70_000) } })],
    ['another content type', () => ({ path: LEAD, body: 'a=b', headers: { 'content-type': 'text/csv' } })],
    ['readiness', () => ({ path: READINESS, method: 'GET' })],
    ['cli status', () => ({ path: '/api/v1/cli/status', method: 'GET' })],
    ['cli test event', () => ({ path: '/api/v1/cli/test-event', body: { event_type: 'sale' } })],
    ['cli init', () => ({ path: '/api/v1/cli/init', body: {} })],
    ['cli stripe-connect', () => ({ path: '/api/v1/cli/stripe-connect', body: {} })],
    ['an unknown cli route', () => ({ path: '/api/v1/cli/nowhere', body: {} })],
    ['management', () => ({ path: '/api/v1/manage/programs', method: 'GET' })],
    ['another method', () => ({ path: CLICK, method: 'GET' })],
  ] satisfies [string, (made: Rotating) => Request][])('%s', async (_what, request) => {
    const made = await rotating();
    await service.customer(made, 'buyer');
    const before = await service.counts(made.program.id);
    service.advance({ days: 7, seconds: 1 });
    const { status, body } = await send(request(made), made.apiKey);
    expect({ status, body }).toEqual({ status: 401, body: retired });
    const { decisions: _, ...after } = await service.counts(made.program.id);
    expect(before).toMatchObject(after);
  });

  it('exactly: the key works a millisecond before the deadline, but not at the deadline', async () => {
    const made = await rotating();
    service.time = new Date(made.rotateBy.getTime() - 1);
    expect((await service.readiness(made.apiKey)).status).toBe(200);
    service.time = made.rotateBy;
    expect(await service.readiness(made.apiKey)).toMatchObject({ status: 401, body: retired });
  });

  it('a regenerated key works', async () => {
    const made = await rotating();
    service.advance({ days: 8 });
    const { apiKey } = await regenerateKey(service.ctx, made.program, OPERATOR);
    expect((await service.readiness(apiKey)).status).toBe(200);
  });

  it.each([
    ['lead', LEAD, { customer_key: 'late' }, { customerKey: 'late' }],
    ['sale', SALE, { transaction_id: 'late', amount_cents: 1 }, { transactionId: 'late' }],
    ['refund', REFUND, { transaction_id: 'late' }, { transactionId: 'late' }],
  ])('a refused %s leaves one decision, which can be found by its ids', async (kind, path, body, question) => {
    const made = await rotating();
    service.advance({ days: 8 });
    const { headers } = await send({ path, body }, made.apiKey);
    const rows = await service.sql('select kind, outcome, reason, request_id from decisions where program_id = $1', [
      made.program.id,
    ]);
    expect(rows).toEqual([{ kind, outcome: 'refused', reason: 'key_retired', request_id: headers['x-request-id'] }]);
    expect(await explain(service.ctx, made.program.id, question)).toMatchObject([{ kind, reason: 'key_retired' }]);
  });
});
