import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Db, DbError, type Queryable } from './db.ts';
import { PLANNER_SETTINGS } from './planner-settings.ts';

const RECONNECT_MS = 500;

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
    connectionTimeoutMillis: 5_000,
    application_name: 'svc',
    pipeline: true,
    onConnect: (client) => client.query(PLANNER_SETTINGS),
  });
  pool.on('error', onConnectionLost);
  // Without a listener, a connection lost while in use would end the process. Its statement fails either way.
  pool.on('connect', (client) => client.on('error', onConnectionLost));
  const listening = new Set<pg.Client>();
  let closing = false;

  const run = async <Row>(target: pg.Pool | pg.PoolClient, sql: string, params?: unknown[]): Promise<Row[]> => {
    try {
      const result = params
        ? await target.query({ name: statementName(sql), text: sql, values: params })
        : await target.query(sql);
      return (Array.isArray(result) ? (result.at(-1)?.rows ?? []) : result.rows) as Row[];
    } catch (error) {
      throw toDbError(error);
    }
  };

  async function transaction<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result> {
    const client = await pool.connect().catch((error) => {
      throw toDbError(error);
    });
    let broken: Error | undefined;
    try {
      await run(client, 'begin');
      const result = await work({ query: (sql, params) => run(client, sql, params) });
      await run(client, 'commit');
      return result;
    } catch (error) {
      await run(client, 'rollback').catch((rollbackError) => {
        broken = rollbackError;
      });
      throw error;
    } finally {
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
    const client = new pg.Client({ connectionString: url, application_name: 'svc listen', keepAlive: true });
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

  return {
    kind: 'postgres',
    query: (sql, params) => run(pool, sql, params),
    transaction,
    listen,
    get untimed() {
      return this;
    },
    trouble: () => null,
    async close() {
      closing = true;
      await Promise.all([...listening].map((client) => client.end()));
      await pool.end();
    },
  };
}

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
  return new DbError(error instanceof Error ? error.message : String(error));
}
