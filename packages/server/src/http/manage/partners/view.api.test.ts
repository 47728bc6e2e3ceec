import { manage, memberOf, type OwnedProgram, ownedProgram, partnerAccount } from '@svc/testkit/service/accounts.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';

const service = useService();

const start = (made: OwnedProgram, key = made.owner.token) =>
  service.call('POST', manage(made, `/partners/${made.partnerId}/view`), { key });
const viewed = (made: OwnedProgram, token: string, path: string, key = made.owner.token) =>
  service.call('GET', manage(made, path), { key, headers: { 'View-As-Partner': token } });

/** A program with sales of two partners, and one of the team who views it as the first of them. */
async function opened() {
  const made = await ownedProgram(service);
  const rival = { ...made, ...(await service.partner(made.program)) };
  const own = await sold(service, made);
  await sold(service, rival);
  const { body } = await start(made);
  return { made, own, token: body.data.token as string, view: body.data };
}

it('answers reading requests exactly as it answers the partner', async () => {
  const { made, own, token } = await opened();
  const jane = await partnerAccount(service, made.partnerId);
  const asJane = (path: string) => service.call('GET', manage(made, path), { key: jane.token });
  const paths = [
    '/sales',
    '/commissions',
    '/customers',
    '/links',
    '/earnings',
    '/upcoming',
    '/performance',
    '/payouts',
  ];
  for (const path of [...paths, '/export/sales.csv']) {
    const [seen, real] = [await viewed(made, token, path), await asJane(path)];
    expect({ path, status: seen.status, text: seen.text }).toEqual({ path, status: 200, text: real.text });
  }
  const { data } = (await viewed(made, token, '/sales')).body;
  expect(data.map(({ transaction_id: id }: { transaction_id: string }) => id)).toEqual([own.transactionId]);
  // What partners cannot open, a view cannot open either.
  expect((await viewed(made, token, '/partners')).status).toBe(404);
});

it('says what the partner would be told, and records who looked', async () => {
  const { made, view } = await opened();
  expect(view).toMatchObject({
    name: 'Jane',
    expires_at: new Date(service.time.getTime() + 3_600_000).toISOString(),
    program: { id: made.program.id, role: 'partner' },
    membership: { program_id: made.program.id, partner_id: made.partnerId, status: 'active' },
    payout_method: null,
  });
  const { body } = await service.call('GET', `/api/v1/manage/audit?action=partner.viewed`, { key: made.owner.token });
  expect(body.data).toMatchObject([
    {
      action: 'partner.viewed',
      subject_id: String(made.partnerId),
      sentence: 'Robin (account token) viewed the portal as Jane',
    },
  ]);
});

it('changes nothing', async () => {
  const { made, token } = await opened();
  const headers = { 'View-As-Partner': token };
  const answer = await service.call('POST', manage(made, '/links'), { key: made.owner.token, headers, body: {} });
  const message = 'Nothing can be changed while you view the portal as a partner. End the view first.';
  expect(answer).toMatchObject({ status: 403, body: platformError(403, 'ForbiddenError', message) });
  const rows = await service.sql('select 1 from links where program_id = $1 and partner_id = $2', [
    made.program.id,
    made.partnerId,
  ]);
  expect(rows).toHaveLength(1);
});

it('ends after an hour, and with the right to it', async () => {
  const { made, token } = await opened();
  const ended = {
    status: 403,
    body: platformError(403, 'ForbiddenError', 'The view as a partner has ended. Start it again.'),
  };
  const admin = await memberOf(service, made.workspaceId, 'member');
  expect(await viewed(made, token, '/sales', admin.token), 'another person').toMatchObject(ended);
  const own = (await start(made, admin.token)).body.data.token;
  expect((await viewed(made, own, '/sales', admin.token)).status).toBe(200);
  await service.sql(`update workspace_members set role = 'finance' where user_id = $1`, [admin.userId]);
  expect(await viewed(made, own, '/sales', admin.token), 'without the right').toMatchObject(ended);
  service.advance({ seconds: 3_600 });
  expect(await viewed(made, token, '/sales'), 'an hour later').toMatchObject(ended);
});

it('ends when the partner no longer has a portal', async () => {
  const { made, token } = await opened();
  await service.sql(`update memberships set status = 'removed' where partner_id = $1`, [made.partnerId]);
  const { status, body } = await viewed(made, token, '/sales');
  expect({ status, body }).toEqual({
    status: 403,
    body: platformError(403, 'ForbiddenError', 'The view as a partner has ended. Start it again.'),
  });
});

it('is for owners and admins, and for partners who have a portal', async () => {
  const made = await ownedProgram(service);
  for (const role of ['finance', 'viewer'] as const) {
    expect((await start(made, (await memberOf(service, made.workspaceId, role)).token)).status).toBe(403);
  }
  await service.sql(`update memberships set status = 'removed' where partner_id = $1`, [made.partnerId]);
  expect((await start(made)).status).toBe(404);
});
