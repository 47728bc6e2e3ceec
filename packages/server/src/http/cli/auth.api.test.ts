import {
  callback,
  everythingStored,
  idTokenOf,
  newAccount,
  newOwner,
  OWN_ORIGIN,
  poll,
  startedLogin,
} from '@svc/testkit/service/accounts.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { badRequest } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const START = '/api/v1/cli/auth/start';
const POLL = '/api/v1/cli/auth/poll';
const MISSING = badRequest('Missing required fields: state, id_token');
const USED = platformError(404, 'NotFoundError', 'Session not found or already used');
const INVALID = platformError(401, 'UnauthorizedError', 'Invalid or expired id_token');
const BLOCKED = platformError(403, 'ForbiddenError', 'Your account has been suspended.', { code: 'ACCOUNT_BLOCKED' });
const COMPLETE = { data: { status: 'complete' } };
const FIVE_MINUTES = 5 * 60;

/** A login that a user has completed. */
async function signedIn() {
  const owner = await newOwner(service);
  const state = await startedLogin(service);
  const answer = await callback(service, { state, id_token: await idTokenOf(service, owner.userId) });
  expect(answer).toMatchObject({ status: 200, body: COMPLETE });
  return { owner, state };
}

describe('POST /api/v1/cli/auth/start', () => {
  it('answers 200 with state, auth_url, poll_url, expires_at in five minutes and a user_code', async () => {
    const { status, body, headers } = await service.call('POST', START);
    expect(status).toBe(200);
    const { state } = body.data;
    expect(body).toEqual({
      data: {
        // Never like a flag of the command line: `svc login --state -q…` would not get all of it.
        state: expect.stringMatching(/^login_[\w-]{43}$/),
        auth_url: `${OWN_ORIGIN}/cli/login?state=${state}`,
        poll_url: `${OWN_ORIGIN}${POLL}?state=${state}`,
        expires_at: new Date(service.time.getTime() + FIVE_MINUTES * 1000).toISOString(),
        user_code: expect.stringMatching(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/),
      },
    });
    expect(headers['x-request-id']).toBeTruthy();
  });

  it('gives every login its own state and code', async () => {
    const logins = await Promise.all(Array.from({ length: 20 }, () => service.call('POST', START)));
    const of = (part: string) => new Set(logins.map(({ body }) => body.data[part]));
    expect(of('state').size).toBe(20);
    expect(of('user_code').size).toBe(20);
  });

  it('stores the state as a hash only', async () => {
    const state = await startedLogin(service);
    expect(await everythingStored(service)).not.toContain(state);
  });

  it('needs no credential, and ignores any that is sent', async () => {
    expect((await service.call('POST', START, { key: 'svc_key_unknown' })).status).toBe(200);
    expect((await service.call('POST', START, { headers: { authorization: 'Basic x' } })).status).toBe(200);
  });
});

describe('POST /api/v1/cli/auth/callback', () => {
  it('answers 200 with status complete, and completes the login', async () => {
    const { state, owner } = await signedIn();
    expect((await poll(service, state)).body.data).toMatchObject({ status: 'complete', email: owner.email });
  });

  it.each([
    ['no fields', {}],
    ['state alone', { state: 'x' }],
    ['id_token alone', { id_token: 'x' }],
    ['null', { state: null, id_token: null }],
    ['empty', { state: '', id_token: '' }],
  ])('400 Missing required fields: state, id_token (%s)', async (_what, body) => {
    const answer = await callback(service, body);
    expect(answer).toMatchObject({ status: 400, body: MISSING });
    expect(answer.headers['x-request-id']).toBeTruthy();
  });

  it('404 Session not found or already used: no such session', async () => {
    const { userId } = await newOwner(service);
    const body = { state: 'nobody-started-this', id_token: await idTokenOf(service, userId) };
    expect(await callback(service, body)).toMatchObject({ status: 404, body: USED });
  });

  it('404 Session not found or already used: completed before, and the first account stays', async () => {
    const { state, owner } = await signedIn();
    const other = await newOwner(service);
    const answer = await callback(service, { state, id_token: await idTokenOf(service, other.userId) });
    expect(answer).toMatchObject({ status: 404, body: USED });
    expect((await poll(service, state)).body.data.email).toBe(owner.email);
  });

  it('404 Session not found or already used: its token has been handed out', async () => {
    const { state, owner } = await signedIn();
    await poll(service, state);
    const answer = await callback(service, { state, id_token: await idTokenOf(service, owner.userId) });
    expect(answer).toMatchObject({ status: 404, body: USED });
  });

  it('400 Session expired: older than 5 minutes', async () => {
    const { userId } = await newOwner(service);
    const id_token = await idTokenOf(service, userId);
    const [early, late] = [await startedLogin(service), await startedLogin(service)];
    service.advance({ seconds: FIVE_MINUTES - 0.001 });
    expect(await callback(service, { state: early, id_token })).toMatchObject({ status: 200, body: COMPLETE });
    service.advance({ seconds: 0.001 });
    expect(await callback(service, { state: late, id_token })).toMatchObject({
      status: 400,
      body: badRequest('Session expired'),
    });
  });

  it.each([
    ['no token at all', 'nonsense'],
    ['a token of three empty parts', 'e30.e30.AAAA'],
    ['a program key', 'svc_key_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
  ])('401 Invalid or expired id_token: %s; the login stays open', async (_what, id_token) => {
    const state = await startedLogin(service);
    expect(await callback(service, { state, id_token })).toMatchObject({ status: 401, body: INVALID });
    expect((await poll(service, state)).body).toEqual({ data: { status: 'pending' } });
  });

  it('401 Invalid or expired id_token: a valid token whose signature was changed', async () => {
    const { userId } = await newOwner(service);
    const [head, payload, signature = ''] = (await idTokenOf(service, userId)).split('.');
    const forged = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    const answer = await callback(service, {
      state: await startedLogin(service),
      id_token: [head, payload, forged].join('.'),
    });
    expect(answer).toMatchObject({ status: 401, body: INVALID });
  });

  it('401 Invalid or expired id_token: the account is gone', async () => {
    const { userId } = await newAccount(service);
    const id_token = await idTokenOf(service, userId);
    await service.sql('delete from users where id = $1', [userId]);
    expect(await callback(service, { state: await startedLogin(service), id_token })).toMatchObject({
      status: 401,
      body: INVALID,
    });
  });

  it('403 Your account has been suspended., with details.code ACCOUNT_BLOCKED; the login stays open', async () => {
    const { userId } = await newOwner(service);
    const id_token = await idTokenOf(service, userId);
    await service.sql('update users set suspended_at = $2 where id = $1', [userId, service.time]);
    const state = await startedLogin(service);
    const { status, body } = await callback(service, { state, id_token });
    expect({ status, body }).toEqual({ status: 403, body: BLOCKED });
    expect((await poll(service, state)).body).toEqual({ data: { status: 'pending' } });
  });

  it('checks fields, then the session, then its age, then the token, then the account', async () => {
    const { userId } = await newOwner(service);
    const good = await idTokenOf(service, userId);
    const state = await startedLogin(service);
    await service.sql('update users set suspended_at = $2 where id = $1', [userId, service.time]);
    expect((await callback(service, { state: 'unknown' })).body).toEqual(MISSING);
    expect((await callback(service, { state: 'unknown', id_token: 'bad' })).body).toEqual(USED);
    expect((await callback(service, { state, id_token: 'bad' })).body).toEqual(INVALID);
    expect((await callback(service, { state, id_token: good })).body).toEqual(BLOCKED);
    service.advance({ seconds: FIVE_MINUTES });
    expect((await callback(service, { state, id_token: 'bad' })).body).toEqual(badRequest('Session expired'));
  });

  it('404 takes precedence over expired for a used login', async () => {
    const { state, owner } = await signedIn();
    service.advance({ seconds: FIVE_MINUTES });
    const answer = await callback(service, { state, id_token: await idTokenOf(service, owner.userId) });
    expect(answer).toMatchObject({ status: 404, body: USED });
  });
});

describe('GET /api/v1/cli/auth/poll', () => {
  it('answers 200 pending until a user signs in', async () => {
    const { status, body, headers } = await poll(service, await startedLogin(service));
    expect({ status, body }).toEqual({ status: 200, body: { data: { status: 'pending' } } });
    expect(headers['x-request-id']).toBeTruthy();
  });

  it('answers 200 complete with token, email and advertiser_id, once; the token works', async () => {
    const { state, owner } = await signedIn();
    const { status, body } = await poll(service, state);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: {
          status: 'complete',
          token: expect.stringMatching(/^svc_at_[\w-]{43}$/),
          email: owner.email,
          advertiser_id: owner.workspaceId,
        },
      },
    });
    const programs = await service.call('GET', '/api/v1/cli/programs', { key: body.data.token });
    expect(programs).toMatchObject({ status: 200, body: { data: [] } });
    expect(await everythingStored(service)).not.toContain(body.data.token);
  });

  it('400 Session already consumed: the token was handed out; no other is created', async () => {
    const { state, owner } = await signedIn();
    await poll(service, state);
    for (let again = 0; again < 2; again += 1) {
      const answer = await poll(service, state);
      expect(answer).toMatchObject({ status: 400, body: badRequest('Session already consumed') });
      expect(answer.text).not.toContain('svc_at_');
    }
    const [row] = await service.sql('select count(*) as tokens from account_tokens where user_id = $1', [owner.userId]);
    expect(row).toEqual({ tokens: 2 });
  });

  it('400 Session already consumed, even after the five minutes', async () => {
    const { state } = await signedIn();
    await poll(service, state);
    service.advance({ seconds: FIVE_MINUTES });
    expect((await poll(service, state)).body).toEqual(badRequest('Session already consumed'));
  });

  it.each([
    ['nobody signed in', startedLogin],
    ['a user signed in, but nobody polled', async () => (await signedIn()).state],
  ])('200 with data.status expired: older than 5 minutes, %s', async (_what, started) => {
    const state = await started(service);
    service.advance({ seconds: FIVE_MINUTES });
    const { status, body } = await poll(service, state);
    expect({ status, body }).toEqual({ status: 200, body: { data: { status: 'expired' } } });
  });

  it('200 pending a millisecond before the five minutes are over', async () => {
    const state = await startedLogin(service);
    service.advance({ seconds: FIVE_MINUTES - 0.001 });
    expect((await poll(service, state)).body).toEqual({ data: { status: 'pending' } });
  });

  it.each(['', '?', '?state=', '?other=x'])('400 Missing state parameter: %j', async (query) => {
    const { status, body } = await service.call('GET', POLL + query);
    expect({ status, body }).toEqual({ status: 400, body: badRequest('Missing state parameter') });
  });

  it.each(['unknown', '%F0%9F%99%82', 'x'.repeat(255)])('404 Session not found: %s', async (state) => {
    const { status, body } = await service.call('GET', `${POLL}?state=${state}`);
    expect({ status, body }).toEqual({ status: 404, body: platformError(404, 'NotFoundError', 'Session not found') });
  });

  it.each([
    ['two states', '?state=a&state=b', 'state must be a string'],
    ['NUL', '?state=%00', 'state contains characters that cannot be stored'],
    ['too long', `?state=${'x'.repeat(256)}`, 'state must be at most 255 characters'],
  ])('400 for a state that cannot exist: %s', async (_what, query, message) => {
    const { status, body } = await service.call('GET', POLL + query);
    expect({ status, body }).toEqual({ status: 400, body: badRequest(message) });
  });

  it('advertiser_id is null for an account without a workspace', async () => {
    const { userId } = await newAccount(service);
    const state = await startedLogin(service);
    await callback(service, { state, id_token: await idTokenOf(service, userId) });
    expect((await poll(service, state)).body.data).toMatchObject({ status: 'complete', advertiser_id: null });
  });

  it('the token is valid for 90 days', async () => {
    const { state } = await signedIn();
    const { token } = (await poll(service, state)).body.data;
    const programs = () => service.call('GET', '/api/v1/cli/programs', { key: token });
    service.advance({ days: 90, seconds: -0.001 });
    expect((await programs()).status).toBe(200);
    service.advance({ seconds: 0.001 });
    expect(await programs()).toMatchObject({
      status: 401,
      body: platformError(401, 'UnauthorizedError', 'Invalid or expired token — run `login` again'),
    });
  });
});
