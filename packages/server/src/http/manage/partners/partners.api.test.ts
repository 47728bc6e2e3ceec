import { manage, type OwnedProgram, ownedProgram, partnerAccount } from '@svc/testkit/service/accounts.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { badRequest } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';
import { rollUpCounts } from '../../../jobs/roll-up-counts.ts';

const service = useService();

type ListedPartner = { id: number; last_30_days: { clicks: number; leads: number; sales: number } };

const asOwner = (made: OwnedProgram, method: string, rest: string, body?: object) =>
  service.call(method, manage(made, rest), { key: made.owner.token, body });
const clickStatus = async (link: string) =>
  (await service.click({ affiliate_url: `https://acme.test/?aff=${link}` })).status;

describe('POST /api/v1/manage/programs/:id/partners', () => {
  it('answers 201 with the partner and an invite_url, and stores them', async () => {
    const made = await ownedProgram(service);
    const email = `${newId('joan')}@partner.test`;
    const { status, body } = await asOwner(made, 'POST', '/partners', { name: 'Joan', email });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        data: {
          id: expect.any(Number),
          name: 'Joan',
          email,
          status: 'active',
          has_account: false,
          account_changed_at: null,
          group_id: made.program.defaultGroupId,
          group_name: 'Default',
          group_by: 'tier',
          recruiter_id: null,
          external_id: null,
          created_at: service.time.toISOString(),
          invite_url: expect.stringMatching(/^https:\/\/track\.test\/invite#svc_inv_[\w-]{43}$/),
          mailed: false,
        },
      },
    });
    const rows = await service.sql('select status from memberships where program_id = $1 and partner_id = $2', [
      made.program.id,
      body.data.id,
    ]);
    expect(rows).toEqual([{ status: 'active' }]);
  });

  it('the same e-mail, ignoring case, is the same partner in all programs of the workspace', async () => {
    const made = await ownedProgram(service);
    const sibling = await service.program({ workspaceId: made.workspaceId });
    const email = `${newId('joan')}@partner.test`;
    const add = async (on: Pick<OwnedProgram, 'program'>, address: string) =>
      (
        await service.call('POST', manage(on, '/partners'), {
          key: made.owner.token,
          body: { name: 'Joan', email: address },
        })
      ).body.data.id;
    const id = await add(made, email);
    expect(await add(made, email.toUpperCase())).toBe(id);
    expect(await add(sibling, email)).toBe(id);
    expect(await service.sql('select 1 from memberships where partner_id = $1', [id])).toHaveLength(2);
  });

  it('the same e-mail in another workspace is a different partner', async () => {
    const [one, other] = [await ownedProgram(service), await ownedProgram(service)];
    const body = { name: 'Joan', email: `${newId('joan')}@partner.test` };
    const first = (await asOwner(one, 'POST', '/partners', body)).body.data.id;
    expect((await asOwner(other, 'POST', '/partners', body)).body.data.id).not.toBe(first);
  });
});

describe('GET /api/v1/manage/programs/:id/partners/:partner_id', () => {
  it('answers with the partner, also when the partner was removed', async () => {
    const made = await ownedProgram(service);
    const removed = await asOwner(made, 'PATCH', `/partners/${made.partnerId}`, { status: 'removed' });
    const { status, body } = await asOwner(made, 'GET', `/partners/${made.partnerId}`);
    const more = { undeliverable: false, payout_method: null, invitation: null, answers: [], agreements: [] };
    const numbers = { clicks: 0, leads: 0, sales: 0, money: [] };
    expect({ status, body }).toEqual({ status: 200, body: { data: { ...removed.body.data, ...more, numbers } } });
    expect(body.data).toMatchObject({ id: made.partnerId, name: 'Jane', status: 'removed' });
  });

  it('answers 404 for a partner that is not in the program', async () => {
    const made = await ownedProgram(service);
    for (const id of ['999999999', 'jane']) {
      const { status, body } = await asOwner(made, 'GET', `/partners/${id}`);
      expect({ status, body }).toEqual({ status: 404, body: platformError(404, 'NotFoundError', 'Not Found') });
    }
  });
});

describe('PATCH /api/v1/manage/programs/:id/partners/:partner_id', () => {
  it.each(['blocked', 'removed'])('%s: the partner’s links answer 410 until the partner is restored', async (word) => {
    const made = await ownedProgram(service);
    expect(await clickStatus(made.link)).toBe(200);
    const { status, body } = await asOwner(made, 'PATCH', `/partners/${made.partnerId}`, { status: word });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: {
          id: made.partnerId,
          name: 'Jane',
          email: `${made.link}@partner.test`,
          status: word,
          has_account: false,
          account_changed_at: null,
          group_id: made.program.defaultGroupId,
          group_name: 'Default',
          group_by: 'tier',
          recruiter_id: null,
          external_id: null,
          created_at: service.time.toISOString(),
        },
      },
    });
    await expect.poll(() => clickStatus(made.link)).toBe(410);
    await asOwner(made, 'PATCH', `/partners/${made.partnerId}`, { status: 'active' });
    await expect.poll(() => clickStatus(made.link)).toBe(200);
  });

  it('applies to this program only', async () => {
    const made = await ownedProgram(service);
    const email = `${made.link}@partner.test`;
    const sibling = await service.program({ workspaceId: made.workspaceId });
    await service.call('POST', manage(sibling, '/partners'), { key: made.owner.token, body: { name: 'Jane', email } });
    await asOwner(made, 'PATCH', `/partners/${made.partnerId}`, { status: 'removed' });
    const rows = await service.sql('select program_id, status from memberships where partner_id = $1 order by 1', [
      made.partnerId,
    ]);
    expect(rows).toEqual([
      { program_id: made.program.id, status: 'removed' },
      { program_id: sibling.program.id, status: 'active' },
    ]);
  });
});

describe('POST /api/v1/manage/programs/:id/links', () => {
  it('answers 201 with the link, generated if short_link is omitted; it counts clicks immediately', async () => {
    const made = await ownedProgram(service);
    const { status, body } = await asOwner(made, 'POST', '/links', { partner_id: made.partnerId });
    const { short_link } = body.data;
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        data: {
          id: expect.any(Number),
          short_link: expect.stringMatching(/^[0-9a-f]{10}$/),
          url: `https://acme.test/?aff=${short_link}`,
          short_url: `https://track.test/r/${short_link}`,
          destination_url: null,
          label: null,
          deleted_at: null,
          active: true,
          partner_id: made.partnerId,
          partner_name: 'Jane',
          created_at: service.time.toISOString(),
        },
      },
    });
    expect(await clickStatus(short_link)).toBe(200);
  });

  it.each([
    ['https://shop.acme.test/a?x=1#top', (link: string) => `https://shop.acme.test/a?x=1&aff=${link}#top`],
    ['http://localhost:3000', (link: string) => `http://localhost:3000/?aff=${link}`],
    ['https://acme.test/?aff=old', (link: string) => `https://acme.test/?aff=${link}`],
  ])('destination_url %s carries aff', async (destination_url, url) => {
    const made = await ownedProgram(service, { allowedOrigins: ['http://localhost:3000'] });
    const short_link = newId('summer.sale');
    const body = { partner_id: made.partnerId, short_link, destination_url };
    const answer = await asOwner(made, 'POST', '/links', body);
    expect(answer).toMatchObject({ status: 201, body: { data: { short_link, url: url(short_link) } } });
  });

  it('400 partner_id is required', async () => {
    const answer = await asOwner(await ownedProgram(service), 'POST', '/links', {});
    expect(answer).toMatchObject({ status: 400, body: badRequest('partner_id is required') });
  });

  it('409 when the short_link is taken', async () => {
    const made = await ownedProgram(service);
    const body = { partner_id: made.partnerId, short_link: made.link };
    const answer = await asOwner(made, 'POST', '/links', body);
    const message = `short_link "${made.link}" is taken. Choose another.`;
    expect(answer).toMatchObject({ status: 409, body: platformError(409, 'ConflictError', message) });
  });

  it('a partner needs no partner_id', async () => {
    const made = await ownedProgram(service);
    const { token } = await partnerAccount(service, made.partnerId);
    const answer = await service.call('POST', manage(made, '/links'), { key: token, body: {} });
    expect(answer).toMatchObject({ status: 201, body: { data: { partner_id: made.partnerId, active: true } } });
  });

  it('a short_link that was requested before it existed works once it is created', async () => {
    const made = await ownedProgram(service);
    const short_link = newId('early');
    expect(await clickStatus(short_link)).toBe(400);
    await asOwner(made, 'POST', '/links', { partner_id: made.partnerId, short_link });
    await expect.poll(() => clickStatus(short_link)).toBe(200);
  });
});

describe('PATCH /api/v1/manage/programs/:id/links/:link_id', () => {
  it.each(['brand', 'partner'])('the %s disables the link, clicks get 410, and enables it again', async (who) => {
    const made = await ownedProgram(service);
    const key = who === 'brand' ? made.owner.token : (await partnerAccount(service, made.partnerId)).token;
    const [{ id } = { id: 0 }] = (await service.call('GET', manage(made, '/links'), { key })).body.data;
    expect(await clickStatus(made.link)).toBe(200);
    const toggle = (active: boolean) => service.call('PATCH', manage(made, `/links/${id}`), { key, body: { active } });
    const off = await toggle(false);
    expect({ status: off.status, body: off.body }).toEqual({
      status: 200,
      body: {
        data: {
          id,
          short_link: made.link,
          url: `https://acme.test/?aff=${made.link}`,
          short_url: `https://track.test/r/${made.link}`,
          destination_url: null,
          label: null,
          deleted_at: null,
          active: false,
          partner_id: made.partnerId,
          partner_name: 'Jane',
          created_at: service.time.toISOString(),
        },
      },
    });
    await expect.poll(() => clickStatus(made.link)).toBe(410);
    expect((await toggle(true)).body.data.active).toBe(true);
    await expect.poll(() => clickStatus(made.link)).toBe(200);
  });
});

describe('GET /api/v1/manage/programs/:id/partners', () => {
  it('shows what each partner brought in over the last 30 days, rolled up or not', async () => {
    const made = await ownedProgram(service);
    const idle = await service.partner(made.program);
    await sold(service, made);
    service.advance({ days: 20 });
    const recent = async () => {
      const { data } = (await asOwner(made, 'GET', '/partners')).body;
      return Object.fromEntries(
        data.map(({ id, last_30_days: { clicks, leads, sales } }: ListedPartner) => [id, [clicks, leads, sales]]),
      );
    };
    await service.clickId(made.link);
    const expected = { [made.partnerId]: [2, 1, 1], [idle.partnerId]: [0, 0, 0] };
    expect(await recent()).toEqual(expected);
    await rollUpCounts.run(service.ctx);
    expect(await recent()).toEqual(expected);
    service.advance({ days: 10 });
    expect(await recent()).toEqual({ ...expected, [made.partnerId]: [1, 0, 0] });
  });
});
