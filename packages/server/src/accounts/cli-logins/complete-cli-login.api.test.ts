import { callback, idTokenOf, newOwner, poll } from '@svc/testkit/service/accounts.ts';
import { runOperator } from '@svc/testkit/service/processes/operator.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { badRequest } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const BLOCKED = platformError(403, 'ForbiddenError', 'Your account has been suspended.', { code: 'ACCOUNT_BLOCKED' });
const start = async () => (await service.call('POST', '/api/v1/cli/auth/start')).body.data;
const pollPath = (state: string) => `/api/v1/cli/auth/poll?state=${state}`;

async function signedIn() {
  const owner = await newOwner(service);
  const { state } = await start();
  await callback(service, { state, id_token: await idTokenOf(service, owner.userId) });
  return { owner, state };
}

describe('the code that the user types', () => {
  it.each([
    ['as it is shown', (code: string) => code],
    ['in lower case', (code: string) => code.toLowerCase()],
    ['without its hyphen', (code: string) => code.replace('-', '')],
    ['with spaces', (code: string) => ` ${code.replace('-', ' ')} `],
  ])('signs in %s', async (_how, typed) => {
    const owner = await newOwner(service);
    const { state, user_code } = await start();
    const id_token = await idTokenOf(service, owner.userId);
    expect((await callback(service, { state, id_token, user_code: typed(user_code) })).status).toBe(200);
    expect((await poll(service, state)).body.data).toMatchObject({ status: 'complete', email: owner.email });
  });

  it('400 for the code of another login, and the login stays open', async () => {
    const owner = await newOwner(service);
    const [mine, other] = [await start(), await start()];
    const id_token = await idTokenOf(service, owner.userId);
    for (const user_code of [other.user_code, 'AAAA-AAAA', '-', mine.user_code.slice(1)]) {
      expect(await callback(service, { state: mine.state, id_token, user_code })).toMatchObject({
        status: 400,
        body: badRequest('This is not the code in your terminal. Check it and try again.'),
      });
    }
    expect((await poll(service, mine.state)).body.data).toEqual({ status: 'pending' });
    expect((await callback(service, { state: mine.state, id_token, user_code: mine.user_code })).status).toBe(200);
  });
});

describe('GET /api/v1/cli/auth/poll', () => {
  it('HEAD is not served and consumes nothing', async () => {
    const { state } = await signedIn();
    const head = await service.call('HEAD', pollPath(state));
    expect(head.status).toBe(405);
    expect(head.headers.allow).toBe('GET');
    expect((await poll(service, state)).body.data).toMatchObject({ status: 'complete', token: expect.any(String) });
  });

  it('its replies are not cached on the way', async () => {
    const { state } = await signedIn();
    for (const _again of [1, 2]) {
      expect((await service.call('GET', pollPath(state))).headers['cache-control']).toBe('no-store');
    }
  });

  it('403 ACCOUNT_BLOCKED if the account was suspended after the sign-in; no token, even once it is restored', async () => {
    const { owner, state } = await signedIn();
    await runOperator(service, 'suspend-account', '--email', owner.email);
    const { status, body } = await poll(service, state);
    expect({ status, body }).toEqual({ status: 403, body: BLOCKED });
    await runOperator(service, 'restore-account', '--email', owner.email);
    expect((await poll(service, state)).body).toEqual(badRequest('Session already consumed'));
    expect(
      await service.sql('select 1 from account_tokens where user_id = $1 and revoked_at is null', [owner.userId]),
    ).toEqual([]);
  });
});
