import {
  errors,
  manageAccept,
  manageInvitations,
  manageInvite,
  manageLookUpInvitation,
  manageReissueInvitation,
  manageRevokeInvitation,
} from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { deleteInvitation, listOpenInvitations } from '../../accounts/invitation-store.ts';
import {
  acceptInvitation,
  describeInvitation,
  invite,
  type MadeInvitation,
  reissueInvitation,
} from '../../accounts/invite.ts';
import { addRoute } from '../add-route.ts';
import { bodyOf } from '../body.ts';
import type { ServiceContext } from '../service-context.ts';
import { idParam, workspaceOf } from './access.ts';
import { visitorOf } from './visitor.ts';

export function addManageInvitationRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addRoute(app, manageInvitations, async (request) => {
    const { advertiserId } = workspaceOf(await visitorOf(ctx, request), manageInvitations);
    const invitations = await listOpenInvitations(ctx.db, advertiserId);
    return {
      data: invitations.map(({ id, email, role, expiresAt, createdAt }) => ({
        id,
        email,
        role,
        expired: expiresAt <= ctx.now(),
        expires_at: expiresAt.toISOString(),
        created_at: createdAt.toISOString(),
      })),
    };
  });

  addRoute(app, manageInvite, async (request) => {
    const { advertiserId } = workspaceOf(await visitorOf(ctx, request), manageInvite);
    const { email, role } = bodyOf(manageInvite, request);
    return shown(await invite(ctx, { advertiserId, partnerId: null, role, email }));
  });

  addRoute(app, manageReissueInvitation, async (request) => {
    const { advertiserId } = workspaceOf(await visitorOf(ctx, request), manageReissueInvitation);
    return shown(await reissueInvitation(ctx, advertiserId, idParam(request, 'invitation_id')));
  });

  addRoute(app, manageRevokeInvitation, async (request) => {
    const { advertiserId } = workspaceOf(await visitorOf(ctx, request), manageRevokeInvitation);
    if (!(await deleteInvitation(ctx.db, advertiserId, idParam(request, 'invitation_id')))) throw errors.notFound();
    return { data: {} };
  });

  addRoute(app, manageLookUpInvitation, async (request) => {
    const found = await describeInvitation(ctx, bodyOf(manageLookUpInvitation, request).token);
    const { status, role, email, workspace, programs, needsApproval, expiresAt } = found;
    const expires = expiresAt?.toISOString() ?? null;
    return { data: { status, role, email, workspace, programs, needs_approval: needsApproval, expires_at: expires } };
  });

  addRoute(app, manageAccept, async (request) => {
    const { user } = await visitorOf(ctx, request);
    const accepted = await acceptInvitation(ctx, user.id, bodyOf(manageAccept, request).token);
    return { data: { role: accepted.role, advertiser_id: accepted.advertiserId, status: accepted.status } };
  });

  function shown({ invitation: { id, email, role, expiresAt }, token }: MadeInvitation) {
    return {
      data: { id, email, role, invite_url: inviteUrl(ctx, token), expires_at: expiresAt.toISOString() },
    };
  }
}

/** Where an invitation is accepted. The token is in the fragment, which browsers keep to themselves. */
export function inviteUrl(ctx: ServiceContext, token: string): string {
  return `${ctx.baseUrl}/invite#${token}`;
}
