import {
  type Complete,
  manageAccept,
  manageInvitations,
  manageInvite,
  manageLookUpInvitation,
  manageReissueInvitation,
  manageRevokeInvitation,
  type ReplyData,
  type ReplyOf,
} from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { listOpenInvitations } from '../../../accounts/workspaces/invitation-store.ts';
import {
  inviteMember,
  type MailedInvitation,
  reissueInvitation,
  revokeInvitation,
} from '../../../accounts/workspaces/invite.ts';
import { findUndeliverable } from '../../../mail/address-store.ts';
import { acceptInvitation } from '../../../partners/joining/accept-invitation.ts';
import { describeInvitation, type Offer } from '../../../partners/joining/describe-invitation.ts';
import { addRoute } from '../../add-route.ts';
import { logoUrl } from '../../assets/logos.ts';
import { bodyOf } from '../../body.ts';
import { signedInMember, signedInUser } from '../../callers/signed-in-user.ts';
import { idParam } from '../../id-param.ts';
import type { ServiceContext } from '../../service-context.ts';
import { toOffer } from '../programs/offer.ts';

export function addManageInvitationRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addRoute(app, manageInvitations, async (request) => {
    const { workspaceId } = await signedInMember(ctx, request, manageInvitations);
    const invitations = await listOpenInvitations(ctx.db, workspaceId);
    const refused = await findUndeliverable(
      ctx.db,
      invitations.map(({ email }) => email),
    );
    return {
      data: invitations.map(({ id, email, openLink, role, expiresAt, createdAt }) => ({
        id,
        email,
        open_link: openLink,
        role,
        undeliverable: refused.has(email.toLowerCase()),
        expired: expiresAt <= ctx.now(),
        expires_at: expiresAt.toISOString(),
        created_at: createdAt.toISOString(),
      })),
    };
  });

  addRoute(app, manageInvite, async (request) => {
    const { workspaceId, userId: invitedBy, actor } = await signedInMember(ctx, request, manageInvite);
    const body = bodyOf(manageInvite, request);
    const asked = { email: body.email, role: body.role, openLink: body.open_link } satisfies Complete<typeof body>;
    return toReply(await inviteMember(ctx, { workspaceId, invitedBy, ...asked }, actor));
  });

  addRoute(app, manageReissueInvitation, async (request) => {
    const { workspaceId, userId: invitedBy, actor } = await signedInMember(ctx, request, manageReissueInvitation);
    const invitationId = idParam(request, 'invitation_id');
    return toReply(await reissueInvitation(ctx, { workspaceId, invitationId, invitedBy }, actor));
  });

  addRoute(app, manageRevokeInvitation, async (request) => {
    const { workspaceId, actor } = await signedInMember(ctx, request, manageRevokeInvitation);
    await revokeInvitation(ctx, { workspaceId, invitationId: idParam(request, 'invitation_id') }, actor);
    return { data: {} };
  });

  addRoute(app, manageLookUpInvitation, async (request) => {
    const found = await describeInvitation(ctx, bodyOf(manageLookUpInvitation, request).token);
    const { status, role, email, partnerName, openLink, workspace, needsApproval, expiresAt } = found;
    const who = { role, email, name: partnerName, open_link: openLink, workspace };
    const offers = await Promise.all(found.offers.map((offer) => toOfferReply(ctx, offer, found.asksQuestions)));
    const programs = offers.map(({ name }) => name);
    const expires = expiresAt?.toISOString() ?? null;
    return { data: { status, ...who, programs, offers, needs_approval: needsApproval, expires_at: expires } };
  });

  addRoute(app, manageAccept, async (request) => {
    const { user, actor } = await signedInUser(ctx, request);
    const { id, name, email, emailVerified } = user;
    const guest = { id, name, email, emailVerified, actor };
    const { token, answers = [], agreements = [] } = bodyOf(manageAccept, request);
    const versions = agreements.map(({ program_id: programId, version }) => ({ programId, version }));
    const accepted = await acceptInvitation(ctx, guest, token, { answers, agreements: versions });
    ctx.lookup.forgetAll();
    return { data: { role: accepted.role, advertiser_id: accepted.workspaceId, status: accepted.status } };
  });

  function toReply({
    invitation: { id, email, openLink, role, expiresAt },
    token,
    isMailed,
  }: MailedInvitation): ReplyOf<typeof manageInvite> {
    const link = { invite_url: inviteUrl(ctx, token), mailed: isMailed, expires_at: expiresAt.toISOString() };
    return { data: { id, email, open_link: openLink, role, ...link } };
  }
}

type OfferReply = ReplyData<typeof manageLookUpInvitation>['offers'][number];

async function toOfferReply(ctx: ServiceContext, offer: Offer, asksQuestions: boolean): Promise<OfferReply> {
  const { program, agreement, partnerId } = offer;
  return {
    program_id: program.id,
    ...(await toOffer(ctx, program, partnerId)),
    brand_color: program.brandColor,
    logo_url: logoUrl(ctx, program),
    questions: asksQuestions ? program.questions : [],
    agreement: agreement && { version: agreement.version, text: agreement.text },
  };
}

/** The page that accepts an invitation. The token is in the fragment, which browsers do not send. */
export function inviteUrl(ctx: ServiceContext, token: string): string {
  return `${ctx.baseUrl}/invite#${token}`;
}
