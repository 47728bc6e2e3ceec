import {
  errors,
  manageAddPartner,
  manageInvitePartner,
  managePartner,
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
import { listBalances } from '../../payouts/balance-list-store.ts';
import type { Program } from '../../programs/program.ts';
import { idOfCursor } from '../../reporting/cursor.ts';
import { reportPartnerActivity } from '../../reporting/report-partner-activity.ts';
import { bodyOf, queryOf } from '../body.ts';
import { addProgramRoute } from '../callers/program-access.ts';
import { idParam } from '../id-param.ts';
import type { ServiceContext } from '../service-context.ts';
import { inviteUrl } from './invitations.ts';
import { pageOf } from './page-of.ts';

const FIRST_BALANCES = { sort: { by: 'partner_id', isDescending: false }, after: null, limit: 200 } as const;

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

  addProgramRoute(app, ctx, manageAddPartner, async ({ program, userId }, request) => {
    const { name, email, open_link: openLink } = bodyOf(manageAddPartner, request);
    const { workspaceId } = program;
    const partnerId = await addPartner(ctx.db, { workspaceId, programId: program.id, name, email }, ctx.now());
    const partner = toPartnerReply(await partnerOf(ctx, program, partnerId));
    // They see the program in the portal of their existing account.
    if (partner.has_account) return { data: { ...partner, invite_url: null } };
    const actor = { userId, requestId: request.id };
    const { token } = await invitePartner(ctx, { workspaceId, partnerId, email, openLink }, actor);
    return { data: { ...partner, invite_url: inviteUrl(ctx, token) } };
  });

  addProgramRoute(app, ctx, managePartner, async ({ program }, request) => {
    return { data: toPartnerReply(await partnerOf(ctx, program, idParam(request, 'partner_id'))) };
  });

  addProgramRoute(app, ctx, manageUpdatePartner, async ({ program }, request) => {
    const partner = await partnerOf(ctx, program, idParam(request, 'partner_id'));
    const { status } = bodyOf(manageUpdatePartner, request);
    await updateMembershipStatus(ctx.db, program.id, partner.id, status);
    return { data: toPartnerReply({ ...partner, status }) };
  });

  addProgramRoute(app, ctx, manageInvitePartner, async ({ program, role, userId }, request) => {
    const partner = await partnerOf(ctx, program, idParam(request, 'partner_id'));
    if (partner.hasAccount && role !== 'owner') throw errors.ownerOnly();
    const body = bodyOf(manageInvitePartner, request);
    const invited = {
      workspaceId: program.workspaceId,
      partnerId: partner.id,
      email: body.email ?? partner.email,
      openLink: body.open_link,
      replacesAccount: body.replace_account && role === 'owner',
    };
    const { invitation, token } = await invitePartner(ctx, invited, { userId, requestId: request.id });
    return {
      data: {
        invite_url: inviteUrl(ctx, token),
        expires_at: invitation.expiresAt.toISOString(),
        email: invitation.email,
        open_link: invitation.openLink,
        replaces_account: invitation.replacesAccount,
        open_balances: await openBalances(ctx, program, partner.id),
      },
    };
  });

  addProgramRoute(app, ctx, manageRevokePartnerInvitation, async ({ program }, request) => {
    const { id } = await partnerOf(ctx, program, idParam(request, 'partner_id'));
    await deletePartnerInvitations(ctx.db, program.workspaceId, id);
    return { data: {} };
  });
}

/** What is due to the partner, by currency. */
async function openBalances(ctx: ServiceContext, program: Program, partnerId: number) {
  const balances = await listBalances(ctx.db, program.id, { partnerId }, FIRST_BALANCES);
  return balances.map(({ currency, pendingCents, payableCents }) => ({
    currency,
    pending_cents: pendingCents,
    payable_cents: payableCents,
  }));
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
  accountChangedAt,
  createdAt,
}: Partner): ReplyData<typeof manageUpdatePartner> {
  const changed = accountChangedAt?.toISOString() ?? null;
  const created = createdAt.toISOString();
  return { id, name, email, status, has_account: hasAccount, account_changed_at: changed, created_at: created };
}
