import {
  manage,
  memberOf,
  newCookie,
  OWN_ORIGIN,
  ownedProgram,
  partnerAccount,
  type TestAccount,
} from '@svc/testkit/service/accounts.ts';
import { type Answer, platformError, useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const HEADER = { 'idempotency-key': 'k' };
const NOT_FOUND = platformError(404, 'NotFoundError', 'Not Found');
const ownersOnly = platformError(403, 'ForbiddenError', 'Only a workspace owner can do this');

const seen = ({ status, headers }: Answer) => ({ status, replayed: headers['idempotent-replayed'] });

/** A program with two owners: one acts, the other one takes their rights away. */
async function twoOwners() {
  const made = await ownedProgram(service);
  const other = await memberOf(service, made.workspaceId);
  const path = `/api/v1/manage/members/${other.userId}`;
  const demote = () => service.call('PATCH', path, { body: { role: 'viewer' }, key: made.owner.token });
  const remove = () => service.call('DELETE', path, { key: made.owner.token });
  return { ...made, other, demote, remove };
}

const byToken = ({ token }: TestAccount) => ({ key: token, headers: HEADER });

describe('a caller who has lost access does not get the stored answer', () => {
  it('as an owner who has become a viewer', async () => {
    const made = await twoOwners();
    const regenerate = () => service.call('POST', manage(made, '/api-key/regenerate'), byToken(made.other));
    expect(seen(await regenerate())).toEqual({ status: 200, replayed: undefined });
    expect(seen(await regenerate())).toEqual({ status: 200, replayed: 'true' });
    expect((await made.demote()).status).toBe(200);
    const after = await regenerate();
    expect([after.status, after.headers['idempotent-replayed'], after.body]).toEqual([403, undefined, ownersOnly]);
    // Nor did it replace the key again.
    expect(await service.sql('select 1 from program_keys where program_id = $1', [made.program.id])).toHaveLength(2);
  });

  it('as an owner who was removed, in the session that got the answer', async () => {
    service.time = new Date();
    const made = await twoOwners();
    const headers = { ...HEADER, cookie: await newCookie(service, made.other.userId), origin: OWN_ORIGIN };
    const regenerate = () => service.call('POST', manage(made, '/api-key/regenerate'), { headers });
    expect(seen(await regenerate())).toEqual({ status: 200, replayed: undefined });
    await service.sql('delete from workspace_members where user_id = $1', [made.other.userId]);
    const after = await regenerate();
    expect([after.status, after.headers['idempotent-replayed'], after.body]).toEqual([404, undefined, NOT_FOUND]);
  });

  it('from routes about the workspace, or from those of the CLI', async () => {
    const made = await twoOwners();
    const invite = () =>
      service.call('POST', '/api/v1/manage/invitations', {
        ...byToken(made.other),
        body: { email: 'joan@people.test', role: 'viewer' },
      });
    const body = { name: 'Next', domain: 'next.test', commission_type: 'percent', commission_rate: 10 };
    const init = () => service.call('POST', '/api/v1/cli/init', { ...byToken(made.other), body });
    expect([seen(await invite()), seen(await init())]).toMatchObject([{ status: 201 }, { status: 200 }]);
    await made.demote();
    for (const after of [await invite(), await init()]) {
      expect(seen(after)).toEqual({ status: 403, replayed: undefined });
    }
  });

  it('as an owner who has become an admin, from a route that only owners may use to hand a partner over', async () => {
    const made = await twoOwners();
    await partnerAccount(service, made.partnerId);
    const { partnerId: newcomer } = await service.partner(made.program);
    const invite = (id: number) =>
      service.call('POST', manage(made, `/partners/${id}/invitation`), {
        ...byToken(made.other),
        body: { replace_account: true },
      });
    for (const id of [made.partnerId, newcomer]) {
      expect(seen(await invite(id))).toEqual({ status: 201, replayed: undefined });
    }
    const path = `/api/v1/manage/members/${made.other.userId}`;
    await service.call('PATCH', path, { body: { role: 'admin' }, key: made.owner.token });
    const after = await invite(made.partnerId);
    expect([after.status, after.headers['idempotent-replayed'], after.body]).toEqual([403, undefined, ownersOnly]);
    // What an admin may do is repeated to them.
    expect(seen(await invite(newcomer))).toEqual({ status: 201, replayed: 'true' });
  });

  it('as a partner who has left the program', async () => {
    const made = await ownedProgram(service);
    const partner = await partnerAccount(service, made.partnerId);
    const add = () => service.call('POST', manage(made, '/links'), { ...byToken(partner), body: {} });
    expect(seen(await add())).toEqual({ status: 201, replayed: undefined });
    const path = manage(made, `/partners/${made.partnerId}`);
    const removed = await service.call('PATCH', path, { body: { status: 'removed' }, key: made.owner.token });
    expect(removed.status).toBe(200);
    expect(seen(await add())).toEqual({ status: 404, replayed: undefined });
  });

  it('but a refusal is stored like any other answer, even if the caller gets the right later', async () => {
    const made = await ownedProgram(service);
    const viewer = await memberOf(service, made.workspaceId, 'viewer');
    const regenerate = () => service.call('POST', manage(made, '/api-key/regenerate'), byToken(viewer));
    expect(seen(await regenerate())).toEqual({ status: 403, replayed: undefined });
    const path = `/api/v1/manage/members/${viewer.userId}`;
    await service.call('PATCH', path, { body: { role: 'owner' }, key: made.owner.token });
    expect(seen(await regenerate())).toEqual({ status: 403, replayed: 'true' });
  });
});
