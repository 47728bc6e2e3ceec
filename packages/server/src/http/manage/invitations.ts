import {
  errors,
  manageAccept,
  manageInvitations,
  manageInvite,
  manageLookUpInvitation,
  manageReissueInvitation,
  manageRevokeInvitation,
  type ReplyOf,
} from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { deleteInvitation, listOpenInvitations } from '../../accounts/invitation-store.ts';
import { type CreatedInvitation, invite, reissueInvitation } from '../../accounts/invite.ts';
import { acceptInvitation } from '../../partners/accept-invitation.ts';
import { describeInvitation } from '../../partners/describe-invitation.ts';
import { addRoute } from '../add-route.ts';
import { bodyOf } from '../body.ts';
import { signedInMember, signedInUser } from '../callers/signed-in-user.ts';
import { idParam } from '../id-param.ts';
import type { ServiceContext } from '../service-context.ts';

export function addManageInvitationRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addRoute(app, manageInvitations, async (request) => {
    const { workspaceId } = await signedInMember(ctx, request, manageInvitations);
    const invitations = await listOpenInvitations(ctx.db, workspaceId);
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
    const { workspaceId } = await signedInMember(ctx, request, manageInvite);
    const { email, role } = bodyOf(manageInvite, request);
    return toReply(await invite(ctx.db, { workspaceId, partnerId: null, role, email }, ctx.now()));
  });

  addRoute(app, manageReissueInvitation, async (request) => {
    const { workspaceId } = await signedInMember(ctx, request, manageReissueInvitation);
    return toReply(await reissueInvitation(ctx, workspaceId, idParam(request, 'invitation_id')));
  });

  addRoute(app, manageRevokeInvitation, async (request) => {
    const { workspaceId } = await signedInMember(ctx, request, manageRevokeInvitation);
    if (!(await deleteInvitation(ctx.db, workspaceId, idParam(request, 'invitation_id')))) throw errors.notFound();
    return { data: {} };
  });

  addRoute(app, manageLookUpInvitation, async (request) => {
    const found = await describeInvitation(ctx, bodyOf(manageLookUpInvitation, request).token);
    const { status, role, email, workspace, programs, needsApproval, expiresAt } = found;
    const expires = expiresAt?.toISOString() ?? null;
    return { data: { status, role, email, workspace, programs, needs_approval: needsApproval, expires_at: expires } };
  });

  addRoute(app, manageAccept, async (request) => {
    const { user } = await signedInUser(ctx, request);
    const accepted = await acceptInvitation(ctx, user.id, bodyOf(manageAccept, request).token);
    return { data: { role: accepted.role, advertiser_id: accepted.workspaceId, status: accepted.status } };
  });

  function toReply({
    invitation: { id, email, role, expiresAt },
    token,
  }: CreatedInvitation): ReplyOf<typeof manageInvite> {
    return {
      data: { id, email, role, invite_url: inviteUrl(ctx, token), expires_at: expiresAt.toISOString() },
    };
  }
}

/** The page that accepts an invitation. The token is in the fragment, which browsers do not send. */
export function inviteUrl(ctx: ServiceContext, token: string): string {
  return `${ctx.baseUrl}/invite#${token}`;
}
