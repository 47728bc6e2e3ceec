import { errors } from '@svc/contract';
import type { Context } from '../context.ts';
import type { Queryable } from '../db/db.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import { deleteOwnerInvitationsBy } from './invitation-store.ts';
import { revokeWorkspaceAccess } from './revoke-access.ts';
import {
  deleteMember,
  findMemberForUpdate,
  listMembers,
  type Member,
  updateMemberRole,
  type WorkspaceRole,
} from './workspace-store.ts';

/** Changes a member's role. The workspace never loses its last owner, and a member's invitations to it end. */
export async function changeMemberRole(
  ctx: Context,
  workspaceId: number,
  userId: string,
  role: WorkspaceRole,
): Promise<Member> {
  await inTransaction(ctx, async (tx) => {
    const { isLastOwner } = await lockMember(tx, workspaceId, userId);
    if (isLastOwner && role !== 'owner') throw errors.lastOwner();
    await updateMemberRole(tx, userId, role);
    if (role !== 'owner') await deleteOwnerInvitationsBy(tx, userId);
  });
  const member = (await listMembers(ctx.db, workspaceId)).find((one) => one.userId === userId);
  if (!member) throw errors.notFound();
  return member;
}

/** Removes a member, with their tokens and the invitations they created. The workspace never loses its last owner. */
export function removeMember(ctx: Context, workspaceId: number, userId: string): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const { isLastOwner } = await lockMember(tx, workspaceId, userId);
    if (isLastOwner) throw errors.lastOwner();
    await deleteMember(tx, userId);
    await revokeWorkspaceAccess(tx, userId, ctx.now());
  });
}

/** A user may be accepting an invitation at the same time, which locks the same rows in another order. */
function inTransaction(ctx: Context, work: (tx: Queryable) => Promise<void>): Promise<void> {
  return retryOnConflict(() => ctx.db.transaction(work));
}

async function lockMember(tx: Queryable, workspaceId: number, userId: string) {
  const member = await findMemberForUpdate(tx, userId);
  if (member?.workspaceId !== workspaceId) throw errors.notFound();
  return member;
}
