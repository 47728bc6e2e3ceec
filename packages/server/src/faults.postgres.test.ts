import { chownSync, statSync } from 'node:fs';
import { type PostgresServer, smallDiskOrNone, startPostgres } from '@svc/testkit';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { type Answer, platformError, type TestProgram, TestService } from '@svc/testkit/service/service.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approveCommissions } from './jobs/approve-commissions.ts';
import { runJob } from './jobs/run-jobs.ts';

let server: PostgresServer;
const service = new TestService();

beforeAll(async () => {
  server = await startPostgres();
  await service.open({ DATABASE_URL: await server.createDatabase('faults') });
});
afterAll(async () => {
  await service.service?.close();
  await server?.remove();
});

const follow = (link: string) => service.click({ affiliate_url: `https://acme.test/?aff=${link}` });

const READ_ONLY =
  'The database server is read-only: it is a standby, or its disk is nearly full. Nothing can be written.';
const FULL = 'The disk of the database server is full. Nothing can be written until there is room.';
const NO_CONNECTIONS = 'The database server accepts no connections.';
const NO_ANSWER = 'The database server does not answer.';
const NOTHING = /^Nothing has been committed for \d+ seconds\.$/;
const WORKS = 'The database server works again';

const linesAboutTheServer = () =>
  service.logLines
    .map((line) => JSON.parse(line).msg as string)
    .filter((text) => /^The (disk of the )?database server/.test(text));

/** Waits until the service says why it cannot write. */
const untilNotReady = () =>
  eventually(
    () => service.call('GET', '/readyz'),
    ({ status }) => status === 503,
  );

/** Changes a setting of the running server, as an operator or a provider does. */
async function setServer(setting: string, value: string): Promise<void> {
  await askServer(`alter system set ${setting} = ${value}`);
  await askServer('select pg_reload_conf()');
}

async function askServer(sql: string): Promise<unknown[]> {
  const admin = new pg.Client({ connectionString: server.url(), options: '-c default_transaction_read_only=off' });
  await admin.connect();
  const { rows } = await admin.query(sql);
  await admin.end();
  return rows;
}

async function untilReady(): Promise<void> {
  const { status } = await eventually(
    () => service.call('GET', '/readyz'),
    (answer) => answer.status === 200,
  );
  expect(status).toBe(200);
}

describe('while the database is down', () => {
  let on: TestProgram;
  let unseen: TestProgram;
  let before: Record<string, number>;
  let transactionId: string;

  beforeAll(async () => {
    on = await service.program();
    unseen = await service.program();
    ({ transactionId } = await sold(service, on));
    before = await service.counts(on.program.id);
    await server.stop();
  });
  afterAll(async () => {
    await server.start();
    await untilReady();
    expect(await service.counts(on.program.id)).toEqual(before);
  });

  const failing: [string, string, (of: TestProgram, headers: Record<string, string>) => Promise<Answer>][] = [
    [
      'Click tracking failed',
      'click',
      ({ link }, headers) => service.click({ affiliate_url: `https://acme.test/?aff=${link}` }, { headers }),
    ],
    [
      'Lead tracking failed',
      'lead',
      ({ apiKey }, headers) => service.lead({ customer_key: 'user_1' }, { key: apiKey, headers }),
    ],
    [
      'Sale tracking failed',
      'sale',
      ({ apiKey }, headers) =>
        service.sale(
          { transaction_id: newId('order'), customer_key: 'user_1', amount_cents: 1 },
          { key: apiKey, headers },
        ),
    ],
    [
      'Refund tracking failed',
      'refund',
      ({ apiKey }, headers) => service.refund({ transaction_id: transactionId }, { key: apiKey, headers }),
    ],
  ];

  it.each(failing)('returns 500 %s for a %s', async (message, _route, send) => {
    const answer = await send(on, { 'x-request-id': 'while-down' });
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual(platformError(500, 'InternalServerError', message));
    expect(answer.headers).toMatchObject({
      'x-request-id': 'while-down',
      'x-ratelimit-limit': expect.anything(),
      'x-ratelimit-remaining': expect.anything(),
      'x-ratelimit-reset': expect.anything(),
    });
  });

  it.each(failing)(
    'returns 500 %s for a %s of a program that is not in the lookup cache',
    async (message, _route, send) => {
      const answer = await send(unseen, { 'x-request-id': 'never-seen' });
      expect(answer.status).toBe(500);
      expect(answer.body).toEqual(platformError(500, 'InternalServerError', message));
      expect(answer.headers['x-request-id']).toBe('never-seen');
    },
  );

  it.each(failing.slice(1))(
    'returns X-RateLimit-* headers with %s for a %s with a key that is not in the lookup cache',
    async (_m, _r, send) => {
      const { headers } = await send(unseen, {});
      expect(headers).toMatchObject({
        'x-ratelimit-limit': expect.anything(),
        'x-ratelimit-remaining': expect.anything(),
        'x-ratelimit-reset': expect.anything(),
      });
    },
  );

  it.each(['cached', 'not cached'])('returns 500 for readiness with a key that is %s', async (where) => {
    const { status, body, headers } = await service.readiness((where === 'cached' ? on : unseen).apiKey);
    expect(status).toBe(500);
    expect(body).toEqual({
      error: {
        code: 'internal_error',
        message: 'Failed to compute readiness. Retry shortly.',
        retry_after_seconds: 10,
      },
    });
    expect(headers['x-request-id']).toEqual(expect.any(String));
  });

  it('returns 503 from /readyz and 200 from /healthz', async () => {
    const ready = await service.call('GET', '/readyz');
    expect(ready.status).toBe(503);
    expect(ready.body).toMatchObject({ status: 'unavailable', store: 'postgres' });
    const health = await service.call('GET', '/healthz');
    expect(health.status).toBe(200);
    expect(health.body).toEqual({ status: 'ok' });
  });

  it('reports a background job as failed without throwing', async () => {
    const results: string[] = [];
    await runJob(service.ctx, approveCommissions, (_job, result) => results.push(result));
    expect(results).toEqual(['failed']);
  });

  it('says so in one line of the log, however many requests fail, and does not return the cause', async () => {
    const { text } = await service.sale(
      { transaction_id: newId('order'), customer_key: 'user_1', amount_cents: 1 },
      { key: on.apiKey, headers: { 'x-request-id': 'not-in-the-log' } },
    );
    expect(text).not.toMatch(/ECONNREFUSED|stack|at /);
    expect(service.logLines.join('')).not.toMatch(/not-in-the-log/);
    expect(linesAboutTheServer()).toEqual([NO_CONNECTIONS]);
    expect(service.logLines.join('')).not.toContain(on.apiKey);
  });
});

describe('after the database is back', () => {
  it('everything works again without a restart', async () => {
    const on = await service.program();
    await follow(on.link);
    await server.stop();
    expect((await follow(on.link)).status).toBe(500);
    await server.start();
    await untilReady();
    const { transactionId } = await sold(service, on);
    expect((await service.refund({ transaction_id: transactionId }, { key: on.apiKey })).status).toBe(200);
    expect((await service.readiness(on.apiKey)).status).toBe(200);
  });

  it('everything acknowledged is still stored, and retries of the rest are safe', async () => {
    const on = await service.program();
    await service.customer(on, 'user_1');
    const acknowledged = new Set<string>();
    const failed: string[] = [];
    const statuses = new Set<number>();
    const sell = async (transaction_id: string) => {
      const body = { transaction_id, customer_key: 'user_1', amount_cents: 100 };
      const { status } = await service.sale(body, { key: on.apiKey });
      statuses.add(status);
      return status;
    };
    const clicks: string[] = [];
    const busy = Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let failures = 0; failures < 3; ) {
          const id = newId('order');
          if ((await sell(id)) === 200) acknowledged.add(id);
          else {
            failed.push(id);
            failures += 1;
          }
          const { status, body } = await follow(on.link);
          statuses.add(status);
          if (status === 200) clicks.push(body.click_id);
        }
      }),
    );
    await eventually(
      () => acknowledged.size,
      (size) => size >= 40,
    );
    await server.stop();
    await busy;
    expect(failed.length).toBeGreaterThan(0);
    expect([...statuses].sort()).toEqual([200, 500]);

    await server.start();
    await untilReady();
    const stored = await service.sql<{ id: string }>(
      'select processor_event_id as id from sales where program_id = $1',
      [on.program.id],
    );
    const storedIds = new Set(stored.map(({ id }) => id));
    expect([...acknowledged].filter((id) => !storedIds.has(id))).toEqual([]);
    const customers = await service.sql<{ id: number }>('select id from customers where program_id = $1', [
      on.program.id,
    ]);
    const customerIds = new Set(customers.map(({ id }) => id));
    expect(clicks.filter((clickId) => !customerIds.has(Number(clickId.split('_')[1])))).toEqual([]);

    for (const id of failed.slice(0, 20)) expect(await sell(id)).toBe(storedIds.has(id) ? 409 : 200);
    const [counted] = await service.sql('select count(*) = count(distinct processor_event_id) as once from sales');
    expect(counted).toEqual({ once: true });
  });
});

describe('while the server is read-only', () => {
  it('is not ready and says why, still reads, and goes on once it can write', async () => {
    const on = await service.program();
    await service.customer(on, 'user_1');
    const order = () => ({ transaction_id: newId('order'), customer_key: 'user_1', amount_cents: 100 });
    const before = linesAboutTheServer().length;
    await setServer('default_transaction_read_only', 'on');
    await untilNotReady();
    const body = { status: 'unavailable', store: 'postgres', message: READ_ONLY };
    for (let tried = 0; tried < 5; tried += 1) {
      expect((await service.sale(order(), { key: on.apiKey })).status).toBe(500);
      expect((await follow(on.link)).status).toBe(500);
      expect(await service.call('GET', '/readyz')).toMatchObject({ status: 503, body });
    }
    expect((await service.readiness(on.apiKey)).status).toBe(200);
    const starting = new TestService();
    await expect(starting.open({ DATABASE_URL: server.url('faults') })).rejects.toThrow(`DATABASE_URL: ${READ_ONLY}`);

    await setServer('default_transaction_read_only', 'off');
    await untilReady();
    expect((await service.sale(order(), { key: on.apiKey })).status).toBe(200);
    expect(await service.counts(on.program.id)).toMatchObject({ sales: 1, commissions: 1 });
    expect(linesAboutTheServer().slice(before)).toEqual([READ_ONLY, WORKS]);
  });
});

const disk = smallDiskOrNone(16);

describe.skipIf(!disk)('while the disk of the server is full', () => {
  const folder = disk?.folder ?? '';
  afterAll(async () => {
    disk?.makeRoom();
    await untilReady();
    await setServer('temp_tablespaces', `''`);
    await service.sql('alter table customers set tablespace pg_default');
    disk?.unmount();
  });

  /** Moves customers, and what the server writes for a while, to the small disk. */
  async function moveToSmallDisk(): Promise<void> {
    const { uid, gid } = statSync(server.dataDir);
    chownSync(folder, uid, gid);
    await askServer(`create tablespace small location '${folder}'`);
    await service.sql('alter table customers set tablespace small');
    await setServer('temp_tablespaces', 'small');
  }

  /** A server that is asked to write to a new page finds no room. */
  async function untilClicksFail(link: string): Promise<Answer> {
    for (;;) {
      const answer = await follow(link);
      if (answer.status !== 200) return answer;
    }
  }

  it('is not ready and says why, still reads, and goes on when there is room', async () => {
    const on = await service.program();
    const before = linesAboutTheServer().length;
    await moveToSmallDisk();
    expect((await follow(on.link)).status).toBe(200);
    disk?.fill();

    expect((await untilClicksFail(on.link)).body).toEqual(
      platformError(500, 'InternalServerError', 'Click tracking failed'),
    );
    const body = { status: 'unavailable', store: 'postgres', message: FULL };
    for (let tried = 0; tried < 5; tried += 1) {
      expect((await follow(on.link)).status).toBe(500);
      expect(await service.call('GET', '/readyz')).toMatchObject({ status: 503, body });
    }
    expect((await service.readiness(on.apiKey)).status).toBe(200);

    disk?.makeRoom();
    await untilReady();
    expect((await follow(on.link)).status).toBe(200);
    expect(linesAboutTheServer().slice(before)).toEqual([FULL, WORKS]);
  });
});

describe('while writes fail although the server works', () => {
  it('is not ready and says for how long, still reads, and goes on with the first commit', async () => {
    const on = await service.program();
    expect((await follow(on.link)).status).toBe(200);
    const lines = () => service.logLines.map((line) => JSON.parse(line).msg).filter((text) => NOTHING.test(text));
    const [began, over] = [lines().length, linesAboutTheServer().length];
    const other = new pg.Client({ connectionString: server.url('faults') });
    await other.connect();
    await other.query('begin; lock table clicks in exclusive mode');
    try {
      const notReady = await eventually(
        async () => {
          expect((await follow(on.link)).status).not.toBe(200);
          return service.call('GET', '/readyz');
        },
        ({ status }) => status === 503,
      );
      expect(notReady.body).toEqual({
        status: 'unavailable',
        store: 'postgres',
        message: expect.stringMatching(NOTHING),
      });
      expect((await service.readiness(on.apiKey)).status).toBe(200);
      expect((await service.call('GET', '/readyz')).status).toBe(503);
    } finally {
      await other.query('rollback');
      await other.end();
    }
    expect((await follow(on.link)).status).toBe(200);
    expect((await service.call('GET', '/readyz')).status).toBe(200);
    expect(lines().slice(began)).toEqual([expect.stringMatching(NOTHING)]);
    expect(linesAboutTheServer().slice(over)).toEqual([WORKS]);
  });
});

describe('while commits wait for a standby that is away', () => {
  const waiting = () => askServer(`select pid from pg_stat_activity where wait_event = 'SyncRep'`);
  afterAll(() => setServer('synchronous_standby_names', `''`));

  /** The server follows a changed setting a moment later, and commits until then as it did before. */
  async function untilCommitsWait(): Promise<void> {
    const writer = new pg.Client({ connectionString: server.url() });
    writer.on('error', () => {});
    await writer.connect();
    const { rows } = await writer.query<{ pid: number }>('select pg_backend_pid() as pid');
    const isWaiting = async () =>
      (await askServer(`select 1 from pg_stat_activity where wait_event = 'SyncRep' and pid = ${rows[0]?.pid}`))
        .length > 0;
    const write = () => void writer.query(`select pg_logical_emit_message(true, 'test', '')`).catch(() => {});
    const waits = await eventually(
      () => {
        write();
        return isWaiting();
      },
      (yes) => yes,
    );
    expect(waits).toBe(true);
    await askServer(`select pg_terminate_backend(${rows[0]?.pid})`);
    await eventually(isWaiting, (yes) => !yes);
  }

  it('is not ready, leaves few processes behind on the server, and goes on when commits do', async () => {
    const on = await service.program();
    await setServer('synchronous_standby_names', `'away'`);
    await untilCommitsWait();
    const answers: Answer[] = [];
    const send = async () => void answers.push(await follow(on.link));
    const sending = Array.from({ length: 8 }, send);
    const notReady = await untilNotReady();
    expect(notReady.body).toEqual({ status: 'unavailable', store: 'postgres', message: NO_ANSWER });
    const before = await waiting();
    for (let wave = 0; wave < 5; wave += 1) await Promise.all(Array.from({ length: 8 }, send));
    await Promise.all(sending);
    expect(answers.every(({ status }) => status === 500 || status === 503)).toBe(true);
    // One more is the probe.
    expect((await waiting()).length).toBeLessThanOrEqual(before.length + 1);

    await setServer('synchronous_standby_names', `''`);
    await untilReady();
    expect((await follow(on.link)).status).toBe(200);
  });
});

describe('with several servers', () => {
  it('writes to the one that is not read-only, and finds the other when they change places', async () => {
    const other = await startPostgres();
    const nodes = new TestService();
    try {
      const url = await other.createDatabase('faults_of_two');
      await server.createDatabase('faults_of_two');
      const [first, second] = [new URL(server.url()).host, new URL(url).host];
      await setServer('default_transaction_read_only', 'on');
      await nodes.open({
        DATABASE_URL: `postgres://postgres@${first},${second}/faults_of_two?target_session_attrs=read-write`,
      });
      const on = await nodes.program();
      expect((await nodes.click({ affiliate_url: `https://acme.test/?aff=${on.link}` })).status).toBe(200);
      expect((await nodes.call('GET', '/readyz')).status).toBe(200);
      await other.stop();
      expect((await nodes.click({ affiliate_url: `https://acme.test/?aff=${on.link}` })).status).toBe(500);
      expect((await nodes.call('GET', '/readyz')).body).toMatchObject({
        message: expect.stringMatching(/read-only|no connections/),
      });
      await other.start();
      await eventually(
        () => nodes.call('GET', '/readyz'),
        ({ status }) => status === 200,
      );
      expect((await nodes.click({ affiliate_url: `https://acme.test/?aff=${on.link}` })).status).toBe(200);
    } finally {
      await nodes.service?.close();
      await other.remove();
      await setServer('default_transaction_read_only', 'off');
    }
  });
});
