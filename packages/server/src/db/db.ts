/**
 * Runs SQL. Without `params` the text may contain several statements; with `params` it is prepared once per connection. In a
 * transaction, statements that do not wait for each other (`Promise.all`) run in the order they were issued and share a
 * round trip.
 */
export interface Queryable {
  query<Row = Record<string, unknown>>(sql: string, params?: unknown[]): Promise<Row[]>;
}

/** A transaction that is under way. */
export interface Transaction extends Queryable {
  /**
   * Runs a last statement, whose result nobody needs, in the same round trip as the commit. If it fails, so does the
   * transaction.
   */
  send(sql: string, params: unknown[]): void;
  /** Makes the transaction roll back when its work returns, instead of committing. */
  rollBack(): void;
  /** Calls `work` once the transaction is committed, and never if it is not. */
  afterCommit(work: () => void): void;
}

/** Why the store does not work as it should: a sentence for operators, and what the store said. */
export type Trouble = { message: string; cause: string };

/** A Postgres database: a real server or the embedded one. Both behave the same to callers. */
export interface Db extends Queryable {
  /** Runs `work` on one connection. Commits when it returns, rolls back when it throws or has asked for that. */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /**
   * Calls `onMessage` for every NOTIFY on the channel. Calls `onGap` when messages may have been missed, so that caches
   * can be cleared.
   */
  listen(channel: string, onMessage: (payload: string) => void, onGap: () => void): Promise<void>;
  /** Whether messages arrive, as far as that is known. While they do not, what is cached may be out of date. */
  isHearing(): boolean;
  /**
   * Runs `work` unless another node is doing so under this name, and says whether it ran. When the signal is aborted, another node
   * may begin: `work` must stop. An embedded store has one node.
   */
  onOneNode(name: string, work: (lost: AbortSignal) => Promise<void>): Promise<boolean>;
  close(): Promise<void>;
  /**
   * The same store for work that may take long: migrations, jobs, operator commands. Others wait a limited time for an
   * answer and for their turn.
   */
  readonly untimed: Db;
  /** Why the store does not work as it should, as a sentence for operators; null while it does. */
  trouble(): string | null;
  readonly kind: 'embedded' | 'postgres';
}

/** A failed statement. `sqlState` is set when the database itself refused it; nothing was stored then. */
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

/** The statement waited too long for its turn. Nothing was stored, and it may be sent again later. */
export class StoreBusy extends DbError {
  constructor() {
    super('The store is busy');
    this.name = 'StoreBusy';
  }
}

/** Whether the statement failed because a row with the same unique value exists. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof DbError && error.sqlState === '23505';
}

/**
 * Whether the database refused the statement because of its content. Lost connections, shutdowns, a read-only server and a
 * full disk do not count: retrying the same rows one by one would only take longer.
 */
export function isRefusedStatement(error: unknown): boolean {
  return error instanceof DbError && error.sqlState !== undefined && !/^(08|25006|53|57|58|XX)/.test(error.sqlState);
}

/** Whether the statement failed because the store is in trouble, which has a line of its own in the log. */
export function isKnownTrouble(db: Pick<Db, 'trouble'>, error: unknown): boolean {
  return error instanceof DbError && !isRefusedStatement(error) && db.trouble() !== null;
}

/** What a statement or a verb found was changed by a concurrent transaction. */
export const SERIALIZATION_FAILURE = '40001';

/** Whether the statement failed because of a concurrent transaction; it may succeed when retried. */
export function isConcurrencyConflict(error: unknown): boolean {
  return error instanceof DbError && (error.sqlState === SERIALIZATION_FAILURE || error.sqlState === '40P01');
}

/** Whether the statement failed because others hold what it would lock: a deadlock, or the wait was too long. */
export function isLockConflict(error: unknown): boolean {
  return error instanceof DbError && (error.sqlState === '40P01' || error.sqlState === '55P03');
}
