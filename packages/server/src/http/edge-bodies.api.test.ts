import { Readable } from 'node:stream';
import { errorBody, errors, MAX_BODY_BYTES, type RouteDefinition, routes } from '@svc/contract';
import { pathOf, useSharedRequests } from '@svc/testkit/service/routes/shared-requests.ts';
import type { ValidRequest } from '@svc/testkit/service/routes/valid-request.ts';
import { type Answer, platformError, useService } from '@svc/testkit/service/service.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';

const service = useService();
const requestOf = useSharedRequests(service);

const JSON_TYPE = { 'content-type': 'application/json' };
const TOO_LARGE = platformError(413, 'PayloadTooLargeError', 'Request body is larger than 64 KiB');
const UNSUPPORTED = platformError(
  415,
  'UnsupportedMediaTypeError',
  'Unsupported content type. Send the body as application/json.',
);
const badRequest = (message: string) => platformError(400, 'BadRequestError', message);
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const nestedObjects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
// Signed bodies and files are not parsed as JSON here; they have their own tests.
const posts = routes.filter(({ method, signed, receives }) => method !== 'GET' && !signed && !receives);
/** One route for each kind of body: a beacon, JSON, JSON from a signed-in account, or none. */
const oneOfEachKind = posts.filter(({ id }) =>
  ['trackClick', 'trackSale', 'manageUpdateProgram', 'cliAuthStart'].includes(id),
);
const hasField = (route: RouteDefinition, field: string) =>
  route.body !== undefined && field in (route.body as z.ZodObject).shape;

/** Sends the text unchanged, as JSON. */
const sendText = (valid: ValidRequest, body: string, headers = JSON_TYPE) => valid.send({ body, headers });

/** The valid body as text, with the given members added verbatim. */
const bodyWith = ({ body }: ValidRequest, members: string) =>
  JSON.stringify({ ...body, session_id: 's' }).replace(/^\{/, `{${members},`);

const PROTOTYPE = '"__proto__":{"polluted":true}';

function expectRefused(answer: Answer, body: ReturnType<typeof platformError>) {
  expect(answer.body).toEqual(body);
  expect(answer.status).toBe(body.error.status);
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  expect(answer.headers['x-request-id']).toBeTruthy();
}

/** Whether a body without fields is refused. */
const asksForSomething = ({ body }: RouteDefinition) => body !== undefined && !body.safeParse({}).success;

/** A request without body and content type is treated as {}. */
async function expectSameWithoutBody(valid: ValidRequest, route: RouteDefinition): Promise<void> {
  const { status, body } = await valid.send({ body: {} });
  // What was refused has changed nothing, so the same request can be sent again.
  const again = status < 400 ? await requestOf(route) : valid;
  const answer = await again.send({ body: undefined });
  expect([answer.status, answer.body.error]).toEqual([status, body.error]);
}

describe.each(posts)('$method $path', (route) => {
  it('refuses malformed, oversized and foreign bodies, stores nothing of them, and ignores unknown fields', async () => {
    const valid = await requestOf(route);
    const before = await valid.stored();
    const text = JSON.stringify(valid.body ?? {});
    expectRefused(await sendText(valid, '{'), badRequest('Invalid JSON body'));
    const maxBytes = route.maxBodyBytes ?? MAX_BODY_BYTES;
    const tooLarge = { ...TOO_LARGE, ...errorBody(errors.bodyTooLarge(maxBytes, route.largeField), true) };
    expectRefused(await sendText(valid, text.padEnd(maxBytes + 1)), tooLarge);
    expectRefused(await sendText(valid, text, { 'content-type': 'application/xml' }), UNSUPPORTED);
    if (!route.fromBrowsers) expectRefused(await sendText(valid, text, { 'content-type': 'text/plain' }), UNSUPPORTED);
    if (route.body) expectRefused(await sendText(valid, '[{}]'), badRequest('Request body must be a JSON object'));
    expectRefused(await sendText(valid, bodyWith(valid, PROTOTYPE)), badRequest('Invalid JSON body'));
    if (asksForSomething(route)) await expectSameWithoutBody(valid, route);
    expect(await valid.stored()).toEqual(before);
    const unknown = { session_id: 's', debug_mode: true, toString: 1, valueOf: 1, constructor: 1 };
    // A token is limited to the program that the field names.
    const named = route.id === 'manageAddToken' ? {} : { program_id: 'x' };
    expect((await valid.send({ body: { ...valid.body, ...unknown, ...named } })).status).toBe(valid.status);
  });
});

describe.each(posts.filter((route) => !asksForSomething(route)))('$method $path', (route) => {
  it('treats a request without body and content type as {}', async () => {
    await expectSameWithoutBody(await requestOf(route), route);
  });
});

describe.each(oneOfEachKind)('$method $path', (route) => {
  let valid: ValidRequest;
  let before: Record<string, number>;
  beforeAll(async () => {
    valid = await requestOf(route);
    before = await valid.stored();
  });

  it.each(['{', '{"a":1,}', '{a:1}', "{'a':1}", '{"a":1}{"b":2}', 'undefined', 'NaN', '{"a":"\u0000"}', '\u0000'])(
    '400 Invalid JSON body: %j',
    async (text) => expectRefused(await sendText(valid, text), badRequest('Invalid JSON body')),
  );

  it.each([
    ['64 KiB and one byte', 64 * 1024 + 1],
    ['5 MB', 5_000_000],
  ])('413 PayloadTooLargeError: %s', async (_what, bytes) => {
    const text = JSON.stringify(valid.body ?? {}).padEnd(bytes, ' ');
    expectRefused(await sendText(valid, text), TOO_LARGE);
  });

  it('413 PayloadTooLargeError: 5 MB whose length is not announced', async () => {
    const body = Readable.from(Array.from({ length: 50 }, () => Buffer.alloc(100_000, ' ')));
    expectRefused(await valid.send({ body, headers: JSON_TYPE }), TOO_LARGE);
  });

  it('413 counts bytes, not characters', async () => {
    expectRefused(await sendText(valid, bodyWith(valid, `"x":"${'é'.repeat(33_000)}"`)), TOO_LARGE);
  });

  it.each([
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json-patch+json',
    'application/jsonx',
    'application/json, text/plain',
    'text/html',
    'text/json',
    'json',
    '*/*',
    '',
    ...(route.fromBrowsers ? [] : ['text/plain']),
  ])('415 UnsupportedMediaTypeError: %j', async (type) => {
    const answer = await sendText(valid, JSON.stringify(valid.body ?? {}), { 'content-type': type });
    expectRefused(answer, UNSUPPORTED);
  });

  it('415 UnsupportedMediaTypeError: a body without a content type', async () => {
    expectRefused(await valid.send({ body: JSON.stringify(valid.body ?? {}) }), UNSUPPORTED);
  });

  it.each([
    ['__proto__', PROTOTYPE],
    ['__proto__ of null', '"__proto__":null'],
    ['__proto__, escaped', '"\\u005f_proto__":{"polluted":true}'],
    ['constructor.prototype', '"constructor":{"prototype":{"polluted":true}}'],
    ['__proto__ inside', '"additional_data":{"__proto__":{"test_mode":true}}'],
    ['constructor.prototype inside', '"additional_data":{"a":[{"constructor":{"prototype":{"polluted":true}}}]}'],
  ])('refuses the prototype key %s', async (_what, members) => {
    expectRefused(await sendText(valid, bodyWith(valid, members)), badRequest('Invalid JSON body'));
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it.runIf(route.body !== undefined).each([
    ['null', 'null'],
    ['a number', '1'],
    ['text', '"text"'],
    ['a boolean', 'true'],
    ['a list', '[{}]'],
    ['lists nested 10,000 deep', nested(10_000)],
  ])('400 Request body must be a JSON object: %s', async (_what, text) => {
    expectRefused(await sendText(valid, text), badRequest('Request body must be a JSON object'));
  });

  it('has stored nothing of what it refused', async () => {
    expect(await valid.stored()).toEqual(before);
  });

  it.each(['', ' \r\n\t '])('treats the empty body %j as {}', async (text) => {
    const { status, body } = await (await requestOf(route)).send({ body: {} });
    const answer = await sendText(await requestOf(route), text);
    expect([answer.status, answer.body.error]).toEqual([status, body.error]);
  });

  it('accepts a body of exactly 64 KiB', async () => {
    const accepted = await requestOf(route);
    const text = JSON.stringify(accepted.body ?? {}).padEnd(64 * 1024, ' ');
    expect((await sendText(accepted, text)).status).toBe(accepted.status);
  });

  it.each([
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/json;charset="utf-8"; x=y',
    ...(route.fromBrowsers ? ['text/plain'] : []),
  ])('takes %s', async (type) => {
    const accepted = await requestOf(route);
    const answer = await sendText(accepted, JSON.stringify(accepted.body ?? {}), { 'content-type': type });
    expect(answer.status).toBe(accepted.status);
  });

  it.each([
    ['lists', nested(10_000)],
    ['objects', nestedObjects(10_000)],
  ])('ignores an unknown field of %s nested 10,000 deep', async (_what, deep) => {
    const accepted = await requestOf(route);
    expect((await sendText(accepted, bodyWith(accepted, `"unknown":${deep}`))).status).toBe(accepted.status);
  });
});

describe.each(posts.filter((route) => hasField(route, 'additional_data')))('$method $path', (route) => {
  it.each([
    ['lists', nested(10_000)],
    ['objects', nestedObjects(10_000)],
  ])('refuses additional_data of %s nested 10,000 deep', async (_what, deep) => {
    const valid = await requestOf(route);
    const before = await valid.stored();
    const answer = await sendText(valid, bodyWith(valid, `"additional_data":{"a":${deep}}`));
    expectRefused(answer, badRequest('additional_data must be nested at most 32 levels deep'));
    expect(await valid.stored()).toEqual(before);
    expect((await valid.send()).status).toBe(200);
  });
});

describe('hostile program_id of a test event that carries a key', () => {
  const withTestMode = posts.filter((route) => hasField(route, 'additional_data') && route.id !== 'trackRefund');

  it.each(withTestMode)('$path: nested 10,000 deep, a 4xx', async (route) => {
    const valid = await requestOf(route);
    const before = await valid.stored();
    for (const deep of [nested(10_000), nestedObjects(10_000)]) {
      const body = bodyWith(valid, `"additional_data":{"test_mode":true,"program_id":${deep}}`);
      const answer = await valid.send({ body, headers: JSON_TYPE, key: valid.apiKey });
      expect([400, 403]).toContain(answer.status);
      expect(answer.body).toMatchObject({ data: null, error: { status: answer.status, details: {} } });
    }
    expect(await valid.stored()).toEqual(before);
  });

  it.each(withTestMode)('$path: an object that cannot be turned into text, 403', async (route) => {
    const valid = await requestOf(route);
    const before = await valid.stored();
    const additional_data = { test_mode: true, program_id: { toString: 1, valueOf: 1 } };
    const answer = await valid.send({ body: { ...valid.body, additional_data }, key: valid.apiKey });
    expectRefused(answer, platformError(403, 'ForbiddenError', 'program_id does not match the API key'));
    expect(await valid.stored()).toEqual(before);
  });
});

describe('a body that cannot be read, sent with a key', () => {
  it('leaves one decision where attempts are recorded, and none elsewhere', async () => {
    const { program, apiKey: key } = await service.program();
    const before = await service.counts(program.id);
    for (const route of posts) {
      const headers = { ...JSON_TYPE, 'x-request-id': route.id };
      await service.call(route.method, pathOf(route), { body: '{', headers, key });
    }
    const left = await service.sql(
      'select request_id as route, kind, outcome, reason from decisions where program_id = $1 order by id',
      [program.id],
    );
    const recorded = posts.filter(({ attempt }) => attempt);
    expect(recorded.length).toBeGreaterThan(0);
    expect(left).toEqual(
      recorded.map(({ id, attempt }) => ({ route: id, kind: attempt, outcome: 'refused', reason: 'invalid_request' })),
    );
    const decisions = Number(before.decisions) + recorded.length;
    expect(await service.counts(program.id)).toEqual({ ...before, decisions });
  });
});

describe('GET routes', () => {
  const reading = routes.filter(({ method }) => method === 'GET');
  /** No parser runs for them, so one route for each kind of caller shows it. The long form tries all. */
  const tried = reading.filter(
    ({ auth }, index) => process.env.SVC_TEST_LONG || reading.findIndex((other) => other.auth === auth) === index,
  );

  it.each(tried)('$path: a body is ignored', async (route) => {
    const valid = await requestOf(route);
    expect((await sendText(valid, '{')).status).toBe(valid.status);
    expect((await sendText(valid, '<a/>', { 'content-type': 'application/xml' })).status).toBe(valid.status);
  });
});

describe('a body that is nested too deep to be serialized', () => {
  const body = `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
  const headers = { 'content-type': 'application/json' };

  it.each(['/api/v1/manage/programs', '/api/v1/manage/invitations/accept'])('is no failure: %s', async (path) => {
    expect((await service.call('POST', path, { body, headers })).status).toBe(401);
  });

  it('does not reach the sign-in library, which gets only the fields it knows', async () => {
    const { status, body: answer } = await service.call('POST', '/api/auth/sign-in/email', { body, headers });
    expect({ status, message: answer.error.message }).toEqual({ status: 400, message: 'email must be a string' });
  });
});
