import { type PostgresServer, startPostgres } from '@svc/testkit';
import { manage, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { asOwner } from '@svc/testkit/service/payments/paid.ts';
import { type Answer, TestService } from '@svc/testkit/service/service.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openReplica } from './db/engines/postgres/replica.ts';
import { openPostgres } from './db/engines/postgres.ts';

const service = new TestService();
let primary: PostgresServer;
let standby: PostgresServer;

beforeAll(async () => {
  [primary, standby] = await Promise.all([startPostgres(), startPostgres()]);
  const url = await primary.createDatabase('reports');
  await standby.follow(primary, primary.port);
  await service.open({
    DATABASE_URL: url,
    SVC_REPORTS_DATABASE_URL: standby.url('reports'),
    SVC_BASE_URL: 'http://track.test',
  });
  await untilReportsComeFrom('replica');
});
afterAll(async () => {
  await service.service?.close();
  await standby?.remove();
  await primary?.remove();
});

const untilReportsComeFrom = async (source: 'replica' | 'primary') => {
  const { status, body } = await eventually(
    () => service.call('GET', '/readyz'),
    (answer) => answer.body.reports === source,
  );
  expect({ status, reports: body.reports }).toEqual({ status: 200, reports: source });
};

const behindOf = ({ headers }: Answer) => headers['x-data-behind-seconds'];
const get = (made: OwnedProgram, path: string) => asOwner(service, made, 'GET', path);
const download = (made: OwnedProgram, file: string) =>
  service.call('GET', manage(made, `/export/${file}`), { key: made.owner.token });
const salesIn = ({ body }: Answer) => body.data.totals.sales as number;
const linesOf = (word: string) => service.logLines.filter((line) => line.includes(word)).length;

/** A program with one sale, which the replica has too. */
async function withSale(): Promise<OwnedProgram> {
  const made = await ownedProgram(service);
  await sold(service, made);
  await eventually(
    () => get(made, '/performance'),
    (answer) => salesIn(answer) === 1,
  );
  return made;
}

it('answers reports, totals of lists and exports, which say how far behind they may be, and nothing about money', async () => {
  const made = await withSale();
  for (const path of [
    '/performance',
    '/breakdown?by=partner',
    '/click-ages',
    '/sales?totals=true',
    '/customers?totals=true',
  ]) {
    const answer = await get(made, path);
    expect({ path, status: answer.status, behind: behindOf(answer) }).toEqual({
      path,
      status: 200,
      behind: expect.stringMatching(/^\d$/),
    });
  }
  for (const path of ['/links?totals=true', '/partners?totals=true'])
    expect(behindOf(await get(made, path))).toMatch(/^\d$/);
  for (const file of ['sales.csv', 'customers.csv', 'performance.csv', 'breakdown.csv?by=link'])
    expect([file, behindOf(await download(made, file))]).toEqual([file, expect.stringMatching(/^\d$/)]);
  for (const path of [
    '/sales',
    '/commissions?totals=true',
    '/payouts?totals=true',
    '/balances',
    '/upcoming',
    '/events',
  ]) {
    const answer = await get(made, path);
    expect({ path, status: answer.status, behind: behindOf(answer) }).toEqual({ path, status: 200, behind: undefined });
  }
  for (const file of ['commissions.csv', 'payouts.csv']) expect(behindOf(await download(made, file))).toBeUndefined();
});

it('reports lack what the replica has not replayed, and say so; what decides something is current', async () => {
  const made = await withSale();
  await standby.query('select pg_wal_replay_pause()');
  try {
    await sold(service, made);
    const late = await eventually(
      () => get(made, '/performance'),
      (answer) => Number(behindOf(answer)) >= 2,
    );
    expect(salesIn(late)).toBe(1);
    expect((await get(made, '/sales')).body.data).toHaveLength(2);
    expect((await get(made, '/commissions?totals=true')).body.meta.count).toBe(2);
    const { body } = await service.call('GET', '/readyz');
    expect(body).toEqual({
      status: 'ready',
      store: 'postgres',
      reports: 'replica',
      replica_behind_seconds: expect.any(Number),
    });
    expect(body.replica_behind_seconds).toBeGreaterThanOrEqual(2);
    const { text } = await service.call('GET', '/metrics');
    expect(Number(/^svc_replica_behind_seconds (\d+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(2);
    expect(text).toMatch(/^svc_replica_used 1$/m);
  } finally {
    await standby.query('select pg_wal_replay_resume()');
  }
  const current = await eventually(
    () => get(made, '/performance'),
    (answer) => salesIn(answer) === 2,
  );
  expect(salesIn(current)).toBe(2);
});

it('the primary answers while the replica is away, and the log says so once', async () => {
  const made = await withSale();
  const [away, back] = [linesOf('does not answer; the primary answers'), linesOf('The replica answers reports')];
  await standby.stop();
  try {
    await sold(service, made);
    for (let request = 0; request < 3; request += 1) {
      const answer = await get(made, '/performance');
      expect({ status: answer.status, sales: salesIn(answer), behind: behindOf(answer) }).toEqual({
        status: 200,
        sales: 2,
        behind: undefined,
      });
    }
    expect((await download(made, 'sales.csv')).text.trim().split('\r\n')).toHaveLength(3);
    await untilReportsComeFrom('primary');
    expect((await service.call('GET', '/metrics')).text).toMatch(/^svc_replica_used 0$/m);
    expect(linesOf('does not answer; the primary answers')).toBe(away + 1);
  } finally {
    await standby.start();
  }
  await untilReportsComeFrom('replica');
  expect(linesOf('The replica answers reports')).toBe(back + 1);
});

describe('a replica', () => {
  const said: string[] = [];
  const log = {
    info: (_: object, line: string) => void said.push(line),
    warn: (_: object, line: string) => void said.push(line),
  };
  const isStandby = async (reader: ReturnType<typeof openReplica>) =>
    (await reader.read((db) => db.query<{ is: boolean }>('select pg_is_in_recovery() as is', []))).result[0]?.is;

  it('that is too far behind is not asked until it has caught up', async () => {
    const db = openPostgres(primary.url('reports'));
    const replica = openPostgres(standby.url('reports'), { isReplica: true });
    const reader = openReplica({ primary: db, replica, log, maxBehindSeconds: 3 });
    try {
      expect(await eventually(() => isStandby(reader), Boolean)).toBe(true);
      await standby.query('select pg_wal_replay_pause()');
      await primary.query('create table written_meanwhile ()');
      expect(
        await eventually(
          () => isStandby(reader),
          (is) => is === false,
        ),
      ).toBe(false);
      await eventually(
        () => said.length,
        (count) => count >= 2,
      );
      await standby.query('select pg_wal_replay_resume()');
      expect(await eventually(() => isStandby(reader), Boolean)).toBe(true);
      expect(said).toEqual([
        'The replica answers reports',
        'The replica for reports is more than 3 seconds behind; the primary answers reports',
        'The replica answers reports',
      ]);
    } finally {
      await standby.query('select pg_wal_replay_resume()');
      await reader.close();
      await db.close();
    }
  });

  it('that is none, such as the primary itself, is not asked', async () => {
    const db = openPostgres(primary.url('reports'));
    const reader = openReplica({
      primary: db,
      replica: openPostgres(primary.url('reports'), { isReplica: true }),
      log,
    });
    try {
      said.length = 0;
      await eventually(() => said.length, Boolean);
      expect(said).toEqual(['The server for reports is not a standby; the primary answers reports']);
      expect((await reader.read(async () => 'read')).behindSeconds).toBeNull();
    } finally {
      await reader.close();
      await db.close();
    }
  });
});
