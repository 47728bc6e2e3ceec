import { type Actor, type AuditEvent, insertAuditEvent } from '../../audit/audit-store.ts';
import type { Context } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import { insertMember, insertWorkspace } from './workspace-store.ts';

type Owner = { id: string; name: string };

export function accountCreated(workspaceId: number | null, { id, name }: Owner, actor: Actor): AuditEvent {
  return { workspaceId, actor, action: 'account.created', subject: { type: 'account', id, name } };
}

/** Creates a workspace for an account that signed up without an invitation. Accepting one later moves the account. */
export async function createWorkspace(ctx: Context, user: Owner, actor: Actor): Promise<void> {
  await ctx.db.transaction((tx) => createWorkspaceIn(tx, user, actor, ctx.now()));
}

/** Creates the workspace of a new account as part of a larger transaction. */
export async function createWorkspaceIn(tx: Queryable, user: Owner, actor: Actor, now: Date): Promise<number> {
  const workspaceId = await insertWorkspace(tx, user.name, now);
  await insertMember(tx, { userId: user.id, workspaceId, role: 'owner' }, now);
  await insertAuditEvent(tx, accountCreated(workspaceId, user, actor), now);
  return workspaceId;
}
