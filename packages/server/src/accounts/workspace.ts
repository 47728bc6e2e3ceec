import type { Context } from '../context.ts';
import { insertAdvertiser } from './advertiser-store.ts';
import { insertMember } from './workspace-store.ts';

/** Whoever signs up without being invited gets a workspace of their own; an invitation that is accepted later moves them. */
export async function joinFirstWorkspace(ctx: Context, user: { id: string; name: string }): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const advertiserId = await insertAdvertiser(tx, user.name, ctx.now());
    await insertMember(tx, { userId: user.id, advertiserId, role: 'owner' }, ctx.now());
  });
}
