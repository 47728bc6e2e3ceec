import { cookiesOf, newEmail, OWN_ORIGIN, signIn } from '@svc/testkit/service/accounts.ts';
import { newAddress } from '@svc/testkit/service/addresses.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const signUpWith = async (password: string) => {
  const email = newEmail();
  const body = { name: 'Robin', email, password };
  const { status } = await service.call('POST', '/api/auth/sign-up/email', { body, ip: newAddress() });
  return { status, email };
};

/** 128 characters that repeat nothing that is easy to guess. */
const LONG = Array.from({ length: 32 }, (_, index) => `k${String(index * 37).padStart(3, '0')}`)
  .join('')
  .slice(0, 128);

describe('a password', () => {
  it.each([
    ['eight characters', 'kq7vzt2m'],
    ['only letters', 'kqvzltwmpd'],
    ['spaces and signs', ' kq vz \u2603 "lt" '],
    ['64 characters', LONG.slice(0, 64)],
    ['128 characters', LONG],
  ])('may have %s, and is compared exactly as it was typed', async (_what, password) => {
    const { status, email } = await signUpWith(password);
    expect(status).toBe(200);
    expect((await signIn(service, email, password)).status).toBe(200);
    const others = [password.toUpperCase(), `x${password.slice(1)}`, password.slice(0, -1)];
    for (const other of others) expect((await signIn(service, email, other)).status).toBe(401);
  });

  it.each([
    ['seven characters', 'kq7vzt2'],
    ['129 characters', `${LONG}x`],
  ])('must not have %s', async (_what, password) => {
    expect((await signUpWith(password)).status).toBe(400);
  });
});

describe('a session', () => {
  const me = (cookie: string) => service.call('GET', '/api/v1/manage/me', { headers: { cookie, origin: OWN_ORIGIN } });

  it('has a token of its own after each sign-in, whatever cookie was sent along', async () => {
    const { email } = await signUpWith(LONG);
    const first = cookiesOf(await signIn(service, email, LONG));
    const again = await service.call('POST', '/api/auth/sign-in/email', {
      ...{ body: { email, password: LONG }, ip: newAddress(), headers: { cookie: first, origin: OWN_ORIGIN } },
    });
    expect(again.status).toBe(200);
    expect(cookiesOf(again)).not.toBe(first);
  });

  it('ends 30 days after it was last used', async () => {
    const { email } = await signUpWith(LONG);
    const cookie = cookiesOf(await signIn(service, email, LONG));
    expect((await me(cookie)).status).toBe(200);
    const [session] = await service.sql<{ days: number }>(
      `select round(extract(epoch from s.expires_at - s.created_at) / 86400)::int as days
       from sessions s join users u on u.id = s.user_id where u.email = $1`,
      [email],
    );
    expect(session?.days).toBe(30);
    await service.sql(
      `update sessions set expires_at = now() - interval '1 second' where user_id = (select id from users where email = $1)`,
      [email],
    );
    expect((await me(cookie)).status).toBe(401);
  });
});
