import { createHash } from 'node:crypto';
import pg from 'pg';
import { STATEMENT_SETTINGS, setForSession, setForStatement, setInTransaction } from '../planner-settings.ts';

/**
 * How long a statement may take: with the wait for a connection, less than the ten seconds in which a request is answered. The
 * server cancels a slow statement; the driver gives up on a server that does not answer at all, and on the connection with it.
 */
const STATEMENT_MS = 5_500;
export const NO_ANSWER_MS = 6_000;

const TIMED = { ...STATEMENT_SETTINGS, statement_timeout: STATEMENT_MS };
const UNTIMED = { statement_timeout: 0, idle_in_transaction_session_timeout: 0 };

export type Statement = {
  sql: string;
  /** Without them, the text may contain several statements. */
  params: unknown[] | undefined;
  /** How long to wait for the server. Without it, the server may take as long as it needs. */
  limitMs: number | undefined;
};

/** How statements get their settings, and whether connections keep them prepared. */
export type Statements = {
  /** Prepares a new connection. Returns the rows of the last statement of `sql`. */
  setUp(client: pg.ClientBase, sql: string, limitMs: number): Promise<unknown[]>;
  /** Sends a statement that is not part of a transaction. */
  sendAlone(client: pg.ClientBase, statement: Statement): Promise<unknown[]>;
  /** Sends a statement of a transaction. */
  sendInTransaction(client: pg.ClientBase, statement: Statement): Promise<unknown[]>;
  /** The text that begins a transaction. */
  begin(isTimed: boolean): string;
  /** Whether a connection cannot be used again after a statement that failed with this state. */
  spoilsConnection(sqlState: string): boolean;
};

/** Statements for a server itself, or for a pooler in session mode: a connection keeps settings and prepared statements. */
export function sessionStatements(): Statements {
  const sendPrepared: Statements['sendInTransaction'] = (client, { sql, params, limitMs }) =>
    send(client, { text: sql, ...(params && { name: statementName(sql), values: params }) }, limitMs);
  const setLimit = (client: pg.ClientBase, ms: number) =>
    send(client, { text: setForSession({ statement_timeout: ms }) }, NO_ANSWER_MS);
  return {
    setUp: (client, sql, limitMs) => send(client, { text: `${setForSession(TIMED)}; ${sql}` }, limitMs),
    async sendAlone(client, statement) {
      if (statement.limitMs !== undefined) return sendPrepared(client, statement);
      // Not in a transaction: some statements cannot run in one.
      await setLimit(client, 0);
      try {
        return await sendPrepared(client, statement);
      } finally {
        await setLimit(client, STATEMENT_MS);
      }
    },
    sendInTransaction: sendPrepared,
    begin: (isTimed) => (isTimed ? 'begin' : `begin; ${setInTransaction(UNTIMED)}`),
    spoilsConnection: () => false,
  };
}

/**
 * Statements for a pooler in transaction mode. Each transaction may be on another connection to the server, so settings
 * travel with it and end with it.
 */
export function poolerStatements(keepsPrepared: boolean): Statements {
  const untimed = { ...TIMED, ...UNTIMED };
  const settings = { timed: setForStatement(TIMED), untimed: setForStatement(untimed) };
  const nameOf = (sql: string) => (keepsPrepared ? { name: statementName(sql) } : {});
  const extended = (sql: string, params: unknown[]) => ({
    text: sql,
    values: params,
    queryMode: 'extended',
    ...nameOf(sql),
  });
  return {
    async setUp(client, sql, limitMs) {
      // What comes before a prepared statement must not be parsed with it: the driver would take one for the other.
      if (keepsPrepared) for (const text of Object.values(settings)) await send(client, extended(text, []), limitMs);
      return send(client, { text: sql }, limitMs);
    },
    sendAlone(client, { sql, params, limitMs }) {
      const before = limitMs === undefined ? settings.untimed : settings.timed;
      if (!params) return send(client, { text: `${before}; ${sql}` }, limitMs);
      return new Promise((resolve, reject) => {
        const config = { ...extended(sql, params), query_timeout: limitMs };
        const query = new QueryAfter({ text: before, ...nameOf(before) }, config, (error, result) =>
          error ? reject(error) : resolve(lastRows(result)),
        );
        client.query(query);
      });
    },
    sendInTransaction: (client, { sql, params, limitMs }) =>
      send(client, params ? extended(sql, params) : { text: sql }, limitMs),
    begin: (isTimed) => `begin; ${setInTransaction(isTimed ? TIMED : untimed)}`,
    // PgBouncer does not let go of the name of a statement that could not be prepared.
    spoilsConnection: (sqlState) => keepsPrepared && sqlState.startsWith('42'),
  };
}

type Before = { text: string; name?: string };
type Answered = (error: Error | undefined, result: pg.QueryResult | pg.QueryResult[]) => void;

/** Runs another statement first, in the same message and so in the same transaction. That one returns no rows. */
class QueryAfter extends pg.Query {
  readonly before: Before;
  /** Read by the driver. */
  readonly query_timeout: number | undefined;

  constructor(before: Before, config: pg.QueryConfig & { query_timeout: number | undefined }, answered: Answered) {
    super(config, answered as never);
    this.before = before;
    this.query_timeout = config.query_timeout;
  }

  override submit = (connection: pg.Connection): unknown => {
    const { text, name = '' } = this.before;
    connection.stream.cork();
    try {
      if (!name) connection.parse({ name, text, types: [] }, true);
      connection.bind({ statement: name, values: [] }, true);
      connection.execute({}, true);
      return pg.Query.prototype.submit.call(this, connection);
    } finally {
      connection.stream.uncork();
    }
  };
}

/** Rejects with an error of the driver. */
async function send(client: pg.ClientBase, config: pg.QueryConfig, limitMs: number | undefined): Promise<unknown[]> {
  // An option of the driver that its types do not have.
  const timed = { ...config, query_timeout: limitMs };
  return lastRows(await client.query(timed));
}

const lastRows = (result: pg.QueryResult | pg.QueryResult[]): unknown[] =>
  (Array.isArray(result) ? result.at(-1)?.rows : result.rows) ?? [];

const statementNames = new Map<string, string>();

function statementName(sql: string): string {
  let name = statementNames.get(sql);
  if (!name) {
    name = createHash('sha256').update(sql).digest('base64url').slice(0, 24);
    statementNames.set(sql, name);
  }
  return name;
}
