import { type DueWorker, openDueWorker } from '../db/due-work.ts';
import { isOutboxEmpty } from '../outbox/outbox-store.ts';
import { type NumberingContext, numberEvents } from './number-events.ts';

/** How often a node looks for events of nodes that stopped before they numbered them, and of commands. */
const LOOK_MS = 1_000;

/** Numbers events as they are committed. */
export function openNumberingWorker(ctx: NumberingContext): DueWorker {
  return openDueWorker(ctx, {
    failure: 'Numbering events failed',
    process: async (isStopping) => {
      if (!(await isOutboxEmpty(ctx.db))) await numberEvents(ctx, isStopping);
    },
    findNextDue: async () => new Date(ctx.now().getTime() + LOOK_MS),
  });
}
