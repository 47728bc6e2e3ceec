import { createHash } from 'node:crypto';
import pg from 'pg';
import { type Db, DbError, type Queryable } from './db.ts';

const RECONNECT_MS = 500;

// Ids and cents fit a JavaScript number by the schema's own bounds.
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid as number, format as 'text'),
};

/** Connects to a Postgres server. Connections are made on demand, so the service can start before its database. */
export function openPostgres(url: string, onConnectionLost: (error: Error) => void, maxConnections = 10): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    types,
    connectionTimeoutMillis: 5_000,
    application_name: 'svc',
  });
  pool.on('error', onConnectionLost);
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

  async function connectListener(channel: string, onMessage: (payload: string) => void, onGap: () => void) {
    const client = new pg.Client({ connectionString: url, application_name: 'svc listen', keepAlive: true });
    client.on('notification', (message) => onMessage(message.payload ?? ''));
    client.on('error', onConnectionLost);
    client.on('end', () => {
      listening.delete(client);
      if (!closing) retry();
    });
    const retry = () => {
      setTimeout(() => {
        if (!closing) connectListener(channel, onMessage, onGap).catch(retry);
      }, RECONNECT_MS).unref();
    };
    await client.connect();
    listening.add(client);
    await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    onGap();
  }

  return {
    kind: 'postgres',
    query: (sql, params) => run(pool, sql, params),
    transaction,
    listen: connectListener,
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
