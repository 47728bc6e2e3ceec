import { newEmail, OWN_ORIGIN, PASSWORD, resetPassword } from '@svc/testkit/service/accounts.ts';
import { newNetwork } from '@svc/testkit/service/addresses.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { expect, it } from 'vitest';
import { createResetLinkFor } from './create-reset-link.ts';

const service = useService();

const UA = 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0';
const signInFrom = (ip: string, email: string, password: string, agent = UA) =>
  service.call('POST', '/api/auth/sign-in/email', {
    body: { email, password },
    ip,
    headers: { 'user-agent': agent, origin: OWN_ORIGIN },
  });

it('a stranger who signed up with the address has no known device once its owner has reset the password', async () => {
  const [email, stranger] = [newEmail(), newNetwork()];
  const body = { name: 'Robin', email, password: PASSWORD };
  const headers = { 'user-agent': UA };
  const signedUp = await service.call('POST', '/api/auth/sign-up/email', { body, ip: stranger, headers });
  expect(signedUp.status).toBe(200);

  const link = await createResetLinkFor(service.ctx, email, OWN_ORIGIN);
  expect((await resetPassword(service, link?.split('#')[1] ?? '', 'the password of the owner')).status).toBe(200);

  for (let count = 0; count < 5; count += 1) {
    expect((await signInFrom(newNetwork(), email, 'a wrong password')).status).toBe(401);
  }
  expect((await signInFrom(newNetwork(), email, 'a wrong password')).status).toBe(429);
  expect((await signInFrom(stranger, email, 'a wrong password')).status).toBe(429);
});
