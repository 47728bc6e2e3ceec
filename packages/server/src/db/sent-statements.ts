import type { Queryable, Transaction } from './db.ts';

/** The statements that a transaction has sent without waiting for them, for whatever ends it to wait for. */
export function collectSent(query: Queryable['query']): { send: Transaction['send']; statements: Promise<unknown>[] } {
  const statements: Promise<unknown>[] = [];
  return {
    statements,
    send(sql, params) {
      const statement = query(sql, params);
      // It is waited for at the end, unless the work fails first.
      statement.catch(() => undefined);
      statements.push(statement);
    },
  };
}
