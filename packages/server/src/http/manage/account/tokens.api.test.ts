import {
  callback,
  manage,
  memberOf,
  newAccount,
  newOwner,
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
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const NOT_FOUND = platformError(404, 'NotFoundError', 'Not Found');
const INVALID = platformError(401, 'UnauthorizedError', 'Invalid or expired token — run `login` again');
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
    const token = { id: expect.any(Number), client: null, scopes: null, created_at, expires_at, last_used_at: null };
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
