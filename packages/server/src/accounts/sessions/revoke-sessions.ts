import { errors } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../../audit/audit-store.ts';
import type { Context } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import { deleteOtherSessions, deleteSession } from './session-store.ts';

type Owner = { userId: string; workspaceId: number | null };

/** Ends one of the account's sessions, which takes effect immediately. */
export function revokeSession(ctx: Context, owner: Owner, sessionId: string, actor: Actor): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    if (!(await deleteSession(tx, owner.userId, sessionId))) throw errors.notFound();
    await audit(tx, owner, actor, 1, ctx.now());
  });
}

/** Ends all sessions of the account except one; returns how many. */
export function revokeOtherSessions(ctx: Context, owner: Owner, keptId: string | null, actor: Actor): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const ended = await deleteOtherSessions(tx, owner.userId, keptId);
    await audit(tx, owner, actor, ended, ctx.now());
    return ended;
  });
}

function audit(tx: Queryable, { userId, workspaceId }: Owner, actor: Actor, ended: number, now: Date): Promise<void> {
  const subject = { type: 'account', id: userId };
  return insertAuditEvent(tx, { workspaceId, actor, action: 'account.sessions_ended', subject, after: { ended } }, now);
}
