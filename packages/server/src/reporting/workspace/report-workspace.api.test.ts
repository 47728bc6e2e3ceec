import { manage, memberOf, newOwner, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { approvedSale } from '@svc/testkit/service/payments/paid.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';
import { withoutReplica } from '../../db/report-reader.ts';
import { reportWorkspace } from './report-workspace.ts';

const service = useService();

const overview = (key: string) => service.call('GET', '/api/v1/manage/workspace/overview', { key });

it('says for each program of the workspace what waits, what is due and what the last 30 days brought', async () => {
  const one = await ownedProgram(service);
  const two = await service.program({ currency: 'EUR', workspaceId: one.workspaceId });
  for (const [{ program }, name] of [
    [one, 'Zebra'],
    [two, 'Ant'],
  ] as const) {
    await service.call('PATCH', manage({ program }), { key: one.owner.token, body: { name } });
  }
  const viewer = await memberOf(service, one.workspaceId, 'viewer');
  await sold(service, one);
  service.advance({ days: 31 });
  await approvedSale(service, one);
  const applicant = { name: 'Ida', email: `${newId('ida')}@partner.test` };
  const { body } = await service.call('POST', manage(one, '/partners'), { key: one.owner.token, body: applicant });
  await service.sql(`update memberships set status = 'applied' where partner_id = $1`, [body.data.id]);
  await service.sql(
    `insert into alerts (program_id, kind, subject_id, subject_name, opened_at, closed_at)
     values ($1, 'webhook_failing', '1', 'hooks.test', $2, null), ($1, 'webhook_failing', '2', 'hooks.test', $2, $2)`,
    [one.program.id, service.time],
  );
  const { status, body: reply } = await overview(viewer.token);
  expect({ status, reply }).toEqual({
    status: 200,
    reply: {
      data: [
        {
          id: two.program.id,
          name: 'Ant',
          domain: 'acme.test',
          status: 'active',
          partners: 1,
          applications: 0,
          open_alerts: 0,
          balances: [],
          last_30_days: { clicks: 0, leads: 0, sales: 0, money: [] },
        },
        {
          id: one.program.id,
          name: 'Zebra',
          domain: 'acme.test',
          status: 'active',
          partners: 1,
          applications: 1,
          open_alerts: 1,
          balances: [{ currency: 'USD', payable_cents: 2_000, pending_cents: 2_000 }],
          last_30_days: {
            clicks: 1,
            leads: 1,
            sales: 1,
            money: [{ currency: 'USD', revenue_cents: 10_000, refunded_cents: 0, commission_cents: 2_000 }],
          },
        },
      ],
    },
  });
});

it('reads a few programs at a time, each with its own numbers', async () => {
  const first = await ownedProgram(service);
  for (let more = 0; more < 6; more += 1) await service.program({ workspaceId: first.workspaceId });
  await sold(service, first);
  const { db } = service.ctx;
  let [running, most] = [0, 0];
  const counted = {
    ...db,
    query: async (...asked: Parameters<typeof db.query>) => {
      running += 1;
      most = Math.max(most, running);
      return db.query(...asked).finally(() => {
        running -= 1;
      });
    },
  } as typeof db;
  const ctx = { ...service.ctx, db: counted, reports: withoutReplica(counted) };
  const { result, behindSeconds } = await reportWorkspace(ctx, first.workspaceId);
  expect(most).toBe(3);
  expect(behindSeconds).toBeNull();
  expect(result.map(({ program, numbers }) => [program.id, numbers.sales])).toEqual(
    result.map(({ program }) => [program.id, program.id === first.program.id ? 1 : 0]),
  );
  expect(result).toHaveLength(7);
});

it('shows nothing of other workspaces', async () => {
  await ownedProgram(service);
  expect((await overview((await newOwner(service)).token)).body).toEqual({ data: [] });
});
