import type { Context } from '../context.ts';
import type { Transaction } from '../db/db.ts';
import { findFailingForUpdate, listFailingEndpoints, updateDisabled, updateWarned } from './endpoint-store.ts';
import { judgeFailing } from './failing.ts';
import { tellDisabled, tellFailing } from './tell-owners.ts';

/** Warns the owners of endpoints at which nothing arrives, and disables those that failed for long. Returns how many of each. */
export async function disableFailing(ctx: Context): Promise<{ warned: number; disabled: number }> {
  const due = (await listFailingEndpoints(ctx.db)).filter((failing) => judgeFailing(failing, ctx.now()) !== 'leave');
  const done = { warned: 0, disabled: 0 };
  for (const { id } of due) {
    const verdict = await ctx.db.transaction((tx) => actOn(ctx, tx, id));
    if (verdict === 'warn') done.warned += 1;
    if (verdict === 'disable') done.disabled += 1;
  }
  return done;
}

async function actOn(ctx: Context, tx: Transaction, endpointId: number) {
  // Something may have arrived meanwhile, or another node was faster.
  const failing = await findFailingForUpdate(tx, endpointId);
  const verdict = failing ? judgeFailing(failing, ctx.now()) : 'leave';
  if (verdict === 'warn') {
    await updateWarned(tx, endpointId, ctx.now());
    await tellFailing(ctx, tx, endpointId);
  }
  if (verdict === 'disable') {
    await updateDisabled(tx, [endpointId], 'failing');
    await tellDisabled(ctx, tx, [endpointId], 'failing');
  }
  return verdict;
}
