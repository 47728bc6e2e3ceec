import {
  manage,
  memberOf,
  newAccount,
  type OwnedProgram,
  ownedProgram,
  partnerAccount,
} from '@svc/testkit/service/accounts.ts';
import { giveMethod } from '@svc/testkit/service/payout-methods.ts';
import { openPayout } from '@svc/testkit/service/routes/requests/payouts.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const tokenIn = (inviteUrl: string) => new URL(inviteUrl).hash.slice(1);
const accept = (key: string, token: string) =>
  service.call('POST', '/api/v1/manage/invitations/accept', { key, body: { token } });
const me = async (key: string) => (await service.call('GET', '/api/v1/manage/me', { key })).body.data;

const handOver = (made: OwnedProgram, key: string, body?: object) =>
  service.call('POST', manage(made, `/partners/${made.partnerId}/invitation`), { key, body });

/** A program whose partner has an account and a balance. */
async function partnerWithAccount() {
  const made = await ownedProgram(service);
  await sold(service, made, { amount_cents: 10_000 });
  const partner = await partnerAccount(service, made.partnerId);
  await giveMethod(service, partner.userId);
  return { made, partner };
}

const auditOf = (made: OwnedProgram) =>
  service.sql(
    `select user_id, action, subject, subject_id, before, after, request_id is not null as has_request, created_at
     from audit_events where advertiser_id = $1 and action like 'partner.account%' order by id`,
    [made.workspaceId],
  );

describe('a partner who has an account is handed over to another one', () => {
  it('only by an owner: 403 for a member, confirmed or not, and nothing is created', async () => {
    const { made } = await partnerWithAccount();
    const member = await memberOf(service, made.workspaceId, 'member');
    for (const body of [undefined, { replace_account: true, open_link: true }]) {
      expect(await handOver(made, member.token, body)).toMatchObject({
        status: 403,
        body: platformError(403, 'ForbiddenError', 'Only a workspace owner can do this'),
      });
    }
    expect(await service.sql('select 1 from invitations where partner_id = $1', [made.partnerId])).toEqual([]);
  });

  it('only with a confirmation: 409 that says how, and nothing is created', async () => {
    const { made } = await partnerWithAccount();
    for (const body of [undefined, {}, { replace_account: false }]) {
      expect(await handOver(made, made.owner.token, body)).toMatchObject({
        status: 409,
        body: platformError(
          409,
          'ConflictError',
          'This partner already has an account. Only a workspace owner can hand the partner over to another account.',
          { field: 'replace_account' },
        ),
      });
    }
    expect(await service.sql('select 1 from invitations where partner_id = $1', [made.partnerId])).toEqual([]);
    expect(await auditOf(made)).toEqual([]);
  });

  it('the answer shows what is due; the account keeps access until the invitation is accepted', async () => {
    const { made, partner } = await partnerWithAccount();
    const next = await newAccount(service);
    const answer = await handOver(made, made.owner.token, { replace_account: true, email: next.email });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        data: {
          email: next.email,
          open_link: false,
          replaces_account: true,
          open_balances: [{ currency: 'USD', pending_cents: 2_000, payable_cents: 0 }],
        },
      },
    });
    const links = (key: string) => service.call('GET', manage(made, '/links'), { key });
    expect((await links(partner.token)).status).toBe(200);
    expect((await links(next.token)).status).toBe(404);
    expect((await me(partner.token)).partner_of).toMatchObject([{ account_change_pending: true }]);
    expect((await accept(next.token, tokenIn(answer.body.data.invite_url))).status).toBe(200);
    expect((await links(partner.token)).status).toBe(404);
    expect((await links(next.token)).status).toBe(200);
  });

  it('both accounts and the brand see when it happened, and the audit trail says who did what', async () => {
    const { made, partner } = await partnerWithAccount();
    await openPayout(service, made);
    const next = await newAccount(service);
    const { body } = await handOver(made, made.owner.token, { replace_account: true, open_link: true });
    const invitedAt = service.time;
    service.advance({ days: 1 });
    expect((await accept(next.token, tokenIn(body.data.invite_url))).status).toBe(200);
    const at = service.time.toISOString();

    expect((await me(next.token)).partner_of).toMatchObject([
      { partner_id: made.partnerId, account_changed_at: at, account_change_pending: false },
    ]);
    expect(await me(partner.token)).toMatchObject({ partner_of: [], handed_over: [{ workspace: 'Acme', at }] });
    const get = async (path: string) =>
      (await service.call('GET', manage(made, path), { key: made.owner.token })).body.data[0];
    for (const path of ['/partners', '/balances', '/payouts'])
      expect(await get(path)).toMatchObject({ account_changed_at: at });

    const [invitation] = await service.sql<{ id: number }>('select id from invitations where partner_id = $1', [
      made.partnerId,
    ]);
    const about = { subject: 'partner', subject_id: String(made.partnerId), has_request: true };
    expect(await auditOf(made)).toEqual([
      {
        ...about,
        user_id: made.owner.userId,
        action: 'partner.account_replacement_invited',
        before: { user_id: partner.userId },
        after: { invitation_id: invitation?.id, open_link: true },
        created_at: invitedAt,
      },
      {
        ...about,
        user_id: next.userId,
        action: 'partner.account_replaced',
        before: { user_id: partner.userId },
        after: { user_id: next.userId, invitation_id: invitation?.id },
        created_at: service.time,
      },
    ]);
  });

  it('not if the inviter is no longer an owner when the invitation is accepted', async () => {
    const { made, partner } = await partnerWithAccount();
    const other = await memberOf(service, made.workspaceId);
    const { body } = await handOver(made, other.token, { replace_account: true, open_link: true });
    const path = `/api/v1/manage/members/${other.userId}`;
    await service.call('PATCH', path, { key: made.owner.token, body: { role: 'member' } });
    expect((await accept((await newAccount(service)).token, tokenIn(body.data.invite_url))).status).toBe(404);
    expect((await me(partner.token)).partner_of).toHaveLength(1);
  });
});

describe('nobody takes over a partner as a side effect', () => {
  it('adding a partner who has an account to a program creates no invitation', async () => {
    const { made, partner } = await partnerWithAccount();
    const [known] = await service.sql<{ email: string }>('select email from partners where id = $1', [made.partnerId]);
    const member = await memberOf(service, made.workspaceId, 'member');
    const second = await service.program({ workspaceId: made.workspaceId });
    const body = { name: 'Jane', email: known?.email, open_link: true };
    const answer = await service.call('POST', manage(second, '/partners'), { key: member.token, body });
    expect(answer).toMatchObject({ status: 201, body: { data: { id: made.partnerId, invite_url: null } } });
    expect(await service.sql('select 1 from invitations where partner_id = $1', [made.partnerId])).toEqual([]);
    expect((await me(partner.token)).partner_of).toHaveLength(2);
  });

  it('an invitation from before the partner had an account does not take them over', async () => {
    const made = await ownedProgram(service);
    const { body } = await handOver(made, made.owner.token, { open_link: true });
    const partner = await partnerAccount(service, made.partnerId);
    const answer = await accept((await newAccount(service)).token, tokenIn(body.data.invite_url));
    expect(answer).toMatchObject({
      status: 409,
      body: platformError(
        409,
        'ConflictError',
        'Another account has become this partner. Ask the brand for a new invitation.',
      ),
    });
    expect((await me(partner.token)).partner_of).toHaveLength(1);
    expect((await accept(partner.token, tokenIn(body.data.invite_url))).status).toBe(200);
  });
});
