import { errors } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../../audit/audit-store.ts';
import type { Context } from '../../context.ts';
import { hasSecondFactor } from '../user-store.ts';
import { findWorkspace, updateSecondFactorRequired, type Workspace } from '../workspace-store.ts';

/** Requires a second factor from everyone in the workspace, or no longer. Whoever requires it needs one themselves. */
export async function requireSecondFactor(
  ctx: Context,
  workspaceId: number,
  isRequired: boolean,
  actor: Actor & { userId: string },
): Promise<Workspace> {
  if (isRequired && !(await hasSecondFactor(ctx.db, actor.userId))) throw errors.ownSecondFactorFirst();
  const changed = await ctx.db.transaction(async (tx) => {
    const workspace = await updateSecondFactorRequired(tx, workspaceId, isRequired);
    if (!workspace) return null;
    const about = { workspaceId, actor, action: 'workspace.settings_changed' };
    const values = {
      before: { second_factor_required: !isRequired },
      after: { second_factor_required: isRequired },
    };
    await insertAuditEvent(tx, { ...about, subject: { type: 'workspace', id: workspaceId }, ...values }, ctx.now());
    return workspace;
  });
  const workspace = changed ?? (await findWorkspace(ctx.db, workspaceId));
  if (!workspace) throw errors.notFound();
  return workspace;
}
