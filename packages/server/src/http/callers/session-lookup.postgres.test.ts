import { newAccount, newCookie, OWN_ORIGIN, PASSWORD, signUp } from '@svc/testkit/service/accounts.ts';
import { newAddress } from '@svc/testkit/service/addresses.ts';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { expect, it } from 'vitest';

const service = useService();

/** As many as the service opens. */
const CONNECTIONS = 10;

/** Does the work while all connections to the store are in use, so that each statement waits until it is given up. */
function whileBusy<Result>(work: () => Promise<Result>, free = CONNECTIONS): Promise<Result> {
  return free === 0 ? work() : service.ctx.db.transaction(() => whileBusy(work, free - 1));
}

const sender = (cookie: string) => (method: string, path: string, body?: unknown) =>
  service.call(method, path, { body, ip: newAddress(), headers: { cookie, origin: OWN_ORIGIN } });

it('a session cookie is answered as an account token is while the store is busy, on every route that asks for it', async () => {
  const { userId, token } = await newAccount(service);
  const cookie = await newCookie(service, userId);
  const send = sender(cookie);
  const calls = {
    'an account token': () => service.call('GET', '/api/v1/manage/me', { key: token }),
    'a page': () => send('GET', '/api/v1/manage/me'),
    'a new password': () =>
      send('POST', '/api/auth/change-password', { currentPassword: PASSWORD, newPassword: 'a new one, long enough' }),
    'the password again': () => send('POST', '/api/auth/verify-password', { password: PASSWORD }),
    'a code': () => send('POST', '/api/auth/two-factor/verify-totp', { code: '123456' }),
    'the session': () => send('GET', '/api/auth/get-session'),
    'an id token': () => send('GET', '/api/auth/token'),
    'a passkey': () => send('GET', '/api/auth/passkey/generate-register-options'),
    'the end of the session': () => send('POST', '/api/auth/sign-out', {}),
  };
  service.logLines.length = 0;
  const answers = await whileBusy(() =>
    Promise.all(
      Object.entries(calls).map(async ([name, call]) => {
        const { status, body, headers } = await call();
        return [name, { status, body, retryAfter: headers['retry-after'], cookies: headers['set-cookie'] }];
      }),
    ),
  );
  const message = 'The service is busy. Try again in a moment.';
  const busy = {
    status: 503,
    body: platformError(503, 'ServiceUnavailableError', message),
    retryAfter: '1',
    cookies: undefined,
  };
  expect(Object.fromEntries(answers)).toEqual(Object.fromEntries(Object.keys(calls).map((name) => [name, busy])));
  expect(service.logLines.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
  expect((await send('GET', '/api/v1/manage/me')).status).toBe(200);
});

const WAITING = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

it.each([
  ['/verify-password', { password: PASSWORD }],
  ['/change-password', { currentPassword: PASSWORD, newPassword: 'a new one, long enough' }],
])('%s does not sign anybody out when only the second lookup of their session fails', async (path, body) => {
  const { cookie } = await signUp(service);
  service.logLines.length = 0;
  const { asked } = await service.ctx.db.transaction(async (tx) => {
    // After the service has looked up the session, it waits here before it asks the library, which looks it up again.
    await tx.query('lock table sign_in_attempts in exclusive mode');
    const asked = sender(cookie)('POST', `/api/auth${path}`, body);
    await eventually(
      () => service.sql(WAITING),
      (rows) => rows.length > 0,
    );
    await tx.query('alter table sessions rename to sessions_away');
    return { asked };
  });
  const { status } = await asked.finally(() => service.sql('alter table sessions_away rename to sessions'));
  expect(status).toBe(500);
  expect(service.logLines.join('')).toContain('relation \\"sessions\\" does not exist');
});
