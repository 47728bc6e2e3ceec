import { memberOf, newAccount, newOwner, newToken } from '@svc/testkit/service/accounts.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { badRequest } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const NOT_FOUND = platformError(404, 'NotFoundError', 'Not Found');
const LAST_OWNER = platformError(
  409,
  'ConflictError',
  'A workspace needs at least one owner. Make another member an owner first.',
);
const at = (userId: string) => `/api/v1/manage/members/${userId}`;
const setRole = (key: string, userId: string, role: string) =>
  service.call('PATCH', at(userId), { key, body: { role } });
const remove = (key: string, userId: string) => service.call('DELETE', at(userId), { key });
const rolesOf = async (workspaceId: number) =>
  (
    await service.sql<{ role: string }>('select role from workspace_members where advertiser_id = $1 order by role', [
      workspaceId,
    ])
  ).map(({ role }) => role);

describe('PATCH /api/v1/manage/members/:user_id', () => {
  it('changes the role to each one; admin is another spelling of member', async () => {
    const owner = await newOwner(service);
    const member = await memberOf(service, owner.workspaceId, 'member');
    const sent = { owner: 'owner', admin: 'member', member: 'member', finance: 'finance', viewer: 'viewer' };
    for (const [spelling, role] of Object.entries(sent)) {
      const { status, body } = await setRole(owner.token, member.userId, spelling);
      const created_at = service.time.toISOString();
      const person = { id: member.userId, name: 'Robin', email: member.email, undeliverable: false };
      const data = { ...person, role, second_factor: false, created_at };
      expect({ status, body }).toEqual({ status: 200, body: { data } });
      const me = await service.call('GET', '/api/v1/manage/me', { key: member.token });
      expect(me.body.data.role).toBe(role);
    }
  });

  it('409 for the last owner, who stays one', async () => {
    const owner = await newOwner(service);
    await memberOf(service, owner.workspaceId, 'member');
    for (const role of ['member', 'finance', 'viewer']) {
      expect(await setRole(owner.token, owner.userId, role)).toMatchObject({ status: 409, body: LAST_OWNER });
    }
    expect(await rolesOf(owner.workspaceId)).toEqual(['member', 'owner']);
    expect((await setRole(owner.token, owner.userId, 'owner')).status).toBe(200);
  });

  it('400 without a role of the workspace', async () => {
    const owner = await newOwner(service);
    const refusal = { status: 400, body: badRequest('role must be one of owner, member, finance, viewer') };
    for (const body of [{}, { role: 'partner' }, { role: 'Owner' }]) {
      expect(await service.call('PATCH', at(owner.userId), { key: owner.token, body })).toMatchObject(refusal);
    }
  });
});

describe('DELETE /api/v1/manage/members/:user_id', () => {
  it('removes a member: the account stays, without a workspace', async () => {
    const owner = await newOwner(service);
    const member = await memberOf(service, owner.workspaceId, 'member');
    const { status, body } = await remove(owner.token, member.userId);
    expect({ status, body }).toEqual({ status: 200, body: { data: {} } });
    // Their tokens ended with their role in the workspace.
    const key = await newToken(service, member.userId);
    const me = await service.call('GET', '/api/v1/manage/me', { key });
    expect(me.body.data).toMatchObject({ advertiser_id: null, workspace: null, role: null });
    expect((await remove(owner.token, member.userId)).status).toBe(404);
  });

  it('an owner may leave while there is another; the last one gets 409', async () => {
    const owner = await newOwner(service);
    const second = await memberOf(service, owner.workspaceId);
    expect((await remove(owner.token, owner.userId)).status).toBe(200);
    expect(await remove(second.token, second.userId)).toMatchObject({ status: 409, body: LAST_OWNER });
    expect(await rolesOf(owner.workspaceId)).toEqual(['owner']);
  });
});

describe('404 and nothing changed: a user of another workspace, without one, or an unknown user', () => {
  it.each(['PATCH', 'DELETE'])('%s', async (method) => {
    const [mine, theirs] = [await newOwner(service), await newOwner(service)];
    await memberOf(service, theirs.workspaceId);
    const stranger = await newAccount(service);
    for (const id of [theirs.userId, stranger.userId, 'nobody', '%00', '%F0%9F%98%80', '1']) {
      const { status, body } = await service.call(method, at(id), { key: mine.token, body: { role: 'member' } });
      expect({ id, status, body }).toEqual({ id, status: 404, body: NOT_FOUND });
    }
    expect(await rolesOf(theirs.workspaceId)).toEqual(['owner', 'owner']);
  });
});
