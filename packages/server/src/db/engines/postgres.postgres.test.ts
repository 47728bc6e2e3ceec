import { type PostgresServer, startPostgres } from '@svc/testkit';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { type Severable, severable } from '@svc/testkit/service/stores/severable.ts';
import { emptyPostgres, openDatabase } from '@svc/testkit/service/stores/store.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { type Db, DbError } from '../db.ts';
import { migrate } from '../migrate.ts';
import { openPostgres } from './postgres.ts';

const opened: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

function open(url: string, onConnectionLost: (error: Error) => void = () => undefined): Db {
  const db = openDatabase(url, { onConnectionLost });
  opened.push(db);
  return db;
}

async function line(url: string): Promise<Severable> {
  const made = await severable(url);
  opened.push(made);
  return made;
}

/** Runs `work` and returns the exceptions that would have ended the process. */
async function uncaughtDuring(work: () => Promise<void>): Promise<unknown[]> {
  const others = process.listeners('uncaughtException');
  const uncaught: unknown[] = [];
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', (error) => uncaught.push(error));
  try {
    await work();
  } finally {
    process.removeAllListeners('uncaughtException');
    for (const listener of others) process.on('uncaughtException', listener);
  }
  return uncaught;
}

/** Changes a setting of a running server, and waits until new connections have it. */
async function configure(server: PostgresServer, name: string, value: string): Promise<void> {
  await server.query(`alter system set ${name} = '${value}'`);
  await server.query('select pg_reload_conf()');
  await eventually(
    () => server.query(`select 1 where current_setting('${name}') = '${value}'`),
    (rows) => rows.length > 0,
  );
}

const listeners = async (db: Db) => {
  const rows = await db.query(
    `select pid from pg_stat_activity where datname = current_database() and application_name = 'svc listen'`,
    [],
  );
  return rows.length;
};

describe('migrations', () => {
  it('are applied once when several nodes start at the same time', async () => {
    const url = await emptyPostgres();
    const nodes = Array.from({ length: 4 }, () => open(url));
    const applied = await Promise.all(nodes.map((node) => migrate(node)));
    const [first = [], ...rest] = applied.sort((a, b) => b.length - a.length);
    expect(first.length).toBeGreaterThan(0);
    expect(rest).toEqual([[], [], []]);
    const rows = await (nodes[0] as Db).query<{ name: string }>('select name from schema_migrations order by name', []);
    expect(rows.map(({ name }) => name)).toEqual(first);
  });
});

describe('a server that is slow to open connections', () => {
  it('fails timed work within seconds, while work without a limit waits for it', async () => {
    const proxy = await line(await emptyPostgres());
    proxy.hang();
    const db = open(proxy.url);
    const patient = db.untimed.query<{ one: number }>('select 1 as one', []);
    const impatient = db.query('select 1', []);
    await expect(impatient).rejects.toThrow();
    proxy.resume();
    expect(await patient).toEqual([{ one: 1 }]);
  });
});

describe('a lost connection', () => {
  it('rejects the transaction it was used by and does not end the process', async () => {
    const db = open(await emptyPostgres());
    const uncaught = await uncaughtDuring(async () => {
      let lost = 0;
      const failing = db.transaction(async (tx) => {
        const [row] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid', []);
        lost = row?.pid ?? 0;
        await db.query('select pg_terminate_backend($1)', [lost]);
        await tx.query('select 1', []);
      });
      await expect(failing).rejects.toMatchObject({ name: 'DbError' });
      await eventually(
        () => db.query('select 1 from pg_stat_activity where pid = $1', [lost]),
        (rows) => rows.length === 0,
      );
      expect(await db.query('select 1 as alive', [])).toEqual([{ alive: 1 }]);
    });
    expect(uncaught).toEqual([]);
  });

  it('is replaced on a later query when it was idle', async () => {
    const url = await emptyPostgres();
    const wire = await line(url);
    const lost: Error[] = [];
    const db = open(wire.url, (error) => lost.push(error));
    await db.query('select 1', []);
    wire.cut();
    await eventually(
      () => lost.length,
      (count) => count > 0,
    );
    await expect(db.query('select 1', [])).rejects.toMatchObject({ name: 'DbError', sqlState: undefined });
    wire.restore();
    expect(await db.query('select 1 as alive', [])).toEqual([{ alive: 1 }]);
  });
});

describe('several servers', () => {
  it('are tried in order until one answers', async () => {
    const away = await line(await emptyPostgres());
    away.cut();
    const { host } = new URL(away.url);
    const url = await emptyPostgres();
    const db = open(url.replace('@', `@${host},`));
    expect(await db.query('select 1 as one', [])).toEqual([{ one: 1 }]);
    expect(await db.transaction((tx) => tx.query('select 2 as two', []))).toEqual([{ two: 2 }]);
    expect(db.trouble()).toBeNull();
  });

  it('are left together when the one in use falls silent: nothing waits for it, and what was missed is reported', async () => {
    const url = await emptyPostgres();
    const [former, promoted] = [await line(url), await line(url)];
    promoted.cut();
    const db = open(url.replace(/@[^/]+/, `@${[former, promoted].map((each) => new URL(each.url).host).join()}`));
    let gaps = 0;
    await db.listen(
      'changes',
      () => undefined,
      () => {
        gaps += 1;
      },
    );
    // Without a time limit of its own, it would wait for the silent server forever.
    const underWay = db.untimed.query('select pg_sleep(600)', []).catch((error) => error);
    await eventually(
      () => db.query(`select 1 from pg_stat_activity where query = 'select pg_sleep(600)'`, []),
      (rows) => rows.length > 0,
    );
    former.hang();
    promoted.restore();
    expect(await underWay).toBeInstanceOf(DbError);
    await eventually(
      () => gaps,
      (count) => count > 1,
    );
    expect(await db.query('select 1 as one', [])).toEqual([{ one: 1 }]);
    expect(db.trouble()).toBeNull();
  });

  it('are found by a commit: a primary that waits for its standby is left for the standby that was promoted', async () => {
    const [stuck, promoted] = await Promise.all([startPostgres(), startPostgres()]);
    try {
      const troubles: (string | undefined)[] = [];
      const hosts = [stuck, promoted].map(({ port }) => `127.0.0.1:${port}`).join();
      const db = openPostgres(`postgres://postgres@${hosts}/postgres`, {
        onTrouble: (trouble) => troubles.push(trouble?.message),
      });
      opened.push(db);
      await configure(promoted, 'default_transaction_read_only', 'on');
      await db.query('create table here (id int)');
      await configure(stuck, 'synchronous_standby_names', 'nobody');
      await expect(db.query('create table lost (id int)')).rejects.toThrow('Query read timeout');
      await configure(promoted, 'default_transaction_read_only', 'off');
      await eventually(
        () => db.trouble(),
        (trouble) => trouble === null,
      );
      await db.query('create table found (id int)');
      expect(await promoted.query(`select relname from pg_class where relname in ('here', 'lost', 'found')`)).toEqual([
        { relname: 'found' },
      ]);
      // One line when it began and one when it was over, although the other server was read-only meanwhile.
      expect(troubles).toEqual(['The database server does not answer.', undefined]);
    } finally {
      await Promise.all([stuck.crash(), promoted.crash()]);
      await Promise.all([stuck.remove(), promoted.remove()]);
    }
  });
});

describe('a server that ends transactions which do nothing', () => {
  it('ends neither the lock of a job that takes long nor the transactions of its work', async () => {
    const url = await emptyPostgres();
    const there = open(url);
    const name = new URL(url).pathname.slice(1);
    await there.query(`alter database ${name} set idle_in_transaction_session_timeout = '200ms'`);
    // Not through a pooler, whose connections to the server are older.
    const [node, other] = [openPostgres(url), openPostgres(url)];
    opened.push(node, other);
    const timeout = await node.query('show idle_in_transaction_session_timeout', []);
    expect(timeout).toEqual([{ idle_in_transaction_session_timeout: '200ms' }]);
    const isRun = await node.onOneNode('job', async () => {
      await node.untimed.transaction(async (tx) => {
        await there.query('select pg_sleep(0.6)', []);
        expect(await tx.query('select 1 as one', [])).toEqual([{ one: 1 }]);
      });
      expect(await other.onOneNode('job', async () => undefined)).toBe(false);
    });
    expect(isRun).toBe(true);
  });
});

describe('the connections of a node', () => {
  it('are at most ten for statements, and one to listen and for the locks of jobs, whatever it does', async () => {
    const db = open(await emptyPostgres());
    const ignore = () => undefined;
    for (const channel of ['changes', 'mail', 'feed']) await db.listen(channel, ignore, ignore);
    const jobs = Array.from({ length: 5 }, (_, job) => db.onOneNode(`job ${job}`, () => sleepOn(db.untimed)));
    await Promise.all([...jobs, ...Array.from({ length: 20 }, () => sleepOn(db))]);
    const connections = await db.query(
      `select application_name as name, count(*) from pg_stat_activity
       where datname = current_database() group by 1 order by 1`,
      [],
    );
    expect(connections).toEqual([
      { name: 'svc', count: 10 },
      { name: 'svc listen', count: 1 },
    ]);
  });
});

async function sleepOn(db: Db): Promise<void> {
  await db.query('select pg_sleep(0.1)', []);
}

describe('the listening connection', () => {
  it('is reopened, reports that messages may have been missed, and delivers again', async () => {
    const url = await emptyPostgres();
    const wire = await line(url);
    const received: string[] = [];
    let gaps = 0;
    const db = open(wire.url);
    await db.listen(
      'changes',
      (payload) => received.push(payload),
      () => {
        gaps += 1;
      },
    );
    expect(gaps).toBe(1);
    const direct = open(url);
    wire.cut();
    await eventually(
      () => listeners(direct),
      (count) => count === 0,
    );
    await direct.query(`select pg_notify('changes', 'missed')`, []);
    wire.restore();
    await eventually(
      () => gaps,
      (count) => count > 1,
    );
    expect(gaps).toBe(2);
    await direct.query(`select pg_notify('changes', 'received')`, []);
    await eventually(
      () => received.length,
      (count) => count > 0,
    );
    expect(received).toEqual(['received']);
  });

  it('is replaced when it has died silently', async () => {
    const wire = await line(await emptyPostgres());
    let gaps = 0;
    const db = open(wire.url);
    await db.listen(
      'changes',
      () => undefined,
      () => {
        gaps += 1;
      },
    );
    wire.hang();
    const before = wire.opened();
    await eventually(
      () => wire.opened(),
      (count) => count > before,
    );
    expect(gaps).toBe(1);
    wire.resume();
    await eventually(
      () => gaps,
      (count) => count > 1,
    );
    expect(gaps).toBe(2);
  });

  it('is not trusted while it is silent or lost, nor before it has said that messages may have been missed', async () => {
    const wire = await line(await emptyPostgres());
    const atGaps: boolean[] = [];
    const db = open(wire.url);
    expect(db.isHearing()).toBe(false);
    await db.listen(
      'changes',
      () => undefined,
      () => atGaps.push(db.isHearing()),
    );
    const untilHearing = (expected: boolean) =>
      eventually(
        () => db.isHearing(),
        (isHearing) => isHearing === expected,
      );
    expect(db.isHearing()).toBe(true);
    wire.hang();
    await untilHearing(false);
    wire.resume();
    await untilHearing(true);
    wire.cut();
    await untilHearing(false);
    wire.restore();
    await untilHearing(true);
    expect(new Set(atGaps)).toEqual(new Set([false]));
  });

  it('is one for all channels and the locks of jobs, and a lock that another node holds is not taken', async () => {
    const url = await emptyPostgres();
    const [here, there] = [open(url), open(url)];
    const ran: string[] = [];
    for (const channel of ['changes', 'mail']) {
      await here.listen(
        channel,
        () => undefined,
        () => undefined,
      );
    }
    const isRun = await here.onOneNode('job', async () => {
      ran.push('here');
      expect(await there.onOneNode('job', async () => void ran.push('there at once'))).toBe(false);
      expect(await here.onOneNode('job', async () => void ran.push('here at once'))).toBe(false);
      expect(await there.onOneNode('other', async () => void ran.push('other'))).toBe(true);
    });
    expect(isRun).toBe(true);
    await there.onOneNode('job', async () => void ran.push('there'));
    expect(ran).toEqual(['here', 'other', 'there']);
    expect(await listeners(here)).toBe(2);
  });

  it('remains a single connection after several failed attempts', async () => {
    const url = await emptyPostgres();
    const wire = await line(url);
    const received: string[] = [];
    let gaps = 0;
    const db = open(wire.url);
    await db.listen(
      'changes',
      (payload) => received.push(payload),
      () => {
        gaps += 1;
      },
    );
    wire.cut();
    await eventually(
      () => wire.refused(),
      (count) => count >= 3,
    );
    wire.restore();
    await eventually(
      () => gaps,
      (count) => count > 1,
    );
    const direct = open(url);
    await direct.query(`select pg_notify('changes', 'once')`, []);
    await eventually(
      () => received.length,
      (count) => count > 0,
    );
    expect(await listeners(direct)).toBe(1);
    expect(received).toEqual(['once']);
  });
});
