import { findNextDue } from './event-store.ts';
import type { PaymentsContext } from './payments-context.ts';
import { processDueEvents } from './process-due-events.ts';

/** Processes events as they arrive, and retries when they are due. */
export type EventWorker = {
  /** Call after storing an event. */
  wake(): void;
  /** Resolves when no event is being processed. */
  idle(): Promise<void>;
  close(): Promise<void>;
};

/** How long the oldest due event has been waiting; 0 when none is due. */
export async function oldestDueEventSeconds({ db, now }: Pick<PaymentsContext, 'db' | 'now'>): Promise<number> {
  const next = await findNextDue(db);
  return next ? Math.max((now().getTime() - next.getTime()) / 1000, 0) : 0;
}

const LONGEST_SLEEP_MS = 10_000;

/** Starts processing events in the background. All nodes share the work. */
export function openEventWorker(ctx: PaymentsContext): EventWorker {
  let isClosed = false;
  let isWakeRequested = false;
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function run(): Promise<void> {
    do {
      isWakeRequested = false;
      await processDueEvents(ctx, () => isClosed);
    } while (isWakeRequested && !isClosed);
    if (isClosed) return;
    const next = await findNextDue(ctx.db);
    sleep(next ? next.getTime() - ctx.now().getTime() : LONGEST_SLEEP_MS);
  }

  function sleep(milliseconds: number): void {
    clearTimeout(timer);
    timer = setTimeout(wake, Math.min(Math.max(milliseconds, 50), LONGEST_SLEEP_MS)).unref();
  }

  function wake(): void {
    if (isClosed) return;
    isWakeRequested = true;
    running ??= run()
      .catch((error: Error) => {
        ctx.log.error({ err: error }, 'Processing payment events failed; retrying');
        sleep(LONGEST_SLEEP_MS);
      })
      .finally(() => {
        running = null;
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
