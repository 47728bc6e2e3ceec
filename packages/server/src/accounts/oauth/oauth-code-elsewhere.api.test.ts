import { createHash } from 'node:crypto';
import { addressOf, type RouteDefinition, routes } from '@svc/contract';
import { idTokenOf, newOwner, OWN_ORIGIN } from '@svc/testkit/service/accounts.ts';
import { newAddress } from '@svc/testkit/service/addresses.ts';
import { approve, askedForAccess, exchange, pageAt } from '@svc/testkit/service/applications.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

type Sent = { method: string; path: string; body?: unknown; headers?: Record<string, string> };

/** The value, and all that can be made of it without a secret. */
const madeOf = (code: string): string[] => [
  code,
  ...code.split(/[._-]/).filter((part) => part.length > 4),
  createHash('sha256').update(code).digest('hex'),
  createHash('sha256').update(code).digest('base64url'),
  Buffer.from(code, 'base64url').toString('hex'),
  `svc_at_${code}`,
  `svc_key_${code}`,
];

/** The value in every place of a request to the route: parameters, query, fields, and the header. */
function requestsWith({ method, path, query, body }: RouteDefinition, value: string): Sent[] {
  const named = (path.match(/:\w+/g) ?? []).map((name) => [name.slice(1), value]);
  const url = addressOf(path, { params: Object.fromEntries(named) });
  const filled = (schema: unknown) => {
    const { shape } = (schema ?? {}) as { shape?: object };
    return Object.fromEntries(Object.keys(shape ?? {}).map((name) => [name, value]));
  };
  const asked = `${url}?${new URLSearchParams(filled(query))}`;
  const fields = method === 'GET' ? {} : { body: filled(body) };
  return [
    { method, path: asked, ...fields },
    { method, path: asked, ...fields, headers: { authorization: `Bearer ${value}` } },
  ];
}

/** Starting a login takes no secret, and answers with a new one each time. */
const TRIED = routes.filter(({ id }) => id !== 'cliAuthStart');

/**
 * Where something made of the code is tried: wherever a caller needs no credentials, because these routes take secrets in their
 * fields, and at one route for each kind of credentials.
 */
const TRIED_WITH_PARTS = TRIED.filter(
  ({ auth }, index) =>
    process.env.SVC_TEST_LONG || auth === 'none' || TRIED.findIndex((route) => route.auth === auth) === index,
);

/** Routes outside the contract that take a token or a state. */
const others = (value: string): Sent[] => [
  { method: 'GET', path: `/cli/login?state=${value}` },
  { method: 'GET', path: `/invite?token=${value}` },
  { method: 'GET', path: '/api/auth/get-session', headers: { cookie: `svc.session_token=${value}` } },
  { method: 'GET', path: '/api/auth/get-session', headers: { cookie: `__Secure-svc.session_token=${value}` } },
  { method: 'GET', path: '/api/auth/token', headers: { authorization: `Bearer ${value}` } },
  { method: 'POST', path: '/api/auth/reset-password', body: { token: value, newPassword: 'a long enough password' } },
  { method: 'POST', path: '/api/auth/two-factor/verify-totp', body: { code: value } },
  { method: 'POST', path: '/mcp', body: {}, headers: { authorization: `Bearer ${value}` } },
  { method: 'GET', path: `/oauth/authorize?client_id=${value}&redirect_uri=https://a.test/` },
  { method: 'POST', path: '/oauth/token', body: { grant_type: 'authorization_code', code: value } },
  { method: 'POST', path: '/oauth/token', body: { grant_type: 'refresh_token', refresh_token: value } },
];

async function answerTo({ method, path, body, headers = {} }: Sent, value: string): Promise<string> {
  const sent = { headers: { origin: OWN_ORIGIN, ...headers }, ip: newAddress(), ...(body !== undefined && { body }) };
  const { status, text } = await service.call(method, path, sent);
  const same = text.replaceAll(value, '').replaceAll(encodeURIComponent(value), '');
  return `${status} ${same.replaceAll(/req_[\w-]+|"request_id":"[^"]*"/g, '')}`;
}

/** A value of the same shape that means nothing. */
const unlike = (value: string) =>
  value.replaceAll(/[a-zA-Z0-9]/g, (letter, at: number) => (at < 8 ? letter : letter === 'x' ? 'y' : 'x'));

async function approvedCode() {
  const owner = await newOwner(service);
  const { path, fields } = await askedForAccess(service);
  return { owner, fields, code: await approve(service, await pageAt(service, path), owner) };
}

describe('a code of an application', () => {
  it('is like any other text at every route but the exchange, and so is all that can be made of it', async () => {
    const { code, fields } = await approvedCode();
    for (const value of madeOf(code)) {
      const tried = value === code ? TRIED : TRIED_WITH_PARTS;
      const requests = (text: string) => [...tried.flatMap((route) => requestsWith(route, text)), ...others(text)];
      const [meant, meaningless] = [requests(value), requests(unlike(value))];
      for (const [index, sent] of meant.entries()) {
        const [given, expected] = [
          await answerTo(sent, value),
          await answerTo(meaningless[index] as Sent, unlike(value)),
        ];
        expect(given, `${sent.method} ${sent.path}`).toBe(expected);
      }
    }
    // None of these requests has used it.
    expect((await exchange(service, { ...fields, code })).status).toBe(200);
  });

  it('completes and polls no terminal login, before and after its exchange', async () => {
    const { owner, code, fields } = await approvedCode();
    const id_token = await idTokenOf(service, owner.userId);
    const tryAll = async () => {
      for (const state of madeOf(code)) {
        const polled = await service.call('GET', `/api/v1/cli/auth/poll?state=${state}`, { ip: newAddress() });
        expect([polled.status, polled.body.error.message]).toEqual([404, 'Session not found']);
        const called = { body: { state, id_token }, ip: newAddress() };
        const completed = await service.call('POST', '/api/v1/cli/auth/callback', called);
        expect([completed.status, completed.body.error.message]).toEqual([404, 'Session not found or already used']);
      }
    };
    await tryAll();
    expect((await exchange(service, { ...fields, code })).status).toBe(200);
    await tryAll();
  });

  it('is no state of a terminal login the other way round', async () => {
    const owner = await newOwner(service);
    const { data } = (await service.call('POST', '/api/v1/cli/auth/start', { ip: newAddress() })).body;
    const body = { state: data.state, id_token: await idTokenOf(service, owner.userId) };
    expect((await service.call('POST', '/api/v1/cli/auth/callback', { body, ip: newAddress() })).status).toBe(200);
    const { fields } = await askedForAccess(service);
    expect((await exchange(service, { ...fields, code: data.state })).body.error).toBe('invalid_grant');
  });
});
