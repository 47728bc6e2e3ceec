import type { Context } from '../context.ts';
import { insertMember, insertWorkspace } from './workspace-store.ts';

/** Creates a workspace for an account that signed up without an invitation. Accepting one later moves the account. */
export async function createWorkspace(ctx: Context, user: { id: string; name: string }): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const workspaceId = await insertWorkspace(tx, user.name, ctx.now());
    await insertMember(tx, { userId: user.id, workspaceId, role: 'owner' }, ctx.now());
  });
}
