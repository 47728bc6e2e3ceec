import { setTimeout as sleep } from 'node:timers/promises';
import { type DueWorker, openDueWorker } from '../db/due-work.ts';
import { isOutboxEmpty } from '../outbox/outbox-store.ts';
import { type NumberingContext, numberCommitted } from './number-events.ts';

/** How often a node looks for events of nodes that stopped before they numbered them, and of commands. */
const LOOK_MS = 1_000;
/** Events that are committed so soon after others share the next statement. */
const GATHER_MS = 50;

/** Numbers events as they are committed. */
export function openNumberingWorker(ctx: NumberingContext): DueWorker {
  return openDueWorker(ctx, {
    failure: 'Numbering events failed',
    process: async (isStopping) => {
      if (await isOutboxEmpty(ctx.db)) return;
      await numberCommitted(ctx, isStopping);
      if (!isStopping()) await sleep(GATHER_MS);
    },
    findNextDue: async () => new Date(ctx.now().getTime() + LOOK_MS),
  });
}
