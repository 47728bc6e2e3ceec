import { OWN_ORIGIN, signUp } from '@svc/testkit/service/accounts.ts';
import { newAddress, newNetwork } from '@svc/testkit/service/addresses.ts';
import { codeOf, newAuthenticatorApp, newChallenge } from '@svc/testkit/service/authenticator.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const VERIFY_CODE = '/api/auth/two-factor/verify-totp';
const VERIFY_RECOVERY_CODE = '/api/auth/two-factor/verify-backup-code';

/** An account with an authenticator app. */
async function withApp() {
  const person = await signUp(service);
  return { ...person, ...(await newAuthenticatorApp(service, person.userId)) };
}

async function challengeOf(userId: string): Promise<string> {
  const { name, value } = await newChallenge(service, userId);
  return `${name}=${value}`;
}

/** Calls the library directly, as if the edge had counted the attempt for the user. */
async function callLibrary(cookie: string, code: string, countedFor?: string, path = VERIFY_CODE) {
  const headers = new Headers({ cookie, origin: OWN_ORIGIN, 'content-type': 'application/json' });
  if (countedFor !== undefined) headers.set('x-svc-counted-for', countedFor);
  const body = JSON.stringify({ code });
  const response = await service.ctx.signIn.handler(new Request(OWN_ORIGIN + path, { method: 'POST', headers, body }));
  return { status: response.status, code: ((await response.json()) as { code?: string }).code };
}

const NOBODY = { status: 401, code: 'INVALID_TWO_FACTOR_COOKIE' };
const LOCKED = { status: 429, code: 'ACCOUNT_TEMPORARILY_LOCKED' };

describe('the library checks a code', () => {
  it('only for the user for whom an attempt was counted', async () => {
    const [ann, bob] = [await withApp(), await withApp()];
    const pending = await challengeOf(bob.userId);
    const code = codeOf(bob.uri, 1);
    expect(await callLibrary(pending, code)).toEqual(NOBODY);
    expect(await callLibrary(pending, code, '')).toEqual(NOBODY);
    expect(await callLibrary('', code, bob.userId)).toEqual(NOBODY);
    expect(await callLibrary(pending, bob.codes[0] ?? '', undefined, VERIFY_RECOVERY_CODE)).toEqual(NOBODY);
    // As if Ann's session had ended after the attempt was counted for her.
    expect(await callLibrary(pending, code, ann.userId)).toEqual(NOBODY);
    expect(await callLibrary(`${pending}; ${ann.cookie}`, code, bob.userId)).toEqual(NOBODY);
    expect((await callLibrary(pending, code, bob.userId)).status).toBe(200);
  });

  it('whatever the client says about whom it was counted for', async () => {
    const [ann, bob] = [await withApp(), await withApp()];
    const attempt = async (countedFor: string, code: string) => {
      const headers = { cookie: await challengeOf(bob.userId), origin: OWN_ORIGIN, 'x-svc-counted-for': countedFor };
      return (await service.call('POST', VERIFY_CODE, { body: { code }, ip: newAddress(), headers })).status;
    };
    const claims = [ann.userId, bob.userId, '', 'nobody', ann.userId];
    for (const claim of claims) expect(await attempt(claim, '000000')).toBe(400);
    expect(await attempt(ann.userId, '000000')).toBe(429);
  });
});

describe('the lock-out of the library', () => {
  it('stops 26 wrong codes in sign-ins that nobody else has stopped, for an hour', async () => {
    const { userId, uri, codes } = await withApp();
    const startedAt = Date.now();
    for (let count = 0; count < 26; count += 1) {
      const pending = await challengeOf(userId);
      const { status } = await (count % 2
        ? callLibrary(pending, '000000', userId)
        : callLibrary(pending, 'aaaaa-bbbbb', userId, VERIFY_RECOVERY_CODE));
      expect(status).toBe(401);
    }
    const pending = await challengeOf(userId);
    expect(await callLibrary(pending, codeOf(uri, 1), userId)).toEqual(LOCKED);
    expect(await callLibrary(pending, codes[0] ?? '', userId, VERIFY_RECOVERY_CODE)).toEqual(LOCKED);
    const [lock] = await service.sql<{ until: Date }>(
      'select locked_until as until from second_factors where user_id = $1',
      [userId],
    );
    const lockedAt = new Date(lock?.until ?? 0).getTime() - 3_600_000;
    expect(lockedAt).toBeGreaterThanOrEqual(startedAt);
    expect(lockedAt).toBeLessThanOrEqual(Date.now());

    const headers = { cookie: pending, origin: OWN_ORIGIN };
    const body = { code: codeOf(uri) };
    const answer = await service.call('POST', VERIFY_CODE, { body, ip: newAddress(), headers });
    expect(answer.status).toBe(429);
    expect(answer.headers['retry-after']).toBe('3600');
    expect(answer.body.error.message).toBe('Too many wrong codes for this account. Try again in 3600 seconds.');

    await service.sql(`update second_factors set locked_until = '2026-01-01' where user_id = $1`, [userId]);
    expect((await callLibrary(pending, codeOf(uri, 1), userId)).status).toBe(200);
  });

  it('comes after the waits of the service, which have grown to an hour by then', async () => {
    const { userId } = await withApp();
    const wrong = {
      [VERIFY_CODE]: '000000',
      [VERIFY_RECOVERY_CODE]: 'aaaaa-bbbbb',
    };
    const attempt = async (path: string, code: string) => {
      const headers = { cookie: await challengeOf(userId), origin: OWN_ORIGIN };
      return service.call('POST', path, { body: { code }, ip: newNetwork(), headers });
    };
    for (const [path, code] of Object.entries(wrong)) {
      const waits = [];
      for (let count = 1; count <= 13; count += 1) {
        let answer = await attempt(path, code);
        if (answer.status === 429) {
          const seconds = Number(answer.headers['retry-after']);
          waits.push(seconds);
          service.advance({ seconds });
          answer = await attempt(path, code);
        }
        expect(answer.status).toBe(400);
      }
      expect(waits).toEqual([15, 30, 60, 120, 240, 480, 960, 1920]);
      expect((await attempt(path, code)).headers['retry-after']).toBe('3600');
    }
  });
});
