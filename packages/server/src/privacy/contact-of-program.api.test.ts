import { everythingStored, manage, OWN_ORIGIN, ownedProgram, PASSWORD, signUp } from '@svc/testkit/service/accounts.ts';
import { newAddress } from '@svc/testkit/service/addresses.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';
import { insertMember } from '../accounts/workspaces/workspace-store.ts';

const service = useService();

it('a deleted account is no longer the contact of a program', async () => {
  const made = await ownedProgram(service);
  const person = await signUp(service, `joan@${newId('joan').replaceAll('_', '-')}.test`);
  await insertMember(service.ctx.db, { ...person, workspaceId: made.workspaceId, role: 'owner' }, service.ctx.now());
  const key = made.owner.token;
  const body = { contact_email: person.email };
  expect((await service.call('PATCH', manage(made), { key, body })).status).toBe(200);
  const deleted = await service.call('POST', '/api/auth/delete-user', {
    body: { password: PASSWORD },
    headers: { cookie: person.cookie, origin: OWN_ORIGIN },
    ip: newAddress(),
  });
  expect(deleted.status).toBe(200);
  expect(await everythingStored(service)).not.toContain(person.email);
});
