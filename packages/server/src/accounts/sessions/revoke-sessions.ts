import { errors } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../../audit/audit-store.ts';
import type { Context } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import { accountEvent } from '../revoke-access.ts';
import type { User } from '../user-store.ts';
import { deleteOtherSessions, deleteSession } from './session-store.ts';

/** Ends one of the account's sessions, which takes effect immediately. */
export function revokeSession(ctx: Context, user: User, sessionId: string, actor: Actor): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    if (!(await deleteSession(tx, user.id, sessionId))) throw errors.notFound();
    await audit(tx, user, actor, 1, ctx.now());
  });
}

/** Ends all sessions of the account except one; returns how many. */
export function revokeOtherSessions(ctx: Context, user: User, keptId: string | null, actor: Actor): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const ended = await deleteOtherSessions(tx, user.id, keptId);
    await audit(tx, user, actor, ended, ctx.now());
    return ended;
  });
}

async function audit(tx: Queryable, user: User, actor: Actor, ended: number, now: Date): Promise<void> {
  const event = await accountEvent(tx, user, 'account.sessions_ended', actor);
  await insertAuditEvent(tx, { ...event, after: { count: ended } }, now);
}
