import {
  manage,
  memberOf,
  newAccount,
  newOwner,
  type OwnerAccount,
  ownedProgram,
  type TestAccount,
} from '@svc/testkit/service/accounts.ts';
import { runOperator } from '@svc/testkit/service/processes/operator.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';
import { insertWorkspace } from './workspace-store.ts';

const service = useService();

const GONE = platformError(
  404,
  'NotFoundError',
  'This invitation does not exist, was already used or has expired. Ask for a new one.',
);
const tokenIn = (inviteUrl: string) => new URL(inviteUrl).hash.slice(1);
const accept = (key: string, token: string) =>
  service.call('POST', '/api/v1/manage/invitations/accept', { key, body: { token } });
const lookUp = (token: string) => service.call('POST', '/api/v1/manage/invitations/look-up', { body: { token } });
const workspaceOf = async (key: string) =>
  (await service.call('GET', '/api/v1/manage/me', { key })).body.data.advertiser_id;

async function invitation(key: string, body: object): Promise<string> {
  const answer = await service.call('POST', '/api/v1/manage/invitations', { key, body });
  expect(answer.status).toBe(201);
  return tokenIn(answer.body.data.invite_url);
}

/** Two owners of a program's workspace, and pending invitations that the second one created. */
async function twoOwners() {
  const made = await ownedProgram(service);
  const leaving = await memberOf(service, made.workspaceId);
  const friend = await newAccount(service);
  const asOwner = await invitation(leaving.token, { email: friend.email, role: 'owner' });
  const asMember = await invitation(leaving.token, { email: friend.email, role: 'member', open_link: true });
  const body = { name: 'Joan', email: `${newId('joan')}@partner.test`, open_link: true };
  const added = await service.call('POST', manage(made, '/partners'), { key: leaving.token, body });
  return { made, leaving, friend, asOwner, asMember, asPartner: tokenIn(added.body.data.invite_url) };
}

const member = ({ userId }: TestAccount) => `/api/v1/manage/members/${userId}`;

describe('an invitation ends with the rights of the user who created it', () => {
  it('all of them when that user is removed', async () => {
    const { made, leaving, friend, asOwner, asMember, asPartner } = await twoOwners();
    expect((await service.call('DELETE', member(leaving), { key: made.owner.token })).status).toBe(200);
    for (const token of [asOwner, asMember, asPartner]) {
      expect(await lookUp(token)).toMatchObject({ status: 404, body: GONE });
      expect(await accept(friend.token, token)).toMatchObject({ status: 404, body: GONE });
    }
    expect(await workspaceOf(friend.token)).toBeNull();
  });

  it.each(['finance', 'viewer'])('all of them when that user becomes a %s', async (role) => {
    const { made, leaving, friend, asOwner, asMember, asPartner } = await twoOwners();
    const body = { role };
    expect((await service.call('PATCH', member(leaving), { key: made.owner.token, body })).status).toBe(200);
    for (const token of [asOwner, asMember, asPartner]) expect((await accept(friend.token, token)).status).toBe(404);
  });

  it('those into the workspace when that user becomes an admin, who may still invite partners', async () => {
    const { made, leaving, friend, asOwner, asMember, asPartner } = await twoOwners();
    const body = { role: 'member' };
    expect((await service.call('PATCH', member(leaving), { key: made.owner.token, body })).status).toBe(200);
    for (const token of [asOwner, asMember]) expect((await accept(friend.token, token)).status).toBe(404);
    expect((await accept(friend.token, asPartner)).status).toBe(200);
  });

  it('all of them when that user is suspended, for good', async () => {
    const { leaving, friend, asOwner, asMember, asPartner } = await twoOwners();
    await runOperator(service, 'suspend-account', '--email', leaving.email);
    await runOperator(service, 'restore-account', '--email', leaving.email);
    for (const token of [asOwner, asMember, asPartner]) expect((await accept(friend.token, token)).status).toBe(404);
  });

  it('all of them when that user moves to another workspace', async () => {
    const { leaving, friend, asOwner, asPartner } = await twoOwners();
    const elsewhere = await newOwner(service);
    await accept(leaving.token, await invitation(elsewhere.token, { email: leaving.email }));
    for (const token of [asOwner, asPartner]) expect((await accept(friend.token, token)).status).toBe(404);
  });

  it('even if the rights were lost unnoticed: they are checked again on acceptance', async () => {
    const { leaving, friend, asOwner } = await twoOwners();
    const sideways = await insertWorkspace(service.ctx.db, 'Sideways', service.ctx.now());
    await service.sql('update workspace_members set advertiser_id = $2 where user_id = $1', [leaving.userId, sideways]);
    expect((await lookUp(asOwner)).status).toBe(404);
    expect((await accept(friend.token, asOwner)).status).toBe(404);
  });

  it('but not those of others, and a re-issued link belongs to the owner who re-issued it', async () => {
    const { made, leaving, friend } = await twoOwners();
    const kept = await invitation(made.owner.token, { email: friend.email });
    const list = (await service.call('GET', '/api/v1/manage/invitations', { key: made.owner.token })).body.data;
    const oldest = list.at(-1);
    const path = `/api/v1/manage/invitations/${oldest.id}/re-issue`;
    const reissued = tokenIn((await service.call('POST', path, { key: made.owner.token })).body.data.invite_url);
    await service.call('DELETE', member(leaving), { key: made.owner.token });
    expect((await lookUp(kept)).status).toBe(200);
    expect((await accept(friend.token, reissued)).status).toBe(200);
  });
});

describe('an invitation is for the account with its address', () => {
  const FOR_OTHER = platformError(
    403,
    'ForbiddenError',
    'This invitation is for c***@people.test. Sign in with that address, or ask for an open link that any account can accept.',
  );

  /** Invitations for a team member and for a partner, both for this address. */
  async function invitedTo(owner: OwnerAccount, email: string): Promise<string> {
    return invitation(owner.token, { email });
  }

  it('403 for another account, with the address masked; it stays open for the right one', async () => {
    const owner = await newOwner(service);
    const email = `${newId('colleague')}@people.test`;
    const token = await invitedTo(owner, email);
    const stranger = await newAccount(service);
    const { status, body } = await accept(stranger.token, token);
    expect({ status, body }).toEqual({ status: 403, body: FOR_OTHER });
    expect(await workspaceOf(stranger.token)).toBeNull();
    const invited = await newAccount(service, email);
    expect((await accept(invited.token, token)).status).toBe(200);
  });

  it('the address is compared case-insensitively', async () => {
    const owner = await newOwner(service);
    const invited = await newAccount(service);
    expect((await accept(invited.token, await invitedTo(owner, invited.email.toUpperCase()))).status).toBe(200);
  });

  it('partners: 403 for another account', async () => {
    const made = await ownedProgram(service);
    const body = { name: 'Joan', email: `${newId('c')}@people.test` };
    const added = await service.call('POST', manage(made, '/partners'), { key: made.owner.token, body });
    const stranger = await newAccount(service);
    expect(await accept(stranger.token, tokenIn(added.body.data.invite_url))).toMatchObject({
      status: 403,
      body: FOR_OTHER,
    });
  });

  it('an open link, if the inviter chose it, works for any account and says so', async () => {
    const owner = await newOwner(service);
    const open = await invitation(owner.token, { email: 'anyone@people.test', open_link: true });
    const bound = await invitation(owner.token, { email: 'anyone@people.test' });
    expect((await lookUp(open)).body.data).toMatchObject({ open_link: true, email: 'anyone@people.test' });
    expect((await lookUp(bound)).body.data).toMatchObject({ open_link: false });
    expect((await accept((await newAccount(service)).token, open)).status).toBe(200);
  });
});
