import { manage, memberOf, newAccount, newOwner, ownedProgram, partnerAccount } from '@svc/testkit/service/accounts.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const me = async (key: string) => (await service.call('GET', '/api/v1/manage/me', { key })).body.data;
const change = (key: string, body: object) => service.call('PATCH', '/api/v1/manage/me', { key, body });

describe('GET /api/v1/manage/me', () => {
  it('returns the account, its workspace and its role', async () => {
    const member = await memberOf(service, (await newOwner(service)).workspaceId, 'member');
    expect(await me(member.token)).toEqual({
      user: { id: member.userId, name: 'Robin', email: member.email, email_verified: true, email_undeliverable: false },
      advertiser_id: member.workspaceId,
      workspace: 'Acme',
      role: 'member',
      needs_second_factor: false,
      payout_method: null,
      partner_of: [],
      handed_over: [],
    });
  });

  it('returns a partner’s programs, newest first, and their status in each', async () => {
    const made = await ownedProgram(service, { currency: 'EUR', cookieWindowDays: 14 });
    const partner = await partnerAccount(service, made.partnerId);
    const sibling = await service.program({ workspaceId: made.workspaceId });
    const body = { name: 'Jane', email: `${made.link}@partner.test` };
    await service.call('POST', manage(sibling, '/partners'), { key: made.owner.token, body });
    await service.call('PATCH', manage(made, `/partners/${made.partnerId}`), {
      key: made.owner.token,
      body: { status: 'blocked' },
    });
    const shared = {
      partner_id: made.partnerId,
      name: 'Acme',
      domain: 'acme.test',
      commission: '20% per sale',
      earnings: ['20% of each sale, not of renewals', 'Tax and shipping do not count'],
      commission_type: 'percent',
      commission_rate: 20,
      commission_base: 'net',
      attribution: 'first',
      recurring_months: null,
      link_base: 'https://acme.test/?aff=',
    };
    expect(await me(partner.token)).toMatchObject({
      advertiser_id: null,
      role: null,
      partner_of: [
        { ...shared, program_id: sibling.program.id, status: 'active', currency: 'USD', cookie_window_days: 60 },
        { ...shared, program_id: made.program.id, status: 'blocked', currency: 'EUR', cookie_window_days: 14 },
      ],
    });
  });
});

describe('PATCH /api/v1/manage/me', () => {
  it('changes what is sent and leaves the rest', async () => {
    const { token, userId, email } = await newAccount(service);
    const named = await change(token, { name: 'Robin Doe' });
    expect({ status: named.status, body: named.body }).toEqual({
      status: 200,
      body: {
        data: {
          user: { id: userId, name: 'Robin Doe', email, email_verified: true, email_undeliverable: false },
          advertiser_id: null,
          workspace: null,
          role: null,
          needs_second_factor: false,
          payout_method: null,
          partner_of: [],
          handed_over: [],
        },
      },
    });
    expect((await change(token, {})).body.data).toMatchObject({ user: { name: 'Robin Doe' } });
  });

  it('400 for payout details, which a page of an earlier release may still send', async () => {
    const { token } = await newAccount(service);
    const { status, body } = await change(token, { name: 'Robin Doe', payout_details: 'IBAN' });
    const message =
      'payout_details is no longer used. Set your payout method with PUT /api/v1/manage/me/payout-method.';
    expect({ status, body }).toEqual({
      status: 400,
      body: platformError(400, 'BadRequestError', message, { field: 'payout_details' }),
    });
    expect(await me(token)).toMatchObject({ user: { name: 'Robin' } });
  });

  it('changes no other account', async () => {
    const [one, other] = [await newAccount(service), await newAccount(service)];
    await change(one.token, { name: newId('name') });
    expect(await me(other.token)).toMatchObject({ user: { name: 'Robin' } });
  });
});
