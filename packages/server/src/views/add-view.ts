import { errors, MAX_VIEWS } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import { deleteView, insertView, lockUser, type NewView, type SavedView, type ViewOwner } from './view-store.ts';

/** Saves a view under its name, as long as the person does not have too many. */
export function addView(ctx: Context, owner: ViewOwner, view: NewView, by: ViewChange): Promise<SavedView> {
  return ctx.db.transaction(async (tx) => {
    await lockUser(tx, owner.userId);
    const saved = await insertView(tx, owner, view, MAX_VIEWS, ctx.now());
    if (!saved) throw errors.tooManyViews(MAX_VIEWS);
    const after = { list: view.list, query: view.query };
    await insertAuditEvent(tx, { ...about(owner, saved, by), action: 'view.saved', after }, ctx.now());
    return saved;
  });
}

/** Removes one of the person's own views. Without such a view nothing changes. */
export function removeView(ctx: Context, owner: ViewOwner, viewId: number, by: ViewChange): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    const view = await deleteView(tx, owner, viewId);
    if (!view) return;
    const before = { list: view.list, query: view.query };
    await insertAuditEvent(tx, { ...about(owner, view, by), action: 'view.deleted', before }, ctx.now());
  });
}

/** Who changes a view, in which workspace. */
export type ViewChange = { workspaceId: number; actor: Actor };

function about({ programId }: ViewOwner, { id, name }: SavedView, { workspaceId, actor }: ViewChange) {
  return { workspaceId, programId, actor, subject: { type: 'view', id, name } } as const;
}
