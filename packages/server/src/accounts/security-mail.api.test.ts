import {
  callback,
  cookiesOf,
  idTokenOf,
  OWN_ORIGIN,
  PASSWORD,
  poll,
  resetPassword,
  signUp,
  startedLogin,
} from '@svc/testkit/service/accounts.ts';
import { newAddress } from '@svc/testkit/service/addresses.ts';
import { applicationToken } from '@svc/testkit/service/applications.ts';
import { Authenticator, codeOf } from '@svc/testkit/service/authenticator.ts';
import { runOperator } from '@svc/testkit/service/processes/operator.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

// Nothing listens there, so that everything that is queued stays in the queue.
const service = useService({ SVC_SMTP_URL: 'smtp://127.0.0.1:9', SVC_MAIL_FROM: 'Partners <partners@mail.test>' });

const auth = (method: string, path: string, cookie: string, body?: unknown) =>
  service.call(method, `/api/auth${path}`, { body, ip: newAddress(), headers: { cookie, origin: OWN_ORIGIN } });

/** What the owner of the account was told, in order. */
async function toldTo(userId: string): Promise<string[]> {
  const rows = await service.sql<{ change: string }>(
    `select split_part(cause, ' ', 1) as change from mails where kind = 'security_changed' and user_id = $1 order by id`,
    [userId],
  );
  return rows.map(({ change }) => change);
}

/** A person whose address is proven. */
async function person() {
  const made = await signUp(service);
  await service.sql('update users set email_verified = true where id = $1', [made.userId]);
  return made;
}

/** The cookies after an answer that may replace some of them. */
const after = (cookie: string, answer: Awaited<ReturnType<typeof auth>>) => cookiesOf(answer) || cookie;

describe('the owner of an account is told', () => {
  it('that the password was changed, or reset', async () => {
    const { cookie, userId, email } = await person();
    const change = { currentPassword: PASSWORD, newPassword: 'another long password' };
    expect((await auth('POST', '/change-password', cookie, change)).status).toBe(200);
    const reply = (await runOperator(service, 'reset-password', '--email', email)) as never as {
      data: { reset_url: string };
    };
    const token = new URL(reply.data.reset_url).hash.slice(1);
    expect((await resetPassword(service, token, 'a third long password')).status).toBe(200);
    expect(await toldTo(userId)).toEqual(['password_changed', 'password_reset']);
  });

  it('what happens to the authenticator app and its recovery codes', async () => {
    const { cookie, userId } = await person();
    const { body } = await auth('POST', '/two-factor/enable', cookie, { password: PASSWORD });
    const first = await auth('POST', '/two-factor/verify-totp', cookie, { code: codeOf(body.totpURI) });
    const on = after(cookie, first);
    expect((await auth('POST', '/two-factor/generate-backup-codes', on, { password: PASSWORD })).status).toBe(200);
    expect((await auth('POST', '/two-factor/verify-totp', on, { code: codeOf(body.totpURI, 1) })).status).toBe(200);
    expect((await auth('POST', '/two-factor/disable', on, { password: PASSWORD })).status).toBe(200);
    expect(await toldTo(userId)).toEqual([
      'authenticator_app_added',
      'recovery_codes_renewed',
      'authenticator_app_removed',
    ]);
  });

  it('that a passkey was added and removed, and that the operator removed all factors', async () => {
    const { cookie, userId, email } = await person();
    const device = new Authenticator(OWN_ORIGIN);
    const add = async (name: string, by: Authenticator, session: string) => {
      const options = await auth('GET', '/passkey/generate-register-options', session);
      const answer = await auth('POST', '/passkey/verify-registration', `${session}; ${cookiesOf(options)}`, {
        response: by.register(options.body),
        name,
      });
      expect(answer.status).toBe(200);
      return answer.body.id;
    };
    await add('Laptop', device, cookie);
    const asked = await auth('GET', '/passkey/generate-authenticate-options', '');
    const response = device.signIn(asked.body);
    const proven = cookiesOf(await auth('POST', '/passkey/verify-authentication', cookiesOf(asked), { response }));
    const second = await add('Phone', new Authenticator(OWN_ORIGIN), proven);
    expect((await auth('POST', '/passkey/delete-passkey', proven, { id: second })).status).toBe(200);
    expect((await runOperator(service, 'remove-second-factors', '--email', email)).ok).toBe(true);
    expect(await toldTo(userId)).toEqual([
      'passkey_added',
      'passkey_added',
      'passkey_removed',
      'second_factors_removed',
    ]);
  });

  it('that a terminal was signed in, once it has its token', async () => {
    const { userId } = await person();
    const state = await startedLogin(service);
    expect((await callback(service, { state, id_token: await idTokenOf(service, userId) })).status).toBe(200);
    expect(await toldTo(userId)).toEqual([]);
    expect((await poll(service, state)).body.data.token).toMatch(/^svc_at_/);
    expect(await toldTo(userId)).toEqual(['token_created']);
  });

  it('that a token was created', async () => {
    const { cookie, userId } = await person();
    const headers = { cookie, origin: OWN_ORIGIN };
    const body = { name: 'Zapier', scopes: ['read'] };
    expect((await service.call('POST', '/api/v1/manage/tokens', { body, headers })).status).toBe(201);
    expect(await toldTo(userId)).toEqual(['scoped_token_created']);
  });

  it('that an application was connected', async () => {
    const { userId } = await person();
    expect(await applicationToken(service, { userId })).toMatch(/^svc_app_/);
    expect(await toldTo(userId)).toEqual(['application_connected']);
  });

  it('nothing when nothing changed: a wrong password, a renamed passkey, a change that is rolled back', async () => {
    const { cookie, userId } = await person();
    const change = { currentPassword: 'wrong', newPassword: 'another long password' };
    expect((await auth('POST', '/change-password', cookie, change)).status).toBe(400);
    await service.sql('alter table audit_events add constraint refused check (id < 0) not valid');
    const refused = await auth('POST', '/change-password', cookie, { ...change, currentPassword: PASSWORD });
    await service.sql('alter table audit_events drop constraint refused');
    expect(refused.status).toBe(500);
    expect(await toldTo(userId)).toEqual([]);
  });
});

it('nobody can switch these mails off', async () => {
  const { cookie } = await person();
  const headers = { cookie, origin: OWN_ORIGIN };
  const body = { kind: 'security_changed', on: false };
  expect((await service.call('PATCH', '/api/v1/manage/me/mail', { body, headers })).status).toBe(400);
});

it('an address that nobody has proven is told five times a day at most, whatever a stranger does with the account', async () => {
  const { cookie, userId } = await signUp(service);
  const { body } = await auth('POST', '/two-factor/enable', cookie, { password: PASSWORD });
  const on = after(cookie, await auth('POST', '/two-factor/verify-totp', cookie, { code: codeOf(body.totpURI) }));
  for (let count = 0; count < 7; count += 1) {
    expect((await auth('POST', '/two-factor/generate-backup-codes', on, { password: PASSWORD })).status).toBe(200);
  }
  expect(await toldTo(userId)).toHaveLength(5);
});
