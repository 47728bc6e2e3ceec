import type { Db } from './db.ts';

/** The store, on which nothing begins once the signal is aborted: it rejects with `reason`. A transaction that has begun goes on. */
export function untilAborted(db: Db, signal: AbortSignal, reason: () => Error): Db {
  const stopIfAborted = () => {
    if (signal.aborted) throw reason();
  };
  return {
    kind: db.kind,
    listen: db.listen,
    isHearing: db.isHearing,
    onOneNode: db.onOneNode,
    trouble: db.trouble,
    close: db.close,
    async query(sql, params) {
      stopIfAborted();
      return db.query(sql, params);
    },
    async transaction(work) {
      stopIfAborted();
      return db.transaction(work);
    },
    get untimed() {
      return untilAborted(db.untimed, signal, reason);
    },
  };
}
