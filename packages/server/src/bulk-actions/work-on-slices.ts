import { isAtLeast, ServiceError } from '@svc/contract';
import { findRoleForShare } from '../accounts/workspaces/workspace-store.ts';
import type { Context } from '../context.ts';
import { isConcurrencyConflict, type Transaction } from '../db/db.ts';
import { type DueWorker, openDueWorker } from '../db/due-work.ts';
import {
  findNextDueSlice,
  lockNextBulkAction,
  mayBeginSlice,
  type RunningBulkAction,
  takeSlice,
  updateFailed,
  updateProgress,
} from './bulk-action-store.ts';
import { KINDS, resultOf } from './kinds.ts';
import type { BulkContext } from './slice.ts';
import { stopIn } from './stop-bulk-action.ts';

const MAX_FAILURES = 8;
const FIRST_PAUSE_MS = 500;

/**
 * Works through bulk actions on any node, slice by slice, those of different programs in turn. A slice is taken, its rows are
 * changed and its result is counted in one transaction: wherever a node is killed, no row is changed twice, and none is left out.
 */
export function openBulkWorker(ctx: BulkContext): DueWorker {
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
async function workOnNextSlice(ctx: BulkContext): Promise<boolean> {
  let taken: RunningBulkAction | null = null;
  try {
    await ctx.db.transaction(async (tx) => {
      const next = await lockNextBulkAction(tx, ctx.now());
      if (!next || !(await mayBeginSlice(tx, next.id))) return;
      taken = next;
      const { id, programId, workspaceId, kind, change, actor } = next;
      const program = { id: programId, workspaceId };
      if (!(await mayGoOn(tx, next))) {
        await stopIn(tx, ctx, program, { bulkActionId: id, reason: 'role_lost', actor });
        return;
      }
      const items = (await takeSlice(tx, id)) ?? [];
      const slice = { tx, ctx, bulkActionId: id, program, change, actor };
      const outcomes = items.length === 0 ? [] : await KINDS[kind].apply(slice, items as never[]);
      await updateProgress(tx, id, resultOf(outcomes), ctx.now());
    });
  } catch (error) {
    if (!taken) throw error;
    await noteFailure(ctx, taken, error as Error);
  }
  return taken !== null;
}

/**
 * Whether the person who started it still has the role that it needs. They keep it until the slice is written; an account that was
 * deleted has none. The operator needs none.
 */
async function mayGoOn(tx: Transaction, { workspaceId, kind, actor }: RunningBulkAction): Promise<boolean> {
  if (actor.userId === null) return actor.kind === 'operator';
  const role = await findRoleForShare(tx, workspaceId, actor.userId);
  return role !== null && isAtLeast(role, KINDS[kind].role);
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
