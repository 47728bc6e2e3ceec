import { METHODS } from 'node:http';
import { type RouteDefinition, routes } from '@svc/contract';
import { type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { pathOf, useSharedRequests } from '@svc/testkit/service/routes/shared-requests.ts';
import { type Answer, type CallOptions, platformError, useService } from '@svc/testkit/service/service.ts';
import { beforeAll, describe, expect, it } from 'vitest';

const service = useService();
const requestOf = useSharedRequests(service);

const NOT_FOUND = platformError(404, 'NotFoundError', 'Not Found');
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const JSON_TYPE = { 'content-type': 'application/json' };
const BODIES: [string, CallOptions][] = [
  ['no body', {}],
  ['a JSON body', { body: {} }],
  ['malformed JSON', { body: '{', headers: JSON_TYPE }],
  ['a body over 64 KiB', { body: `"${'x'.repeat(70_000)}"`, headers: JSON_TYPE }],
  ['another media type', { body: '<a/>', headers: { 'content-type': 'application/xml' } }],
];
// HEAD has no body to check, and CONNECT does not request a path.
const OTHER_METHODS = METHODS.filter((method) => method !== 'HEAD' && method !== 'CONNECT');
const posts = routes.filter(({ method }) => method === 'POST');
const methodsAt = (path: string) => routes.filter((route) => route.path === path).map(({ method }) => method);

/** Whether the path reads like that of a row too: `review` in `/commissions/review` could be an id. */
const looksLikeRow = (path: string) =>
  routes.some(
    (other) =>
      other.method === 'GET' &&
      other.path !== path &&
      new RegExp(`^${other.path.replace(/:\w+/g, '[^/]+')}$`).test(path),
  );

/** For requests that are refused before they reach anything. */
let unchanged: OwnedProgram;
beforeAll(async () => {
  unchanged = await ownedProgram(service);
});

const tokenFor = ({ auth }: RouteDefinition) => (auth.startsWith('account') ? unchanged.owner.token : unchanged.apiKey);

describe('X-Request-ID', () => {
  const withId = (id: string) => service.call('GET', '/healthz', { headers: { 'x-request-id': id } });
  const returning = routes.filter(({ withoutRequestId }) => !withoutRequestId);
  /** One function sets the id, so a few routes show that no kind of refusal goes without. The long form tries all. */
  const isTriedWithAll = ({ id }: RouteDefinition) =>
    process.env.SVC_TEST_LONG || ['trackClick', 'trackSale', 'manageUpdateProgram', 'cliAuthStart'].includes(id);

  it.each(['a', 'A-Za.z_0-9', 'x'.repeat(128)])('keeps an incoming value of 1–128 safe characters: %s', async (id) => {
    expect((await withId(id)).headers['x-request-id']).toBe(id);
  });

  it.each(['', 'x'.repeat(129), 'a b', 'a/b', 'a,b', 'é', '{}', "a'--"])('replaces %j with a new id', async (id) => {
    expect((await withId(id)).headers['x-request-id']).toMatch(UUID);
  });

  // The tests of every route look for it in answers to valid requests.
  it.each(returning)('$method $path: is on refusals, new each time', async (route) => {
    const path = pathOf(route);
    const send = (options: CallOptions) => service.call(route.method, path, { key: tokenFor(route), ...options });
    const refused: Answer[] = [await send({ body: '{', headers: JSON_TYPE }), await send({ key: 'svc_key_unknown' })];
    if (isTriedWithAll(route)) {
      refused.push(
        await send({ body: `"${'x'.repeat(70_000)}"`, headers: JSON_TYPE }),
        await send({ body: '<a/>', headers: { 'content-type': 'application/xml' } }),
        await service.call('TRACE', path),
      );
    }
    const ids = refused.map(({ headers }) => headers['x-request-id']);
    for (const id of ids) expect(id).toMatch(UUID);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(['/healthz', '/readyz', '/metrics', '/nowhere', '/%zz'])('is on GET %s', async (path) => {
    expect((await service.call('GET', path)).headers['x-request-id']).toMatch(UUID);
    const kept = await service.call('GET', path, { headers: { 'x-request-id': 'mine' } });
    expect(kept.headers['x-request-id']).toBe('mine');
  });
});

describe('404 Not Found', () => {
  const inBrowser = (path: string) =>
    service.service.http.inject({ url: path, headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });

  it('is a page for people who open an address in a browser, except under the API', async () => {
    const { statusCode, headers, body } = await inBrowser('/nowhere?x=1');
    expect(statusCode).toBe(404);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-request-id': expect.stringMatching(UUID),
    });
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(body).toContain('<h1>Page not found</h1>');
    expect(await inBrowser('/docs/guide/nowhere')).toMatchObject({ statusCode: 404, body });
    expect((await inBrowser('/api/nowhere')).json()).toEqual(NOT_FOUND);
    expect((await inBrowser('/api/v1/track/click')).statusCode).toBe(405);
  });

  const paths = ['/nowhere', '/api/v1', '/api/v1/track', '/api/v1/track/click/', '/api/v1/track/CLICK', '//', '/%00'];

  it.each(paths)('%s is not a route, for any method', async (path) => {
    for (const method of OTHER_METHODS) {
      const answer = await service.call(method, path);
      expect([method, answer.status]).toEqual([method, 404]);
      expect(answer.body).toEqual(NOT_FOUND);
    }
  });

  it.each(BODIES)('is what an unknown route answers to %s', async (_what, options) => {
    const answer = await service.call('POST', '/api/v1/nowhere', options);
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual(NOT_FOUND);
  });

  it.each(['/%zz', '/%', '/api/v1/track/click%zz', '/api/v1/track/%c3%28'])('malformed URL %s', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const answer = await service.call(method, path);
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual(NOT_FOUND);
    }
  });
});

describe('405 MethodNotAllowedError with Allow', () => {
  const onePerPath = routes.filter((route, index) => routes.findIndex(({ path }) => path === route.path) === index);

  async function expectNotAllowed(route: RouteDefinition, methods: string[], keys: (string | undefined)[]) {
    const allow = methodsAt(route.path)
      .flatMap((method) => (method === 'GET' && !route.consumes ? ['GET', 'HEAD'] : [method]))
      .join(', ');
    const supported: string[] = [
      ...methodsAt(route.path),
      ...(route.fromBrowsers ? ['OPTIONS'] : []),
      ...(looksLikeRow(route.path) ? ['GET'] : []),
    ];
    for (const method of methods.filter((name) => !supported.includes(name))) {
      for (const key of keys) {
        const answer = await service.call(method, pathOf(route), { key });
        expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, allow]);
        expect(answer.headers['x-request-id']).toMatch(UUID);
        expect(answer.body).toEqual(platformError(405, 'MethodNotAllowedError', `Method not allowed. Use ${allow}.`));
      }
    }
  }

  it.each(routes.filter(({ id }) => ['trackClick', 'trackSale', 'readiness', 'managePrograms'].includes(id)))(
    '$path: every other HTTP method',
    (route) => expectNotAllowed(route, OTHER_METHODS, [undefined, tokenFor(route)]),
  );

  it.each(onePerPath)('$path: every other common method, and one with a key', async (route) => {
    await expectNotAllowed(route, ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'], [undefined]);
    await expectNotAllowed(route, ['TRACE'], [tokenFor(route)]);
  });

  it.each(BODIES)('is what another method answers to %s', async (_what, options) => {
    const answer = await service.call('PUT', '/api/v1/track/sale', options);
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe('POST');
  });

  it('applies with a query too', async () => {
    expect((await service.call('GET', '/api/v1/track/click?aff=x')).status).toBe(405);
  });
});

describe('HEAD', () => {
  const head = (url: string, headers: Record<string, string> = {}) =>
    service.service.http.inject({ method: 'HEAD', url, headers });

  it('answers like GET on readiness, without a body', async () => {
    const { apiKey } = await service.program();
    const answer = await head('/api/v1/programs/me/readiness', { authorization: `Bearer ${apiKey}` });
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe('');
    expect(answer.headers['x-request-id']).toMatch(UUID);
  });

  it('is 401 on readiness without a key', async () => {
    const answer = await head('/api/v1/programs/me/readiness');
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['x-request-id']).toMatch(UUID);
  });

  it('is 404 on an unknown path', async () => {
    expect((await head('/nowhere')).statusCode).toBe(404);
  });

  const onlyPosts = posts.filter(({ path }) => methodsAt(path).length === 1 && !looksLikeRow(path));

  it.each(onlyPosts)('is 405 on $path, with Allow', async (route) => {
    const answer = await head(pathOf(route));
    expect(answer.statusCode).toBe(405);
    expect(answer.headers).toMatchObject({ allow: 'POST', 'x-request-id': expect.stringMatching(UUID) });
  });
});

describe('a query on a POST route', () => {
  // Routes of accounts refuse parameters that they do not have, as the tests of known parameters say.
  it.each(posts.filter(({ receives, auth }) => !receives && auth !== 'account'))('$path: is ignored', async (route) => {
    const { key, body, headers, path, status } = await requestOf(route);
    const query = 'transaction_id=other&affiliate_url=%zz&customer_key=%00&state=other';
    const url = `${path}${path.includes('?') ? '&' : '?'}${query}`;
    expect((await service.call('POST', url, { key, body, headers })).status).toBe(status);
  });
});
