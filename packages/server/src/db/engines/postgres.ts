import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Db, DbError, StoreBusy, type Transaction } from '../db.ts';
import { collectSent } from '../sent-statements.ts';
import { COUNTS_ARE_APPENDED, PLANNER_SETTINGS } from './planner-settings.ts';

const RECONNECT_MS = 500;

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

/** Connects to a Postgres server. Connections are opened on demand, so the service can start before its database. */
export function openPostgres(url: string, onConnectionLost: (error: Error) => void, maxConnections = 10): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    types,
    connectionTimeoutMillis: CONNECTION_MS,
    application_name: 'svc',
    pipeline: true,
    onConnect: (client) => client.query({ text: SESSION_SETTINGS, ...within(CONNECTION_MS) }),
  });
  pool.on('error', onConnectionLost);
  // Without a listener, a connection lost while in use would end the process. Its statement fails either way.
  pool.on('connect', (client) => client.on('error', onConnectionLost));
  const listening = new Set<pg.Client>();
  let closing = false;

  /** Without a limit, a statement may take as long as it needs. */
  const run = async <Row>(
    target: pg.Pool | pg.PoolClient,
    sql: string,
    params: unknown[] | undefined,
    limitMs: number | undefined,
  ): Promise<Row[]> => {
    try {
      const prepared = params && { name: statementName(sql), values: params };
      const result = await target.query({ text: sql, ...prepared, ...within(limitMs) });
      return (Array.isArray(result) ? (result.at(-1)?.rows ?? []) : result.rows) as Row[];
    } catch (error) {
      throw toDbError(error);
    }
  };

  /** Attempts that time out are repeated for `patienceMs`. */
  async function connect(patienceMs: number): Promise<pg.PoolClient> {
    const from = performance.now();
    for (;;) {
      try {
        return await pool.connect();
      } catch (error) {
        const isOver = closing || performance.now() - from >= patienceMs;
        if (isOver || !isConnectionTimeout(error)) throw toDbError(error);
      }
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

  /** Listens on one connection. When it ends, it is reopened and `onGap` reports that messages may have been missed. */
  async function listen(channel: string, onMessage: (payload: string) => void, onGap: () => void): Promise<void> {
    let client = await connectListener(channel, onMessage, onGap);
    void (async () => {
      while (!closing) {
        await client.ended;
        while (!closing) {
          await sleep(RECONNECT_MS, undefined, { ref: false });
          if (closing) return;
          const next = await connectListener(channel, onMessage, onGap).catch(() => null);
          if (next) {
            client = next;
            break;
          }
        }
      }
    })();
  }

  async function connectListener(channel: string, onMessage: (payload: string) => void, onGap: () => void) {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'svc listen',
      keepAlive: true,
      connectionTimeoutMillis: CONNECTION_MS,
      query_timeout: NO_ANSWER_MS,
    });
    const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
    client.on('error', onConnectionLost);
    client.on('notification', (message) => onMessage(message.payload ?? ''));
    listening.add(client);
    void ended.then(() => listening.delete(client));
    try {
      await client.connect();
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      listening.delete(client);
      await client.end().catch(() => undefined);
      throw error;
    }
    onGap();
    return { ended };
  }

  const shared = {
    kind: 'postgres',
    listen,
    trouble: () => null,
    async close() {
      closing = true;
      const ended = Promise.all([pool.end(), ...[...listening].map((client) => client.end())]);
      await Promise.race([ended, sleep(CLOSE_MS, undefined, { ref: false })]);
    },
  } as const;
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
    query: (sql, params) => run(pool, sql, params, NO_ANSWER_MS),
    transaction: (work) => runTransaction(work, NO_ANSWER_MS),
    untimed,
  };
}

/** An option of the driver that its types do not have. */
const within = (limitMs: number | undefined) => ({ query_timeout: limitMs });

/** What the pool says when all connections were in use for too long. */
const POOL_WAIT_OVER = 'timeout exceeded when trying to connect';

/** The same, and what the driver says when the server was too slow to open a connection or to accept its settings. */
const CONNECTION_TIMEOUTS = [POOL_WAIT_OVER, 'Connection terminated due to connection timeout', 'Query read timeout'];

const isConnectionTimeout = (error: unknown) => error instanceof Error && CONNECTION_TIMEOUTS.includes(error.message);

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
  if (error instanceof pg.DatabaseError) return new DbError(error.message, error.code, error.constraint);
  if (error instanceof Error && error.message === POOL_WAIT_OVER) return new StoreBusy();
  return new DbError(error instanceof Error ? error.message : String(error));
}
