import {
  callback,
  idTokenOf,
  newCookie,
  newOwner,
  newToken,
  OWN_ORIGIN,
  PASSWORD,
  poll,
  resetPassword,
  type SignedUp,
  signUp,
  startedLogin,
} from '@svc/testkit/service/accounts.ts';
import { newAddress } from '@svc/testkit/service/addresses.ts';
import { runOperator } from '@svc/testkit/service/processes/operator.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const INVALID = { status: 401, body: platformError(401, 'UnauthorizedError', 'Invalid or expired id_token') };
const BLOCKED = {
  status: 403,
  body: platformError(403, 'ForbiddenError', 'Your account has been suspended.', { code: 'ACCOUNT_BLOCKED' }),
};

const call = (method: string, path: string, cookie: string, body?: object) =>
  service.call(method, path, { headers: { cookie, origin: OWN_ORIGIN }, body, ip: newAddress() });
const idToken = async (cookie: string) => (await call('GET', '/api/auth/token', cookie)).body.token as string;

/** What the callback answers to the id token, and whether the login gets anywhere. */
async function attempt(token: string) {
  const state = await startedLogin(service);
  const { status, body } = await callback(service, { state, id_token: token });
  const polled = (await poll(service, state)).body.data.status;
  return { answer: { status, body }, polled };
}

const REFUSED = { answer: INVALID, polled: 'pending' };
const ACCEPTED = { answer: { status: 200, body: { data: { status: 'complete' } } }, polled: 'complete' };

async function done(answer: Promise<{ status: number }>): Promise<void> {
  expect((await answer).status).toBe(200);
}

const changePassword = (cookie: string, revokeOtherSessions: boolean) =>
  call('POST', '/api/auth/change-password', cookie, {
    currentPassword: PASSWORD,
    newPassword: 'another long password',
    revokeOtherSessions,
  });

async function reset({ email }: SignedUp): Promise<void> {
  const reply = await runOperator(service, 'reset-password', '--email', email);
  if (!reply.ok) throw new Error(reply.text);
  const { reset_url: url } = reply.data as { reset_url: string };
  await done(resetPassword(service, new URL(url).hash.slice(1), 'another long password'));
}

/** Removes the person from the workspace that they have joined. */
async function leaveWorkspace({ userId }: SignedUp): Promise<void> {
  const owner = await newOwner(service);
  await service.sql(`update workspace_members set advertiser_id = $2, role = 'member' where user_id = $1`, [
    userId,
    owner.workspaceId,
  ]);
  await done(service.call('DELETE', `/api/v1/manage/members/${userId}`, { key: owner.token }));
}

const ENDS: [string, (person: SignedUp) => Promise<void>][] = [
  ['signing out', ({ cookie }) => done(call('POST', '/api/auth/sign-out', cookie, {}))],
  ['a new password that ends other sessions', ({ cookie }) => done(changePassword(cookie, true))],
  ['a new password that leaves sessions open', ({ cookie }) => done(changePassword(cookie, false))],
  [
    'a new password in another session',
    async ({ userId }) => done(changePassword(await newCookie(service, userId), true)),
  ],
  ['a reset password', reset],
  [
    'a suspension, even once it is over',
    async ({ email }) => {
      await runOperator(service, 'suspend-account', '--email', email);
      await runOperator(service, 'restore', '--email', email);
    },
  ],
  ['leaving the workspace', leaveWorkspace],
  [
    'signing out all other sessions',
    async ({ userId }) => done(call('DELETE', '/api/v1/manage/sessions', await newCookie(service, userId))),
  ],
  [
    'the end of the session',
    async ({ userId }) => {
      await service.sql('update sessions set expires_at = $2 where user_id = $1', [userId, service.time]);
    },
  ],
];

describe('an id token ends with', () => {
  it.each(ENDS)('%s', async (_what, end) => {
    const person = await signUp(service);
    const token = await idToken(person.cookie);
    expect(await attempt(token)).toEqual(ACCEPTED);
    await end(person);
    expect(await attempt(token)).toEqual(REFUSED);
  });

  it('a suspension, which comes first while it lasts', async () => {
    const { email, cookie } = await signUp(service);
    const token = await idToken(cookie);
    await runOperator(service, 'suspend-account', '--email', email);
    expect(await attempt(token)).toEqual({ answer: BLOCKED, polled: 'pending' });
  });
});

describe('an id token', () => {
  it('of a session that goes on is replaced by a new one: after leaving a workspace, the browser stays signed in', async () => {
    const person = await signUp(service);
    const before = await idToken(person.cookie);
    await leaveWorkspace(person);
    expect(await attempt(await idToken(person.cookie))).toEqual(ACCEPTED);
    expect(await attempt(before)).toEqual(REFUSED);
  });

  it('stays valid when another session of the account ends', async () => {
    const { cookie, userId } = await signUp(service);
    const other = await newCookie(service, userId);
    const token = await idToken(cookie);
    await done(call('POST', '/api/auth/sign-out', other, {}));
    expect(await attempt(token)).toEqual(ACCEPTED);
  });

  it('stays valid when an account token of the account ends', async () => {
    const { cookie, userId } = await signUp(service);
    const token = await idToken(cookie);
    await done(service.call('POST', '/api/v1/manage/logout', { key: await newToken(service, userId) }));
    expect(await attempt(token)).toEqual(ACCEPTED);
  });

  it('without a session, or with one of somebody else, is refused', async () => {
    const [ann, bob] = [await signUp(service), await signUp(service)];
    const [session] = await service.sql<{ id: string }>('select id from sessions where user_id = $1', [bob.userId]);
    const signed = async (payload: Record<string, unknown>) =>
      (await service.ctx.signIn.api.signJWT({ body: { payload } })).token;
    expect(await attempt(await signed({ sub: ann.userId }))).toEqual(REFUSED);
    expect(await attempt(await signed({ sub: ann.userId, sid: session?.id }))).toEqual(REFUSED);
    expect(await attempt(await signed({ sub: ann.userId, sid: { id: session?.id } }))).toEqual(REFUSED);
    expect(await attempt(await signed({ sub: bob.userId, sid: session?.id }))).toEqual(ACCEPTED);
  });

  it('is made for the tests as the service makes it', async () => {
    const { userId } = await signUp(service);
    expect(await attempt(await idTokenOf(service, userId))).toEqual(ACCEPTED);
  });
});
