import type { Context } from '../context.ts';
import type { Queryable } from '../db/db.ts';
import { insertMember, insertWorkspace } from './workspace-store.ts';

type Owner = { id: string; name: string };

/** Creates a workspace for an account that signed up without an invitation. Accepting one later moves the account. */
export async function createWorkspace(ctx: Context, user: Owner): Promise<void> {
  await ctx.db.transaction((tx) => createWorkspaceIn(tx, user, ctx.now()));
}

/** Creates a workspace as part of a larger transaction. */
export async function createWorkspaceIn(tx: Queryable, user: Owner, now: Date): Promise<number> {
  const workspaceId = await insertWorkspace(tx, user.name, now);
  await insertMember(tx, { userId: user.id, workspaceId, role: 'owner' }, now);
  return workspaceId;
}
