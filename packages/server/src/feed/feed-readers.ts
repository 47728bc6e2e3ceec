import type { Db } from '../db/db.ts';

/** Readers of the feed who wait for events. */
export type FeedReaders = {
  /**
   * Resolves when an event of the program may have come, after `milliseconds`, or when `signal` ends it. The answer is false if
   * the service stops: then the store must not be read again.
   */
  wait(programId: number, milliseconds: number, signal: AbortSignal): Promise<boolean>;
  /** Reads once for all who ask for the same. The read starts after each of them has asked, so nobody gets an older answer. */
  share<Read>(what: string, read: () => Promise<Read>): Promise<Read>;
  close(): void;
};

/** One notification wakes the waiting readers of a program on every node. Waiting costs no statement. */
export async function openFeedReaders(db: Db): Promise<FeedReaders> {
  const waiting = new Map<number, Set<() => void>>();
  const reads = new Map<string, { answer: Promise<unknown>; hasStarted: boolean }>();
  let isClosed = false;

  const wake = (programId: number) => {
    for (const resume of waiting.get(programId) ?? []) resume();
  };
  const wakeAll = () => {
    for (const programId of [...waiting.keys()]) wake(programId);
  };
  // After a gap, everyone looks for what may have been missed.
  await db.listen('svc_feed', (payload) => wake(Number(payload)), wakeAll);

  return {
    wait(programId, milliseconds, signal) {
      if (isClosed || signal.aborted) return Promise.resolve(!isClosed);
      return new Promise((resolve) => {
        const readers = waiting.get(programId) ?? new Set();
        const resume = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', resume);
          readers.delete(resume);
          if (readers.size === 0) waiting.delete(programId);
          resolve(!isClosed);
        };
        const timer = setTimeout(resume, milliseconds);
        signal.addEventListener('abort', resume);
        readers.add(resume);
        waiting.set(programId, readers);
      });
    },
    share<Read>(what: string, read: () => Promise<Read>) {
      const latest = reads.get(what);
      if (latest && !latest.hasStarted) return latest.answer as Promise<Read>;
      const start = () => {
        next.hasStarted = true;
        return read();
      };
      const before = latest ? latest.answer.catch(() => undefined) : Promise.resolve();
      const answer = before.then(start).finally(() => {
        if (reads.get(what) === next) reads.delete(what);
      });
      const next = { answer, hasStarted: false };
      reads.set(what, next);
      return answer;
    },
    close() {
      isClosed = true;
      wakeAll();
    },
  };
}
