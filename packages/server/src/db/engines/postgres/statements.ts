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

/** The rows of a statement, how many rows it returned or changed, and what the server says that it did. */
export type Done = { rows: unknown[]; count: number; command: string };

/** How statements get their settings, and whether connections keep them prepared. */
export type Statements = {
  /** Prepares a new connection. Returns what the last statement of `sql` did. */
  setUp(client: pg.ClientBase, sql: string, limitMs: number): Promise<Done>;
  /** Sends a statement that is not part of a transaction. */
  sendAlone(client: pg.ClientBase, statement: Statement): Promise<Done>;
  /** The text that begins a transaction. */
  begin(isTimed: boolean): string;
  /** Begins a transaction with its first statement, which is not run unless it has begun. Null where that takes two messages. */
  sendFirst(client: pg.ClientBase, statement: Statement): Promise<Done> | null;
  /** Sends a statement of a transaction that has begun. */
  sendInTransaction(client: pg.ClientBase, statement: Statement): Promise<Done>;
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
    async setUp(client, sql, limitMs) {
      const done = await send(client, { text: `${setForSession(TIMED)}; ${sql}` }, limitMs);
      // So that the first statement of a transaction can be sent with it. There is no other way to prepare it.
      await send(client, { ...BEGIN, values: [] }, limitMs);
      await send(client, { text: 'rollback' }, limitMs);
      return done;
    },
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
    begin: (isTimed) => (isTimed ? BEGIN.text : `${BEGIN.text}; ${setInTransaction(UNTIMED)}`),
    sendFirst(client, { sql, params, limitMs }) {
      if (!params || limitMs === undefined) return null;
      return sendAfter(client, BEGIN, { text: sql, name: statementName(sql), values: params, query_timeout: limitMs });
    },
    sendInTransaction: sendPrepared,
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
      return sendAfter(
        client,
        { text: before, ...nameOf(before) },
        { ...extended(sql, params), query_timeout: limitMs },
      );
    },
    begin: (isTimed) => `begin; ${setInTransaction(isTimed ? TIMED : untimed)}`,
    sendFirst: () => null,
    sendInTransaction: (client, { sql, params, limitMs }) =>
      send(client, params ? extended(sql, params) : { text: sql }, limitMs),
    // PgBouncer does not let go of the name of a statement that could not be prepared.
    spoilsConnection: (sqlState) => keepsPrepared && sqlState.startsWith('42'),
  };
}

type Before = { text: string; name?: string };

const BEGIN = { text: 'begin', name: 'begin' };

type After = pg.QueryConfig & {
  /** Read by the driver. */
  query_timeout: number | undefined;
};
type Answered = (error: Error | undefined, result: pg.QueryResult | pg.QueryResult[]) => void;

/** Runs another statement first, in the same message and so in the same transaction. That one returns no rows. */
class QueryAfter extends pg.Query {
  readonly before: Before;
  readonly query_timeout: number | undefined;

  constructor(before: Before, config: After, answered: Answered) {
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

function sendAfter(client: pg.ClientBase, before: Before, config: After): Promise<Done> {
  return new Promise((resolve, reject) => {
    client.query(new QueryAfter(before, config, (error, result) => (error ? reject(error) : resolve(lastOf(result)))));
  });
}

/** Rejects with an error of the driver. */
async function send(client: pg.ClientBase, config: pg.QueryConfig, limitMs: number | undefined): Promise<Done> {
  // An option of the driver that its types do not have.
  const timed = { ...config, query_timeout: limitMs };
  return lastOf(await client.query(timed));
}

function lastOf(result: pg.QueryResult | pg.QueryResult[]): Done {
  const last = Array.isArray(result) ? result.at(-1) : result;
  return { rows: last?.rows ?? [], count: last?.rowCount ?? 0, command: last?.command ?? '' };
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
