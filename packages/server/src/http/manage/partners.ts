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
import { addPartner } from '../../partners/add-partner.ts';
import { changeMembership } from '../../partners/change-membership.ts';
import { type DescribedPartner, describePartner } from '../../partners/describe-partner.ts';
import { invitePartner, revokePartnerInvitations } from '../../partners/invite-partner.ts';
import { findNumbers } from '../../partners/lists/number-store.ts';
import { findPartnerTotals, listPartners, PARTNER_SORT_COLUMNS } from '../../partners/lists/partner-list-store.ts';
import { findPartner, type Partner } from '../../partners/partner-store.ts';
import { listBalances } from '../../payouts/balance-list-store.ts';
import type { Program } from '../../programs/program.ts';
import { reportPartnerActivity } from '../../reporting/report-partner-activity.ts';
import { bodyOf, queryOf } from '../body.ts';
import { addProgramRoute } from '../callers/program-access.ts';
import { idParam } from '../id-param.ts';
import type { ServiceContext } from '../service-context.ts';
import { inviteUrl } from './invitations.ts';
import { toNumbersReply } from './lists/numbers-reply.ts';
import { pageFor, sortedPage } from './lists/sorted-page.ts';
import { partnerOf } from './partner/partner-of.ts';

const FIRST_BALANCES = { sort: { by: 'partner_id', isDescending: false }, after: null, limit: 200 } as const;

export function addManagePartnerRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, managePartners, async ({ program }, request) => {
    const query = queryOf(managePartners, request);
    const { status, group_id: groupId, q: search } = query;
    const group = groupId === undefined ? undefined : { id: groupId, defaultId: program.defaultGroupId };
    const filter = { status, group, search };
    const partners = await listPartners(ctx.db, program.id, filter, pageFor(query, PARTNER_SORT_COLUMNS));
    const ids = partners.map(({ id }) => id);
    const [recentOf, numbersOf] = await Promise.all([
      reportPartnerActivity(ctx, program.id, ids),
      findNumbers(ctx.db, 'partner', program.id, ids),
    ]);
    const { data, meta } = sortedPage(partners, query, (partner) => ({
      ...toPartnerReply(partner),
      numbers: toNumbersReply(numbersOf(partner.id)),
      last_30_days: recentOf(partner.id),
    }));
    const all = query.totals ? await findPartnerTotals(ctx.db, program.id, filter) : undefined;
    return { data, meta: { ...meta, ...(all && { count: all.count, totals: toNumbersReply(all.totals) }) } };
  });

  addProgramRoute(app, ctx, manageAddPartner, async ({ program, actor }, request) => {
    const { name, email, open_link: openLink } = bodyOf(manageAddPartner, request);
    const newPartner = { workspaceId: program.workspaceId, programId: program.id, name, email, openLink };
    const { id, token } = await ctx.db.transaction((tx) =>
      addPartner(tx, ctx, newPartner, { actor, invitesAgain: true }),
    );
    const added = await findPartner(ctx.db, program.id, id);
    if (!added) throw errors.notFound();
    // Without an invitation they see the program in the portal of their existing account.
    return { data: { ...toPartnerReply(added), invite_url: token && inviteUrl(ctx, token) } };
  });

  addProgramRoute(app, ctx, managePartner, async ({ program }, request) => {
    const partner = await describePartner(ctx, program, idParam(request, 'partner_id'));
    const numbersOf = await findNumbers(ctx.db, 'partner', program.id, [partner.id]);
    return { data: { ...toDetailsReply(partner, ctx.now()), numbers: toNumbersReply(numbersOf(partner.id)) } };
  });

  addProgramRoute(app, ctx, manageUpdatePartner, async ({ program, actor }, request) => {
    const partner = await partnerOf(ctx, program, request);
    const { status, group_id: groupId, recruiter_id: recruiterId } = bodyOf(manageUpdatePartner, request);
    await changeMembership(ctx, program, partner, { status, groupId, recruiterId }, actor);
    return { data: toPartnerReply(await partnerOf(ctx, program, request)) };
  });

  addProgramRoute(app, ctx, manageInvitePartner, async ({ program, role, actor }, request) => {
    const partner = await partnerOf(ctx, program, request);
    if (partner.hasAccount && role !== 'owner') throw errors.roleRequired('owner');
    const body = bodyOf(manageInvitePartner, request);
    const invited = {
      workspaceId: program.workspaceId,
      programId: program.id,
      partnerId: partner.id,
      email: body.email ?? partner.email,
      openLink: body.open_link,
      replacesAccount: body.replace_account && role === 'owner',
    };
    const { invitation, token } = await invitePartner(ctx, invited, actor);
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

  addProgramRoute(app, ctx, manageRevokePartnerInvitation, async ({ program, actor }, request) => {
    await revokePartnerInvitations(ctx, program, await partnerOf(ctx, program, request), actor);
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

function toDetailsReply(partner: DescribedPartner, now: Date): Omit<ReplyData<typeof managePartner>, 'numbers'> {
  const { invitedEmail: email, invitationExpiresAt: expiresAt } = partner;
  return {
    ...toPartnerReply(partner),
    payout_details: partner.payoutDetails,
    undeliverable: partner.isUndeliverable,
    invitation:
      email === null || expiresAt === null
        ? null
        : { email, expires_at: expiresAt.toISOString(), expired: expiresAt <= now },
    answers: partner.answers,
    agreements: partner.agreements.map(({ version, acceptedAt }) => ({
      version,
      accepted_at: acceptedAt.toISOString(),
    })),
  };
}

function toPartnerReply(partner: Partner): ReplyData<typeof manageUpdatePartner> {
  const { id, name, email, status } = partner;
  return {
    id,
    name,
    email,
    status,
    has_account: partner.hasAccount,
    account_changed_at: partner.accountChangedAt?.toISOString() ?? null,
    group_id: partner.groupId,
    group_name: partner.groupName,
    group_by: partner.groupBy,
    recruiter_id: partner.recruiterId,
    created_at: partner.createdAt.toISOString(),
  };
}
