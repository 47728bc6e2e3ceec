import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Db, DbError, StoreBusy, type Transaction, type Trouble } from '../db.ts';
import { collectSent } from '../sent-statements.ts';
import { createDirectConnection } from './postgres/direct-connection.ts';
import { createPrimaryConnections } from './postgres/primary-connections.ts';
import { findWritable } from './postgres/probe-server.ts';
import { createServers } from './postgres/servers.ts';
import { type Done, NO_ANSWER_MS, poolerStatements, type Statement, sessionStatements } from './postgres/statements.ts';
import { NOT_WATCHED, TIMEOUTS, watchServer } from './postgres/watch-server.ts';
import { isWrite, watchWrites } from './postgres/watch-writes.ts';
import { IS_READ_ONLY, readOnlyError } from './read-only.ts';

const CONNECTION_MS = 2_500;
/** How long work without a time limit, such as a start, waits for a connection to a busy server. */
const PATIENT_MS = 12_000;
/** Connections that a burst of requests needed close soon after it. */
const IDLE_MS = 10_000;
/** How long to wait for a server that does not let go of its connections. */
const CLOSE_MS = 2_000;

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
  /** How long connections stay open without use; 0 is for ever. */
  idleMs?: number;
  /** Set if the connections lead through a pooler in transaction mode. */
  pooler?: Pooler | undefined;
  /** A server that is only read from. Whether it can be written to is not watched. */
  isReplica?: boolean;
};

/** A pooler that gives each transaction another connection to the server. */
export type Pooler = {
  /** The address of the server itself, for the one connection that has to stay the same. */
  directUrl: string;
  /** Whether it keeps track of prepared statements. */
  keepsPrepared: boolean;
};

/**
 * Connects to a Postgres server, or to the one of several that can be written to. Connections are opened on demand, so the
 * service can start before its database.
 */
export function openPostgres(databaseUrl: string, options: PostgresOptions = {}): Db {
  const { onConnectionLost = () => {}, onTrouble = () => {}, pooler, isReplica = false } = options;
  const { maxConnections = 10, idleMs = IDLE_MS } = options;
  const servers = createServers(databaseUrl);
  const statements = pooler ? poolerStatements(pooler.keepsPrepared) : sessionStatements();
  const hasSeveral = servers.urls.length > 1;
  const connectionMs = CONNECTION_MS / servers.urls.length;
  const connections = createPrimaryConnections(servers, () => direct.renew());
  const pool = new pg.Pool({
    // Its type says that a client takes no settings, but the pool hands them over.
    Client: connections.Client as new () => pg.ClientBase,
    max: maxConnections,
    types,
    connectionTimeoutMillis: connectionMs,
    idleTimeoutMillis: idleMs,
    application_name: 'svc',
    pipeline: true,
    onConnect: setUpConnection,
  });
  pool.on('error', onConnectionLost);
  // Without a listener, a connection lost while in use would end the process. Its statement fails either way.
  pool.on('connect', (client) => client.on('error', onConnectionLost));
  pool.on('remove', connections.remove);
  const direct = createDirectConnection({
    servers: pooler ? createServers(pooler.directUrl) : servers,
    variable: pooler ? 'SVC_LISTEN_DATABASE_URL' : 'DATABASE_URL',
    connectionMs,
    onConnectionLost,
    // Another server may have been promoted. If there is none, statements wait as long as they always do.
    onSilence: (error) => hasSeveral && watch.noteSilence(toDbError(error)),
    notify: (channel, payload) => untimed.query('select pg_notify($1, $2)', [channel, payload]),
  });
  /** Connections from before the last trouble may lead to a server that is no longer the primary. */
  let isCurrent = new WeakSet<pg.ClientBase>();
  const watch = isReplica
    ? NOT_WATCHED
    : watchServer({
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
  const writes = watchWrites({ isKnown: () => watch.trouble() !== null, onTrouble });
  let closing = false;

  async function setUpConnection(client: pg.ClientBase): Promise<void> {
    const { rows } = await statements.setUp(client, IS_READ_ONLY, connectionMs);
    const [row] = rows;
    if (!isReplica && (row as { is_read_only: boolean }).is_read_only) {
      if (hasSeveral) throw readOnlyError();
      // Reports can still be read.
      watch.noteFailedStatement(readOnlyError());
    }
    connections.add(client);
    isCurrent.add(client);
  }

  async function answered(sending: Promise<Done>, { sql, isTimed, isWriting }: Sent): Promise<Done> {
    try {
      return await sending;
    } catch (error) {
      const failed = toDbError(error);
      if (isTimed) watch.noteFailedStatement(failed);
      if (isTimed && isWriting) writes.noteFailure(failed, sql);
      throw failed;
    }
  }

  const breaks = (error: unknown) =>
    endsConnection(error) || (error instanceof DbError && statements.spoilsConnection(error.sqlState ?? ''));

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

  async function runStatement<Row>(statement: Statement): Promise<Row[]> {
    const client = await connect(statement.limitMs === undefined ? PATIENT_MS : 0);
    const isWriting = isWrite(statement.sql);
    let broken: Error | undefined;
    try {
      const sending = statements.sendAlone(client, statement);
      const { rows, count } = await answered(sending, {
        sql: statement.sql,
        isTimed: statement.limitMs !== undefined,
        isWriting,
      });
      if (isWriting && count > 0) writes.noteCommit();
      return rows as Row[];
    } catch (error) {
      if (breaks(error)) broken = error as Error;
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
    let isRolledBack = false;
    let hasWritten = false;
    const isTimed = limitMs !== undefined;
    let begun: Promise<unknown> | undefined;
    let isOver = false;
    /** The first statement begins the transaction. None may run outside of it: the others wait until it has, and none is late. */
    const sendNext = async (statement: Statement): Promise<Done> => {
      if (!begun && !isOver) {
        const first = statements.sendFirst(client, statement);
        begun =
          first ?? statements.sendInTransaction(client, { sql: statements.begin(isTimed), params: undefined, limitMs });
        if (first !== null) return first;
      }
      await begun;
      if (isOver) throw new Error('The transaction is over');
      return statements.sendInTransaction(client, statement);
    };
    const query: Transaction['query'] = async <Row>(sql: string, params?: unknown[]) => {
      const isWriting = isWrite(sql);
      const sending = sendNext({ sql, params, limitMs });
      const { rows, count } = await answered(sending, { sql, isTimed, isWriting: isWriting || hasWritten });
      if (isWriting && count > 0) hasWritten = true;
      return rows as Row[];
    };
    const commit = async () => {
      await begun;
      isOver = true;
      const sql = 'commit';
      const sending = statements.sendInTransaction(client, { sql, params: undefined, limitMs });
      const { command } = await answered(sending, { sql, isTimed, isWriting: hasWritten });
      // With the error of the one that failed, if nobody has waited for it yet.
      await Promise.all(sent.statements);
      // Postgres commits nothing if a statement before has failed, and says so in its answer only.
      if (command !== 'COMMIT') throw new DbError('Nothing was committed, because a statement had failed', '25P02');
    };
    const rollBack = () => {
      isOver = true;
      return answered(statements.sendInTransaction(client, ROLLBACK), {
        sql: ROLLBACK.sql,
        isTimed: true,
        isWriting: false,
      });
    };
    const sent = collectSent(query);
    const afterwards: (() => void)[] = [];
    const tx: Transaction = {
      query,
      send: sent.send,
      rollBack() {
        isRolledBack = true;
      },
      afterCommit: (work) => void afterwards.push(work),
    };
    try {
      const result = await work(tx);
      if (begun) await (isRolledBack ? rollBack() : commit());
      if (isRolledBack) return result;
      if (hasWritten) writes.noteCommit();
      for (const work of afterwards) work();
      return result;
    } catch (error) {
      if (breaks(error)) broken = error as Error;
      else if (begun) {
        await rollBack().catch((rollbackError) => {
          broken = rollbackError;
        });
      }
      throw error;
    } finally {
      isOver = true;
      client.release(broken);
    }
  }

  const shared: Omit<Db, 'query' | 'transaction' | 'untimed'> = {
    kind: 'postgres',
    listen: (channel, onMessage, onGap) => direct.listen(channel, { onMessage, onGap }),
    isHearing: direct.isHearing,
    onOneNode: direct.exclusively,
    trouble: () => watch.trouble() ?? writes.trouble(),
    async close() {
      closing = true;
      watch.close();
      const ended = Promise.all([pool.end(), direct.close()]);
      await Promise.race([ended, sleep(CLOSE_MS, undefined, { ref: false })]);
    },
  };
  const untimed: Db = {
    ...shared,
    query: (sql, params) => runStatement({ sql, params, limitMs: undefined }),
    transaction: (work) => runTransaction(work, undefined),
    get untimed() {
      return untimed;
    },
  };
  return {
    ...shared,
    query: (sql, params) => runStatement({ sql, params, limitMs: NO_ANSWER_MS }),
    transaction: (work) => runTransaction(work, NO_ANSWER_MS),
    untimed,
  };
}

type Sent = {
  sql: string;
  /** Whether the server has a time limit for it. */
  isTimed: boolean;
  /** Whether it writes, or is part of a transaction that has written. */
  isWriting: boolean;
};

const ROLLBACK: Statement = { sql: 'rollback', params: undefined, limitMs: NO_ANSWER_MS };

/** Whether the connection cannot be used for anything else: it is lost, out of step, or leads to the wrong server. */
function endsConnection(error: unknown): boolean {
  return error instanceof DbError && (error.sqlState === undefined || /^(08|25006|26000|57P)/.test(error.sqlState));
}

/** What the pool says when all connections were in use for too long. */
const POOL_WAIT_OVER = 'timeout exceeded when trying to connect';

/** All connections were in use, or the server was too slow to open a connection or to accept its settings. */
const isTimeout = (error: unknown) =>
  error instanceof Error && (error.message === POOL_WAIT_OVER || TIMEOUTS.includes(error.message));

function toDbError(error: unknown): DbError {
  if (error instanceof DbError) return error;
  if (error instanceof pg.DatabaseError) return new DbError(error.message, error.code, error.constraint);
  if (error instanceof Error && error.message === POOL_WAIT_OVER) return new StoreBusy();
  return new DbError(error instanceof Error ? error.message : String(error));
}
