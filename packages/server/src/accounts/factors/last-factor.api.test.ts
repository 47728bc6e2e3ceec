import { cookiesOf, newCookie, OWN_ORIGIN, PASSWORD, signIn, signUp } from '@svc/testkit/service/accounts.ts';
import { newAddress } from '@svc/testkit/service/addresses.ts';
import { Authenticator, codeOf, newAuthenticatorApp } from '@svc/testkit/service/authenticator.ts';
import { type Answer, useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const auth = (method: string, path: string, cookie: string, body?: unknown) =>
  service.call(method, `/api/auth${path}`, { body, ip: newAddress(), headers: { cookie, origin: OWN_ORIGIN } });

/** The cookies after an answer that replaces some of them. */
function cookiesAfter(cookie: string, answer: Answer): string {
  const pairs = `${cookie}; ${cookiesOf(answer)}`.split('; ').map((pair) => pair.split(/=(.*)/s).slice(0, 2));
  return Object.entries(Object.fromEntries(pairs) as Record<string, string>)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
}

async function addPasskey(cookie: string, device: Authenticator) {
  const options = await auth('GET', '/passkey/generate-register-options', cookie);
  if (options.status !== 200) return options;
  const response = device.register(options.body);
  return auth('POST', '/passkey/verify-registration', cookiesAfter(cookie, options), { response, name: 'Mine' });
}

async function usePasskey(cookie: string, device: Authenticator) {
  const options = await auth('GET', '/passkey/generate-authenticate-options', cookie);
  const response = device.signIn(options.body);
  return auth('POST', '/passkey/verify-authentication', cookiesAfter(cookie, options), { response });
}

/** Somebody with a session and the password of an account, and without its factor. */
async function thief() {
  const person = await signUp(service);
  const app = await newAuthenticatorApp(service, person.userId);
  return { ...person, ...app, cookie: await newCookie(service, person.userId) };
}

const factorsOf = async (userId: string) =>
  (
    await service.sql<{ what: string }>(
      `select 'app' as what from second_factors where user_id = $1 and verified
       union all select coalesce(name, '') from passkeys where user_id = $1 order by 1`,
      [userId],
    )
  ).map(({ what }) => what);

describe('with a session and the password alone, nobody removes the factors of an account', () => {
  it('by new recovery codes', async () => {
    const { cookie, userId } = await thief();
    const renewed = await auth('POST', '/two-factor/generate-backup-codes', cookie, { password: PASSWORD });
    const code = renewed.body.backupCodes?.[0] ?? 'aaaaa-bbbbb';
    await auth('POST', '/two-factor/verify-backup-code', cookie, { code });
    await auth('POST', '/two-factor/disable', cookie, { password: PASSWORD });
    expect(await factorsOf(userId)).toEqual(['app']);
    expect(renewed.status).toBe(403);
  });

  it('by a passkey of their own', async () => {
    const { cookie, userId } = await thief();
    const device = new Authenticator(OWN_ORIGIN);
    const added = await addPasskey(cookie, device);
    const used = await usePasskey(cookie, device);
    await auth('POST', '/two-factor/disable', cookiesAfter(cookie, used), { password: PASSWORD });
    expect(await factorsOf(userId)).toEqual(['app']);
    expect(added.status).toBe(403);
  });

  it('by an app of their own, where the factor is a passkey', async () => {
    const { userId } = await signUp(service);
    const own = await newCookie(service, userId);
    expect((await addPasskey(own, new Authenticator(OWN_ORIGIN))).status).toBe(200);
    const [passkey] = await service.sql<{ id: string }>('select id from passkeys where user_id = $1', [userId]);

    const cookie = await newCookie(service, userId);
    const enabled = await auth('POST', '/two-factor/enable', cookie, { password: PASSWORD });
    const code = enabled.status === 200 ? codeOf(enabled.body.totpURI) : '000000';
    const verified = await auth('POST', '/two-factor/verify-totp', cookie, { code });
    await auth('POST', '/passkey/delete-passkey', cookiesAfter(cookie, verified), { id: passkey?.id });
    expect(await factorsOf(userId)).toEqual(['Mine']);
    expect(enabled.status).toBe(403);
  });

  it('by an app that was prepared before the passkey was added', async () => {
    const { userId, email } = await signUp(service);
    const early = await newCookie(service, userId);
    const enabled = await auth('POST', '/two-factor/enable', early, { password: PASSWORD });
    expect(enabled.status).toBe(200);
    expect((await addPasskey(await newCookie(service, userId), new Authenticator(OWN_ORIGIN))).status).toBe(200);

    const [code] = enabled.body.backupCodes;
    const waiting = cookiesOf(await signIn(service, email));
    for (const cookie of [early, waiting]) {
      expect((await auth('POST', '/two-factor/verify-backup-code', cookie, { code })).status).toBe(409);
    }
    const app = { code: codeOf(enabled.body.totpURI) };
    expect((await auth('POST', '/two-factor/verify-totp', early, app)).status).toBe(403);
    expect(await factorsOf(userId)).toEqual(['Mine']);
  });
});
