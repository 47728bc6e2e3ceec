import { type BulkActionRow, errors } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import type { Program } from '../programs/program.ts';
import { findBulkAction, updateStopped } from './bulk-action-store.ts';

/** Stops a bulk action once the slice that is under way is done, and says how far it came. One that has finished stays as it is. */
export function stopBulkAction(
  ctx: Context,
  { id: programId, workspaceId }: Pick<Program, 'id' | 'workspaceId'>,
  bulkActionId: number,
  actor: Actor,
): Promise<BulkActionRow> {
  return ctx.db.transaction(async (tx) => {
    const stopped = await updateStopped(tx, programId, bulkActionId, ctx.now());
    if (stopped) {
      const subject = { type: 'bulk_action', id: bulkActionId } as const;
      await insertAuditEvent(
        tx,
        { workspaceId, programId, actor, action: 'bulk_action.stopped', subject, after: stopped },
        ctx.now(),
      );
    }
    const found = await findBulkAction(tx, programId, bulkActionId);
    if (!found) throw errors.notFound();
    return found;
  });
}
