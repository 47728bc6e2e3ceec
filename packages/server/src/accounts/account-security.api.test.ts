import { readFile } from 'node:fs/promises';
import { routes as contractRoutes, type RouteDefinition } from '@svc/contract';
import {
  cookiesOf,
  everythingStored,
  memberOf,
  newCookie,
  newToken,
  OWN_ORIGIN,
  PASSWORD,
  requestSignUp,
  signIn,
  signUp,
} from '@svc/testkit/service/accounts.ts';
import { newAddress } from '@svc/testkit/service/addresses.ts';
import { Authenticator, codeOf, newAuthenticatorApp } from '@svc/testkit/service/authenticator.ts';
import { runOperator } from '@svc/testkit/service/processes/operator.ts';
import { validRequest } from '@svc/testkit/service/routes/valid-request.ts';
import { type Answer, useService } from '@svc/testkit/service/service.ts';
import { badRequest } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';
import { deleteSignIns } from './sign-in-store.ts';

const service = useService();
const routes: readonly RouteDefinition[] = contractRoutes;

const auth = (method: string, path: string, cookie: string, body?: unknown) =>
  service.call(method, `/api/auth${path}`, { body, ip: newAddress(), headers: { cookie, origin: OWN_ORIGIN } });
const manage = (method: string, path: string, cookie: string, body?: unknown) =>
  service.call(method, `/api/v1/manage${path}`, { body, headers: { cookie, origin: OWN_ORIGIN } });
const statusOf = async (answer: Promise<Answer>) => (await answer).status;
/** The cookies after an answer that replaces some of them. */
function cookiesAfter(cookie: string, answer: Answer): string {
  const pairs = `${cookie}; ${cookiesOf(answer)}`.split('; ').map((pair) => pair.split(/=(.*)/s).slice(0, 2));
  return Object.entries(Object.fromEntries(pairs) as Record<string, string>)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
}

const WRONG = badRequest('This code is wrong or was already used. Enter the one that your app shows now.');

/** An account with an authenticator app. */
async function withApp() {
  const person = await signUp(service);
  return { ...person, ...(await newAuthenticatorApp(service, person.userId)) };
}

/** Gives a recovery code in a session, which is then as good as one that was opened with a factor. */
async function giveFactor(cookie: string, code = ''): Promise<void> {
  expect(await statusOf(auth('POST', '/two-factor/verify-backup-code', cookie, { code }))).toBe(200);
}

/** The cookies of a sign-in that waits for the second factor. */
async function challenged(email: string): Promise<string> {
  const answer = await signIn(service, email);
  expect(answer.status).toBe(200);
  expect(answer.body.twoFactorRedirect).toBe(true);
  return cookiesOf(answer);
}

async function addPasskey(cookie: string, device: Authenticator, name = 'My laptop') {
  const options = await auth('GET', '/passkey/generate-register-options', cookie);
  expect(options.status).toBe(200);
  const response = device.register(options.body);
  return auth('POST', '/passkey/verify-registration', cookiesAfter(cookie, options), { response, name });
}

async function usePasskey(cookie: string, device: Authenticator) {
  const options = await auth('GET', '/passkey/generate-authenticate-options', cookie);
  const response = device.signIn(options.body);
  return auth('POST', '/passkey/verify-authentication', cookiesAfter(cookie, options), { response });
}

/** Refuses rows of the audit log while the work runs, as a full disk would. */
async function withoutAuditLog(work: () => Promise<void>): Promise<void> {
  await service.sql('alter table audit_events add constraint refused check (id < 0) not valid');
  await work().finally(() => service.sql('alter table audit_events drop constraint refused'));
}

describe('a change that cannot be written to the audit log does not happen', () => {
  it('to a password', async () => {
    const { cookie, email, userId } = await signUp(service);
    const tokens = () =>
      service.sql('select 1 from account_tokens where user_id = $1 and revoked_at is null', [userId]);
    await newToken(service, userId);
    await withoutAuditLog(async () => {
      const body = { currentPassword: PASSWORD, newPassword: 'another long password' };
      expect(await statusOf(auth('POST', '/change-password', cookie, body))).toBe(500);
    });
    expect(await statusOf(signIn(service, email))).toBe(200);
    expect(await tokens()).toHaveLength(1);
  });

  it('to second factors', async () => {
    const person = await signUp(service);
    const { body } = await auth('POST', '/two-factor/enable', person.cookie, { password: PASSWORD });
    await withoutAuditLog(async () => {
      const code = codeOf(body.totpURI);
      expect(await statusOf(auth('POST', '/two-factor/verify-totp', person.cookie, { code }))).toBe(500);
      expect((await addPasskey(person.cookie, new Authenticator(OWN_ORIGIN))).status).toBe(500);
    });
    const { data } = (await manage('GET', '/second-factors', person.cookie)).body;
    expect(data).toMatchObject({ authenticator_app: false, passkeys: [] });
  });

  it('to who has an account', async () => {
    await withoutAuditLog(async () => {
      expect(await statusOf(requestSignUp(service, 'nobody@audit.test'))).toBe(500);
    });
    expect(await service.sql(`select 1 from users where email = 'nobody@audit.test'`)).toEqual([]);
  });
});

describe('an authenticator app', () => {
  it('counts once it is confirmed with a code, which is used up then, and is stored encrypted', async () => {
    const { cookie, email, userId } = await signUp(service);
    expect((await auth('POST', '/two-factor/enable', cookie, { password: 'wrong password' })).status).toBe(400);
    const { body } = await auth('POST', '/two-factor/enable', cookie, { password: PASSWORD });
    expect(body.totpURI).toMatch(/^otpauth:\/\/totp\/svc:/);
    expect(new Set(body.backupCodes).size).toBe(10);
    for (const each of body.backupCodes) expect(each).toMatch(/^[a-zA-Z0-9]{5}-[a-zA-Z0-9]{5}$/);
    expect(await service.sql('select 1 from users where id = $1 and two_factor_enabled', [userId])).toEqual([]);
    expect((await auth('POST', '/two-factor/verify-totp', cookie, { code: '000000' })).body).toEqual(WRONG);
    const code = codeOf(body.totpURI);
    const verified = await auth('POST', '/two-factor/verify-totp', cookie, { code });
    const current = cookiesAfter(cookie, verified);
    expect((await manage('GET', '/second-factors', current)).body.data).toEqual({
      authenticator_app: true,
      recovery_codes_left: 10,
      passkeys: [],
    });
    const pending = await challenged(email);
    expect((await auth('POST', '/two-factor/verify-totp', pending, { code })).body).toEqual(WRONG);
    const stored = await everythingStored(service);
    const secret = new URL(body.totpURI).searchParams.get('secret');
    // Five bits for each character of base32: 128 of them are 26 characters.
    expect(secret).toMatch(/^[A-Z2-7]{26,}$/);
    for (const text of [secret, ...body.backupCodes]) expect(stored + service.logLines.join('')).not.toContain(text);
    const events = await service.sql('select action from audit_events where user_id = $1 order by id', [userId]);
    expect(events).toEqual([{ action: 'account.created' }, { action: 'account.authenticator_app_added' }]);
  });

  it('makes a password alone worth nothing: no session, no id token, no CLI login', async () => {
    const { email } = await withApp();
    const pending = await challenged(email);
    expect(pending).not.toMatch(/session_token=[^;]/);
    expect((await auth('GET', '/get-session', pending)).body).toBeNull();
    expect(await statusOf(auth('GET', '/token', pending))).toBe(401);
    expect(await statusOf(manage('GET', '/me', pending))).toBe(401);
    expect(
      await service.sql('select 1 from sessions s join users u on u.id = s.user_id where u.email = $1', [email]),
    ).toHaveLength(1);
  });

  it('opens a session with a code, once per code', async () => {
    const { email, uri, cookie } = await withApp();
    const code = codeOf(uri, 1);
    const spaced = `${code.slice(0, 3)} ${code.slice(3)}`;
    const answer = await auth('POST', '/two-factor/verify-totp', await challenged(email), { code: spaced });
    expect(answer.status).toBe(200);
    expect(await statusOf(manage('GET', '/me', cookiesOf(answer)))).toBe(200);
    expect((await auth('POST', '/two-factor/verify-totp', cookie, { code })).body).toEqual(WRONG);
  });

  it('cannot be guessed: five codes per sign-in, then longer and longer waits for the account, and in sessions on their own', async () => {
    const { email, cookie } = await withApp();
    const guess = (cookies: string, n: number) =>
      auth('POST', '/two-factor/verify-totp', cookies, { code: String(n).padStart(6, '0') });
    const pending = await challenged(email);
    for (let n = 0; n < 5; n += 1) expect((await guess(pending, n)).status).toBe(400);
    const refused = await guess(pending, 5);
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe('15');
    expect(refused.body.error.message).toBe('Too many wrong codes for this account. Try again in 15 seconds.');
    for (let n = 10; n < 15; n += 1) expect((await guess(cookie, n)).status).toBe(400);
    expect((await guess(cookie, 15)).status).toBe(429);
    service.advance({ seconds: 15 });
    expect((await guess(pending, 8)).body.error.message).toContain('This sign-in has expired');
    service.advance({ seconds: 30 });
    expect((await guess(cookie, 9)).body).toEqual(WRONG);
    const waits = [];
    for (let n = 10; n < 18; n += 1) {
      const seconds = Number((await guess(cookie, n)).headers['retry-after']);
      waits.push(seconds);
      service.advance({ seconds });
      await guess(cookie, n + 100);
    }
    expect(waits.at(-1)).toBe(3600);
  });

  it('is replaced by a recovery code, once per code', async () => {
    const { email, codes, cookie: other } = await withApp();
    const pending = await challenged(email);
    const answer = await auth('POST', '/two-factor/verify-backup-code', pending, { code: ` ${codes[0]} ` });
    expect(answer.status).toBe(200);
    const cookie = cookiesOf(answer);
    expect((await manage('GET', '/second-factors', cookie)).body.data.recovery_codes_left).toBe(9);
    expect((await auth('POST', '/two-factor/verify-backup-code', other, { code: codes[0] })).body).toEqual(
      badRequest('This recovery code is wrong or was already used.'),
    );
    const fresh = await auth('POST', '/two-factor/generate-backup-codes', cookie, { password: PASSWORD });
    expect(fresh.body.backupCodes).toHaveLength(10);
    expect((await auth('POST', '/two-factor/verify-backup-code', other, { code: codes[1] })).status).toBe(400);
  });

  it('is turned off with the password and, if it is the last factor, a code', async () => {
    const { cookie, email, uri } = await withApp();
    expect(await statusOf(auth('POST', '/two-factor/disable', cookie, { password: 'wrong password' }))).toBe(400);
    const refused = await auth('POST', '/two-factor/disable', cookie, { password: PASSWORD });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'factor_confirmation_required']);
    await challenged(email);
    expect(await statusOf(auth('POST', '/verify-password', cookie, { password: PASSWORD }))).toBe(200);
    expect(await statusOf(auth('POST', '/two-factor/disable', cookie, { password: PASSWORD }))).toBe(403);
    expect(await statusOf(auth('POST', '/two-factor/verify-totp', cookie, { code: codeOf(uri, 1) }))).toBe(200);
    expect(await statusOf(auth('POST', '/two-factor/enable', cookie, { password: PASSWORD }))).toBe(409);
    const answer = await auth('POST', '/two-factor/disable', cookie, { password: PASSWORD });
    expect(answer.status).toBe(200);
    expect((await signIn(service, email)).body.twoFactorRedirect).toBeUndefined();
    const again = { code: '123456' };
    expect(await statusOf(auth('POST', '/two-factor/verify-totp', cookiesAfter(cookie, answer), again))).toBe(409);
  });
});

describe('a passkey', () => {
  it('signs in by itself, and its last use is shown', async () => {
    const { cookie, userId } = await signUp(service);
    const device = new Authenticator(OWN_ORIGIN);
    expect((await addPasskey(cookie, device)).status).toBe(200);
    const answer = await usePasskey('', device);
    expect(answer.status).toBe(200);
    const { data } = (await manage('GET', '/second-factors', cookiesOf(answer))).body;
    expect(data).toEqual({
      authenticator_app: false,
      recovery_codes_left: null,
      passkeys: [
        {
          id: expect.any(String),
          name: 'My laptop',
          created_at: expect.any(String),
          last_used_at: service.time.toISOString(),
        },
      ],
    });
    expect(answer.body.user.id).toBe(userId);
  });

  it('is a second factor: the password alone is not enough until the last one is removed', async () => {
    const { cookie, email, userId } = await signUp(service);
    const device = new Authenticator(OWN_ORIGIN);
    const { body } = await addPasskey(cookie, device);
    const pending = await challenged(email);
    expect(await statusOf(auth('POST', '/two-factor/verify-totp', pending, { code: '123456' }))).toBe(409);
    expect(await statusOf(usePasskey(pending, device))).toBe(200);
    expect(await statusOf(auth('POST', '/passkey/update-passkey', cookie, { id: body.id, name: 'Old laptop' }))).toBe(
      200,
    );
    expect((await manage('GET', '/second-factors', cookie)).body.data.passkeys[0].name).toBe('Old laptop');
    const removal = () => auth('POST', '/passkey/delete-passkey', cookie, { id: body.id });
    const refused = await removal();
    expect([refused.status, refused.body.error.code]).toEqual([403, 'factor_confirmation_required']);
    await challenged(email);
    const proven = cookiesOf(await usePasskey('', device));
    expect(await statusOf(auth('POST', '/passkey/delete-passkey', proven, { id: body.id }))).toBe(200);
    expect((await signIn(service, email)).body.twoFactorRedirect).toBeUndefined();
    expect((await usePasskey('', device)).body.error.message).toContain('No account uses this passkey');
    const events = await service.sql<{ action: string }>(
      `select action from audit_events where user_id = $1 and action like '%passkey%' order by id`,
      [userId],
    );
    expect(events.map(({ action }) => action.replace('account.passkey_', ''))).toEqual(['added', 'renamed', 'removed']);
  });

  it('keeps the password from being enough when the authenticator app is turned off', async () => {
    const { cookie, email, codes } = await withApp();
    const device = new Authenticator(OWN_ORIGIN);
    await giveFactor(cookie, codes[0]);
    expect((await addPasskey(cookie, device)).status).toBe(200);
    expect(await statusOf(auth('POST', '/two-factor/disable', cookie, { password: PASSWORD }))).toBe(200);
    await challenged(email);
  });

  it('and an app that are removed at once by someone who gives no factor leave one of the two', async () => {
    const { cookie, email, userId, codes } = await withApp();
    await giveFactor(cookie, codes[0]);
    const { body } = await addPasskey(cookie, new Authenticator(OWN_ORIGIN));
    service.advance({ seconds: 601 });
    expect(await statusOf(auth('POST', '/verify-password', cookie, { password: PASSWORD }))).toBe(200);
    const other = await newCookie(service, userId);
    const statuses = await Promise.all([
      statusOf(auth('POST', '/two-factor/disable', cookie, { password: PASSWORD })),
      statusOf(auth('POST', '/passkey/delete-passkey', other, { id: body.id })),
    ]);
    expect(statuses.sort()).toEqual([200, 403]);
    await challenged(email);
  });

  it('that is the last factor is removed ten minutes after it was given at most, or after a recovery code', async () => {
    const { cookie, codes, userId } = await withApp();
    const disable = () => statusOf(auth('POST', '/two-factor/disable', cookie, { password: PASSWORD }));
    expect(await statusOf(auth('POST', '/two-factor/verify-backup-code', cookie, { code: codes[0] }))).toBe(200);
    service.advance({ seconds: 601 });
    expect(await disable()).toBe(403);
    expect(await statusOf(auth('POST', '/two-factor/verify-backup-code', cookie, { code: codes[1] }))).toBe(200);
    service.advance({ seconds: 599 });
    expect(await disable()).toBe(200);
    expect(await service.sql('select 1 from users where id = $1 and two_factor_enabled', [userId])).toEqual([]);
  });

  it('must come from a device that checks who holds it', async () => {
    const { cookie } = await signUp(service);
    const device = new Authenticator(OWN_ORIGIN);
    const message =
      'Your device did not check who you are. Use a passkey that asks for a fingerprint, your face or a PIN.';
    device.verifiesUser = false;
    expect((await addPasskey(cookie, device)).body).toEqual(badRequest(message));
    device.verifiesUser = true;
    expect((await addPasskey(cookie, device)).status).toBe(200);
    device.verifiesUser = false;
    expect((await usePasskey('', device)).body).toEqual(badRequest(message));
  });

  it('of another account cannot be renamed or removed, and what is no passkey is a 400', async () => {
    const [ann, bob] = [await signUp(service), await signUp(service)];
    const { body } = await addPasskey(ann.cookie, new Authenticator(OWN_ORIGIN));
    for (const [path, fields] of [
      ['/passkey/update-passkey', { id: body.id, name: 'Mine' }],
      ['/passkey/delete-passkey', { id: body.id }],
    ] as const) {
      expect(await statusOf(auth('POST', path, bob.cookie, fields))).toBe(404);
    }
    expect((await manage('GET', '/second-factors', ann.cookie)).body.data.passkeys).toHaveLength(1);
    const options = await auth('GET', '/passkey/generate-register-options', bob.cookie);
    const cookie = cookiesAfter(bob.cookie, options);
    const junk = {
      id: 'x',
      rawId: 'x',
      type: 'public-key',
      response: { clientDataJSON: 'e30', attestationObject: 'oA' },
    };
    for (const response of [undefined, null, 7, {}, junk, { ...junk, id: { a: 1 } }, { ...junk, response: 'x' }]) {
      expect(await statusOf(auth('POST', '/passkey/verify-registration', cookie, { response, name: 'x' }))).toBe(400);
      expect(await statusOf(auth('POST', '/passkey/verify-authentication', cookie, { response }))).toBe(400);
    }
  });

  it('of an account that a proven owner takes over is gone', async () => {
    const { cookie, userId } = await signUp(service);
    const device = new Authenticator(OWN_ORIGIN);
    await addPasskey(cookie, device);
    await deleteSignIns(service.ctx.db, userId);
    expect((await usePasskey('', device)).status).toBe(400);
  });
});

describe('a workspace that requires a second factor', () => {
  it('refuses members without one, in every way, until they set one up', async () => {
    const owner = await signUp(service);
    const { advertiser_id: workspaceId } = (await manage('GET', '/me', owner.cookie)).body.data;
    const require = (cookie: string) => manage('PATCH', '/workspace', cookie, { second_factor_required: true });
    expect((await require(owner.cookie)).body.error.message).toContain('Set up a second factor for your own account');
    await addPasskey(owner.cookie, new Authenticator(OWN_ORIGIN));
    expect((await require(owner.cookie)).body.data.second_factor_required).toBe(true);

    const { program } = await service.program({ workspaceId });
    const member = await signUp(service);
    await service.sql('update workspace_members set advertiser_id = $2, role = $3 where user_id = $1', [
      member.userId,
      workspaceId,
      'member',
    ]);
    const me = (await manage('GET', '/me', member.cookie)).body.data;
    expect(me).toMatchObject({ needs_second_factor: true, advertiser_id: workspaceId });
    expect((await manage('GET', '/programs', member.cookie)).body.data).toEqual([]);
    const refusal = {
      code: 'second_factor_required',
      message: 'This workspace requires a second factor. Set one up in the dashboard, under Account settings.',
    };
    for (const path of [`/programs/${program.id}`, '/members', '/workspace', `/programs/${program.id}/links`]) {
      const answer = await manage('GET', path, member.cookie);
      expect({ status: answer.status, error: answer.body.error }).toEqual({ status: 403, error: refusal });
    }
    const key = await newToken(service, member.userId);
    expect((await service.call('GET', '/api/v1/cli/programs', { key })).status).toBe(403);
    expect((await service.call('GET', `/api/v1/manage/programs/${program.id}`, { key })).status).toBe(403);

    await addPasskey(member.cookie, new Authenticator(OWN_ORIGIN));
    expect(await statusOf(manage('GET', `/programs/${program.id}`, member.cookie))).toBe(200);
    expect((await service.call('GET', '/api/v1/cli/programs', { key })).status).toBe(200);
    const members = (await manage('GET', '/members', owner.cookie)).body.data as { second_factor: boolean }[];
    expect(members.map(({ second_factor: has }) => has)).toEqual([true, true]);
    expect((await manage('PATCH', '/workspace', owner.cookie, { second_factor_required: 'yes' })).status).toBe(400);
  });

  it('leaves accounts of the outside issuer to the issuer', async () => {
    const { workspaceId } = await service.program();
    await service.sql('update advertisers set second_factor_required = true where id = $1', [workspaceId]);
    const { token } = await memberOf(service, workspaceId);
    expect((await service.call('GET', '/api/v1/manage/members', { key: token })).status).toBe(200);
  });
});

describe('asking again', () => {
  const ASKED = {
    code: 'confirmation_required',
    message: 'Confirm that it is you: give your password, a code or a passkey again, then repeat the request.',
  };
  const method = (email: string) => ({
    kind: 'paypal',
    email,
    holder_name: 'Robin',
    holder_kind: 'person',
    country: 'DE',
  });
  const changePayout = (cookie: string) => manage('PUT', '/me/payout-method', cookie, method('pay@me.test'));

  it('refuses a sensitive request of a session after ten minutes, and nothing changes', async () => {
    const { cookie, userId } = await signUp(service);
    service.advance({ seconds: 600 });
    expect(await statusOf(changePayout(cookie))).toBe(200);
    service.advance({ seconds: 1 });
    const answer = await manage('PUT', '/me/payout-method', cookie, method('other@me.test'));
    expect({ status: answer.status, error: answer.body.error }).toEqual({ status: 403, error: ASKED });
    const removed = await manage('DELETE', '/me/payout-method', cookie);
    expect({ status: removed.status, error: removed.body.error }).toEqual({ status: 403, error: ASKED });
    const stored = await service.sql('select masked, replaced_at from payout_methods where user_id = $1', [userId]);
    expect(stored).toEqual([{ masked: 'p***@me.test', replaced_at: null }]);
    expect(await statusOf(manage('PATCH', '/me', cookie, { name: 'Robin Hood' }))).toBe(200);
    const key = await newToken(service, userId);
    const byToken = await service.call('DELETE', '/api/v1/manage/me/payout-method', { key });
    expect(byToken.status).toBe(200);
  });

  it('is answered with the password, a code, a recovery code or a passkey', async () => {
    const { cookie, uri, codes, email } = await withApp();
    const device = new Authenticator(OWN_ORIGIN);
    await giveFactor(cookie, codes[1]);
    await addPasskey(cookie, device);
    for (const prove of [
      () => auth('POST', '/verify-password', cookie, { password: PASSWORD }),
      () => auth('POST', '/two-factor/verify-totp', cookie, { code: codeOf(uri, 1) }),
      () => auth('POST', '/two-factor/verify-backup-code', cookie, { code: codes[0] }),
    ]) {
      service.advance({ seconds: 601 });
      expect(await statusOf(changePayout(cookie))).toBe(403);
      expect((await prove()).status).toBe(200);
      expect(await statusOf(changePayout(cookie))).toBe(200);
    }
    service.advance({ seconds: 601 });
    const used = await usePasskey(cookie, device);
    expect(await statusOf(changePayout(cookiesAfter(cookie, used)))).toBe(200);
    // The passkey opened a session of its own, in place of the one it was asked for in.
    expect(await statusOf(manage('GET', '/me', cookie))).toBe(401);
    expect(
      await service.sql('select 1 from sessions s join users u on u.id = s.user_id where u.email = $1', [email]),
    ).toHaveLength(1);
  });

  it('comes before an id token, a new passkey and removing one; a wrong password is not enough', async () => {
    const { cookie } = await signUp(service);
    const { body } = await addPasskey(cookie, new Authenticator(OWN_ORIGIN));
    service.advance({ seconds: 601 });
    expect(await statusOf(auth('POST', '/verify-password', cookie, { password: 'wrong password' }))).toBe(400);
    for (const [method, path, fields] of [
      ['GET', '/token', undefined],
      ['GET', '/passkey/generate-register-options', undefined],
      ['POST', '/passkey/delete-passkey', { id: body.id }],
    ] as const) {
      const answer = await auth(method, path, cookie, fields);
      expect({ status: answer.status, error: answer.body.error }).toEqual({ status: 403, error: ASKED });
    }
  });

  it('asks on every route that the documentation lists, and no other route declares it', async () => {
    const page = await readFile(new URL('../../../../docs/rights.md', import.meta.url), 'utf8');
    const [, section = ''] = page.split('## Asking again');
    const listed = [...section.split('## ')[0]!.matchAll(/^- `(\S+) (\S+)`(.*)$/gm)].map(
      ([, method, path, fields]) => ({
        route: `${method} ${path}`,
        fields: [...fields!.matchAll(/`(\w+)`/g)].map(([, field]) => field!),
      }),
    );
    const owner = await signUp(service);
    const { advertiser_id: workspaceId } = (await manage('GET', '/me', owner.cookie)).body.data;
    const made = { ...(await service.program({ workspaceId })), owner: { ...owner, workspaceId, token: '' } };
    service.advance({ seconds: 601 });
    const declared = routes.filter(({ proof }) => proof !== undefined && (proof === 'recent' || !('none' in proof)));
    expect(declared.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
      listed.map(({ route }) => route).sort(),
    );
    for (const route of declared) {
      const { fields } = listed.find((line) => line.route === `${route.method} ${route.path}`)!;
      const valid = await validRequest(service, route, made);
      const headers = { cookie: owner.cookie, origin: OWN_ORIGIN };
      for (const field of fields.length > 0 ? fields : [undefined]) {
        const body = field === undefined ? valid.body : { [field]: true };
        const answer = await service.call(route.method, valid.path, { body, headers });
        expect({ id: route.id, field, error: answer.body.error }).toEqual({ id: route.id, field, error: ASKED });
      }
    }
  });
});

describe('sessions', () => {
  type Session = { id: string; device: string; last_used_at: string; is_current: boolean };
  const CHROME =
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';

  it('are listed with device, address and last use, and end at once: one, or all others', async () => {
    const { email, cookie, userId } = await signUp(service);
    const other = await service.call('POST', '/api/auth/sign-in/email', {
      body: { email, password: PASSWORD },
      ip: '203.0.113.9',
      headers: { 'user-agent': CHROME },
    });
    const third = await newCookie(service, userId);
    service.advance({ seconds: 360 });
    await manage('GET', '/me', cookiesOf(other));
    const sessions = async () => (await manage('GET', '/sessions', cookie)).body.data as Session[];
    const inChrome = async () => (await sessions()).find(({ device }) => device === 'Chrome on macOS');
    // The use of a session is recorded after the reply.
    await expect.poll(async () => (await inChrome())?.last_used_at).toBe(service.time.toISOString());
    const data = await sessions();
    const chrome = await inChrome();
    expect(data).toHaveLength(3);
    expect(chrome).toEqual({
      id: expect.any(String),
      device: 'Chrome on macOS',
      address: '203.0.113.9',
      created_at: expect.any(String),
      last_used_at: service.time.toISOString(),
      expires_at: expect.any(String),
      is_current: false,
    });
    expect(data.filter(({ is_current: isCurrent }) => isCurrent)).toHaveLength(1);
    const remaining = data.find(({ id, is_current: isCurrent }) => !isCurrent && id !== chrome?.id);

    expect(await statusOf(manage('DELETE', `/sessions/${chrome?.id}`, cookie))).toBe(200);
    expect(await statusOf(manage('GET', '/me', cookiesOf(other)))).toBe(401);
    expect(await statusOf(manage('DELETE', `/sessions/${chrome?.id}`, cookie))).toBe(404);
    const stranger = await signUp(service);
    expect(await statusOf(manage('DELETE', `/sessions/${remaining?.id}`, stranger.cookie))).toBe(404);
    expect((await manage('DELETE', '/sessions', cookie)).body.data).toEqual({ ended: 1 });
    expect(await statusOf(manage('GET', '/me', third))).toBe(401);
    expect(await statusOf(manage('GET', '/me', cookie))).toBe(200);
  });
});

describe('passwords that are easy to guess', () => {
  type Printed = { data: { reset_url: string } };

  it('are refused at sign-up and at a change, with what to do instead', async () => {
    const email = `easy.${Date.now()}@people.test`;
    const create = (password: string) => auth('POST', '/sign-up/email', '', { name: 'Robin', email, password });
    expect((await create('Password123')).body).toEqual(
      badRequest(
        'password is too easy to guess: it is one that attackers try first. Choose a longer one, such as four unrelated words.',
        'password',
      ),
    );
    expect((await create(email)).body.error.message).toContain('password must not be your email address');
    expect((await create('\u00a0'.repeat(12))).body.error.message).toContain(
      'password must not consist of spaces only',
    );
    expect((await create('svc-2026')).body.error.message).toContain('password must not be the name of this service');
    expect(await service.sql('select 1 from users where email = $1', [email])).toEqual([]);
    const person = await signUp(service);
    const change = { currentPassword: PASSWORD, newPassword: 'Sunshine2026!' };
    expect(await statusOf(auth('POST', '/change-password', person.cookie, change))).toBe(400);
    expect((await signIn(service, person.email)).status).toBe(200);
  });

  it('are refused by a reset link too, which then still works; factors of an unproven account do not survive it', async () => {
    const { email, cookie } = await signUp(service);
    const device = new Authenticator(OWN_ORIGIN);
    await addPasskey(cookie, device);
    const reply = (await runOperator(service, 'reset-password', '--email', email)) as never as Printed;
    const token = new URL(reply.data.reset_url).hash.slice(1);
    // The operator vouched for the address; a link that was mailed proves it when it is used.
    await service.sql('update users set email_verified = false where email = $1', [email]);
    const reset = (newPassword: string) => auth('POST', '/reset-password', '', { token, newPassword });
    for (const easy of ['Password123', email]) expect((await reset(easy)).status).toBe(400);
    expect((await reset('a new and long password')).status).toBe(200);
    expect((await signIn(service, email, 'a new and long password')).body.twoFactorRedirect).toBeUndefined();
    expect((await usePasskey('', device)).status).toBe(400);
  });
});
