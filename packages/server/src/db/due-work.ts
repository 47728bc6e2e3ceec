import type { Context } from '../context.ts';

/** Works in the background on rows that are due. */
export type DueWorker = {
  /** Call after storing a row that is due. */
  wake(): void;
  /** Resolves when nothing is being worked on. */
  idle(): Promise<void>;
  close(): Promise<void>;
};

export type DueWork = {
  /** What fails when it fails, for the log: `Processing payment events failed`. */
  failure: string;
  /** Works on what is due until nothing is left, or until `isStopping`. */
  process: (isStopping: () => boolean) => Promise<unknown>;
  /** When the next row is due; null when none waits. */
  findNextDue: () => Promise<Date | null>;
};

const SHORTEST_SLEEP_MS = 50;
const LONGEST_SLEEP_MS = 10_000;

/** The one loop for work that is due: it works on rows as they are stored, and again when the next one is due. */
export function openDueWorker({ now, log }: Pick<Context, 'now' | 'log'>, work: DueWork): DueWorker {
  let isClosed = false;
  let isWakeRequested = false;
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function run(): Promise<void> {
    let next: Date | null = null;
    do {
      isWakeRequested = false;
      await work.process(() => isClosed);
      if (isClosed) return;
      // A row that is stored meanwhile may be due before the one that is found.
      if (!isWakeRequested) next = await work.findNextDue();
    } while (isWakeRequested && !isClosed);
    if (!isClosed) sleep(next ? next.getTime() - now().getTime() : LONGEST_SLEEP_MS);
  }

  function sleep(milliseconds: number): void {
    clearTimeout(timer);
    timer = setTimeout(wake, Math.min(Math.max(milliseconds, SHORTEST_SLEEP_MS), LONGEST_SLEEP_MS)).unref();
  }

  function wake(): void {
    if (isClosed) return;
    isWakeRequested = true;
    running ??= Promise.resolve()
      .then(run)
      .catch((error: Error) => {
        log.error({ err: error }, `${work.failure}; retrying`);
        isWakeRequested = false;
        sleep(LONGEST_SLEEP_MS);
      })
      .finally(() => {
        running = null;
        if (isWakeRequested) wake();
      });
  }

  return {
    wake,
    async idle() {
      while (running !== null) await running;
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
