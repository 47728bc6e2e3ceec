import { createHash } from 'node:crypto';
import {
  callback,
  manage,
  memberOf,
  newAccount,
  newCookie,
  newOwner,
  newScopedToken,
  newToken,
  OWN_ORIGIN,
  ownedProgram,
  PASSWORD,
  poll,
  resetPassword,
  signUp,
} from '@svc/testkit/service/accounts.ts';
import { newAddress } from '@svc/testkit/service/addresses.ts';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { runOperator } from '@svc/testkit/service/processes/operator.ts';
import { type CallOptions, platformError, useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const NOT_FOUND = platformError(404, 'NotFoundError', 'Not Found');
const INVALID = platformError(401, 'UnauthorizedError', 'Invalid or expired token — run `login` again');
const OWNERS_ONLY = platformError(403, 'ForbiddenError', 'Only a workspace owner can do this');
const TOKENS = '/api/v1/manage/tokens';
const list = (key: string) => service.call('GET', TOKENS, { key });
const statusFor = async (key: string) => (await service.call('GET', '/api/v1/manage/me', { key })).status;

/** The account token of a terminal that the user of the cookie signs in. */
async function terminalToken(cookie: string, start: object = {}): Promise<string> {
  const { state } = (await service.call('POST', '/api/v1/cli/auth/start', { body: start })).body.data;
  const { token } = (await service.call('GET', '/api/auth/token', { headers: { cookie } })).body;
  expect((await callback(service, { state, id_token: token })).status).toBe(200);
  return (await poll(service, state)).body.data.token;
}

describe('GET /api/v1/manage/tokens', () => {
  it('lists the account’s own tokens, newest first, with name, creation, last use and expiry', async () => {
    const { cookie } = await signUp(service);
    const created_at = service.time.toISOString();
    const expires_at = new Date(service.time.getTime() + 90 * 86_400_000).toISOString();
    const first = await terminalToken(cookie, { device_name: 'robins-laptop' });
    await terminalToken(cookie);
    await newOwner(service);
    const { status, body } = await list(first);
    const token = {
      ...{ id: expect.any(Number), client: null, scopes: null, program_id: null },
      ...{ created_at, expires_at, last_used_at: null },
    };
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: [
          { ...token, name: 'svc login', is_current: false },
          { ...token, name: 'robins-laptop', is_current: true },
        ],
      },
    });
    expect((await service.call('GET', TOKENS, { headers: { cookie } })).body.data).toHaveLength(2);
  });

  it('omits expired tokens', async () => {
    const { userId, token } = await newAccount(service);
    service.advance({ days: 60 });
    const later = await newToken(service, userId);
    expect((await list(token)).body.data).toHaveLength(2);
    service.advance({ days: 30 });
    expect((await list(later)).body.data).toHaveLength(1);
  });

  it('shows the last use, to about five minutes, counting only requests that were authorized', async () => {
    const { token } = await newAccount(service);
    const lastUse = async () => (await list(token)).body.data[0].last_used_at;
    expect((await service.call('GET', '/api/v1/manage/members', { key: token })).status).toBe(403);
    expect(await lastUse()).toBeNull();
    const first = service.time.toISOString();
    expect(await eventually(lastUse, (at) => at !== null)).toBe(first);
    service.advance({ seconds: 240 });
    await list(token);
    expect(await lastUse()).toBe(first);
    service.advance({ seconds: 60 });
    await list(token);
    const now = service.time.toISOString();
    expect(await eventually(lastUse, (at) => at === now)).toBe(now);
  });
});

describe('POST /api/v1/manage/tokens', () => {
  const create = (body: object, options: CallOptions) => service.call('POST', TOKENS, { body, ...options });
  const inDays = (days: number) => new Date(service.time.getTime() + days * 86_400_000).toISOString();

  /** An owner with a session that was just proved. */
  async function ownerInBrowser() {
    const made = await ownedProgram(service);
    const headers = { cookie: await newCookie(service, made.owner.userId), origin: OWN_ORIGIN };
    return { ...made, headers };
  }

  it('creates a token with a name, scopes, a program and an expiry, shown once, logged and kept as a hash', async () => {
    const { headers, program, owner } = await ownerInBrowser();
    const body = { name: ' Zapier ', scopes: ['track', 'write'], expires_in_days: 365, program_id: program.id };
    const { status, body: answer } = await create(body, { headers });
    const { token, ...listed } = answer.data;
    expect({ status, token, listed }).toEqual({
      status: 201,
      token: expect.stringMatching(/^svc_pat_[\w-]{43}$/),
      listed: {
        ...{ id: expect.any(Number), name: 'Zapier', client: null, scopes: ['read', 'write', 'track'] },
        ...{ program_id: program.id, created_at: service.time.toISOString(), last_used_at: null },
        expires_at: inDays(365),
      },
    });
    expect((await list(owner.token)).body.data[0]).toEqual({ ...listed, is_current: false });
    expect((await service.readiness(token)).status).toBe(200);
    expect((await service.call('GET', manage({ program }), { key: token })).status).toBe(200);
    const [stored] = await service.sql('select token_hash from account_tokens where id = $1', [listed.id]);
    expect(stored).toEqual({ token_hash: createHash('sha256').update(token).digest('hex') });
    const [event] = await service.sql(
      `select after from audit_events where action = 'token.created' and subject_id = $1`,
      [String(listed.id)],
    );
    expect(event?.after).toEqual({
      ...{ expires_at: inDays(365), scopes: ['read', 'write', 'track'], program_id: program.id },
    });
  });

  it('lasts 90 days unless it says otherwise, and without end only for owners', async () => {
    const { headers, workspaceId } = await ownerInBrowser();
    const body = { name: 'CI', scopes: ['read'] };
    expect((await create(body, { headers })).body.data.expires_at).toBe(inDays(90));
    const endless = { ...body, expires_in_days: 0 };
    expect((await create(endless, { headers })).body.data.expires_at).toBeNull();
    for (const role of ['member', 'finance', 'viewer'] as const) {
      const { userId } = await memberOf(service, workspaceId, role);
      const own = { headers: { cookie: await newCookie(service, userId), origin: OWN_ORIGIN } };
      expect(await create(endless, own)).toMatchObject({ status: 403, body: OWNERS_ONLY });
      expect((await create(body, own)).status).toBe(201);
    }
  });

  it('reports events only for owners, of a program of their own workspace', async () => {
    const { program, workspaceId, headers } = await ownerInBrowser();
    const tracking = { name: 'Shop', scopes: ['track'], program_id: program.id };
    const { userId } = await memberOf(service, workspaceId, 'member');
    const admin = { headers: { cookie: await newCookie(service, userId), origin: OWN_ORIGIN } };
    expect(await create(tracking, admin)).toMatchObject({ status: 403, body: OWNERS_ONLY });
    const stranger = await ownerInBrowser();
    const { status, body } = await create(tracking, { headers: stranger.headers });
    const message = 'program_id must be a program of your workspace';
    expect({ status, body }).toEqual({
      status: 400,
      body: platformError(400, 'BadRequestError', message, { field: 'program_id' }),
    });
    const missing = await create({ ...tracking, program_id: undefined }, { headers });
    expect(missing.body.error.message).toBe('program_id is required with the scope track');
  });

  it('asks a session again who it is, and a terminal gets no token that outlives its own', async () => {
    const { headers, owner } = await ownerInBrowser();
    const body = { name: 'CI', scopes: ['read'] };
    service.advance({ seconds: 601 });
    expect((await create(body, { headers })).body.error.code).toBe('confirmation_required');
    const key = owner.token;
    const ends = (await list(key)).body.data[0].expires_at;
    const granted = await create({ ...body, expires_in_days: 30 }, { key });
    expect(granted.body.data.expires_at).toBe(inDays(30));
    expect((await create(body, { key })).body.data.expires_at).toBe(ends);
    for (const expires_in_days of [90, 365, 0]) {
      const { status, body: answer } = await create({ ...body, expires_in_days }, { key });
      expect({ status, message: answer.error.message }).toEqual({
        status: 400,
        message:
          'expires_in_days must be at most 89: a token cannot create one that lasts longer. Create it in the dashboard instead.',
      });
    }
  });

  it('creates at most fifty that work, also at once, and they end with the others', async () => {
    const { cookie, userId } = await signUp(service);
    const headers = { cookie, origin: OWN_ORIGIN };
    for (let made = 0; made < 48; made += 1) await newScopedToken(service, userId, { scopes: ['read'] });
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => create({ name: 'CI', scopes: ['read'] }, { headers })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
    const created = answers.find(({ status }) => status === 201)?.body.data.token;
    expect(await statusFor(created)).toBe(200);
    const changed = await service.call('POST', '/api/auth/change-password', {
      headers,
      body: { currentPassword: PASSWORD, newPassword: 'another long password' },
      ip: newAddress(),
    });
    expect(changed.status).toBe(200);
    expect(await statusFor(created)).toBe(401);
  });
});

describe('DELETE /api/v1/manage/tokens/:token_id', () => {
  it('revokes the token and no other', async () => {
    const { token, userId } = await newAccount(service);
    const stolen = await newToken(service, userId);
    const [{ id }] = (await list(token)).body.data;
    const answer = await service.call('DELETE', `${TOKENS}/${id}`, { key: token });
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: { data: {} } });
    expect(await list(stolen)).toMatchObject({ status: 401, body: INVALID });
    expect((await list(token)).body.data).toHaveLength(1);
    expect((await service.call('DELETE', `${TOKENS}/${id}`, { key: token })).body).toEqual(NOT_FOUND);
  });

  it('404 for the token of another account, which keeps working', async () => {
    const [mine, theirs] = [await newAccount(service), await newAccount(service)];
    const [{ id }] = (await list(theirs.token)).body.data;
    for (const wrong of [id, 999_999_999, 'abc', '0']) {
      expect(await service.call('DELETE', `${TOKENS}/${wrong}`, { key: mine.token })).toMatchObject({
        status: 404,
        body: NOT_FOUND,
      });
    }
    expect(await statusFor(theirs.token)).toBe(200);
  });
});

describe('all account tokens end', () => {
  const changePassword = (cookie: string, currentPassword: string) =>
    service.call('POST', '/api/auth/change-password', {
      headers: { cookie, origin: OWN_ORIGIN },
      body: { currentPassword, newPassword: 'another long password' },
      ip: newAddress(),
    });

  it('with a password change, and so does a login that waits for its token', async () => {
    const { cookie } = await signUp(service);
    const [one, other] = [await terminalToken(cookie), await terminalToken(cookie)];
    const { state } = (await service.call('POST', '/api/v1/cli/auth/start')).body.data;
    const { token } = (await service.call('GET', '/api/auth/token', { headers: { cookie } })).body;
    await callback(service, { state, id_token: token });
    expect((await changePassword(cookie, 'not the password')).status).toBe(400);
    expect(await statusFor(one)).toBe(200);
    expect((await changePassword(cookie, PASSWORD)).status).toBe(200);
    for (const ended of [one, other]) expect(await statusFor(ended)).toBe(401);
    expect((await poll(service, state)).body.data?.token).toBeUndefined();
  });

  it('with a reset by the operator', async () => {
    const { cookie, email } = await signUp(service);
    const token = await terminalToken(cookie);
    const reply = await runOperator(service, 'reset-password', '--email', email);
    const { reset_url: url } = (reply as { data: { reset_url: string } }).data;
    expect(await statusFor(token)).toBe(200);
    await resetPassword(service, new URL(url).hash.slice(1), 'a long new password');
    expect(await statusFor(token)).toBe(401);
  });

  it('with suspension, permanently', async () => {
    const { token, email } = await newOwner(service);
    await runOperator(service, 'suspend-account', '--email', email);
    await runOperator(service, 'restore-account', '--email', email);
    expect(await statusFor(token)).toBe(401);
  });

  it('with removal from the workspace', async () => {
    const made = await ownedProgram(service);
    const member = await memberOf(service, made.workspaceId, 'member');
    const path = `/api/v1/manage/members/${member.userId}`;
    expect((await service.call('DELETE', path, { key: made.owner.token })).status).toBe(200);
    expect(await service.call('GET', manage(made), { key: member.token })).toMatchObject({
      status: 401,
      body: INVALID,
    });
  });

  it('with leaving a workspace for another one', async () => {
    const made = await ownedProgram(service);
    const member = await memberOf(service, made.workspaceId, 'member');
    const other = await newOwner(service);
    const body = { email: member.email };
    const invited = await service.call('POST', '/api/v1/manage/invitations', { key: other.token, body });
    const token = new URL(invited.body.data.invite_url).hash.slice(1);
    const accept = await service.call('POST', '/api/v1/manage/invitations/accept', {
      key: member.token,
      body: { token },
    });
    expect(accept.status).toBe(200);
    expect(await statusFor(member.token)).toBe(401);
  });
});
