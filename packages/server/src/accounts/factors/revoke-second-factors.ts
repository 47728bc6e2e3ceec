import { insertAuditEvent } from '../../audit/audit-store.ts';
import type { Context } from '../../context.ts';
import { findWorkspaceMember } from '../workspace-store.ts';
import { deleteSecondFactors } from './second-factor-store.ts';

/** Removes all second factors of an account whose owner has lost them, on behalf of the operator; returns how many. */
export function revokeSecondFactors(ctx: Context, userId: string): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const removed = await deleteSecondFactors(tx, userId);
    const member = await findWorkspaceMember(tx, userId);
    const about = { workspaceId: member?.workspaceId ?? null, actor: { userId: null, requestId: null } };
    const subject = { type: 'account', id: userId };
    const event = { ...about, subject, action: 'account.second_factors_removed', before: { removed } };
    if (removed > 0) await insertAuditEvent(tx, event, ctx.now());
    return removed;
  });
}
