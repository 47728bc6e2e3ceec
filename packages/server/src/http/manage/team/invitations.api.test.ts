import { WORKSPACE_ROLES } from '@svc/contract';
import {
  everythingStored,
  manage,
  memberOf,
  newAccount,
  newOwner,
  type OwnedProgram,
  ownedProgram,
} from '@svc/testkit/service/accounts.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const GONE = platformError(
  404,
  'NotFoundError',
  'This invitation does not exist, was already used or has expired. Ask for a new one.',
);
const SEVEN_DAYS = 7 * 86_400;

const me = async (token: string) => (await service.call('GET', '/api/v1/manage/me', { key: token })).body.data;
const accept = (key: string, token: string) =>
  service.call('POST', '/api/v1/manage/invitations/accept', { key, body: { token } });
const tokenIn = (inviteUrl: string) => new URL(inviteUrl).hash.slice(1);

async function invited(key: string, body: object = {}): Promise<string> {
  const sent = { email: 'colleague@people.test', open_link: true, ...body };
  const answer = await service.call('POST', '/api/v1/manage/invitations', { key, body: sent });
  expect(answer.status).toBe(201);
  return tokenIn(answer.body.data.invite_url);
}

async function invitedPartner(made: OwnedProgram): Promise<{ token: string; partnerId: number }> {
  const body = { name: 'Joan', email: `${newId('joan')}@partner.test`, open_link: true };
  const { data } = (await service.call('POST', manage(made, '/partners'), { key: made.owner.token, body })).body;
  return { token: tokenIn(data.invite_url), partnerId: data.id };
}

describe('POST /api/v1/manage/invitations', () => {
  it('answers 201 with id, email, role, invite_url and expires_at in seven days; the token is stored hashed', async () => {
    const owner = await newOwner(service);
    const body = { email: 'colleague@people.test' };
    const answer = await service.call('POST', '/api/v1/manage/invitations', { key: owner.token, body });
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 201,
      body: {
        data: {
          id: expect.any(Number),
          email: 'colleague@people.test',
          open_link: false,
          role: 'member',
          invite_url: expect.stringMatching(/^https:\/\/track\.test\/invite#svc_inv_[\w-]{43}$/),
          mailed: false,
          expires_at: new Date(service.time.getTime() + SEVEN_DAYS * 1000).toISOString(),
        },
      },
    });
    expect(await everythingStored(service)).not.toContain(tokenIn(answer.body.data.invite_url));
  });
});

describe('POST /api/v1/manage/invitations/accept', () => {
  it.each(WORKSPACE_ROLES)('%s: the account joins the workspace in that role', async (role) => {
    const owner = await newOwner(service);
    const guest = await newAccount(service);
    service.advance({ seconds: 1 });
    const { status, body } = await accept(guest.token, await invited(owner.token, { role }));
    const data = { role, advertiser_id: owner.workspaceId, status: 'active' };
    expect({ status, body }).toEqual({ status: 200, body: { data } });
    expect(await me(guest.token)).toMatchObject({ advertiser_id: owner.workspaceId, role });
    const members = await service.call('GET', '/api/v1/manage/members', { key: owner.token });
    expect(members.body).toEqual({
      data: [
        expect.objectContaining({ id: owner.userId, email: owner.email, role: 'owner' }),
        {
          id: guest.userId,
          name: 'Robin',
          email: guest.email,
          second_factor: false,
          undeliverable: false,
          role,
          created_at: service.time.toISOString(),
        },
      ],
    });
  });

  it('partner: the account gets the partner’s own view, and keeps its workspace', async () => {
    const made = await ownedProgram(service);
    const guest = await newOwner(service);
    const { token, partnerId } = await invitedPartner(made);
    const { status, body } = await accept(guest.token, token);
    expect({ status, body }).toEqual({
      status: 200,
      body: { data: { role: 'partner', advertiser_id: made.workspaceId, status: 'active' } },
    });
    expect(await me(guest.token)).toMatchObject({ advertiser_id: guest.workspaceId, role: 'owner' });
    expect(await service.sql('select user_id from partners where id = $1', [partnerId])).toEqual([
      { user_id: guest.userId },
    ]);
    const links = await service.call('GET', manage(made, '/links'), { key: guest.token });
    expect(links).toMatchObject({ status: 200, body: { data: [{ partner_id: partnerId, active: true }] } });
  });

  it('works once', async () => {
    const owner = await newOwner(service);
    const token = await invited(owner.token);
    const [first, second] = [await newAccount(service), await newAccount(service)];
    expect((await accept(first.token, token)).status).toBe(200);
    for (const guest of [second, first]) {
      expect(await accept(guest.token, token)).toMatchObject({ status: 404, body: GONE });
    }
    expect(await me(second.token)).toMatchObject({ advertiser_id: null, role: null });
  });

  it('works for seven days, and not a moment longer', async () => {
    const owner = await newOwner(service);
    const [early, late] = [await invited(owner.token), await invited(owner.token)];
    service.advance({ seconds: SEVEN_DAYS - 0.001 });
    expect((await accept((await newAccount(service)).token, early)).status).toBe(200);
    service.advance({ seconds: 0.001 });
    const guest = await newAccount(service);
    expect(await accept(guest.token, late)).toMatchObject({ status: 404, body: GONE });
    expect(await me(guest.token)).toMatchObject({ advertiser_id: null });
  });

  it('404 for an unknown token', async () => {
    const { token } = await newAccount(service);
    expect(await accept(token, 'svc_inv_nobody')).toMatchObject({ status: 404, body: GONE });
  });

  it('409 when the account is already another partner of the same brand, and the invitation stays pending', async () => {
    const made = await ownedProgram(service);
    const [one, other] = [await invitedPartner(made), await invitedPartner(made)];
    const guest = await newAccount(service);
    expect((await accept(guest.token, one.token)).status).toBe(200);
    const message = 'This account already belongs to another partner of this brand';
    expect(await accept(guest.token, other.token)).toMatchObject({
      status: 409,
      body: platformError(409, 'ConflictError', message),
    });
    expect((await accept((await newAccount(service)).token, other.token)).status).toBe(200);
  });

  it('one account can be a partner of two brands', async () => {
    const guest = await newAccount(service);
    for (const made of [await ownedProgram(service), await ownedProgram(service)]) {
      expect((await accept(guest.token, (await invitedPartner(made)).token)).status).toBe(200);
    }
    const { body } = await service.call('GET', '/api/v1/manage/programs', { key: guest.token });
    expect(body.data.map(({ role }: { role: string }) => role)).toEqual(['partner', 'partner']);
  });
});

describe('accepting never leaves a workspace in use without an owner', () => {
  const WITHOUT_OWNER = 'A workspace needs at least one owner. Make another member an owner first.';

  it('409 for the last owner of a workspace with programs, and the invitation stays pending', async () => {
    const made = await ownedProgram(service);
    const token = await invited((await newOwner(service)).token);
    expect(await accept(made.owner.token, token)).toMatchObject({
      status: 409,
      body: platformError(409, 'ConflictError', WITHOUT_OWNER),
    });
    expect(await me(made.owner.token)).toMatchObject({ advertiser_id: made.workspaceId, role: 'owner' });
    await memberOf(service, made.workspaceId);
    expect((await accept(made.owner.token, token)).status).toBe(200);
  });

  it('409 when the last owner would rejoin as a member', async () => {
    const made = await ownedProgram(service);
    expect((await accept(made.owner.token, await invited(made.owner.token))).status).toBe(409);
    expect((await accept(made.owner.token, await invited(made.owner.token, { role: 'owner' }))).status).toBe(200);
  });

  it('an empty workspace may be left', async () => {
    const [owner, guest] = [await newOwner(service), await newOwner(service)];
    expect((await accept(guest.token, await invited(owner.token))).status).toBe(200);
    expect(await me(guest.token)).toMatchObject({ advertiser_id: owner.workspaceId, role: 'member' });
  });
});

describe('pending invitations into the workspace', () => {
  const list = async (key: string) => (await service.call('GET', '/api/v1/manage/invitations', { key })).body;
  const at = (id: number, rest = '') => `/api/v1/manage/invitations/${id}${rest}`;

  it('GET lists those that were not accepted, newest first, without their links, and none of partners', async () => {
    const made = await ownedProgram(service);
    const key = made.owner.token;
    await invitedPartner(made);
    const accepted = await invited(key);
    await accept((await newAccount(service)).token, accepted);
    const created_at = service.time.toISOString();
    await invited(key, { email: 'old@people.test', role: 'owner' });
    service.advance({ seconds: SEVEN_DAYS });
    await invited(key, { email: 'new@people.test' });
    const expires_at = new Date(service.time.getTime() + SEVEN_DAYS * 1000).toISOString();
    const now = service.time.toISOString();
    const row = { id: expect.any(Number), open_link: true, undeliverable: false };
    expect(await list(key)).toEqual({
      data: [
        { ...row, email: 'new@people.test', role: 'member', expired: false, expires_at, created_at: now },
        { ...row, email: 'old@people.test', role: 'owner', expired: true, expires_at: now, created_at },
      ],
    });
  });

  it('POST re-issue creates a new link, valid for seven days, and the old one stops working', async () => {
    const { token: key } = await newOwner(service);
    const old = await invited(key);
    service.advance({ days: 8 });
    const [{ id }] = (await list(key)).data;
    const { status, body } = await service.call('POST', at(id, '/re-issue'), { key });
    const expires_at = new Date(service.time.getTime() + SEVEN_DAYS * 1000).toISOString();
    const invite_url = expect.stringMatching(/^https:\/\/track\.test\/invite#svc_inv_[\w-]{43}$/);
    const data = {
      id,
      email: 'colleague@people.test',
      open_link: true,
      role: 'member',
      invite_url,
      mailed: false,
      expires_at,
    };
    expect({ status, body }).toEqual({ status: 200, body: { data } });
    const guest = await newAccount(service);
    expect((await accept(guest.token, old)).status).toBe(404);
    expect((await accept(guest.token, tokenIn(body.data.invite_url))).status).toBe(200);
  });

  it('POST revoke revokes one: its link stops working', async () => {
    const { token: key } = await newOwner(service);
    const token = await invited(key);
    const [{ id }] = (await list(key)).data;
    const answer = await service.call('POST', at(id, '/revoke'), { key });
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: { data: {} } });
    expect((await accept((await newAccount(service)).token, token)).status).toBe(404);
    expect(await list(key)).toEqual({ data: [] });
  });

  it.each(['/re-issue', '/revoke'])(
    '404 on %s of one that was accepted, is for a partner, or belongs to another workspace',
    async (rest) => {
      const made = await ownedProgram(service);
      const key = made.owner.token;
      await accept((await newAccount(service)).token, await invited(key));
      await invitedPartner(made);
      const theirs = await newOwner(service);
      await invited(theirs.token);
      const before = await service.sql('select * from invitations order by id');
      const rows = await service.sql<{ id: number }>('select id from invitations where advertiser_id = any ($1)', [
        [made.workspaceId, theirs.workspaceId],
      ]);
      expect(rows).toHaveLength(3);
      for (const { id } of [...rows, { id: 999_999_999 }]) {
        expect((await service.call('POST', at(id, rest), { key })).status).toBe(404);
      }
      expect(await service.sql('select * from invitations order by id')).toEqual(before);
    },
  );
});

describe('invitations of partners', () => {
  const at = (partnerId: number) => `/partners/${partnerId}/invitation`;

  it('POST creates a new link, the old one stops working, and the partner has an account once it is accepted', async () => {
    const made = await ownedProgram(service);
    const { token: old, partnerId } = await invitedPartner(made);
    const call = (method: string, path: string) => service.call(method, manage(made, path), { key: made.owner.token });
    const { status, body } = await service.call('POST', manage(made, at(partnerId)), {
      key: made.owner.token,
      body: { open_link: true },
    });
    const expires_at = new Date(service.time.getTime() + SEVEN_DAYS * 1000).toISOString();
    const invite_url = expect.stringMatching(/^https:\/\/track\.test\/invite#svc_inv_[\w-]{43}$/);
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        data: {
          invite_url,
          mailed: false,
          expires_at,
          email: expect.stringMatching(/^joan.*@partner\.test$/),
          open_link: true,
          replaces_account: false,
          open_balances: [],
        },
      },
    });
    const guest = await newAccount(service);
    expect((await accept(guest.token, old)).status).toBe(404);
    expect((await accept(guest.token, tokenIn(body.data.invite_url))).status).toBe(200);
    expect((await call('GET', '/partners')).body.data).toMatchObject([{ id: partnerId, has_account: true }, {}]);
  });

  it('DELETE revokes it, and is safe to repeat', async () => {
    const made = await ownedProgram(service);
    const { token, partnerId } = await invitedPartner(made);
    for (let again = 0; again < 2; again += 1) {
      const answer = await service.call('DELETE', manage(made, at(partnerId)), { key: made.owner.token });
      expect(answer).toMatchObject({ status: 200, body: { data: {} } });
    }
    expect((await accept((await newAccount(service)).token, token)).status).toBe(404);
  });
});

describe('POST /api/v1/manage/invitations/look-up', () => {
  const lookUp = (token: string) =>
    service.call('POST', '/api/v1/manage/invitations/look-up', { body: { token }, ip: '192.0.2.1' });

  it('says who invites to what, without a sign-in, and whether it has expired', async () => {
    const owner = await newOwner(service);
    const token = await invited(owner.token, { role: 'owner' });
    const expires_at = new Date(service.time.getTime() + SEVEN_DAYS * 1000).toISOString();
    const what = { role: 'owner', email: 'colleague@people.test', open_link: true, workspace: 'Acme', programs: [] };
    const about = { ...what, name: null, offers: [], needs_approval: false, expires_at };
    const { status, body } = await lookUp(token);
    expect({ status, body }).toEqual({ status: 200, body: { data: { status: 'open', ...about } } });
    service.advance({ seconds: SEVEN_DAYS });
    expect((await lookUp(token)).body).toEqual({ data: { status: 'expired', ...about } });
    const used = await invited(owner.token);
    await accept((await newAccount(service)).token, used);
    expect((await lookUp(used)).body.data).toMatchObject({ status: 'used', role: 'member' });
  });

  it('names the programs that a partner is invited to', async () => {
    const { token } = await invitedPartner(await ownedProgram(service));
    expect((await lookUp(token)).body.data).toMatchObject({ status: 'open', role: 'partner', programs: ['Acme'] });
  });

  it('404 for an unknown token', async () => {
    expect(await lookUp('svc_inv_nobody')).toMatchObject({ status: 404, body: GONE });
  });
});

describe('POST /api/v1/manage/logout', () => {
  it('revokes the account token of the request and no other', async () => {
    const [one, other] = [await newOwner(service), await newOwner(service)];
    const answer = await service.call('POST', '/api/v1/manage/logout', { key: one.token });
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: { data: {} } });
    const statusFor = async (key: string) => (await service.call('GET', '/api/v1/manage/me', { key })).status;
    expect(await statusFor(one.token)).toBe(401);
    expect(await statusFor(other.token)).toBe(200);
  });
});
