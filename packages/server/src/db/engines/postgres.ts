import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Db, DbError, StoreBusy, type Transaction, type Trouble } from '../db.ts';
import { collectSent } from '../sent-statements.ts';
import { COUNTS_ARE_APPENDED, PLANNER_SETTINGS } from './planner-settings.ts';
import { createDirectConnection } from './postgres/direct-connection.ts';
import { createPrimaryConnections } from './postgres/primary-connections.ts';
import { findWritable } from './postgres/probe-server.ts';
import { createServers } from './postgres/servers.ts';
import { TIMEOUTS, watchServer } from './postgres/watch-server.ts';
import { IS_READ_ONLY, readOnlyError } from './read-only.ts';

/**
 * How long a statement may take, and how long it may wait for a connection: together less than the ten seconds in which a
 * request is answered. The server cancels a slow statement; the driver gives up on a server that does not answer at all, and
 * on the connection with it.
 */
const STATEMENT_MS = 5_500;
const NO_ANSWER_MS = 6_000;
const CONNECTION_MS = 2_500;
/** How long work without a time limit, such as a start, waits for a connection to a busy server. */
const PATIENT_MS = 12_000;
/** How long to wait for a server that does not let go of its connections. */
const CLOSE_MS = 2_000;
const SESSION_SETTINGS = `${PLANNER_SETTINGS}; ${COUNTS_ARE_APPENDED}; set statement_timeout = ${STATEMENT_MS}`;

// Ids and cents fit into a JavaScript number: the schema bounds them.
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid as number, format as 'text'),
};

export type PostgresOptions = {
  onConnectionLost?: (error: Error) => void;
  /** Called when something begins to be wrong with the server, and with null when it works again. */
  onTrouble?: (trouble: Trouble | null) => void;
  maxConnections?: number;
};

/**
 * Connects to a Postgres server, or to the one of several that can be written to. Connections are opened on demand, so the
 * service can start before its database.
 */
export function openPostgres(databaseUrl: string, options: PostgresOptions = {}): Db {
  const { onConnectionLost = () => {}, onTrouble = () => {}, maxConnections = 10 } = options;
  const servers = createServers(databaseUrl);
  const hasSeveral = servers.urls.length > 1;
  const connectionMs = CONNECTION_MS / servers.urls.length;
  const connections = createPrimaryConnections(servers, () => direct.renew());
  const pool = new pg.Pool({
    // Its type says that a client takes no settings, but the pool hands them over.
    Client: connections.Client as new () => pg.ClientBase,
    max: maxConnections,
    types,
    connectionTimeoutMillis: connectionMs,
    application_name: 'svc',
    pipeline: true,
    onConnect: setUpConnection,
  });
  pool.on('error', onConnectionLost);
  // Without a listener, a connection lost while in use would end the process. Its statement fails either way.
  pool.on('connect', (client) => client.on('error', onConnectionLost));
  pool.on('remove', connections.remove);
  const direct = createDirectConnection({
    servers,
    connectionMs,
    onConnectionLost,
    // Another server may have been promoted. If there is none, statements wait as long as they always do.
    onSilence: (error) => hasSeveral && watch.noteSilence(toDbError(error)),
    notify: (channel, payload) => untimed.query('select pg_notify($1, $2)', [channel, payload]),
  });
  /** Connections from before the last trouble may lead to a server that is no longer the primary. */
  let isCurrent = new WeakSet<pg.ClientBase>();
  const watch = watchServer({
    async probe(signal, onFailure) {
      const failed = (reasons: unknown[]) => onFailure(reasons.map(toDbError));
      const url = await findWritable({ urls: servers.urls, connectionMs, signal, onFailure: failed });
      if (url !== null) connections.moveTo(url);
    },
    onTrouble(trouble) {
      if (!trouble) {
        isCurrent = new WeakSet();
        direct.renew();
      }
      onTrouble(trouble);
    },
  });
  let closing = false;

  async function setUpConnection(client: pg.ClientBase): Promise<void> {
    const results = await client.query({ text: `${SESSION_SETTINGS}; ${IS_READ_ONLY}`, ...within(connectionMs) });
    const [row] = (results as unknown as pg.QueryResult<{ is_read_only: boolean }>[]).at(-1)?.rows ?? [];
    if (row?.is_read_only) {
      if (hasSeveral) throw readOnlyError();
      // Reports can still be read.
      watch.noteFailedStatement(readOnlyError());
    }
    connections.add(client);
    isCurrent.add(client);
  }

  /** Without a limit, a statement may take as long as it needs. */
  const run = async <Row>(
    client: pg.PoolClient,
    sql: string,
    params: unknown[] | undefined,
    limitMs: number | undefined,
  ): Promise<Row[]> => {
    try {
      const prepared = params && { name: statementName(sql), values: params };
      const result = await client.query({ text: sql, ...prepared, ...within(limitMs) });
      return (Array.isArray(result) ? (result.at(-1)?.rows ?? []) : result.rows) as Row[];
    } catch (error) {
      const failed = toDbError(error);
      if (limitMs !== undefined) watch.noteFailedStatement(failed);
      throw failed;
    }
  };

  /** Tries each server once. Attempts that time out are repeated for `patienceMs`. */
  async function connect(patienceMs: number): Promise<pg.PoolClient> {
    if (patienceMs === 0 && watch.isStuck()) throw new StoreBusy();
    const from = performance.now();
    let failures = 0;
    for (;;) {
      const url = servers.url();
      try {
        const client = await pool.connect();
        if (isCurrent.has(client)) return client;
        client.release(true);
      } catch (error) {
        const failed = toDbError(error);
        failures += 1;
        if (!(failed instanceof StoreBusy)) servers.leave(url);
        if (failures < servers.urls.length && !closing) continue;
        if (!(failed instanceof StoreBusy || closing)) watch.noteFailedConnection(failed);
        const isOver = closing || performance.now() - from >= patienceMs;
        if (isOver || !isTimeout(error)) throw failed;
      }
    }
  }

  async function runStatement<Row>(sql: string, params: unknown[] | undefined): Promise<Row[]> {
    const client = await connect(0);
    let broken: Error | undefined;
    try {
      return await run<Row>(client, sql, params, NO_ANSWER_MS);
    } catch (error) {
      if (endsConnection(error)) broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async function runTransaction<Result>(
    work: (tx: Transaction) => Promise<Result>,
    limitMs: number | undefined,
  ): Promise<Result> {
    const client = await connect(limitMs === undefined ? PATIENT_MS : 0);
    let broken: Error | undefined;
    let ending = 'commit';
    const query: Transaction['query'] = (sql, params) => run(client, sql, params, limitMs);
    const sent = collectSent(query);
    const afterwards: (() => void)[] = [];
    const tx: Transaction = {
      query,
      send: sent.send,
      rollBack() {
        ending = 'rollback';
      },
      afterCommit: (work) => void afterwards.push(work),
    };
    try {
      await run(client, limitMs ? 'begin' : 'begin; set local statement_timeout = 0', undefined, limitMs);
      const result = await work(tx);
      // Postgres commits nothing if a statement before has failed.
      await Promise.all([...sent.statements, run(client, ending, undefined, limitMs)]);
      if (ending === 'commit') for (const work of afterwards) work();
      return result;
    } catch (error) {
      if (endsConnection(error)) broken = error as Error;
      else
        await run(client, 'rollback', undefined, NO_ANSWER_MS).catch((rollbackError) => {
          broken = rollbackError;
        });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** Not in a transaction: some statements cannot run in one. */
  async function runWithoutLimit<Row>(sql: string, params: unknown[] | undefined): Promise<Row[]> {
    const client = await connect(PATIENT_MS);
    let broken: Error | undefined;
    try {
      await run(client, 'set statement_timeout = 0', undefined, NO_ANSWER_MS);
      return await run(client, sql, params, undefined);
    } finally {
      await run(client, `set statement_timeout = ${STATEMENT_MS}`, undefined, NO_ANSWER_MS).catch((resetError) => {
        broken = resetError;
      });
      client.release(broken);
    }
  }

  const shared: Omit<Db, 'query' | 'transaction' | 'untimed'> = {
    kind: 'postgres',
    listen: (channel, onMessage, onGap) => direct.listen(channel, { onMessage, onGap }),
    onOneNode: direct.exclusively,
    trouble: watch.trouble,
    async close() {
      closing = true;
      watch.close();
      const ended = Promise.all([pool.end(), direct.close()]);
      await Promise.race([ended, sleep(CLOSE_MS, undefined, { ref: false })]);
    },
  };
  const untimed: Db = {
    ...shared,
    query: (sql, params) => runWithoutLimit(sql, params),
    transaction: (work) => runTransaction(work, undefined),
    get untimed() {
      return untimed;
    },
  };
  return {
    ...shared,
    query: runStatement,
    transaction: (work) => runTransaction(work, NO_ANSWER_MS),
    untimed,
  };
}

/** Whether the connection cannot be used for anything else: it is lost, out of step, or leads to the wrong server. */
function endsConnection(error: unknown): boolean {
  return error instanceof DbError && (error.sqlState === undefined || /^(08|25006|57P)/.test(error.sqlState));
}

/** An option of the driver that its types do not have. */
const within = (limitMs: number | undefined) => ({ query_timeout: limitMs });

/** What the pool says when all connections were in use for too long. */
const POOL_WAIT_OVER = 'timeout exceeded when trying to connect';

/** All connections were in use, or the server was too slow to open a connection or to accept its settings. */
const isTimeout = (error: unknown) =>
  error instanceof Error && (error.message === POOL_WAIT_OVER || TIMEOUTS.includes(error.message));

const statementNames = new Map<string, string>();

function statementName(sql: string): string {
  let name = statementNames.get(sql);
  if (!name) {
    name = createHash('sha256').update(sql).digest('base64url').slice(0, 24);
    statementNames.set(sql, name);
  }
  return name;
}

function toDbError(error: unknown): DbError {
  if (error instanceof DbError) return error;
  if (error instanceof pg.DatabaseError) return new DbError(error.message, error.code, error.constraint);
  if (error instanceof Error && error.message === POOL_WAIT_OVER) return new StoreBusy();
  return new DbError(error instanceof Error ? error.message : String(error));
}
