import { findNextDue } from './event-store.ts';
import type { PaymentsContext } from './payments-context.ts';
import { processDueEvents } from './process-due-events.ts';

/** Works off events as they come in, and those that fall due again. */
export type EventWorker = {
  /** Says that something came in. */
  wake(): void;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
  close(): Promise<void>;
};

/** How long the oldest event has been due: 0 when all is worked off that can be. */
export async function oldestDueEventSeconds({ db, now }: Pick<PaymentsContext, 'db' | 'now'>): Promise<number> {
  const next = await findNextDue(db);
  return next ? Math.max((now().getTime() - next.getTime()) / 1000, 0) : 0;
}

const LONGEST_SLEEP_MS = 10_000;

/** Starts working events off in the background; other nodes do the same with the rest. */
export function openEventWorker(ctx: PaymentsContext): EventWorker {
  let isClosed = false;
  let isAskedAgain = false;
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function run(): Promise<void> {
    do {
      isAskedAgain = false;
      await processDueEvents(ctx);
    } while (isAskedAgain && !isClosed);
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
    isAskedAgain = true;
    running ??= run()
      .catch((error: Error) => {
        ctx.log.error({ err: error }, 'The inbox of processor events stands still; it is tried again');
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
