import {
  errors,
  manageAddPartner,
  manageInvitePartner,
  managePartners,
  manageRevokePartnerInvitation,
  manageUpdatePartner,
  type ReplyData,
} from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { deletePartnerInvitations } from '../../accounts/invitation-store.ts';
import { addPartner } from '../../partners/add-partner.ts';
import { invitePartner } from '../../partners/invite-partner.ts';
import { findPartner, listPartners, type Partner, updateMembershipStatus } from '../../partners/partner-store.ts';
import type { Program } from '../../programs/program.ts';
import { idOfCursor } from '../../reporting/cursor.ts';
import { reportPartnerActivity } from '../../reporting/report-partner-activity.ts';
import { bodyOf, queryOf } from '../body.ts';
import { addProgramRoute } from '../callers/program-access.ts';
import { idParam } from '../id-param.ts';
import type { ServiceContext } from '../service-context.ts';
import { inviteUrl } from './invitations.ts';
import { pageOf } from './page-of.ts';

export function addManagePartnerRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, managePartners, async ({ program }, request) => {
    const { limit, cursor, status, q: search } = queryOf(managePartners, request);
    const filter = { status, search, beforeId: idOfCursor(cursor), limit: limit + 1 };
    const partners = await listPartners(ctx.db, program.id, filter);
    const recentOf = await reportPartnerActivity(
      ctx,
      program.id,
      partners.map(({ id }) => id),
    );
    return pageOf(partners, limit, (partner) => ({ ...toPartnerReply(partner), last_30_days: recentOf(partner.id) }));
  });

  addProgramRoute(app, ctx, manageAddPartner, async ({ program }, request) => {
    const { name, email } = bodyOf(manageAddPartner, request);
    const { workspaceId } = program;
    const partnerId = await addPartner(ctx.db, { workspaceId, programId: program.id, name, email }, ctx.now());
    const { token } = await invitePartner(ctx, { workspaceId, partnerId, email });
    return { data: { ...toPartnerReply(await partnerOf(ctx, program, partnerId)), invite_url: inviteUrl(ctx, token) } };
  });

  addProgramRoute(app, ctx, manageUpdatePartner, async ({ program }, request) => {
    const partner = await partnerOf(ctx, program, idParam(request, 'partner_id'));
    const { status } = bodyOf(manageUpdatePartner, request);
    await updateMembershipStatus(ctx.db, program.id, partner.id, status);
    return { data: toPartnerReply({ ...partner, status }) };
  });

  addProgramRoute(app, ctx, manageInvitePartner, async ({ program }, request) => {
    const { id: partnerId, email } = await partnerOf(ctx, program, idParam(request, 'partner_id'));
    const { workspaceId } = program;
    const { invitation, token } = await invitePartner(ctx, { workspaceId, partnerId, email });
    return { data: { invite_url: inviteUrl(ctx, token), expires_at: invitation.expiresAt.toISOString() } };
  });

  addProgramRoute(app, ctx, manageRevokePartnerInvitation, async ({ program }, request) => {
    const { id } = await partnerOf(ctx, program, idParam(request, 'partner_id'));
    await deletePartnerInvitations(ctx.db, program.workspaceId, id);
    return { data: {} };
  });
}

/** The partner with this id in the program. */
async function partnerOf(ctx: ServiceContext, program: Program, partnerId: number): Promise<Partner> {
  const partner = await findPartner(ctx.db, program.id, partnerId);
  if (!partner) throw errors.notFound();
  return partner;
}

function toPartnerReply({
  id,
  name,
  email,
  status,
  hasAccount,
  createdAt,
}: Partner): ReplyData<typeof manageUpdatePartner> {
  return { id, name, email, status, has_account: hasAccount, created_at: createdAt.toISOString() };
}
