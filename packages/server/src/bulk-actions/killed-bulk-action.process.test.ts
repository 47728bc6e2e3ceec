import { eventually } from '@svc/testkit/service/eventually.ts';
import { ownedInstallation } from '@svc/testkit/service/processes/owned-installation.ts';
import { post, startService } from '@svc/testkit/service/processes/processes.ts';
import { soldByMany } from '@svc/testkit/service/sold-by-many.ts';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';

it('a bulk action whose node is killed in the middle of a slice goes on at the next one, and nothing is done twice', async () => {
  const { env, first, db, token, workspaceId } = await ownedInstallation();
  await soldByMany(
    { sql: (text, params) => db.query(text, params) },
    { workspaceId, program: { id: first.program_id } },
    900,
    '2025-10',
  );
  const [held] = await db.query<{ id: number }>(
    'select id from commissions where program_id = $1 order by id desc offset 500 limit 1',
    [first.program_id],
  );
  const blocker = new pg.Client({ connectionString: env.DATABASE_URL });
  await blocker.connect();
  onTestFinished(() => blocker.end());
  await blocker.query('begin');
  await blocker.query('select from commissions where id = $1 for update', [held?.id]);

  const node = await startService(env);
  const url = `${node.url}/api/v1/manage/programs/${first.program_id}/bulk-actions/review-commissions`;
  const started = await post(url, { action: 'approve', filter: {}, count: 900 }, token);
  expect(started.status).toBe(201);
  const progress = () => db.query('select status, changed from bulk_actions', []);
  // The third slice has changed rows already when it comes to the one that is held.
  await eventually(progress, ([action]) => action?.changed === 400);
  const waiting = () =>
    db.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`, []);
  await eventually(waiting, (rows) => rows.length > 0);
  await node.end('SIGKILL');
  await blocker.query('rollback');

  await startService(env);
  await eventually(progress, ([action]) => action?.status === 'done');
  expect(await progress()).toEqual([{ status: 'done', changed: 900 }]);
  const approvals = await db.query(
    `select count(*)::int as events, sum((after ->> 'count')::int)::int as commissions,
       (select count(distinct listed.one)::int from audit_events a, jsonb_array_elements(a.after -> 'commission_ids') as listed(one)
        where a.action = 'commission.approved') as different,
       (select count(*)::int from commissions where stage = 'approved') as approved
     from audit_events where action = 'commission.approved'`,
    [],
  );
  expect(approvals).toEqual([{ events: 5, commissions: 900, different: 900, approved: 900 }]);
});
