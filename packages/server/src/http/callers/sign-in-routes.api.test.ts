import { fingerprints, newEmail, OWN_ORIGIN, PASSWORD, signIn, signUp } from '@svc/testkit/service/accounts.ts';
import { newAddress } from '@svc/testkit/service/addresses.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { badRequest } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it, vi } from 'vitest';
import { attemptsKey, countAttempt } from '../../accounts/sign-in-attempt-store.ts';

const service = useService();

const NOT_FOUND = platformError(404, 'NotFoundError', 'Not Found');
const auth = (method: string, path: string, body?: unknown, { ip = newAddress(), cookie = '' } = {}) =>
  service.call(method, `/api/auth${path}`, { body, ip, headers: { cookie, origin: OWN_ORIGIN } });
const attempts = () => service.sql('select key from sign_in_attempts order by key');

describe('only the sign-in routes that are used exist', () => {
  const ABSENT = [
    ['GET', '/error'],
    ['GET', '/ok'],
    ['GET', '/list-sessions'],
    ['GET', '/list-accounts'],
    ['POST', '/update-user'],
    ['POST', '/two-factor/get-totp-uri'],
    ['POST', '/two-factor/send-otp'],
    ['GET', '/passkey/list-user-passkeys'],
    ['POST', '/revoke-session'],
    ['POST', '/revoke-sessions'],
    ['POST', '/change-email'],
    ['GET', '/reset-password/token'],
    ['GET', '/verify-email'],
    ['POST', '/send-verification-email'],
    ['POST', '/sign-in/social'],
    ['POST', '/sign-in/email/'],
    ['POST', '/SIGN-IN/email'],
    ['GET', '/nothing'],
    ['GET', `/${'x'.repeat(5000)}`],
    ['GET', ''],
  ] as const;

  it('404 in the platform envelope for all others, before anything is written', async () => {
    const { cookie } = await signUp(service);
    const before = [await fingerprints(service), await attempts()];
    for (const [method, path] of ABSENT) {
      const { status, body } = await auth(method, path, method === 'POST' ? { name: 'x' } : undefined, { cookie });
      expect({ method, path, status, body }).toEqual({ method, path, status: 404, body: NOT_FOUND });
    }
    expect([await fingerprints(service), await attempts()]).toEqual(before);
  });

  it('405 with the allowed methods for any other method', async () => {
    for (const [method, path, allowed] of [
      ['GET', '/sign-in/email', 'POST'],
      ['POST', '/token', 'GET'],
      ['HEAD', '/get-session', 'GET'],
    ] as const) {
      const answer = await auth(method, path);
      expect(answer.status).toBe(405);
      expect(answer.headers.allow).toBe(allowed);
    }
  });
});

describe('names of accounts', () => {
  const create = (name: unknown) => auth('POST', '/sign-up/email', { name, email: newEmail(), password: PASSWORD });

  it.each([
    ['name must be a string', undefined],
    ['name must be a string', null],
    ['name must be a string', ['Robin']],
    ['name must be a string', { first: 'Robin' }],
    ['name must be a string', 7],
    ['name must not be empty', ''],
    ['name must not be empty', '   '],
    ['name must be at most 255 characters', 'x'.repeat(256)],
    ['name must be at most 255 characters', 'x'.repeat(60_000)],
    ['name contains characters that cannot be stored', 'a\0b'],
    ['name contains characters that cannot be stored', '\ud800'],
  ])('400 %s (%#)', async (message, name) => {
    const { status, body } = await create(name);
    expect({ status, body }).toEqual({ status: 400, body: badRequest(message, 'name') });
  });

  it('are stored without surrounding spaces, up to 255 characters', async () => {
    expect((await create('  Robin  ')).body.user.name).toBe('Robin');
    expect((await create('x'.repeat(255))).status).toBe(200);
  });

  it('PATCH /manage/me applies the same rules', async () => {
    const { cookie } = await signUp(service);
    const headers = { cookie, origin: OWN_ORIGIN };
    const rename = (name: string) => service.call('PATCH', '/api/v1/manage/me', { headers, body: { name } });
    expect((await rename('   ')).body).toEqual(badRequest('name must not be empty', 'name'));
    expect((await rename(' Sam ')).body.data.user.name).toBe('Sam');
  });
});

describe('bad input is never a 500', () => {
  const bad = [null, 7, true, [], ['a'], {}, '', '\0', '\ud800', 'x'.repeat(2000), 'a@b@c'];
  const right: Record<string, Record<string, unknown>> = {
    '/sign-up/email': { name: 'Robin', email: 'a@people.test', password: PASSWORD },
    '/sign-in/email': { email: 'a@people.test', password: PASSWORD },
    '/change-password': { currentPassword: PASSWORD, newPassword: PASSWORD },
    '/two-factor/verify-totp': { code: '123456' },
    '/two-factor/verify-backup-code': { code: 'abcde-fghij' },
    '/passkey/update-passkey': { id: 'a', name: 'Laptop' },
  };

  it.each(Object.keys(right))('%s', async (path) => {
    const { cookie } = await signUp(service);
    for (const field of Object.keys(right[path] ?? {})) {
      for (const value of bad) {
        const { status } = await auth('POST', path, { ...right[path], [field]: value }, { cookie });
        const isName = field === 'name' && value === 'a@b@c';
        expect(isName ? [200, 404, 422] : [400, 401, 404, 409, 422]).toContain(status);
      }
    }
    for (const body of [[], 'text', '7']) expect((await auth('POST', path, body, { cookie })).status).toBeLessThan(500);
  });

  it('fields that the library would accept beyond the known ones do not reach it', async () => {
    const email = newEmail();
    const extra = {
      emailVerified: true,
      image: 'x'.repeat(5000),
      suspendedAt: null,
      id: 'chosen',
      callbackURL: '//evil',
    };
    expect((await auth('POST', '/sign-up/email', { name: 'R', email, password: PASSWORD, ...extra })).status).toBe(200);
    expect(
      await service.sql('select image, email_verified, id = $2 as chosen from users where email = $1', [
        email,
        'chosen',
      ]),
    ).toEqual([{ image: null, email_verified: false, chosen: false }]);
  });

  it('a failure of the store is a 500 in the platform envelope, and is logged once, not printed', async () => {
    const { email } = await signUp(service);
    await service.sql('alter table sessions rename to sessions_away');
    service.logLines.length = 0;
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    const answer = await signIn(service, email).finally(() =>
      service.sql('alter table sessions_away rename to sessions'),
    );
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual(platformError(500, 'InternalServerError', 'Internal server error'));
    const errors = service.logLines.filter((line) => line.includes('"level":50'));
    expect(errors).toEqual([expect.stringMatching(/sessions.*"requestId":/)]);
  });
});

describe('limits', () => {
  const wrong = (email: string) => signIn(service, email, 'wrong');

  /** Failed attempts at the account, as the route counts them. Checking a password takes a tenth of a second. */
  async function failed(email: string, times: number): Promise<void> {
    for (let count = 0; count < times; count += 1) {
      expect(await countAttempt(service.ctx.db, attemptsKey(email), service.time)).toBe(0);
    }
  }

  it.each([
    ['/sign-in/email', 10],
    ['/sign-up/email', 10],
    ['/change-password', 5],
  ])('%s: %i a minute from one address, then 429 with Retry-After, until the minute is over', async (path, limit) => {
    const ip = newAddress();
    const send = () => auth('POST', path, { email: newEmail() }, { ip });
    for (let count = 0; count < limit; count += 1) expect((await send()).status).toBe(400);
    const refused = await send();
    expect(refused.status).toBe(429);
    expect(refused.body.error).toMatchObject({ code: 'rate_limited', status: 429, retry_after_seconds: 60 });
    expect(refused.headers['retry-after']).toBe('60');
    service.advance({ seconds: 60 });
    expect((await send()).status).toBe(400);
  });

  it('a /64 counts as one address', async () => {
    const send = (host: number) =>
      auth('POST', '/sign-in/email', { email: newEmail() }, { ip: `2001:db8:7:7::${host}` });
    for (let host = 1; host <= 10; host += 1) expect((await send(host)).status).toBe(400);
    expect((await send(11)).status).toBe(429);
  });

  it('per account: five wrong passwords from any address, then exponential backoff, even for the right password', async () => {
    const { email } = await signUp(service);
    await failed(email, 4);
    expect((await wrong(email)).status).toBe(401);
    const waits = [];
    for (let count = 0; count < 8; count += 1) {
      const refused = await signIn(service, email.toUpperCase(), PASSWORD);
      expect(refused.status).toBe(429);
      const seconds = Number(refused.headers['retry-after']);
      expect(refused.body.error).toEqual({
        code: 'rate_limited',
        message: `Too many failed sign-ins for this account. Try again in ${seconds} seconds.`,
        status: 429,
        retry_after_seconds: seconds,
      });
      waits.push(seconds);
      service.advance({ seconds });
      await failed(email, 1);
    }
    expect(waits).toEqual([15, 30, 60, 120, 240, 480, 900, 900]);
  });

  it('the right password ends the backoff, and an unknown address is limited in the same way', async () => {
    const { email } = await signUp(service);
    await failed(email, 4);
    expect((await signIn(service, email)).status).toBe(200);
    await failed(email, 5);
    expect((await signIn(service, email)).status).toBe(429);
    const nobody = newEmail();
    await failed(nobody, 4);
    expect((await wrong(nobody)).status).toBe(401);
    expect((await wrong(nobody)).status).toBe(429);
  });

  it('concurrent attempts do not escape the limit', async () => {
    const { email } = await signUp(service);
    const answers = await Promise.all(Array.from({ length: 30 }, () => wrong(email)));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(25);
  });

  it('guessing the current password in a session counts for the account too', async () => {
    const { email, cookie } = await signUp(service);
    const guess = () =>
      auth('POST', '/change-password', { currentPassword: 'wrong', newPassword: 'another password' }, { cookie });
    await failed(email, 4);
    expect((await guess()).status).toBe(400);
    expect((await guess()).status).toBe(429);
  });
});

it('a failed sign-in is logged, without the address in clear text', async () => {
  const { email } = await signUp(service);
  service.logLines.length = 0;
  await signIn(service, email, 'wrong');
  const log = service.logLines.join('');
  expect(log).toContain('A sign-in request was refused');
  expect(log).toContain('"status":401');
  expect(log.toLowerCase()).not.toContain(email);
});

it('a refusal of the service itself is logged as well: a code without a sign-in, and a wait', async () => {
  const { email } = await signUp(service);
  for (let count = 0; count < 5; count += 1) await countAttempt(service.ctx.db, attemptsKey(email), service.time);
  service.logLines.length = 0;
  expect((await auth('POST', '/two-factor/verify-totp', { code: '123456' })).status).toBe(401);
  expect((await signIn(service, email)).status).toBe(429);
  const logged = service.logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.includes('was refused'));
  expect(logged.map(({ route, status, account }) => ({ route, status, account }))).toEqual([
    { route: '/api/auth/two-factor/verify-totp', status: 401, account: undefined },
    { route: '/api/auth/sign-in/email', status: 429, account: attemptsKey(email) },
  ]);
});
