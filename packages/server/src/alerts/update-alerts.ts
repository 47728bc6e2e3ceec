import type { ProcessorName } from '@svc/contract';
import type { Context } from '../context.ts';
import { announce } from '../outbox/announce.ts';
import { addDays } from '../time.ts';
import { compareAlerts, findTroubles } from './alert.ts';
import { ALERT_ROWS, deleteAlertsBefore, insertAlert, listOpenAlerts, updateClosed } from './alert-store.ts';
import { listDiffering, listEndpointHealth, listProcessorHealth } from './health-store.ts';

/** Closed alerts are listed for 30 days; the events about them are kept longer. */
const KEPT_DAYS = 90;

/** Opens an alert about everything that is wrong and closes those that are over. Each is announced once, on however many nodes. */
export async function updateAlerts(
  ctx: Context,
  titleOf: (provider: ProcessorName) => string,
): Promise<{ opened: number; closed: number }> {
  const processors = (await listProcessorHealth(ctx.db)).map((one) => ({ ...one, title: titleOf(one.provider) }));
  const troubles = findTroubles(await listEndpointHealth(ctx.db), processors, await listDiffering(ctx.db));
  const { opening, closing } = compareAlerts(troubles, await listOpenAlerts(ctx.db));
  const done = { opened: 0, closed: 0 };
  for (const trouble of opening) {
    const { programId } = trouble;
    await ctx.db.transaction(async (tx) => {
      const id = await insertAlert(tx, trouble, ctx.now());
      if (id === null) return;
      announce(ctx, tx, [{ rows: ALERT_ROWS, events: [{ type: 'alert.opened', programId, id }] }]);
      done.opened += 1;
    });
  }
  for (const { id, programId } of closing) {
    await ctx.db.transaction(async (tx) => {
      if (!(await updateClosed(tx, id, ctx.now()))) return;
      const closed = { type: 'alert.closed', programId, id, previous: { closed_at: null } } as const;
      announce(ctx, tx, [{ rows: ALERT_ROWS, events: [closed] }]);
      done.closed += 1;
    });
  }
  await deleteAlertsBefore(ctx.db, addDays(ctx.now(), -KEPT_DAYS));
  return done;
}
