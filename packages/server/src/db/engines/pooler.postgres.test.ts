import { addressThrough, findPgBouncer, type PgBouncer, pgBouncerKeepsPrepared, startPgBouncer } from '@svc/testkit';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { atOnce, statusCounts } from '@svc/testkit/service/processes/two-nodes.ts';
import { TestService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { expectResultsToAgree } from '@svc/testkit/service/stores/results.ts';
import { emptyPostgres, newPostgres } from '@svc/testkit/service/stores/store.ts';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { OPERATOR } from '../../audit/audit-store.ts';
import { jobs, runJob } from '../../jobs/run-jobs.ts';
import { regenerateKey } from '../../programs/regenerate-key.ts';
import type { Db } from '../db.ts';
import { openPostgres } from './postgres.ts';

const missing = findPgBouncer() === undefined;
if (missing) console.warn('Skipped: pgbouncer is not on the PATH.');
const isOld = !pgBouncerKeepsPrepared();
if (isOld && !missing) console.warn('Skipped: prepared statements need PgBouncer 1.21 or later.');

/** Fewer connections to the server than any node has, so that they are really shared. */
const SHARED = { default_pool_size: '3' };

const opened: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

async function openNode(env: Record<string, string>): Promise<TestService> {
  const node = new TestService();
  await node.open(env);
  opened.push({ close: () => node.service.close() });
  return node;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(sql).finally(() => client.end());
  return rows;
}

describe.skipIf(missing)(`through PgBouncer${missing ? ' (skipped: no pgbouncer on the PATH)' : ''}`, () => {
  let pooler: PgBouncer;

  beforeAll(async () => {
    pooler = await startPgBouncer(inject('postgresUrl'), SHARED);
  });
  afterAll(() => pooler?.remove());

  const through = (url: string) => addressThrough(pooler.url, url);

  describe('in transaction mode, a start', () => {
    it('is refused without a direct address, says what to set, and changes nothing', async () => {
      const { DATABASE_URL } = through(await emptyPostgres());
      await expect(new TestService().open({ DATABASE_URL })).rejects.toThrow(
        'DATABASE_URL: leads to a connection pooler in transaction mode. Set SVC_LISTEN_DATABASE_URL to the address of ' +
          'the database server itself, and keep this one.',
      );
      const tables = `select relname from pg_class where relnamespace = 'public'::regnamespace`;
      expect(await query(DATABASE_URL, tables)).toEqual([]);
      expect(await query(DATABASE_URL, 'show enable_seqscan')).toEqual([{ enable_seqscan: 'on' }]);
    });

    it('is refused with a direct address that leads to the pooler, or to another database', async () => {
      const { DATABASE_URL } = through(await newPostgres());
      const open = (directUrl: string) => new TestService().open({ DATABASE_URL, SVC_LISTEN_DATABASE_URL: directUrl });
      await expect(open(DATABASE_URL)).rejects.toThrow(
        'SVC_LISTEN_DATABASE_URL: leads to a connection pooler in transaction mode. It must be the address of the ' +
          'database server itself.',
      );
      await expect(open(await newPostgres())).rejects.toThrow(
        'SVC_LISTEN_DATABASE_URL: notifications do not arrive. It must be the address of the database server itself, ' +
          'and name the same database as DATABASE_URL.',
      );
    });
  });

  it('in session mode, needs no other address', async () => {
    const inSessions = await startPgBouncer(inject('postgresUrl'), { pool_mode: 'session', default_pool_size: '30' });
    opened.push({ close: inSessions.remove });
    const { DATABASE_URL } = addressThrough(inSessions.url, await emptyPostgres());
    const node = await openNode({ DATABASE_URL });
    const { link } = await node.program();
    expect(await node.clickId(link)).toEqual(expect.any(String));
  });

  it('nodes that share few connections track, count, run jobs and hear of each other’s changes', async () => {
    const url = await emptyPostgres();
    const nodes = [await openNode(through(url)), await openNode(through(url))];
    const [here, there] = nodes as [TestService, TestService];
    const on = await here.program();
    const clicks = await atOnce(nodes, 40, (node) =>
      node.click({ affiliate_url: `https://acme.test/?aff=${on.link}` }),
    );
    expect(statusCounts(clicks)).toEqual({ 200: 40 });
    for (const node of nodes) node.advance({ seconds: 1 });
    const asShop = { key: on.apiKey };
    const keyOf = (index: number) => `customer-${index}`;
    const leads = await atOnce(nodes, 40, (node, index) =>
      node.lead({ click_id: clicks[index]?.body.click_id, customer_key: keyOf(index) }, asShop),
    );
    expect(statusCounts(leads)).toEqual({ 200: 40 });
    const orders = Array.from({ length: 40 }, () => newId('order'));
    // Every order is reported to both nodes.
    const sales = await atOnce(nodes, 80, (node, index) =>
      node.sale({ transaction_id: orders[index >> 1], customer_key: keyOf(index >> 1), amount_cents: 1000 }, asShop),
    );
    expect(statusCounts(sales)).toEqual({ 200: 40, 409: 40 });
    for (const job of jobs) await runJob({ ...here.ctx, db: here.ctx.db.untimed }, job);
    expect(here.logLines.filter((line) => line.includes('job failed'))).toEqual([]);
    await expectResultsToAgree(here.ctx.db);
    expect(await here.counts(on.program.id)).toMatchObject({ clicks: 40, sales: 40, commissions: 40 });

    const ask = () => there.readiness(on.apiKey);
    expect((await ask()).status).toBe(200);
    await regenerateKey(here.ctx, on.program, OPERATOR);
    expect((await eventually(ask, ({ status }) => status === 401)).status).toBe(401);
    const connections = await here.sql<{ name: string; count: number }>(
      `select application_name as name, count(*) from pg_stat_activity
       where datname = current_database() group by 1 order by 1`,
    );
    expect(connections).toEqual([
      { name: 'svc', count: expect.any(Number) },
      { name: 'svc listen', count: 2 },
    ]);
    expect(connections[0]?.count).toBeLessThanOrEqual(3);
  });

  describe('settings', () => {
    const NAMES = ['enable_seqscan', 'enable_hashjoin', 'jit', 'svc.counts', 'statement_timeout'];
    const read = `select ${NAMES.map((name) => `coalesce(current_setting('${name}', true), '') as "${name}"`).join(', ')}`;
    const planned = { enable_seqscan: 'off', enable_hashjoin: 'off', jit: 'off', 'svc.counts': 'appended' };
    const timed = [{ ...planned, statement_timeout: '5500ms' }];
    const untimed = [{ ...planned, statement_timeout: '0' }];
    const everyWay = async (db: Db) => [
      await db.query(read, []),
      await db.query(read),
      await db.transaction((tx) => tx.query(read, [])),
      await db.transaction((tx) => tx.query(read)),
    ];

    it.skipIf(isOld)('are those of each statement, also where statements stay prepared', async () => {
      const keeping = await startPgBouncer(inject('postgresUrl'), { ...SHARED, max_prepared_statements: '20' });
      opened.push({ close: keeping.remove });
      const url = await newPostgres();
      const { DATABASE_URL } = addressThrough(keeping.url, url);
      const open = () => openPostgres(DATABASE_URL, { pooler: { directUrl: url, keepsPrepared: true } });
      const nodes = [open(), open()] as const;
      opened.push(...nodes);
      for (const db of nodes) {
        for (let time = 0; time < 2; time += 1) {
          expect(await everyWay(db)).toEqual([timed, timed, timed, timed]);
          expect(await everyWay(db.untimed)).toEqual([untimed, untimed, untimed, untimed]);
          await expect(db.query('select 1 / $1::int', [0])).rejects.toMatchObject({ sqlState: '22012' });
          await expect(db.query('select nothing', [])).rejects.toMatchObject({ sqlState: '42703' });
        }
      }
      // More statements than it keeps, on more connections than the server has.
      const sums = Array.from({ length: 900 }, async (_, index) => {
        const db = nodes[index % 2] as Db;
        const sql = `select $1::int + ${index % 30} as sum`;
        const [row] = index % 3 ? await db.query(sql, [index]) : await db.transaction((tx) => tx.query(sql, [index]));
        return row;
      });
      expect(await Promise.all(sums)).toEqual(sums.map((_, index) => ({ sum: index + (index % 30) })));
    });

    it('are those of each statement, and none is left behind on a connection of the server', async () => {
      const url = await newPostgres();
      const { DATABASE_URL } = through(url);
      const db = openPostgres(DATABASE_URL, { pooler: { directUrl: url, keepsPrepared: false } });
      opened.push(db);
      expect(await everyWay(db)).toEqual([timed, timed, timed, timed]);
      expect(await everyWay(db.untimed)).toEqual([untimed, untimed, untimed, untimed]);
      await expect(db.query('select 1 / $1::int', [0])).rejects.toMatchObject({ sqlState: '22012' });
      await expect(db.query('select nothing', [])).rejects.toMatchObject({ sqlState: '42703' });
      const inTransaction = db.transaction((tx) => tx.query('select 1 / $1::int', [0]));
      await expect(inTransaction).rejects.toMatchObject({ sqlState: '22012' });

      const others = Array.from({ length: 3 }, () => new pg.Client({ connectionString: DATABASE_URL }));
      await Promise.all(others.map((client) => client.connect()));
      // Each of them has a connection to the server for itself.
      await Promise.all(others.map((client) => client.query('begin')));
      for (const client of others) {
        const { rows } = await client.query(`${read}, (select count(*) from pg_prepared_statements) as prepared`);
        expect(rows).toEqual([
          {
            enable_seqscan: 'on',
            enable_hashjoin: 'on',
            jit: 'on',
            'svc.counts': '',
            statement_timeout: '0',
            prepared: '0',
          },
        ]);
      }
      await Promise.all(others.map((client) => client.end()));
    });
  });
});
