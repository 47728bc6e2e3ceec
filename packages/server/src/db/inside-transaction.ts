import type { Db, Transaction } from './db.ts';

/** The store for reads within a transaction that has begun. What they do is part of it. */
export function insideTransaction(db: Db, tx: Transaction): Db {
  return {
    ...db,
    untimed: db.untimed,
    query: (sql, params) => tx.query(sql, params),
    transaction: (work) => work(tx),
  };
}
