import { type BulkActionRow, errors } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/db.ts';
import type { Program } from '../programs/program.ts';
import { findBulkAction, lockBetweenSlices, updateStopped } from './bulk-action-store.ts';

/** Stops a bulk action once the slice that is under way is done, and says how far it came. One that has finished stays as it is. */
export function stopBulkAction(
  ctx: Context,
  { id: programId, workspaceId }: Pick<Program, 'id' | 'workspaceId'>,
  bulkActionId: number,
  actor: Actor,
): Promise<BulkActionRow> {
  return ctx.db.transaction(async (tx) => {
    await lockBetweenSlices(tx, bulkActionId);
    await stopIn(tx, ctx, { id: programId, workspaceId }, { bulkActionId, reason: 'requested', actor });
    const found = await findBulkAction(tx, programId, bulkActionId);
    if (!found) throw errors.notFound();
    return found;
  });
}

type Stopping = { bulkActionId: number; reason: NonNullable<BulkActionRow['stop_reason']>; actor: Actor };

/** Stops a running bulk action as a part of a transaction. */
export async function stopIn(
  tx: Transaction,
  ctx: Context,
  { id: programId, workspaceId }: Pick<Program, 'id' | 'workspaceId'>,
  { bulkActionId, reason, actor }: Stopping,
): Promise<void> {
  const stopped = await updateStopped(tx, programId, bulkActionId, { reason, now: ctx.now() });
  if (!stopped) return;
  const subject = { type: 'bulk_action', id: bulkActionId } as const;
  const after = { ...stopped, ...(reason !== 'requested' && { reason }) };
  const event = { workspaceId, programId, actor, action: 'bulk_action.stopped', subject, after } as const;
  await insertAuditEvent(tx, event, ctx.now());
}
