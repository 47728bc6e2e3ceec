import { type DueWorker, openDueWorker } from '../../db/due-work.ts';
import type { PaymentsContext } from '../payments-context.ts';
import { findNextDue } from './event-store.ts';
import { processDueEvents } from './process-due-events.ts';

/** How long the oldest due event has been waiting; 0 when none is due. */
export async function oldestDueEventSeconds({ db, now }: Pick<PaymentsContext, 'db' | 'now'>): Promise<number> {
  const next = await findNextDue(db);
  return next ? Math.max((now().getTime() - next.getTime()) / 1000, 0) : 0;
}

/** Processes events as they arrive, and retries when they are due. All nodes share the work. */
export function openEventWorker(ctx: PaymentsContext): DueWorker {
  return openDueWorker(ctx, {
    failure: 'Processing payment events failed',
    process: (isStopping) => processDueEvents(ctx, isStopping),
    findNextDue: () => findNextDue(ctx.db),
  });
}
