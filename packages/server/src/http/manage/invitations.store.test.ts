import { describe, expect, it } from 'vitest';
import {
  everythingStored,
  manage,
  memberOf,
  newAccount,
  newOwner,
  type OwnedProgram,
  ownedProgram,
} from '../../../test/accounts.ts';
import { platformError, useService } from '../../../test/service.ts';
import { newId } from '../../../test/sold.ts';

const service = useService();

const GONE = platformError(
  404,
  'NotFoundError',
  'This invitation is unknown, was used, or has expired. Ask for a new one.',
);
const SEVEN_DAYS = 7 * 86_400;

const me = async (token: string) => (await service.call('GET', '/api/v1/manage/me', { key: token })).body.data;
const accept = (key: string, token: string) =>
  service.call('POST', '/api/v1/manage/invitations/accept', { key, body: { token } });
const tokenIn = (inviteUrl: string) => new URL(inviteUrl).hash.slice(1);

async function invited(key: string, body: object = {}): Promise<string> {
  const sent = { email: 'colleague@people.test', ...body };
  const answer = await service.call('POST', '/api/v1/manage/invitations', { key, body: sent });
  expect(answer.status).toBe(201);
  return tokenIn(answer.body.data.invite_url);
}

async function invitedPartner(made: OwnedProgram): Promise<{ token: string; partnerId: number }> {
  const body = { name: 'Joan', email: `${newId('joan')}@partner.test` };
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
          role: 'member',
          invite_url: expect.stringMatching(/^https:\/\/track\.test\/invite#svc_inv_[\w-]{43}$/),
          expires_at: new Date(service.time.getTime() + SEVEN_DAYS * 1000).toISOString(),
        },
      },
    });
    expect(await everythingStored(service)).not.toContain(tokenIn(answer.body.data.invite_url));
  });
});

describe('POST /api/v1/manage/invitations/accept', () => {
  it.each(['member', 'owner'])('%s: the account joins the workspace in that role', async (role) => {
    const owner = await newOwner(service);
    const guest = await newAccount(service);
    service.advance({ seconds: 1 });
    const { status, body } = await accept(guest.token, await invited(owner.token, { role }));
    expect({ status, body }).toEqual({ status: 200, body: { data: { role, advertiser_id: owner.advertiserId } } });
    expect(await me(guest.token)).toMatchObject({ advertiser_id: owner.advertiserId, role });
    const members = await service.call('GET', '/api/v1/manage/members', { key: owner.token });
    expect(members.body).toEqual({
      data: [
        expect.objectContaining({ id: owner.userId, email: owner.email, role: 'owner' }),
        { id: guest.userId, name: 'Robin', email: guest.email, role, created_at: service.time.toISOString() },
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
      body: { data: { role: 'partner', advertiser_id: made.advertiserId } },
    });
    expect(await me(guest.token)).toMatchObject({ advertiser_id: guest.advertiserId, role: 'owner' });
    expect(await service.sql('select user_id from partners where id = $1', [partnerId])).toEqual([
      { user_id: guest.userId },
    ]);
    const links = await service.call('GET', manage(made, '/links'), { key: guest.token });
    expect(links).toMatchObject({ status: 200, body: { data: [] } });
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

  it('404 for a token that nobody was given', async () => {
    const { token } = await newAccount(service);
    expect(await accept(token, 'svc_inv_nobody')).toMatchObject({ status: 404, body: GONE });
  });

  it('409 when the account is another partner of the same brand already, and the invitation stays open', async () => {
    const made = await ownedProgram(service);
    const [one, other] = [await invitedPartner(made), await invitedPartner(made)];
    const guest = await newAccount(service);
    expect((await accept(guest.token, one.token)).status).toBe(200);
    const message = 'This account is another partner of this brand already';
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

describe('GET /api/v1/manage/me', () => {
  it('tells the account, its workspace and its role', async () => {
    const member = await memberOf(service, (await newOwner(service)).advertiserId, 'member');
    expect(await me(member.token)).toEqual({
      user: { id: member.userId, name: 'Robin', email: member.email },
      advertiser_id: member.advertiserId,
      role: 'member',
    });
  });
});

describe('POST /api/v1/manage/logout', () => {
  it('revokes the account token of the request, and no other', async () => {
    const [one, other] = [await newOwner(service), await newOwner(service)];
    const answer = await service.call('POST', '/api/v1/manage/logout', { key: one.token });
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: { data: {} } });
    const statusFor = async (key: string) => (await service.call('GET', '/api/v1/manage/me', { key })).status;
    expect(await statusFor(one.token)).toBe(401);
    expect(await statusFor(other.token)).toBe(200);
  });
});
