import type { Context } from '../context.ts';
import { listFailingEndpoints, updateDisabled, updateWarned } from './endpoint-store.ts';

const DAY = 24 * 3_600_000;
const WARN_AFTER_MS = DAY;
const DISABLE_AFTER_MS = 5 * DAY;

/** Warns about endpoints at which nothing has arrived for a day, and disables those of five days. Returns how many of each. */
export function disableFailing(ctx: Context): Promise<{ warned: number; disabled: number }> {
  return ctx.db.transaction(async (tx) => {
    const now = ctx.now();
    const before = (milliseconds: number) => new Date(now.getTime() - milliseconds);
    const failing = await listFailingEndpoints(tx, before(WARN_AFTER_MS));
    const [long, short] = [
      failing.filter(({ failingSince }) => failingSince <= before(DISABLE_AFTER_MS)),
      failing.filter(({ failingSince, warnedAt }) => failingSince > before(DISABLE_AFTER_MS) && warnedAt === null),
    ];
    await updateDisabled(
      tx,
      long.map(({ id }) => id),
      'failing',
    );
    await updateWarned(
      tx,
      short.map(({ id }) => id),
      now,
    );
    return { warned: short.length, disabled: long.length };
  });
}
