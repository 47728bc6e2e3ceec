import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  callback,
  cookiesOf,
  memberOf,
  newAccount,
  poll,
  signIn,
  signUp,
  startedLogin,
} from '@svc/testkit/service/accounts.ts';
import { IBAN_METHOD, setMethod } from '@svc/testkit/service/payout-methods.ts';
import { type Answer, platformError, TestService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { type CryptoKey, exportJWK, type GenerateKeyPairResult, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

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

/** A token as the issuer signs it, apart from the given changes. */
function tokenFor(email: string, { claims = {}, key = keys.privateKey, kid = 'one', expiresIn = '5m' }: Changes = {}) {
  const payload = {
    iss: issuer.url,
    aud: AUDIENCE,
    sub: subjectOf(email),
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

/** The issuer's subject for the user with this address, unless a test overrides it. */
const subjectOf = (email: string) => `person-${email.toLowerCase()}`;
const newEmail = () => `${newId('ada')}@outside.test`;
const users = (email: string, on = service) => on.sql('select id, name from users where email = $1', [email]);

async function signInWith(id_token: string, on = service) {
  const state = await startedLogin(on);
  return { state, ...(await callback(on, { state, id_token })) };
}

describe('an id token of the outside issuer', () => {
  it('signs in: the first time, it creates the account and its workspace', async () => {
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
    ['an e-mail without a verification claim', () => ({ claims: { email_verified: undefined } })],
    ['an e-mail verified by a string instead of a boolean', () => ({ claims: { email_verified: 'true' } })],
    ['no e-mail', () => ({ claims: { email: undefined } })],
    ['no subject', () => ({ claims: { sub: undefined } })],
    ['not valid yet', () => ({ claims: { nbf: Math.floor(Date.now() / 1000) + 600 } })],
    ['a key that the issuer does not publish', async () => ({ key: await strangersKey(), kid: 'two' })],
    ['another key under a published id', async () => ({ key: await strangersKey() })],
  ])('401 Invalid or expired id_token: %s; no account is created', async (_what, changes) => {
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

  it('creates no account while SVC_SIGNUP is closed, and signs existing ones in', async () => {
    const email = newEmail();
    expect(await signInWith(await tokenFor(email), closed)).toMatchObject({ status: 401, body: INVALID });
    expect(await users(email, closed)).toEqual([]);
    await newAccount(closed, email);
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

  it('id tokens of this service are still accepted', async () => {
    const { cookie, email } = await signUp(service);
    const { token } = (await service.call('GET', '/api/auth/token', { headers: { cookie } })).body;
    const { status, state } = await signInWith(token);
    expect(status).toBe(200);
    expect((await poll(service, state)).body.data.email).toBe(email);
  });
});

describe('whose account an outside sign-in leads to', () => {
  const me = (caller: { key?: string; headers?: Record<string, string> }) =>
    service.call('GET', '/api/v1/manage/me', caller);

  /** The account token of a user who signed in at the outside issuer. */
  async function tokenAfter({ state, status }: Answer & { state: string }): Promise<string> {
    expect(status).toBe(200);
    return (await poll(service, state)).body.data.token;
  }

  it('the issuer’s subject identifies the user, even after their address changes', async () => {
    const [email, later] = [newEmail(), newEmail()];
    const first = await tokenAfter(await signInWith(await tokenFor(email)));
    const second = await tokenAfter(await signInWith(await tokenFor(later, { claims: { sub: subjectOf(email) } })));
    const [before, after] = [await me({ key: first }), await me({ key: second })];
    expect(after.body.data.user).toEqual(before.body.data.user);
    expect(await users(later)).toEqual([]);
  });

  it('an address that was reassigned does not lead to the account of its previous holder', async () => {
    const email = newEmail();
    const first = await tokenAfter(await signInWith(await tokenFor(email)));
    const { status, body, state } = await signInWith(await tokenFor(email, { claims: { sub: 'the-successor' } }));
    expect(status).toBe(403);
    expect(body.error.message).toMatch(/^This email address already belongs to a colleague’s account/);
    expect((await poll(service, state)).body.data).toEqual({ status: 'pending' });
    expect((await me({ key: first })).status).toBe(200);
    const links = await service.sql(
      'select account_id from sign_ins s join users u on u.id = s.user_id where email = $1',
      [email],
    );
    expect(links).toEqual([{ account_id: subjectOf(email) }]);
  });

  it('an account that a stranger created in advance with a password is cleared before the user is connected to it', async () => {
    const email = newEmail();
    const stranger = await signUp(service, email);
    const headers = { cookie: stranger.cookie };
    const idToken = (await service.call('GET', '/api/auth/token', { headers })).body.token;
    const held = await tokenAfter(await signInWith(idToken));
    const waiting = await signInWith(idToken);
    const invited = await service.call('POST', '/api/v1/manage/invitations', {
      key: held,
      body: { email: 'friend@outside.test', role: 'owner', open_link: true },
    });
    expect((await setMethod(service, { token: held }, IBAN_METHOD)).status).toBe(200);

    const key = await tokenAfter(await signInWith(await tokenFor(email)));
    const { data } = (await me({ key })).body;
    expect(data).toMatchObject({ user: { id: stranger.userId, email }, payout_method: null, role: 'owner' });
    const methods = await service.sql('select details_sealed from payout_methods where user_id = $1', [
      stranger.userId,
    ]);
    expect(methods).toEqual([{ details_sealed: null }]);
    expect((await me({ headers })).status).toBe(401);
    expect((await me({ key: held })).status).toBe(401);
    expect((await poll(service, waiting.state)).body.data?.token).toBeUndefined();
    expect((await signIn(service, email)).status).toBe(401);
    const friend = await newAccount(service);
    const token = new URL(invited.body.data.invite_url).hash.slice(1);
    const accepted = await service.call('POST', '/api/v1/manage/invitations/accept', {
      key: friend.token,
      body: { token },
    });
    expect(accepted.status).toBe(404);
  });

  it('403 if the unproven account shares its workspace with others, and it stays unchanged', async () => {
    const email = newEmail();
    const stranger = await signUp(service, email);
    const headers = { cookie: stranger.cookie };
    await memberOf(service, (await me({ headers })).body.data.advertiser_id);
    const { status, body } = await signInWith(await tokenFor(email));
    expect(status).toBe(403);
    expect(body.error.message).toMatch(/^An account with your email address already exists in a workspace with other/);
    expect((await me({ headers })).status).toBe(200);
    expect(cookiesOf(await signIn(service, email))).toContain('session_token');
  });

  it('an account whose address is proven is connected unchanged', async () => {
    const email = newEmail();
    const known = await newAccount(service, email);
    const key = await tokenAfter(await signInWith(await tokenFor(email)));
    expect((await me({ key })).body.data.user.id).toBe(known.userId);
    expect((await me({ key: known.token })).status).toBe(200);
  });

  it('concurrent first sign-ins create one account', async () => {
    const email = newEmail();
    const answers = await Promise.all(Array.from({ length: 8 }, async () => signInWith(await tokenFor(email))));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(await users(email)).toHaveLength(1);
  });

  it.each([
    ['a very long one', 'x'.repeat(300)],
    ['a blank one', '   '],
    ['one that cannot be stored', 'a\0b'],
    ['a list', ['Ada']],
  ])('an unusable name is not adopted: %s', async (_what, name) => {
    const email = newEmail();
    await tokenAfter(await signInWith(await tokenFor(email, { claims: { name } })));
    expect(await users(email)).toMatchObject([{ name: email }]);
  });
});

describe('an issuer that does not answer', () => {
  it('500 Auth callback failed (request_id: <id>): the token may be valid; it works once the issuer is back', async () => {
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
