import { errors, MAX_VIEWS } from '@svc/contract';
import type { Context } from '../context.ts';
import { insertView, lockUser, type NewView, type SavedView, type ViewOwner } from './view-store.ts';

/** Saves a view under its name, as long as the person does not have too many. */
export async function addView(ctx: Context, owner: ViewOwner, view: NewView): Promise<SavedView> {
  const saved = await ctx.db.transaction(async (tx) => {
    await lockUser(tx, owner.userId);
    return insertView(tx, owner, view, MAX_VIEWS, ctx.now());
  });
  if (!saved) throw errors.tooManyViews(MAX_VIEWS);
  return saved;
}
