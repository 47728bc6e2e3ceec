import { StoreBusy } from '../../db.ts';

export type StatementQueue = {
  /** Runs the work when everything that came before is done. */
  take<Result>(work: () => Promise<Result>, isTimed: boolean): Promise<Result>;
};

/**
 * Runs one piece of work at a time, because the embedded store has one connection. Timed work is refused after it has waited
 * for `waitMs`. After that, further timed work fails fast until the store is free, because it has waited behind it already.
 */
export function createStatementQueue(waitMs: number): StatementQueue {
  let last: Promise<void> = Promise.resolve();
  let isOverdue = false;

  function take<Result>(work: () => Promise<Result>, isTimed: boolean): Promise<Result> {
    if (isTimed && isOverdue) return Promise.reject(new StoreBusy());
    return new Promise((resolve, reject) => {
      let isRefused = false;
      const refuse = () => {
        isRefused = true;
        isOverdue = true;
        reject(new StoreBusy());
      };
      const timer = isTimed ? setTimeout(refuse, waitMs).unref() : undefined;
      last = last.then(async () => {
        clearTimeout(timer);
        if (isRefused) return;
        const worked = work();
        await worked.catch(() => undefined);
        // Before the caller goes on, whose next statement has not waited.
        isOverdue = false;
        await worked.then(resolve, reject);
      });
    });
  }

  return { take };
}
