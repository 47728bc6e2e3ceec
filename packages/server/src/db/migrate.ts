import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../context.ts';
import { ExpectedError } from '../expected-error.ts';
import { RELEASE, releasesAhead } from '../release.ts';
import { type Db, isLockConflict, type Queryable } from './db.ts';

// Always read from the sources: the compiler does not copy SQL.
const MIGRATIONS = new URL('../../src/db/migrations/', import.meta.url);
const LOCK = 7_283_001;

/**
 * A migration gets all its locks within this time or releases them. Postgres looks for deadlocks after a second
 * (`deadlock_timeout`), so a request that waits for the migration never becomes the victim of one.
 */
const LOCK_WAIT_MS = 800;
/** With these waits between them, two and a half minutes. */
const ATTEMPTS = 30;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;

/** Migrations may take long. They are not cut off by a limit of the database, and neither is the lock around them. */
const WITHOUT_LIMITS = 'set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0';

type Store = Pick<Db, 'transaction' | 'kind'>;
type MigrationLog = Pick<Log, 'info' | 'warn'>;

/**
 * Brings the schema up to date while other nodes keep working. Each migration is one transaction and is applied once; nodes
 * that start together wait for each other. Returns the names of the migrations that it applied.
 */
export async function migrate(
  { untimed: db }: { untimed: Store },
  log?: MigrationLog,
  attempts = ATTEMPTS,
): Promise<string[]> {
  const files = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort();
  return onOneNode(db, log, async () => {
    const applied = await listApplied(db);
    const later = applied.filter(({ name }) => !files.includes(name));
    refuseTooNew(later);
    if (later.length > 0)
      log?.warn({ migrations: later.map(({ name }) => name) }, 'A later release has changed the schema');
    const names = new Set(applied.map(({ name }) => name));
    const pending = files.filter((name) => !names.has(name));
    for (const name of pending) await applyWithRetries(db, name, attempts, log);
    return pending;
  });
}

/** Runs `work` while no other node migrates. An embedded store has only one node. */
async function onOneNode<Result>(
  db: Store,
  log: MigrationLog | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  if (db.kind === 'embedded') return work();
  return db.transaction(async (tx) => {
    await tx.query(WITHOUT_LIMITS);
    const [lock] = await tx.query<{ taken: boolean }>('select pg_try_advisory_xact_lock($1) as taken', [LOCK]);
    if (!lock?.taken) {
      log?.info({}, 'Another node is migrating the schema; waiting for it');
      await tx.query('select pg_advisory_xact_lock($1)', [LOCK]);
    }
    return work();
  });
}

type Applied = { name: string; release: string | null };

function listApplied(db: Store): Promise<Applied[]> {
  return db.transaction(async (tx) => {
    await tx.query(
      `create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null);
      alter table schema_migrations add column if not exists release text`,
    );
    return tx.query<Applied>('select name, release from schema_migrations', []);
  });
}

/** A release works on the schema of the next one, so that nodes can be upgraded one by one. */
function refuseTooNew(later: Applied[]): void {
  const release = later.map((one) => one.release).find((other) => other && releasesAhead(RELEASE, other) > 1);
  if (!release) return;
  throw new ExpectedError(
    `Release ${release} has changed the schema, and this is release ${RELEASE}, which is too old for it. ` +
      `Start release ${release} or the one before it. Nothing was changed.`,
  );
}

/** Applies a migration. If others hold its tables, they go on, and it is retried with exponential backoff. */
async function applyWithRetries(db: Store, name: string, attempts: number, log?: MigrationLog): Promise<void> {
  const sql = await readFile(new URL(name, MIGRATIONS), 'utf8');
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction((tx) => apply(tx, name, sql));
    } catch (error) {
      if (!isLockConflict(error)) throw error;
      if (attempt === attempts) throw new Error(giveUpMessage(name, sql, attempts), { cause: error });
      const waitMs = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS);
      log?.warn({ migration: name, attempt, waitMs }, 'Other transactions hold the tables of a migration; retrying it');
      await sleep(waitMs);
    }
  }
}

async function apply(tx: Queryable, name: string, sql: string): Promise<void> {
  await tx.query(WITHOUT_LIMITS);
  const locks = declaredLocks(sql);
  const eachMs = Math.floor(LOCK_WAIT_MS / Math.max(locks.length, 1));
  // In one message, so that the time that a busy node takes between two of them does not count.
  const statements = locks.map(({ table, mode }) => `lock table ${table} in ${mode} mode`);
  await tx.query([`set local lock_timeout = ${eachMs}`, ...statements].join('; '));
  await tx.query(`set local lock_timeout = ${LOCK_WAIT_MS}`);
  // The key of the table makes sure of it, should this node have lost the lock around all migrations.
  await tx.query('insert into schema_migrations (name, applied_at, release) values ($1, now(), $2)', [name, RELEASE]);
  await tx.query(sql);
}

export type TableLock = { table: string; mode: string };

/** The locks that a migration declares: its first statements, each `lock table <tables> in <mode> mode;`. */
export function declaredLocks(sql: string): TableLock[] {
  const statement = /\s*lock table ([\w,\s]+?) in ([\w ]+) mode;/y;
  const withoutComments = sql.replaceAll(/--.*$/gm, '');
  const locks: TableLock[] = [];
  for (let found = statement.exec(withoutComments); found; found = statement.exec(withoutComments)) {
    const [, tables = '', mode = ''] = found;
    locks.push(...tables.split(',').map((table) => ({ table: table.trim(), mode })));
  }
  return locks;
}

function giveUpMessage(name: string, sql: string, attempts: number): string {
  const tables = declaredLocks(sql).map(({ table }) => table);
  const what = tables.length > 0 ? `the tables ${tables.join(', ')}` : 'its tables';
  return (
    `The migration ${name} could not lock ${what} in ${attempts} attempts, because other connections hold them for long ` +
    '(pg_stat_activity shows which). It changed nothing. Start again once they are done'
  );
}
