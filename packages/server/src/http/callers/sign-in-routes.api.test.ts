import {
  cookiesOf,
  fingerprints,
  newCookie,
  newEmail,
  OWN_ORIGIN,
  PASSWORD,
  signIn,
  signUp,
} from '@svc/testkit/service/accounts.ts';
import { newAddress, newNetwork } from '@svc/testkit/service/addresses.ts';
import { Authenticator, codeOf, newAuthenticatorApp } from '@svc/testkit/service/authenticator.ts';
import { READ_BY_OTHERS } from '@svc/testkit/service/routes/refusals/values.ts';
import { type Answer, platformError, useService } from '@svc/testkit/service/service.ts';
import { badRequest } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it, vi } from 'vitest';
import { createVouchedLink } from '../../accounts/recovery/create-reset-link.ts';
import { attemptsFrom, countAttempt } from '../../accounts/sign-in-attempt-store.ts';
import { findUser, type User } from '../../accounts/user-store.ts';
import { OPERATOR } from '../../audit/audit-store.ts';

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
    ...READ_BY_OTHERS.flatMap(([message, ...names]) => names.map((name): [string, unknown] => [message, name])),
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

describe('a failure of the store', () => {
  /** Does the work while the table is missing. Returns its answers, and the causes in the log. */
  async function without(table: string, work: () => Promise<Answer[]>) {
    await service.sql(`alter table ${table} rename to ${table}_away`);
    service.logLines.length = 0;
    const answers = await work().finally(() => service.sql(`alter table ${table}_away rename to ${table}`));
    const errors = service.logLines.map((line) => JSON.parse(line)).filter(({ level }) => level === 50);
    return { answers, causes: errors.map(({ err }) => err.message) };
  }

  it.each([
    ['GET', '/api/v1/manage/me', 'The request failed. Try again.'],
    ['GET', '/api/auth/get-session', 'Internal server error'],
    ['POST', '/api/auth/sign-out', 'Internal server error'],
    ['POST', '/api/auth/two-factor/verify-totp', 'Internal server error'],
    ['POST', '/api/auth/verify-password', 'Internal server error'],
  ])(
    '%s %s without an answer about the session is a 500 that is logged with its cause',
    async (method, path, message) => {
      const { cookie, email } = await signUp(service);
      const body = method === 'POST' ? { code: '123456', password: PASSWORD } : undefined;
      const send = (cookies: string) =>
        service.call(method, path, { body, ip: newNetwork(), headers: { cookie: cookies, origin: OWN_ORIGIN } });
      const asAStranger = await send('');
      const { answers, causes } = await without('sessions', () => Promise.all([send(''), send(cookie), send('')]));
      expect(answers.map(({ status }) => status)).toEqual([asAStranger.status, 500, asAStranger.status]);
      expect(answers[1]?.body).toEqual(platformError(500, 'InternalServerError', message));
      expect(answers[1]?.headers['set-cookie']).toBeUndefined();
      expect(causes).toEqual(['relation "sessions" does not exist']);
      expect(service.logLines.join('')).not.toContain(email);
      expect((await auth('GET', '/get-session', undefined, { cookie })).body).toMatchObject({ user: { email } });
    },
  );

  it('a passkey is not said to be wrong when its user cannot be read', async () => {
    const { cookie } = await signUp(service);
    const device = new Authenticator(OWN_ORIGIN);
    const added = await auth('GET', '/passkey/generate-register-options', undefined, { cookie });
    const registered = { response: device.register(added.body), name: 'Mine' };
    await auth('POST', '/passkey/verify-registration', registered, { cookie: `${cookie}; ${cookiesOf(added)}` });
    const options = await auth('GET', '/passkey/generate-authenticate-options');
    const response = device.signIn(options.body);
    const use = () => auth('POST', '/passkey/verify-authentication', { response }, { cookie: cookiesOf(options) });
    const { answers, causes } = await without('users', async () => [await use()]);
    expect(answers.map(({ status }) => status)).toEqual([500]);
    expect(causes).toEqual(['relation "users" does not exist']);
  });
});

/** Failed attempts at the account, as the route counts them. Checking a password takes a tenth of a second. */
async function failed(email: string, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    expect(await countAttempt(service.ctx.db, attemptsFrom('elsewhere', 'account', email), service.time)).toBe(0);
  }
}

describe('limits', () => {
  const wrong = (email: string) => signIn(service, email, 'wrong', newNetwork());

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
      const refused = await signIn(service, email.toUpperCase(), PASSWORD, newNetwork());
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
    expect((await signIn(service, email, PASSWORD, newNetwork())).status).toBe(200);
    await failed(email, 5);
    expect((await signIn(service, email, PASSWORD, newNetwork())).status).toBe(429);
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

  it('guessing the password in a session is limited too, and keeps no other session and no sign-in out', async () => {
    const { email, userId, cookie } = await signUp(service);
    const other = await newCookie(service, userId);
    const prove = async (password: string, session: string) =>
      (await auth('POST', '/verify-password', { password }, { cookie: session })).status;
    const change = { currentPassword: 'wrong', newPassword: 'another long password' };
    for (let count = 0; count < 3; count += 1) expect(await prove('wrong', cookie)).toBe(400);
    for (let count = 0; count < 2; count += 1) {
      expect((await auth('POST', '/change-password', change, { cookie })).status).toBe(400);
    }
    expect(await prove(PASSWORD, cookie)).toBe(429);
    expect(await prove(PASSWORD, other)).toBe(200);
    expect((await signIn(service, email, PASSWORD, newNetwork())).status).toBe(200);
    service.advance({ seconds: 15 });
    expect(await prove(PASSWORD, cookie)).toBe(200);
  });
});

describe('a stranger who guesses', () => {
  const signInFrom = async (ip: string, email: string, password = PASSWORD) =>
    (await signIn(service, email, password, ip)).status;

  /** Guesses from many networks until everybody unknown has to wait. */
  async function guess(email: string): Promise<void> {
    await failed(email, 4);
    expect(await signInFrom(newNetwork(), email, 'wrong')).toBe(401);
    expect(await signInFrom(newNetwork(), email)).toBe(429);
  }

  it.each([
    ['IPv4', '192.0.2.10', '192.0.2.99'],
    ['IPv6', '2001:db8:7::10', '2001:0DB8:0007:1::99'],
  ])('keeps nobody out who signs in where they did before: %s', async (_kind, before, now) => {
    const { email } = await signUp(service);
    expect(await signInFrom(before, email)).toBe(200);
    await guess(email);
    expect(await signInFrom(now, email)).toBe(200);
    // It does not help the stranger.
    expect(await signInFrom(newNetwork(), email)).toBe(429);
  });

  it('gets no further by being on a device of the owner: it has waits of its own', async () => {
    const { email } = await signUp(service);
    const [home, office] = [newNetwork(), newNetwork()];
    for (const ip of [home, office]) expect(await signInFrom(ip, email)).toBe(200);
    const waits = [];
    for (let count = 0; count < 8; count += 1) {
      // Another address of the same network, because each has a limit of its own.
      const ip = home.replace(/7$/, String(10 + count));
      let answer = await signIn(service, email, 'wrong', ip);
      if (answer.status === 429) {
        waits.push(Number(answer.headers['retry-after']));
        service.advance({ seconds: waits.at(-1) ?? 0 });
        answer = await signIn(service, email, 'wrong', ip);
      }
      expect(answer.status).toBe(401);
    }
    expect(waits).toEqual([15, 30, 60]);
    expect(await signInFrom(home, email)).toBe(429);
    expect(await signInFrom(office, email)).toBe(200);
  });

  it('keeps no session from proving who uses it', async () => {
    const { email, cookie } = await signUp(service);
    await guess(email);
    expect((await auth('POST', '/verify-password', { password: PASSWORD }, { cookie })).status).toBe(200);
    const change = { currentPassword: PASSWORD, newPassword: 'another long password' };
    expect((await auth('POST', '/change-password', change, { cookie })).status).toBe(200);
  });

  it('keeps nobody out who has set a new password with a link, on the device where they did', async () => {
    const { email, userId } = await signUp(service);
    await guess(email);
    const ip = newNetwork();
    const link = await createVouchedLink(service.ctx, (await findUser(service.ctx.db, userId)) as User, '', OPERATOR);
    const body = { token: new URL(link, OWN_ORIGIN).hash.slice(1), newPassword: 'another long password' };
    const headers = { origin: OWN_ORIGIN };
    expect((await service.call('POST', '/api/auth/reset-password', { body, ip, headers })).status).toBe(200);
    expect(await signInFrom(newNetwork(), email, body.newPassword)).toBe(429);
    expect(await signInFrom(ip, email, body.newPassword)).toBe(200);
  });

  it('learns nothing about which addresses have an account', async () => {
    const { email } = await signUp(service);
    const nobody = newEmail();
    const statuses = async (address: string) => {
      const found = [];
      const ip = newNetwork();
      for (let count = 0; count < 7; count += 1) found.push(await signInFrom(ip, address, 'wrong'));
      return found;
    };
    expect(await statuses(email)).toEqual(await statuses(nobody));
  });

  it('and knows the password, but not the codes, keeps neither sessions nor known devices from giving one', async () => {
    const { email, userId, cookie } = await signUp(service);
    const home = newNetwork();
    expect(await signInFrom(home, email)).toBe(200);
    const { uri, codes } = await newAuthenticatorApp(service, userId);
    const challengeFrom = async (ip: string) => {
      await service.sql(`delete from sign_in_attempts where key like 'account:%'`);
      return cookiesOf(await signIn(service, email, PASSWORD, ip));
    };
    const give = async (ip: string, session: string, code: string, path = '/two-factor/verify-totp') => {
      const headers = { cookie: session, origin: OWN_ORIGIN };
      return (await service.call('POST', `/api/auth${path}`, { body: { code }, ip, headers })).status;
    };
    for (let count = 0; count < 5; count += 1) {
      const ip = newNetwork();
      expect(await give(ip, await challengeFrom(ip), '000000')).toBe(400);
    }
    const elsewhere = newNetwork();
    expect(await give(elsewhere, await challengeFrom(elsewhere), codeOf(uri))).toBe(429);
    expect(await give(newNetwork(), cookie, codeOf(uri))).toBe(200);
    const recovery = '/two-factor/verify-backup-code';
    expect(await give(home, await challengeFrom(home), codes[0] ?? '', recovery)).toBe(200);
    // A code of the next half minute: the first one may be of this one, and each works once.
    expect(await give(home, await challengeFrom(home), codeOf(uri, 1))).toBe(200);
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
  const account = attemptsFrom('elsewhere', 'account', email);
  for (let count = 0; count < 5; count += 1) await countAttempt(service.ctx.db, account, service.time);
  service.logLines.length = 0;
  expect((await auth('POST', '/two-factor/verify-totp', { code: '123456' })).status).toBe(401);
  expect((await signIn(service, email, PASSWORD, newNetwork())).status).toBe(429);
  const logged = service.logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.includes('was refused'));
  expect(logged.map(({ route, status, account }) => ({ route, status, account }))).toEqual([
    { route: '/api/auth/two-factor/verify-totp', status: 401, account: undefined },
    { route: '/api/auth/sign-in/email', status: 429, account },
  ]);
});
