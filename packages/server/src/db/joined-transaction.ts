import { AsyncLocalStorage } from 'node:async_hooks';
import { type Db, isUniqueViolation, type Transaction } from './db.ts';
import { collectSent } from './sent-statements.ts';

export type JoinedDb = {
  /** Like the store. Within `run`, statements and transactions are part of one transaction. */
  db: Db;
  /**
   * Runs work that queries `db` and knows nothing of transactions, such as a library's, in one transaction. It begins with the
   * first write, so that nobody waits while the work computes. Commits when the work returns, rolls back when it throws.
   */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
};

type Begun = { tx: Promise<Transaction>; end: (failure?: Error) => Promise<void> };
type Scope = { begun: Begun | null; error: unknown };

/** What starts a transaction. A link or challenge that is used up stays used up, and may be followed by a slow computation. */
const BEGINS = /^\s*(?:insert|update|delete|with)\b(?!\s+(?:into\s+|from\s+)?"?verifications"?\b)|\bfor\s+update\b/i;

export function joinTransactions(db: Db): JoinedDb {
  const scopes = new AsyncLocalStorage<Scope>();
  let running = 0;

  async function query<Row>(sql: string, params?: unknown[]): Promise<Row[]> {
    const scope = scopes.getStore();
    if (!scope) return db.query<Row>(sql, params);
    if (BEGINS.test(sql)) scope.begun ??= begin(db);
    const queryable = scope.begun ? await scope.begun.tx : db;
    return queryable.query<Row>(sql, params).catch((error) => {
      scope.error = error;
      throw error;
    });
  }

  const transaction: Db['transaction'] = (work) => {
    const scope = scopes.getStore();
    if (!scope) return db.transaction(work);
    scope.begun ??= begin(db);
    return scope.begun.tx.then((tx) => runNested(tx, work));
  };

  async function runOnce<Result>(scope: Scope, work: () => Promise<Result>): Promise<Result> {
    let result: Result;
    running += 1;
    try {
      result = await scopes.run(scope, work);
    } catch (error) {
      await scope.begun?.end(error as Error);
      throw error;
    } finally {
      running -= 1;
      // Otherwise every promise of the process would be followed from now on, even after this store is closed.
      if (running === 0) scopes.disable();
    }
    await scope.begun?.end();
    return result;
  }

  return {
    db: { ...db, untimed: db.untimed, query, transaction },
    async run(work) {
      const scope: Scope = { begun: null, error: null };
      return runOnce(scope, work).catch((error) => {
        // Another request did the same at the same moment. The second attempt sees it.
        if (!isUniqueViolation(scope.error)) throw error;
        return runOnce({ begun: null, error: null }, work);
      });
    },
  };
}

function begin(db: Db): Begun {
  const opened = promiseParts<Transaction>();
  const ended = promiseParts<void>();
  const finished = db.transaction(async (tx) => {
    opened.resolve(tx);
    await ended.promise;
  });
  // If BEGIN fails, reject everyone who is waiting for the transaction.
  finished.catch(opened.reject);
  return {
    tx: opened.promise,
    async end(failure) {
      if (failure) ended.reject(failure);
      else ended.resolve();
      await finished.catch((error) => {
        if (error !== failure) throw error;
      });
    },
  };
}

function promiseParts<Value>() {
  let resolve: (value: Value) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<Value>((onValue, onError) => {
    [resolve, reject] = [onValue, onError];
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
}

/** A failure undoes only what the work did: its caller may go on. */
async function runNested<Result>(tx: Transaction, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  let ending = 'release savepoint nested';
  const sent = collectSent((sql, params) => tx.query(sql, params));
  const afterwards: (() => void)[] = [];
  const nested: Transaction = {
    query: (sql, params) => tx.query(sql, params),
    send: sent.send,
    rollBack() {
      ending = 'rollback to savepoint nested';
    },
    afterCommit: (work) => void afterwards.push(work),
  };
  await tx.query('savepoint nested');
  try {
    const result = await work(nested);
    await Promise.all(sent.statements);
    await tx.query(ending);
    if (ending.startsWith('release')) for (const work of afterwards) tx.afterCommit(work);
    return result;
  } catch (error) {
    await tx.query('rollback to savepoint nested');
    throw error;
  }
}
