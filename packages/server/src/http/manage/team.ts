import { manageMembers, manageRemoveMember, manageUpdateMember } from '@svc/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { changeMemberRole, removeMember } from '../../accounts/change-team.ts';
import { listMembers, type Member } from '../../accounts/workspace-store.ts';
import { addRoute } from '../add-route.ts';
import { bodyOf } from '../body.ts';
import type { ServiceContext } from '../service-context.ts';
import { workspaceOf } from './access.ts';
import { visitorOf } from './visitor.ts';

export function addManageTeamRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addRoute(app, manageMembers, async (request) => {
    const { advertiserId } = workspaceOf(await visitorOf(ctx, request), manageMembers);
    return { data: (await listMembers(ctx.db, advertiserId)).map(shownMember) };
  });

  addRoute(app, manageUpdateMember, async (request) => {
    const { advertiserId } = workspaceOf(await visitorOf(ctx, request), manageUpdateMember);
    const { role } = bodyOf(manageUpdateMember, request);
    return { data: shownMember(await changeMemberRole(ctx, advertiserId, userIdIn(request), role)) };
  });

  addRoute(app, manageRemoveMember, async (request) => {
    const { advertiserId } = workspaceOf(await visitorOf(ctx, request), manageRemoveMember);
    await removeMember(ctx, advertiserId, userIdIn(request));
    return { data: {} };
  });
}

function userIdIn(request: FastifyRequest): string {
  return (request.params as { user_id: string }).user_id;
}

function shownMember({ userId, name, email, role, createdAt }: Member) {
  return { id: userId, name, email, role, created_at: createdAt.toISOString() };
}
