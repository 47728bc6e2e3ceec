import { errors } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../../audit/audit-store.ts';
import { changedFields } from '../../audit/changed-fields.ts';
import type { Context } from '../../context.ts';
import { hasSecondFactor } from '../user-store.ts';
import { findWorkspaceForUpdate, updateWorkspace, type Workspace } from './workspace-store.ts';

/** Changes the given settings and leaves the rest. A person who requires a second factor from others needs one themselves. */
export async function changeWorkspace(
  ctx: Context,
  workspaceId: number,
  changes: { name?: string | undefined; secondFactorRequired?: boolean | undefined },
  actor: Actor,
): Promise<Workspace> {
  return ctx.db.transaction(async (tx) => {
    const before = await findWorkspaceForUpdate(tx, workspaceId);
    if (!before) throw errors.notFound();
    const { name = before.name, secondFactorRequired = before.secondFactorRequired } = changes;
    const after = { ...before, name, secondFactorRequired };
    const changed = changedFields(before, after);
    if (!changed) return after;
    const isNowRequired = secondFactorRequired && !before.secondFactorRequired;
    if (isNowRequired && !(await hasSecondFactor(tx, actor.userId ?? ''))) throw errors.ownSecondFactorFirst();
    await updateWorkspace(tx, after);
    const subject = { type: 'workspace', id: workspaceId, name } as const;
    const event = { workspaceId, actor, subject, action: 'workspace.settings_changed', ...changed } as const;
    await insertAuditEvent(tx, event, ctx.now());
    return after;
  });
}
