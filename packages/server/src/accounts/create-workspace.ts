import type { Context } from '../context.ts';
import { insertMember, insertWorkspace } from './workspace-store.ts';

/** Whoever signs up without being invited gets a workspace of their own; an invitation that is accepted later moves them. */
export async function createWorkspace(ctx: Context, user: { id: string; name: string }): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const workspaceId = await insertWorkspace(tx, user.name, ctx.now());
    await insertMember(tx, { userId: user.id, workspaceId, role: 'owner' }, ctx.now());
  });
}
