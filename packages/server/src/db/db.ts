/** Runs SQL. Without `params` the text may hold several statements; with them it is prepared once per connection. */
export interface Queryable {
  query<Row = Record<string, unknown>>(sql: string, params?: unknown[]): Promise<Row[]>;
}

/** A Postgres: a real server, or the embedded one. Both behave the same to everything above. */
export interface Db extends Queryable {
  /** Runs `work` on one connection; commits what it did, or nothing of it when it throws. */
  transaction<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result>;
  /**
   * Calls `onMessage` for every NOTIFY on the channel. `onGap` is called when messages may have been missed, so that
   * whoever keeps copies can drop them.
   */
  listen(channel: string, onMessage: (payload: string) => void, onGap: () => void): Promise<void>;
  close(): Promise<void>;
  readonly kind: 'embedded' | 'postgres';
}

/** A statement that failed. `sqlState` is set when the database itself refused it, so nothing of it was stored. */
export class DbError extends Error {
  readonly sqlState: string | undefined;
  readonly constraint: string | undefined;

  constructor(message: string, sqlState?: string, constraint?: string) {
    super(message);
    this.name = 'DbError';
    this.sqlState = sqlState;
    this.constraint = constraint;
  }
}

/** Whether the statement was refused because a row with the same unique value exists. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof DbError && error.sqlState === '23505';
}

/**
 * Whether the database refused the statement for what was in it. Lost connections, shutdowns and a full disk are not
 * that: there, trying the same rows again one by one would only take longer.
 */
export function isRefusedStatement(error: unknown): boolean {
  return error instanceof DbError && error.sqlState !== undefined && !/^(08|53|57|58|XX)/.test(error.sqlState);
}

/** Whether the statement lost out to another one that ran at the same time; the same statement may succeed now. */
export function lostToAnother(error: unknown): boolean {
  return error instanceof DbError && (error.sqlState === '40001' || error.sqlState === '40P01');
}
