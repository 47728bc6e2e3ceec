import { describe, expect, it } from 'vitest';
import { manage, newAccount, newOwner, ownedProgram } from '../../../test/accounts.ts';
import { sold } from '../../../test/sold.ts';
import { atOnce, statusCounts, useTwoNodes } from '../../../test/two-nodes.ts';

const nodes = useTwoNodes();
const [service] = nodes;

describe('under many requests at once, on two nodes', () => {
  it('an invitation is accepted by one of ten accounts', async () => {
    const owner = await newOwner(service);
    const body = { email: 'colleague@people.test', open_link: true };
    const invitation = await service.call('POST', '/api/v1/manage/invitations', { key: owner.token, body });
    const token = new URL(invitation.body.data.invite_url).hash.slice(1);
    const guests = await Promise.all(Array.from({ length: 10 }, () => newAccount(service)));
    const answers = await atOnce(nodes, 10, (node, index) =>
      node.call('POST', '/api/v1/manage/invitations/accept', { key: guests[index]?.token, body: { token } }),
    );
    expect(statusCounts(answers)).toEqual({ 200: 1, 404: 9 });
    const members = await service.call('GET', '/api/v1/manage/members', { key: owner.token });
    expect(members.body.data).toHaveLength(2);
  });

  it('a commission is approved once', async () => {
    const made = await ownedProgram(service);
    const { commissionId } = await sold(service, made);
    const path = manage(made, `/commissions/${commissionId}/approve`);
    const answers = await atOnce(nodes, 6, (node) => node.call('POST', path, { key: made.owner.token }));
    expect(statusCounts(answers)).toEqual({ 200: 1, 400: 5 });
  });

  it('a short_link is given to one of ten', async () => {
    const made = await ownedProgram(service);
    const body = { partner_id: made.partnerId, short_link: `race-${made.program.id}` };
    const answers = await atOnce(nodes, 10, (node) =>
      node.call('POST', manage(made, '/links'), { key: made.owner.token, body }),
    );
    expect(statusCounts(answers)).toEqual({ 201: 1, 409: 9 });
  });

  it('a payment account is connected to one of ten workspaces', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => ownedProgram(service)));
    const accountId = `acct_race_${all[0]?.program.id}`;
    const body = { provider: 'stripe', webhook_secret: 'whsec_a', account_id: accountId };
    const answers = await atOnce(nodes, 10, (node, index) => {
      const made = all[index] as (typeof all)[number];
      return node.call('PUT', manage(made, '/processor'), { key: made.owner.token, body });
    });
    expect(statusCounts(answers)).toEqual({ 200: 1, 409: 9 });
    const winner = all[answers.findIndex(({ status }) => status === 200)];
    expect(
      await service.sql(
        `select c.program_id, a.advertiser_id from processor_connections c
         join processor_accounts a on a.account_id = c.account_id where c.account_id = $1`,
        [accountId],
      ),
    ).toEqual([{ program_id: winner?.program.id, advertiser_id: winner?.workspaceId }]);
  });
});
