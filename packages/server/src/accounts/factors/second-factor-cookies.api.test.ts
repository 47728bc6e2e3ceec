import { cookiesOf, signIn, signUp } from '@svc/testkit/service/accounts.ts';
import { newNetwork } from '@svc/testkit/service/addresses.ts';
import { codeOf, newAuthenticatorApp, newChallenge } from '@svc/testkit/service/authenticator.ts';
import { READ, type Spelling, UNREAD } from '@svc/testkit/service/cookie-spellings.ts';
import { type Answer, type TestService, useService } from '@svc/testkit/service/service.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const EXPIRED = 'This sign-in has expired. Enter your email address and password again.';
const WRONG = 'This code is wrong or was already used. Enter the one that your app shows now.';
const WAIT = 'Too many wrong codes for this account. Try again in 15 seconds.';
const NAMES = ['svc.two_factor', '__Secure-svc.two_factor'];

const SPELLINGS = Object.entries({ ...READ, ...UNREAD });

/** One function reads the cookie, so one test tries it with all spellings, and the others with every fifth. The long form tries all. */
const SOME = SPELLINGS.filter((_, index) => process.env.SVC_TEST_LONG || index % 5 === 0);

/** The same expectation for every spelling that is read, and another for every one that is not. */
const forEach = <Expected>(spellings: typeof SPELLINGS, read: Expected, unread: Expected) =>
  Object.fromEntries(spellings.map(([name]) => [name, name in READ ? read : unread]));

const messageOf = ({ status, body }: Answer) => (status === 200 ? 'a session' : (body.error?.message ?? body.message));

/** An account with an authenticator app. */
async function withApp(service: TestService) {
  const person = await signUp(service);
  return { ...person, ...(await newAuthenticatorApp(service, person.userId)) };
}

/** Replaces the account's authenticator app, so that none of its codes was used. */
async function replaceApp(service: TestService, userId: string) {
  await service.sql('delete from second_factors where user_id = $1', [userId]);
  return newAuthenticatorApp(service, userId);
}

const sessionsOf = async (service: TestService, userId: string) =>
  (await service.sql('select 1 from sessions where user_id = $1', [userId])).length;

it('there are more than fifty spellings that are read', () => {
  expect(Object.keys(READ).length).toBeGreaterThan(50);
});

/** Over plain http, only the names of the cookies are others. */
const ORIGINS = process.env.SVC_TEST_LONG ? ['https://track.test', 'http://track.test'] : ['https://track.test'];

describe.each(ORIGINS)('the cookie of a sign-in at %s', (origin) => {
  const service = useService({ SVC_BASE_URL: origin });

  const send = (path: string, cookie: string, body: object) =>
    service.call('POST', `/api/auth${path}`, { body, ip: newNetwork(), headers: { cookie, origin } });
  const tryCode = (cookie: string, code: string) => send('/two-factor/verify-totp', cookie, { code });
  const tryRecoveryCode = (cookie: string, code: string) => send('/two-factor/verify-backup-code', cookie, { code });

  function spelled({ name: own, value }: { name: string; value: string }, spelling: Spelling): string {
    const other = own.startsWith('__Secure-') ? own.replace('__Secure-', '') : `__Secure-${own}`;
    return spelling({ own, value, other });
  }

  /** What is answered to some spellings of the cookie, one after the other. */
  async function answers(cookie: { name: string; value: string }, call: (cookie: string) => Promise<Answer>) {
    const found: Record<string, string> = {};
    for (const [name, spelling] of SOME) found[name] = messageOf(await call(spelled(cookie, spelling)));
    return found;
  }

  it('is made for the tests as the library makes it', async () => {
    const { email, userId, uri } = await withApp(service);
    const pending = cookiesOf(await signIn(service, email))
      .split('; ')
      .find((one) => one.includes('two_factor'));
    const made = await newChallenge(service, userId);
    const shape = /^(?:__Secure-)?svc\.two_factor=2fa-[\w-]{20}\.[\w%]+%3D$/;
    expect(pending).toMatch(shape);
    expect(`${made.name}=${made.value}`).toMatch(shape);
    expect(pending?.split('=')[0]).toBe(made.name);
    expect((await tryCode(pending ?? '', codeOf(uri, 1))).status).toBe(200);
  });

  it('a right code opens one session in every spelling that is read, and works once', async () => {
    const { userId } = await withApp(service);
    const found: Record<string, string[]> = {};
    for (const [name, spelling] of SPELLINGS) {
      const { uri } = await replaceApp(service, userId);
      const before = await sessionsOf(service, userId);
      const code = codeOf(uri, 1);
      const first = await tryCode(spelled(await newChallenge(service, userId), spelling), code);
      const again = await tryCode(spelled(await newChallenge(service, userId), spelling), code);
      const opened = (await sessionsOf(service, userId)) - before;
      found[name] = [messageOf(first), messageOf(again), `${opened} opened`];
    }
    expect(found).toEqual(forEach(SPELLINGS, ['a session', WRONG, '1 opened'], [EXPIRED, EXPIRED, '0 opened']));
  });

  it('a code that was used is refused in every spelling', async () => {
    const { userId, uri } = await withApp(service);
    const code = codeOf(uri, 1);
    const first = await newChallenge(service, userId);
    expect((await tryCode(`${first.name}=${first.value}`, code)).status).toBe(200);
    const before = await sessionsOf(service, userId);
    const found = await answers(await newChallenge(service, userId), async (cookie) => {
      // Otherwise the sixth attempt would be refused for its number.
      await service.sql(`delete from sign_in_attempts where key like 'code:%'`);
      return tryCode(cookie, code);
    });
    expect(found).toEqual(forEach(SOME, WRONG, EXPIRED));
    expect(await sessionsOf(service, userId)).toBe(before);
  });

  it.each([
    ['/two-factor/verify-totp', '000000'],
    ['/two-factor/verify-backup-code', 'aaaaa-bbbbb'],
  ])('%s: after five wrong codes, the sixth has to wait in every spelling', async (path, code) => {
    const { userId } = await withApp(service);
    const used = await newChallenge(service, userId);
    for (let count = 0; count < 5; count += 1) {
      expect((await send(path, `${used.name}=${used.value}`, { code })).status).toBe(400);
    }
    const fresh = await newChallenge(service, userId);
    expect(await answers(fresh, (cookie) => send(path, cookie, { code }))).toEqual(forEach(SOME, WAIT, EXPIRED));
  });

  it('spellings made at random are read alike: no further attempt, no code twice, no session', async () => {
    const { userId, uri, codes } = await withApp(service);
    const code = codeOf(uri, 1);
    const first = await newChallenge(service, userId);
    expect((await tryCode(`${first.name}=${first.value}`, code)).status).toBe(200);
    for (let count = 0; count < 5; count += 1) {
      const { name, value } = await newChallenge(service, userId);
      expect((await tryCode(`${name}=${value}`, '000000')).status).toBe(400);
      expect((await tryRecoveryCode(`${name}=${value}`, 'aaaaa-bbbbb')).status).toBe(400);
    }
    const cookie = await newChallenge(service, userId);
    const before = await sessionsOf(service, userId);
    const junk = fc
      .tuple(
        fc.constantFrom('a', '', 'svc.session', `x${cookie.name}`, ...NAMES.filter((name) => name !== cookie.name)),
        fc.constantFrom('', '=', '=junk', `="${cookie.value}`, `=${cookie.value}`, '=%zz', '=é'),
      )
      .map((pair) => pair.join(''));
    const space = fc.constantFrom('', ' ', '\t', '  ', '\u00a0');
    const letters = [...decodeURIComponent(cookie.value)];
    const value = fc
      .array(fc.constantFrom('plain', 'small', 'capital'), { minLength: letters.length, maxLength: letters.length })
      .map((ways) => letters.map((letter, n) => written(letter, ways[n])).join(''));
    const header = fc
      .record({
        before: fc.array(junk),
        after: fc.array(junk),
        value,
        quoted: fc.boolean(),
        spaces: fc.tuple(space, space),
      })
      .map(({ before, after, value, quoted, spaces: [one, two] }) => {
        const own = `${one}${cookie.name}${two}=${one}${quoted ? `"${value}"` : value}${two}`;
        return [...before, own, ...after].join('; ');
      });
    await fc.assert(
      fc.asyncProperty(header, fc.constantFrom(code, codeOf(uri), '123456'), async (spelling, tried) => {
        expect(messageOf(await tryCode(spelling, tried))).toBe(WAIT);
        expect(messageOf(await tryRecoveryCode(spelling, codes[0] ?? ''))).toBe(WAIT);
      }),
      { seed: 2026, numRuns: 60 },
    );
    expect(await sessionsOf(service, userId)).toBe(before);
  });

  it('in all spellings at once: five attempts, and one session for a right code', async () => {
    const { userId, uri } = await withApp(service);
    const before = await sessionsOf(service, userId);
    const atOnce = async (code: string) => {
      const challenges = await Promise.all(Object.values(READ).map(() => newChallenge(service, userId)));
      const calls = Object.values(READ).map((spelling, n) => {
        const { name, value } = challenges[n] as { name: string; value: string };
        return tryCode(spelled({ name, value }, spelling), code);
      });
      return (await Promise.all(calls)).map(({ status }) => status);
    };
    const right = await atOnce(codeOf(uri, 1));
    expect(right.filter((status) => status === 200)).toHaveLength(1);
    expect(await sessionsOf(service, userId)).toBe(before + 1);
    await service.sql(`delete from sign_in_attempts where key like 'code:%'`);
    const wrong = await atOnce('000000');
    expect(wrong.filter((status) => status === 400)).toHaveLength(5);
    expect(wrong.filter((status) => status === 429)).toHaveLength(Object.keys(READ).length - 5);
  });

  it('beside a session, it is not read: the code is one of the session’s account', async () => {
    const [ann, bob] = [await withApp(service), await withApp(service)];
    const { name, value } = await newChallenge(service, bob.userId);
    const both = `${name}=${value}; ${ann.cookie}`;
    const before = await sessionsOf(service, bob.userId);
    for (let count = 0; count < 4; count += 1) expect(messageOf(await tryCode(both, '000000'))).toBe(WRONG);
    expect(messageOf(await tryCode(both, codeOf(bob.uri, 1)))).toBe(WRONG);
    expect((await tryCode(ann.cookie, '000000')).status).toBe(429);
    expect(await sessionsOf(service, bob.userId)).toBe(before);
    expect((await tryCode(`${name}=${value}`, codeOf(bob.uri, 1))).status).toBe(200);
  });

  it('attempts at the password of a session are counted in every spelling of its cookie', async () => {
    const { cookie } = await signUp(service);
    for (let count = 0; count < 5; count += 1) {
      expect((await send('/verify-password', cookie, { password: 'wrong' })).status).toBe(400);
    }
    const [name = '', value = ''] = cookie.split('=');
    for (const path of [
      '/verify-password',
      '/two-factor/enable',
      '/two-factor/disable',
      '/two-factor/generate-backup-codes',
    ]) {
      const found: Record<string, number> = {};
      for (const [label, spelling] of SOME) {
        found[label] = (await send(path, spelled({ name, value }, spelling), { password: 'wrong' })).status;
      }
      expect(found).toEqual(forEach(SOME, 429, 401));
    }
  });
});

function written(letter: string, way: string | undefined): string {
  // Some characters cannot be left as they are.
  if (way === 'plain' && letter !== '%') return letter;
  const hex = letter.charCodeAt(0).toString(16).padStart(2, '0');
  return `%${way === 'small' ? hex : hex.toUpperCase()}`;
}
