import { ServiceError } from '@svc/contract';
import type { Context } from '../context.ts';
import { isConcurrencyConflict } from '../db/db.ts';
import { type DueWorker, openDueWorker } from '../db/due-work.ts';
import {
  findNextDueSlice,
  lockNextBulkAction,
  type RunningBulkAction,
  takeSlice,
  updateFailed,
  updateProgress,
} from './bulk-action-store.ts';
import { KINDS, resultOf } from './kinds.ts';

const MAX_FAILURES = 8;
const FIRST_PAUSE_MS = 500;

/**
 * Works through bulk actions on any node, slice by slice, those of different programs in turn. A slice is taken, its rows are
 * changed and its result is counted in one transaction: wherever a node is killed, no row is changed twice, and none is left out.
 */
export function openBulkWorker(ctx: Context): DueWorker {
  const untimed = { ...ctx, db: ctx.db.untimed };
  return openDueWorker(ctx, {
    failure: 'Working on a bulk action failed',
    async process(isStopping) {
      while (!isStopping() && (await workOnNextSlice(untimed)));
    },
    findNextDue: () => findNextDueSlice(untimed.db),
  });
}

/** Works on the slice that has waited longest. Returns whether there was one. */
async function workOnNextSlice(ctx: Context): Promise<boolean> {
  let taken: RunningBulkAction | null = null;
  try {
    await ctx.db.transaction(async (tx) => {
      taken = await lockNextBulkAction(tx, ctx.now());
      if (!taken) return;
      const { id, programId, workspaceId, kind, change, actor } = taken;
      const items = (await takeSlice(tx, id)) ?? [];
      const slice = { tx, ctx, program: { id: programId, workspaceId }, change, actor };
      const outcomes = items.length === 0 ? [] : await KINDS[kind].apply(slice, items as never[]);
      await updateProgress(tx, id, resultOf(outcomes), ctx.now());
    });
  } catch (error) {
    if (!taken) throw error;
    await noteFailure(ctx, taken, error as Error);
  }
  return taken !== null;
}

/** Tries again later, with growing pauses, until that has no prospect of success. */
async function noteFailure(ctx: Context, { id, kind, failures }: RunningBulkAction, error: Error): Promise<void> {
  const isFinal = error instanceof ServiceError || failures + 1 >= MAX_FAILURES;
  if (!isConcurrencyConflict(error))
    ctx.log.error({ err: error, bulkAction: id, kind }, 'A slice of a bulk action failed');
  const now = ctx.now();
  const retryAt = isFinal ? null : new Date(now.getTime() + FIRST_PAUSE_MS * 2 ** failures);
  await updateFailed(ctx.db, id, { retryAt, now });
}
