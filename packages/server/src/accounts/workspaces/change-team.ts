import { errors, type WorkspaceRole } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../../audit/audit-store.ts';
import type { Context } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import { retryOnConflict } from '../../db/retry-on-conflict.ts';
import { revokeWorkspaceAccess } from '../revoke-access.ts';
import { findUser } from '../user-store.ts';
import { deleteInvitationsBeyond } from './invitation-store.ts';
import {
  deleteMember,
  findMemberForUpdate,
  type LockedMember,
  listMembers,
  type Member,
  updateMemberRole,
} from './workspace-store.ts';

/** Changes a member's role. The workspace never loses its last owner, and invitations beyond the new role end. */
export async function changeMemberRole(
  ctx: Context,
  { workspaceId, userId }: MemberOf,
  role: WorkspaceRole,
  actor: Actor,
): Promise<Member> {
  await inTransaction(ctx, async (tx) => {
    const { isLastOwner, role: before } = await lockMember(tx, { workspaceId, userId });
    if (isLastOwner && role !== 'owner') throw errors.lastOwner();
    if (before === role) return;
    await updateMemberRole(tx, userId, role);
    await deleteInvitationsBeyond(tx, userId, role);
    const changed = { action: 'member.role_changed', before: { role: before }, after: { role } } as const;
    await insertAuditEvent(tx, { ...(await about(tx, { workspaceId, userId }, actor)), ...changed }, ctx.now());
  });
  const member = (await listMembers(ctx.db, workspaceId)).find((one) => one.userId === userId);
  if (!member) throw errors.notFound();
  return member;
}

/** Removes a member, with their tokens and the invitations they created. The workspace never loses its last owner. */
export function removeMember(ctx: Context, { workspaceId, userId }: MemberOf, actor: Actor): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const { isLastOwner, role } = await lockMember(tx, { workspaceId, userId });
    if (isLastOwner) throw errors.lastOwner();
    await deleteMember(tx, userId);
    await revokeWorkspaceAccess(tx, userId, ctx.now());
    const removed = { action: 'member.removed', before: { role } } as const;
    await insertAuditEvent(tx, { ...(await about(tx, { workspaceId, userId }, actor)), ...removed }, ctx.now());
  });
}

type MemberOf = { workspaceId: number; userId: string };

/** A user may be accepting an invitation at the same time, which locks the same rows in another order. */
function inTransaction(ctx: Context, work: (tx: Queryable) => Promise<void>): Promise<void> {
  return retryOnConflict(() => ctx.db.transaction(work));
}

async function lockMember(tx: Queryable, { workspaceId, userId }: MemberOf): Promise<LockedMember> {
  const member = await findMemberForUpdate(tx, userId);
  if (member?.workspaceId !== workspaceId) throw errors.notFound();
  return member;
}

async function about(tx: Queryable, { workspaceId, userId }: MemberOf, actor: Actor) {
  const user = await findUser(tx, userId);
  return { workspaceId, actor, subject: { type: 'member', id: userId, name: user?.name } } as const;
}
