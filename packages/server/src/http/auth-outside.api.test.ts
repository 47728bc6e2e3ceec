import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, type GenerateKeyPairResult, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callback, poll, signUp, startedLogin } from '../../test/accounts.ts';
import { platformError, TestService } from '../../test/service.ts';
import { newId } from '../../test/sold.ts';

const AUDIENCE = 'svc-cli';
const INVALID = platformError(401, 'UnauthorizedError', 'Invalid or expired id_token');

const service = new TestService();
const closed = new TestService();
let issuer: { url: string; server: Server; publish(keys: object[]): void };
let keys: GenerateKeyPairResult;

/** A small OpenID Connect issuer that publishes the given keys. */
async function startIssuer() {
  let published: object[] = [];
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.url === '/.well-known/openid-configuration') {
      return response.end(JSON.stringify({ issuer: url, jwks_uri: `${url}/keys` }));
    }
    return response.end(JSON.stringify({ keys: published }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const publish = (added: object[]) => {
    published = added;
  };
  return { url, server, publish };
}

beforeAll(async () => {
  issuer = await startIssuer();
  keys = await generateKeyPair('ES256');
  issuer.publish([{ ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }]);
  const env = { SVC_OIDC_ISSUER: issuer.url, SVC_OIDC_AUDIENCE: AUDIENCE };
  await service.open(env);
  await closed.open({ ...env, SVC_SIGNUP: 'closed' });
});

afterAll(async () => {
  await service.service?.close();
  await closed.service?.close();
  issuer.server.close();
});

type Changes = { claims?: JWTPayload; key?: CryptoKey; kid?: string; expiresIn?: string };

/** A token as the issuer signs it, but for what is changed. */
function tokenFor(email: string, { claims = {}, key = keys.privateKey, kid = 'one', expiresIn = '5m' }: Changes = {}) {
  const payload = {
    iss: issuer.url,
    aud: AUDIENCE,
    sub: 'person-1',
    email,
    email_verified: true,
    name: 'Ada',
    ...claims,
  };
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'ES256', kid })
    .setIssuedAt()
    .setExpirationTime(expiresIn)
    .sign(key);
}

const newEmail = () => `${newId('ada')}@outside.test`;
const users = (email: string, on = service) => on.sql('select id, name from users where email = $1', [email]);

async function signInWith(id_token: string, on = service) {
  const state = await startedLogin(on);
  return { state, ...(await callback(on, { state, id_token })) };
}

describe('an id token of the outside issuer', () => {
  it('signs in: the first time it makes the account and its workspace', async () => {
    const email = newEmail();
    const { status, state } = await signInWith(await tokenFor(email));
    expect(status).toBe(200);
    const { data } = (await poll(service, state)).body;
    expect(data).toMatchObject({ status: 'complete', email, advertiser_id: expect.any(Number) });
    expect(await users(email)).toMatchObject([{ name: 'Ada' }]);
    const me = await service.call('GET', '/api/v1/manage/me', { key: data.token });
    expect(me.body.data).toMatchObject({ advertiser_id: data.advertiser_id, role: 'owner' });
  });

  it('signs in as the same account the next time, whatever the case of the e-mail', async () => {
    const email = newEmail();
    await signInWith(await tokenFor(email));
    const { status, state } = await signInWith(await tokenFor(email.toUpperCase()));
    expect(status).toBe(200);
    expect((await poll(service, state)).body.data.email).toBe(email);
    expect(await users(email)).toHaveLength(1);
  });

  it.each<[string, () => Changes | Promise<Changes>]>([
    ['wrong audience', () => ({ claims: { aud: 'another-client' } })],
    ['wrong issuer', () => ({ claims: { iss: 'https://elsewhere.example' } })],
    ['expired', () => ({ expiresIn: '-1m' })],
    ['unverified e-mail', () => ({ claims: { email_verified: false } })],
    ['an e-mail nothing is said about', () => ({ claims: { email_verified: undefined } })],
    ['e-mail verified by a word only', () => ({ claims: { email_verified: 'true' } })],
    ['no e-mail', () => ({ claims: { email: undefined } })],
    ['no subject', () => ({ claims: { sub: undefined } })],
    ['not valid yet', () => ({ claims: { nbf: Math.floor(Date.now() / 1000) + 600 } })],
    ['a key that the issuer does not publish', async () => ({ key: await strangersKey(), kid: 'two' })],
    ['another key under a published id', async () => ({ key: await strangersKey() })],
  ])('401 Invalid or expired id_token: %s; no account is made', async (_what, changes) => {
    const email = newEmail();
    const { status, body, state } = await signInWith(await tokenFor(email, await changes()));
    expect({ status, body }).toEqual({ status: 401, body: INVALID });
    expect((await poll(service, state)).body.data.status).toBe('pending');
    expect(await users(email)).toEqual([]);
  });

  it.each(['none', 'HS256'])('401 Invalid or expired id_token: alg %s', async (alg) => {
    const email = newEmail();
    const [, payload] = (await tokenFor(email)).split('.');
    const head = Buffer.from(JSON.stringify({ alg, kid: 'one' })).toString('base64url');
    for (const signature of ['', 'AAAA']) {
      const { status, body } = await signInWith(`${head}.${payload}.${signature}`);
      expect({ status, body }).toEqual({ status: 401, body: INVALID });
    }
    expect(await users(email)).toEqual([]);
  });

  it('makes no account where SVC_SIGNUP is closed, and signs known ones in', async () => {
    const email = newEmail();
    expect(await signInWith(await tokenFor(email), closed)).toMatchObject({ status: 401, body: INVALID });
    expect(await users(email, closed)).toEqual([]);
    await closed.sql(`insert into users (id, name, email) values ('known', 'Ada', $1)`, [email]);
    expect((await signInWith(await tokenFor(email), closed)).status).toBe(200);
  });

  it('403 ACCOUNT_BLOCKED for a suspended account', async () => {
    const email = newEmail();
    await signInWith(await tokenFor(email));
    await service.sql('update users set suspended_at = $2 where email = $1', [email, service.time]);
    const { status, body } = await signInWith(await tokenFor(email));
    expect(status).toBe(403);
    expect(body.error.details).toEqual({ code: 'ACCOUNT_BLOCKED' });
  });

  it('id tokens of this service are taken all the same', async () => {
    const { cookie, email } = await signUp(service);
    const { token } = (await service.call('GET', '/api/auth/token', { headers: { cookie } })).body;
    const { status, state } = await signInWith(token);
    expect(status).toBe(200);
    expect((await poll(service, state)).body.data.email).toBe(email);
  });
});

describe('an issuer that does not answer', () => {
  it('500 Auth callback failed (request_id: <id>): the token may be good; it works once the issuer is back', async () => {
    const away = await startIssuer();
    away.server.close();
    await once(away.server, 'close');
    const lonely = new TestService();
    await lonely.open({ SVC_OIDC_ISSUER: away.url, SVC_OIDC_AUDIENCE: AUDIENCE });
    try {
      const id_token = await tokenFor(newEmail(), { claims: { iss: away.url } });
      const { status, body } = await signInWith(id_token, lonely);
      expect(status).toBe(500);
      expect(body.error.message).toMatch(/^Auth callback failed \(request_id: /);
      expect((await signInWith('nonsense', lonely)).status).toBe(401);
    } finally {
      await lonely.service.close();
    }
  });
});

async function strangersKey(): Promise<CryptoKey> {
  return (await generateKeyPair('ES256')).privateKey;
}
