import {
  type Complete,
  errors,
  manageAddPartner,
  manageExportPartners,
  manageInvitePartner,
  managePartner,
  managePartnerByExternalId,
  managePartners,
  manageRevokePartnerInvitation,
  manageUpdatePartner,
  manageUpsertPartner,
  partnerExternalId,
  schemaProblem,
} from '@svc/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Selection } from '../../../db/lists/list-query.ts';
import { changeMembership } from '../../../partners/change-membership.ts';
import { type DescribedPartner, describePartner } from '../../../partners/describe-partner.ts';
import { earningsIn } from '../../../partners/earnings.ts';
import { invitePartner, revokePartnerInvitations } from '../../../partners/joining/invite-partner.ts';
import {
  findPartnerId,
  findPartnerRow,
  findPartnerTotals,
  PARTNERS,
  partnerFile,
  selectPartners,
} from '../../../partners/partner-list-store.ts';
import { lockPartner } from '../../../partners/partner-store.ts';
import { findNumbers } from '../../../partners/result-totals-store.ts';
import { upsertPartner } from '../../../partners/upsert-partner.ts';
import { listBalances } from '../../../payouts/balance-list-store.ts';
import type { Program } from '../../../programs/program.ts';
import { reportPartnerActivity } from '../../../reporting/report-partner-activity.ts';
import { bodyOf, queryOf } from '../../body.ts';
import { addProgramRoute, type ProgramAccess } from '../../callers/program-access.ts';
import { ifUnchanged } from '../../entity-tags.ts';
import { idParam, textParam } from '../../id-param.ts';
import { addExport } from '../../lists/exports.ts';
import type { QueryOf } from '../../lists/list-filters.ts';
import { sortedPage } from '../../lists/sorted-page.ts';
import { readReport } from '../../read-report.ts';
import type { ServiceContext } from '../../service-context.ts';
import { toShownMethod } from '../account/payout-method.ts';
import { inviteUrl } from '../team/invitations.ts';
import { partnerOf } from './partner-of.ts';

const FIRST_BALANCES = { sort: { by: 'partner_id', isDescending: false }, after: null, limit: 200 } as const;

/** The partners that match the filters. */
export function partnersFor(program: Program, filter: QueryOf<typeof managePartners>): Selection {
  const { status, has_account: hasAccount, group_id: groupId, external_id: externalId, q: search } = filter;
  const group = groupId === undefined ? undefined : { id: groupId, defaultId: program.defaultGroupId };
  return selectPartners(program.id, { status, hasAccount, group, externalId, search });
}

export function addManagePartnerRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  const source = ({ program }: ProgramAccess) => partnerFile(earningsIn(program, ctx.now()));
  addExport(app, ctx, manageExportPartners, { name: 'partners', source }, ({ program }, request) =>
    partnersFor(program, queryOf(manageExportPartners, request)),
  );

  addProgramRoute(app, ctx, managePartners, async ({ program }, request, reply) => {
    const query = queryOf(managePartners, request);
    const selection = partnersFor(program, query);
    const { data, meta } = await sortedPage(ctx.db, PARTNERS, selection, query);
    const ids = data.map(({ id }) => id);
    const [recentOf, numbersOf] = await Promise.all([
      reportPartnerActivity(ctx, program.id, ids),
      findNumbers(ctx.db, 'partner', program.id, ids),
    ]);
    const all =
      query.totals && (await readReport(ctx, reply, ({ db }) => findPartnerTotals(db, program.id, selection)));
    const rows = data.map((partner) => ({
      ...partner,
      numbers: numbersOf(partner.id),
      last_30_days: recentOf(partner.id),
    }));
    return { data: rows, meta: { ...meta, ...all } };
  });

  const rowOf = async (program: Program, partnerId: number) => {
    const partner = await findPartnerRow(ctx.db, program.id, partnerId);
    if (!partner) throw errors.notFound();
    return partner;
  };

  addProgramRoute(app, ctx, manageAddPartner, async ({ program, actor }, request) => {
    const body = bodyOf(manageAddPartner, request);
    const partner = {
      name: body.name,
      email: body.email,
      externalId: body.external_id,
      openLink: body.open_link,
    } satisfies Complete<typeof body>;
    const how = { actor, invitesAgain: true, renames: false };
    const { id, token, isMailed } = await upsertPartner(ctx, program, partner, how);
    // Without an invitation they see the program in the portal of their existing account.
    return { data: { ...(await rowOf(program, id)), invite_url: token && inviteUrl(ctx, token), mailed: isMailed } };
  });

  const detailsReply = async (program: Program, partnerId: number, inside = ctx) => {
    const described = await describePartner(inside, program, partnerId);
    const numbersOf = await findNumbers(inside.db, 'partner', program.id, [partnerId]);
    return { data: { ...toDetailsReply(described, ctx.now()), numbers: numbersOf(partnerId) } };
  };

  const lockedReply = async (program: Program, partnerId: number, inside: ServiceContext) => {
    await lockPartner(inside.db, program.id, partnerId);
    return detailsReply(program, partnerId, inside);
  };

  addProgramRoute(app, ctx, managePartner, ({ program }, request) =>
    detailsReply(program, idParam(request, 'partner_id')),
  );

  addProgramRoute(app, ctx, managePartnerByExternalId, async ({ program }, request) => {
    const partnerId = await findPartnerId(ctx.db, program.id, textParam(request, 'external_id'));
    if (partnerId === null) throw errors.notFound();
    return detailsReply(program, partnerId);
  });

  addProgramRoute(app, ctx, manageUpsertPartner, async ({ program, actor }, request) => {
    const body = bodyOf(manageUpsertPartner, request);
    const externalId = externalIdParam(request);
    const partner = { name: body.name, email: body.email, openLink: body.open_link } satisfies Complete<typeof body>;
    const how = { actor, invitesAgain: false, renames: true };
    const unchanged = ifUnchanged(ctx, request, async (inside) => {
      const partnerId = await findPartnerId(inside.db, program.id, externalId);
      if (partnerId === null) throw errors.changedSinceRead();
      return lockedReply(program, partnerId, inside);
    });
    const added = await upsertPartner(unchanged, program, { ...partner, externalId }, how);
    const { id, isNewMember, token, isMailed } = added;
    const row = await rowOf(program, id);
    return { data: { ...row, is_new: isNewMember, invite_url: token && inviteUrl(ctx, token), mailed: isMailed } };
  });

  addProgramRoute(app, ctx, manageUpdatePartner, async ({ program, actor }, request) => {
    const partner = await partnerOf(ctx, program, request);
    const body = bodyOf(manageUpdatePartner, request);
    const changes = {
      status: body.status,
      groupId: body.group_id,
      recruiterId: body.recruiter_id,
      externalId: body.external_id,
      name: body.name,
    } satisfies Complete<typeof body>;
    const unchanged = ifUnchanged(ctx, request, (inside) => lockedReply(program, partner.id, inside));
    await changeMembership(unchanged, program, partner, changes, actor);
    return { data: await rowOf(program, partner.id) };
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
    const { invitation, token, isMailed } = await invitePartner(ctx, invited, actor);
    return {
      data: {
        invite_url: inviteUrl(ctx, token),
        mailed: isMailed,
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

/** The brand's own id of a partner who may be new. */
function externalIdParam(request: FastifyRequest): string {
  const parsed = partnerExternalId.safeParse(textParam(request, 'external_id'));
  if (!parsed.success) throw errors.invalidField({ ...schemaProblem(parsed.error), field: 'external_id' });
  return parsed.data;
}

/** What is due to the partner, by currency. */
async function openBalances(ctx: ServiceContext, program: Program, partnerId: number) {
  const balances = await listBalances(ctx.db, { programId: program.id, partnerId }, {}, FIRST_BALANCES);
  return balances.map(({ row: { currency, pending_cents, payable_cents } }) => ({
    currency,
    pending_cents,
    payable_cents,
  }));
}

function toDetailsReply(described: DescribedPartner, now: Date) {
  const { partner, invitedEmail: email, invitationExpiresAt: expiresAt } = described;
  return {
    ...partner,
    payout_method: described.method && toShownMethod(described.method),
    undeliverable: described.isUndeliverable,
    invitation:
      email === null || expiresAt === null
        ? null
        : { email, expires_at: expiresAt.toISOString(), expired: expiresAt <= now },
    answers: described.answers,
    agreements: described.agreements.map(({ version, acceptedAt }) => ({
      version,
      accepted_at: acceptedAt.toISOString(),
    })),
  };
}
