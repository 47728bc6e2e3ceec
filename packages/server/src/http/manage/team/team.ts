import { errors, manageMembers, manageRemoveMember, manageUpdateMember, type ReplyRow } from '@svc/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { changeMemberRole, removeMember } from '../../../accounts/workspaces/change-team.ts';
import { listMembers, type Member } from '../../../accounts/workspaces/workspace-store.ts';
import { addRoute } from '../../add-route.ts';
import { bodyOf } from '../../body.ts';
import { signedInMember } from '../../callers/signed-in-user.ts';
import type { ServiceContext } from '../../service-context.ts';

export function addManageTeamRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addRoute(app, manageMembers, async (request) => {
    const { workspaceId } = await signedInMember(ctx, request, manageMembers);
    return { data: (await listMembers(ctx.db, workspaceId)).map(toMemberReply) };
  });

  addRoute(app, manageUpdateMember, async (request) => {
    const { workspaceId, actor } = await signedInMember(ctx, request, manageUpdateMember);
    const { role } = bodyOf(manageUpdateMember, request);
    const changed = await changeMemberRole(ctx, { workspaceId, userId: userIdIn(request) }, role, actor);
    return { data: toMemberReply(changed) };
  });

  addRoute(app, manageRemoveMember, async (request) => {
    const { workspaceId, actor } = await signedInMember(ctx, request, manageRemoveMember);
    await removeMember(ctx, { workspaceId, userId: userIdIn(request) }, actor);
    return { data: {} };
  });
}

/** The account id in the path; anything that cannot be one is not found. */
function userIdIn(request: FastifyRequest): string {
  const { user_id: userId } = request.params as { user_id: string };
  if (!/^[\w-]{1,64}$/.test(userId)) throw errors.notFound();
  return userId;
}

function toMemberReply(member: Member): ReplyRow<typeof manageMembers> {
  const { userId, name, email, isUndeliverable, role, hasSecondFactor, createdAt } = member;
  return {
    id: userId,
    name,
    email,
    undeliverable: isUndeliverable,
    role,
    second_factor: hasSecondFactor,
    created_at: createdAt.toISOString(),
  };
}
