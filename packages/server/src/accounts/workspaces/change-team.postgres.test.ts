import { memberOf, newOwner, type OwnerAccount } from '@svc/testkit/service/accounts.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { expect, it } from 'vitest';

const service = useService();

/** A round may end in a deadlock, which Postgres notices only after a second. */
const ROUNDS = process.env.SVC_TEST_LONG ? 20 : 4;

async function invitation(from: OwnerAccount, to: OwnerAccount, role: string): Promise<string> {
  const body = { email: to.email, role };
  const answer = await service.call('POST', '/api/v1/manage/invitations', { key: from.token, body });
  return new URL(answer.body.data.invite_url).hash.slice(1);
}
const accept = ({ token: key }: OwnerAccount, token: string) =>
  service.call('POST', '/api/v1/manage/invitations/accept', { key, body: { token } });
const remove = ({ token: key }: OwnerAccount, { userId }: OwnerAccount) =>
  service.call('DELETE', `/api/v1/manage/members/${userId}`, { key });

it('an invitation from an owner who is being removed is accepted before the removal, or not at all', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const owner = await newOwner(service);
    const leaving = await memberOf(service, owner.workspaceId);
    const guest = await memberOf(service, owner.workspaceId, 'member');
    const token = await invitation(leaving, guest, 'owner');
    const [accepted, removed] = await Promise.all([accept(guest, token), remove(owner, leaving)]);
    expect(removed.status).toBe(200);
    expect([200, 404]).toContain(accepted.status);
    const [member] = await service.sql('select role from workspace_members where user_id = $1', [guest.userId]);
    expect(member).toEqual({ role: accepted.status === 200 ? 'owner' : 'member' });
    expect((await accept(guest, token)).status).toBe(404);
  }
});

it('two users who invited each other and move concurrently both get an answer', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const [a, b] = [await newOwner(service), await newOwner(service)];
    const [one, other] = [await memberOf(service, a.workspaceId), await memberOf(service, b.workspaceId)];
    const [toB, toA] = [await invitation(other, one, 'member'), await invitation(one, other, 'member')];
    const answers = await Promise.all([accept(one, toB), accept(other, toA)]);
    for (const { status } of answers) expect([200, 401, 404]).toContain(status);
    expect(answers.map(({ status }) => status)).toContain(200);
  }
});
