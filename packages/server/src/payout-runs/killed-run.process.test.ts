import { eventually } from '@svc/testkit/service/eventually.ts';
import { manyPayees } from '@svc/testkit/service/payments/many-payees.ts';
import { ownedInstallation } from '@svc/testkit/service/processes/owned-installation.ts';
import { post, SECRET, startService } from '@svc/testkit/service/processes/processes.ts';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { insertOpeningBalances, listDifferences } from '../books/book-store.ts';
import { dataSecrets } from '../secret.ts';

it('a payout run whose node is killed between two slices is hidden, and then complete once', async () => {
  const { env, first, db, token, workspaceId } = await ownedInstallation();
  const programId = first.program_id;
  const sql = <Row>(text: string, params: unknown[] = []) => db.query<Row>(text, params);
  const { encryption } = dataSecrets(SECRET);
  await manyPayees({ sql, ctx: { encryption }, time: new Date() }, { program: { id: programId }, workspaceId }, 600);
  await insertOpeningBalances(db, programId, new Date());
  const blocker = new pg.Client({ connectionString: env.DATABASE_URL });
  await blocker.connect();
  onTestFinished(() => blocker.end());
  await blocker.query('begin');
  await blocker.query('select from commissions where program_id = $1 order by partner_id desc limit 1 for update', [
    programId,
  ]);

  const node = await startService(env);
  const path = `/api/v1/manage/programs/${programId}/payout-runs`;
  const ask = (url: string) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': 'the run of May',
      },
      body: '{}',
    });
  const asked = ask(node.url).catch(() => null);
  // The third slice waits for the commission that is held.
  const written = () =>
    sql<{ count: number }>('select count(*)::int as count from payouts where program_id = $1', [programId]);
  await eventually(written, ([row]) => row?.count === 500);
  const waiting = () =>
    sql(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
  await eventually(waiting, (rows) => rows.length > 0);
  await node.end('SIGKILL');
  await asked;
  await blocker.query('rollback');

  const { url } = await startService(env);
  const listed = async (): Promise<{ id: number; number: number; totals: object[] }[]> => {
    const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    return ((await answer.json()) as { data: never[] }).data;
  };
  // Nobody sees it until it is complete. Who repeats the request a minute later gets it; nobody is left to be paid with another one.
  await sql(`update idempotency_keys set created_at = created_at - interval '61 seconds'`);
  const repeated = await ask(url);
  expect(repeated.status).toBe(201);
  const { data: made } = (await repeated.json()) as { data: { id: number } };
  expect((await post(`${url}${path}`, {}, token)).status).toBe(409);
  const runs = await listed();
  expect(runs.map(({ id }) => id)).toEqual([made.id]);
  expect(runs).toMatchObject([{ number: 1, totals: [{ currency: 'USD', amount_cents: 600 * 2_000, payouts: 600 }] }]);
  const covered = await sql(
    `select count(*)::int as lines, count(distinct l.commission_id)::int as commissions,
       count(distinct o.partner_id)::int as partners
     from payouts o join payout_lines l on l.payout_id = o.id join commissions m on m.id = l.commission_id
     where o.program_id = $1 and o.run_id = $2 and m.settled_cents = l.amount_cents and m.due_cents = 0`,
    [programId, runs[0]?.id],
  );
  expect(covered).toEqual([{ lines: 600, commissions: 600, partners: 600 }]);
  const told = await sql(`select actor_kind, actor_name from audit_events where action = 'payout_run.made'`);
  expect(told).toEqual([{ actor_kind: 'token', actor_name: 'Robin' }]);
  expect(await listDifferences(db, programId)).toEqual([]);
});
