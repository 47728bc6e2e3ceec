import { newCookie, newOwner, OWN_ORIGIN, PASSWORD, signUp } from '@svc/testkit/service/accounts.ts';
import { newAddress } from '@svc/testkit/service/addresses.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { expect, it } from 'vitest';
import { insertMember } from '../workspaces/workspace-store.ts';

const service = useService();

const guess = (cookie: string, password: string) =>
  service.call('POST', '/api/auth/verify-password', {
    body: { password },
    ip: newAddress(),
    headers: { cookie, origin: OWN_ORIGIN },
  });

it('being removed from a workspace gives a session no further guesses at the password', async () => {
  const { userId } = await signUp(service);
  const owner = await newOwner(service);
  await insertMember(service.ctx.db, { userId, workspaceId: owner.workspaceId, role: 'viewer' }, service.ctx.now());
  const cookie = await newCookie(service, userId);
  for (let count = 0; count < 5; count += 1) expect((await guess(cookie, 'a wrong password')).status).toBe(400);
  expect((await guess(cookie, 'a wrong password')).status).toBe(429);

  const removed = await service.call('DELETE', `/api/v1/manage/members/${userId}`, { key: owner.token });
  expect(removed.status).toBe(200);
  expect((await guess(cookie, 'a wrong password')).status).toBe(429);
  service.advance({ seconds: 15 });
  expect((await guess(cookie, PASSWORD)).status).toBe(200);
});
