import {
  callback,
  cookiesOf,
  everythingStored,
  newEmail,
  OWN_ORIGIN,
  PASSWORD,
  poll,
  requestSignUp,
  signIn,
  signUp,
  startedLogin,
} from '@svc/testkit/service/accounts.ts';
import { newAddress } from '@svc/testkit/service/addresses.ts';
import { runOperator } from '@svc/testkit/service/processes/operator.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { invite } from './workspaces/invite.ts';
import { insertWorkspace } from './workspaces/workspace-store.ts';

const service = useService();
/** Another installation: sign-up is closed, and its base URL has a path. */
const closed = useService({ SVC_SIGNUP: 'closed', SVC_BASE_URL: 'https://acme.test/tracking' });

const BLOCKED = platformError(403, 'ForbiddenError', 'Your account has been suspended.', { code: 'ACCOUNT_BLOCKED' });
const auth = (method: string, path: string, cookie: string, body?: object, ip = newAddress()) =>
  service.call(method, `/api/auth${path}`, { headers: { cookie, origin: OWN_ORIGIN }, body, ip });
const me = (cookie: string) => service.call('GET', '/api/v1/manage/me', { headers: { cookie } });
const idToken = async (cookie: string) => (await auth('GET', '/token', cookie)).body?.token as string;

/** Completes a CLI login as the user of the cookie and returns the account token. */
async function cliToken(cookie: string): Promise<string> {
  const state = await startedLogin(service);
  expect((await callback(service, { state, id_token: await idToken(cookie) })).status).toBe(200);
  return (await poll(service, state)).body.data.token;
}

describe('POST /api/auth/sign-up/email', () => {
  it('creates an account, a session, and a workspace owned by the account', async () => {
    const email = newEmail();
    const answer = await requestSignUp(service, email);
    const userId = answer.body.user.id;
    expect(answer).toMatchObject({ status: 200, body: { user: { id: userId, email, name: 'Robin' } } });
    expect(answer.headers['cache-control']).toBe('no-store');
    const { body } = await me(cookiesOf(answer));
    expect(body.data).toEqual({
      user: { id: userId, name: 'Robin', email, email_verified: false, email_undeliverable: false },
      advertiser_id: expect.any(Number),
      workspace: 'Robin',
      role: 'owner',
      needs_second_factor: false,
      payout_method: null,
      partner_of: [],
      handed_over: [],
    });
    const members = await service.sql('select user_id, role from workspace_members where advertiser_id = $1', [
      body.data.advertiser_id,
    ]);
    expect(members).toEqual([{ user_id: userId, role: 'owner' }]);
  });

  it('sets a session cookie that scripts cannot read, for https only, and not for other sites', async () => {
    const answer = await requestSignUp(service);
    const [session = ''] = [answer.headers['set-cookie'] ?? []].flat().filter((one) => one.includes('session_token'));
    expect(session).toMatch(/^__Secure-svc\.session_token=/);
    expect(session).toMatch(/; HttpOnly/i);
    expect(session).toMatch(/; Secure/i);
    expect(session).toMatch(/; SameSite=Lax/i);
    const own = (await me(cookiesOf(answer))).body.data.advertiser_id;
    expect(await service.sql('select user_id from workspace_members where advertiser_id = $1', [own])).toHaveLength(1);
  });

  it('refuses an e-mail that already has an account, ignoring case, and creates no second workspace', async () => {
    const { email } = await signUp(service);
    const count = async () => (await service.sql('select 1 from advertisers')).length;
    const before = await count();
    for (const again of [email, email.toUpperCase()]) {
      const answer = await requestSignUp(service, again);
      expect(answer.status).toBe(422);
      expect(answer.headers).not.toHaveProperty('set-cookie');
    }
    expect(await count()).toBe(before);
  });

  it.each([
    ['no password', { name: 'R', email: 'r@people.test' }],
    ['a short password', { name: 'R', email: 'r@people.test', password: 'short' }],
    ['no e-mail', { name: 'R', password: PASSWORD }],
    ['no e-mail address', { name: 'R', email: 'nobody', password: PASSWORD }],
  ])('400 for %s', async (_what, body) => {
    const answer = await service.call('POST', '/api/auth/sign-up/email', { body, ip: newAddress() });
    expect(answer.status).toBe(400);
  });

  it('is refused while SVC_SIGNUP is closed; nothing is created', async () => {
    expect((await requestSignUp(closed)).status).toBe(400);
    expect(await closed.sql('select 1 from users')).toEqual([]);
    expect(await closed.sql('select 1 from advertisers')).toEqual([]);
  });

  it('is open to anyone with an invitation, even while SVC_SIGNUP is closed', async () => {
    const workspaceId = await insertWorkspace(closed.ctx.db, 'Acme', closed.ctx.now());
    const invited = {
      workspaceId,
      partnerId: null,
      role: 'member',
      email: 'new@people.test',
      invitedBy: null,
    } as const;
    const { token } = await invite(closed.ctx.db, invited, closed.ctx.now());
    const join = (invitation: string, email: string) =>
      closed.call('POST', '/api/auth/sign-up/email', {
        body: { name: 'New', email, password: PASSWORD },
        headers: { 'x-svc-invitation': invitation },
        ip: newAddress(),
      });
    expect((await join('svc_inv_made_up', 'other@people.test')).status).toBe(400);
    expect((await join(token, 'other@people.test')).status).toBe(400);
    expect((await join(token, 'new@people.test')).status).toBe(200);
    expect(await closed.sql('select email from users')).toEqual([{ email: 'new@people.test' }]);
    closed.advance({ days: 8 });
    await closed.sql('delete from users');
    expect((await join(token, 'new@people.test')).status).toBe(400);
  });
});

it('sign-up by the join link of a program, sign-in and CLI login work while SVC_SIGNUP is closed, and below a path', async () => {
  const { program } = await closed.program();
  const [{ join_token: token } = {}] = await closed.sql<{ join_token: string }>(
    'select join_token from programs where id = $1',
    [program.id],
  );
  const join = (email: string) =>
    closed.call('POST', '/api/auth/sign-up/email', {
      body: { name: 'New', email, password: PASSWORD },
      headers: { 'x-svc-invitation': String(token) },
      ip: newAddress(),
    });
  expect((await join('early@people.test')).status).toBe(400);
  await closed.sql(`update programs set joining = 'on_approval' where id = $1`, [program.id]);
  expect((await join('partner@people.test')).status).toBe(200);
  const cookie = cookiesOf(await signIn(closed, 'partner@people.test'));
  const { body } = await closed.call('GET', '/api/auth/token', { headers: { cookie } });
  const state = await startedLogin(closed);
  expect((await callback(closed, { state, id_token: body.token })).status).toBe(200);
});

describe('POST /api/auth/sign-in/email and sign-out', () => {
  it('signs in with the right password, and out again: the session ends', async () => {
    const { email, userId } = await signUp(service);
    const answer = await signIn(service, email);
    expect(answer).toMatchObject({ status: 200, body: { user: { id: userId } } });
    const cookie = cookiesOf(answer);
    expect((await me(cookie)).status).toBe(200);
    expect((await auth('GET', '/get-session', cookie)).body.user.email).toBe(email);
    expect((await auth('POST', '/sign-out', cookie, {})).status).toBe(200);
    expect((await me(cookie)).status).toBe(401);
    expect((await auth('GET', '/get-session', cookie)).body).toBeNull();
  });

  it('answers a wrong password and an unknown e-mail identically, without a session', async () => {
    const { email } = await signUp(service);
    const [wrong, unknown] = [await signIn(service, email, 'not the password'), await signIn(service, newEmail())];
    expect(wrong.status).toBe(401);
    expect([unknown.status, unknown.body]).toEqual([wrong.status, wrong.body]);
    for (const answer of [wrong, unknown]) expect(answer.headers).not.toHaveProperty('set-cookie');
  });

  it('429 after ten attempts within a minute from one address, whatever their headers claim, even with the right password', async () => {
    const { email } = await signUp(service);
    const ip = newAddress();
    const attempt = (body: object, from = newAddress()) =>
      service.call('POST', '/api/auth/sign-in/email', {
        body,
        ip,
        headers: { 'x-forwarded-for': from, 'x-svc-client-address': from, 'x-real-ip': from },
      });
    for (let sent = 0; sent < 10; sent += 1) expect((await attempt({})).status).toBe(400);
    const refused = await attempt({ email, password: PASSWORD });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.headers).not.toHaveProperty('set-cookie');
    expect((await signIn(service, email)).status).toBe(200);
  });

  it('a request with the cookie from a page of another site is refused', async () => {
    const { cookie } = await signUp(service);
    const headers = { cookie, origin: 'https://elsewhere.example' };
    expect((await service.call('POST', '/api/auth/sign-out', { headers, body: {} })).status).toBe(403);
    expect((await me(cookie)).status).toBe(200);
  });
});

describe('POST /api/auth/change-password', () => {
  const NEW = 'another long password';

  it('needs the current password; afterwards only the new one signs in', async () => {
    const { email, cookie } = await signUp(service);
    const change = (currentPassword: string) =>
      auth('POST', '/change-password', cookie, { currentPassword, newPassword: NEW });
    expect((await change('not the password')).status).toBe(400);
    expect((await signIn(service, email)).status).toBe(200);
    expect((await change(PASSWORD)).status).toBe(200);
    expect((await signIn(service, email)).status).toBe(401);
    expect((await signIn(service, email, NEW)).status).toBe(200);
  });

  it('ends the other sessions on request', async () => {
    const { email, cookie } = await signUp(service);
    const other = cookiesOf(await signIn(service, email));
    const body = { currentPassword: PASSWORD, newPassword: NEW, revokeOtherSessions: true };
    expect((await auth('POST', '/change-password', cookie, body)).status).toBe(200);
    expect((await me(other)).status).toBe(401);
  });

  it('needs a session', async () => {
    const answer = await auth('POST', '/change-password', '', { currentPassword: PASSWORD, newPassword: NEW });
    expect(answer.status).toBe(401);
  });
});

describe('GET /api/auth/token and /api/auth/jwks', () => {
  it('gives a short-lived signed token that serves as the id_token', async () => {
    const { cookie, userId, email } = await signUp(service);
    const { status, body } = await auth('GET', '/token', cookie);
    expect({ status, body }).toEqual({ status: 200, body: { token: expect.any(String) } });
    const { iss, aud, sub, iat = 0, exp = 0 } = decodeJwt(body.token);
    expect({ iss, aud, sub }).toEqual({ iss: OWN_ORIGIN, aud: OWN_ORIGIN, sub: userId });
    expect(exp - iat).toBe(600);
    const state = await startedLogin(service);
    expect((await callback(service, { state, id_token: body.token })).status).toBe(200);
    expect((await poll(service, state)).body.data.email).toBe(email);
  });

  it('needs a session', async () => {
    expect((await auth('GET', '/token', '')).status).toBe(401);
  });

  it('publishes the keys without their private part', async () => {
    const { cookie } = await signUp(service);
    await idToken(cookie);
    const { status, body } = await service.call('GET', '/api/auth/jwks');
    expect(status).toBe(200);
    expect(body.keys.length).toBeGreaterThan(0);
    for (const key of body.keys) expect(key).not.toHaveProperty('d');
  });

  it('the id token of another installation is refused', async () => {
    const { userId } = await signUp(service);
    // Even one that claims to be of this installation: it was signed with another key.
    const payload = { sub: userId, iss: OWN_ORIGIN, aud: OWN_ORIGIN };
    const { token } = await closed.ctx.signIn.api.signJWT({ body: { payload } });
    const { iss, aud, sub } = decodeJwt(token);
    expect({ iss, aud, sub }).toEqual({ iss: OWN_ORIGIN, aud: OWN_ORIGIN, sub: userId });
    const answer = await callback(service, { state: await startedLogin(service), id_token: token });
    expect(answer.status).toBe(401);
  });
});

describe('a suspended account', () => {
  const suspend = (email: string) => runOperator(service, 'suspend-account', '--email', email);
  const restore = (email: string) => runOperator(service, 'restore', '--email', email);

  it('403 ACCOUNT_BLOCKED at the login callback; sessions and tokens stop; signing in is refused', async () => {
    const { email, cookie } = await signUp(service);
    const token = await cliToken(cookie);
    const held = await idToken(cookie);
    const state = await startedLogin(service);
    expect(await suspend(email)).toMatchObject({ data: { suspended: true } });

    const refused = await callback(service, { state, id_token: held });
    expect({ status: refused.status, body: refused.body }).toEqual({ status: 403, body: BLOCKED });
    expect((await me(cookie)).status).toBe(401);
    expect((await auth('GET', '/token', cookie)).status).toBe(401);
    for (const path of ['/api/v1/cli/programs', '/api/v1/manage/me']) {
      expect((await service.call('GET', path, { key: token })).status).toBe(401);
    }
    const signedIn = await signIn(service, email);
    expect(signedIn.status).toBe(403);
    expect(signedIn.body.message).toBe('Your account has been suspended.');
    expect(signedIn.headers['set-cookie'] ?? '').not.toContain('session_token=ey');
    expect(
      await service.sql('select 1 from sessions s join users u on u.id = s.user_id where u.email = $1', [email]),
    ).toEqual([]);
  });

  it('one whose CLI login was completed before cannot use the token from the poll', async () => {
    const { email, cookie } = await signUp(service);
    const state = await startedLogin(service);
    await callback(service, { state, id_token: await idToken(cookie) });
    await suspend(email);
    const token = (await poll(service, state)).body.data?.token ?? 'none';
    for (const path of ['/api/v1/cli/programs', '/api/v1/manage/me']) {
      expect([401, 403]).toContain((await service.call('GET', path, { key: token })).status);
    }
  });

  it('can sign in again once restored; what was revoked stays revoked', async () => {
    const { email, cookie } = await signUp(service);
    const token = await cliToken(cookie);
    await suspend(email);
    expect(await restore(email)).toMatchObject({ data: { suspended: false } });
    expect((await service.call('GET', '/api/v1/cli/programs', { key: token })).status).toBe(401);
    expect((await me(cookie)).status).toBe(401);
    const again = cookiesOf(await signIn(service, email));
    expect((await me(again)).status).toBe(200);
    const renewed = await cliToken(again);
    expect((await service.call('GET', '/api/v1/cli/programs', { key: renewed })).status).toBe(200);
  });

  it('is matched by e-mail, ignoring case', async () => {
    const { email, cookie } = await signUp(service);
    await suspend(email.toUpperCase());
    expect((await me(cookie)).status).toBe(401);
  });
});

describe('secrets are never stored in clear text', () => {
  it('passwords, account tokens, states, invitation tokens and id tokens', async () => {
    const { cookie } = await signUp(service);
    const state = await startedLogin(service);
    const id_token = await idToken(cookie);
    await callback(service, { state, id_token });
    const { token } = (await poll(service, state)).body.data;
    const body = { email: 'a@people.test' };
    const invitation = await service.call('POST', '/api/v1/manage/invitations', { key: token, body });
    const invited = new URL(invitation.body.data.invite_url).hash.slice(1);
    const stored = await everythingStored(service);
    for (const secret of [PASSWORD, token, state, invited, id_token]) {
      expect(secret.length).toBeGreaterThan(10);
      expect(stored).not.toContain(secret);
    }
  });

  it('private keys of the id tokens', async () => {
    await idToken((await signUp(service)).cookie);
    const keys = await service.sql<{ private_key: string }>('select private_key from signing_keys');
    expect(keys.length).toBeGreaterThan(0);
    for (const { private_key } of keys) expect(private_key).not.toContain('"d"');
  });
});
