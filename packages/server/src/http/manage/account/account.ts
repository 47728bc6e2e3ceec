import {
  type Complete,
  manageApplications,
  manageLogout,
  manageMe,
  managePrograms,
  manageUpdateMe,
  type ReplyData,
  type ReplyOf,
  type ReplyRow,
} from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { changeProfile, revokeToken } from '../../../accounts/change-account.ts';
import { findWorkspaceName } from '../../../accounts/workspaces/workspace-store.ts';
import { isUndeliverable } from '../../../mail/address-store.ts';
import { describeApplications } from '../../../partners/joining/describe-applications.ts';
import { listLostPartners } from '../../../partners/partner-account-store.ts';
import { listProgramsOfPartner, type PartnerProgram } from '../../../partners/partner-store.ts';
import { findMethod } from '../../../payout-methods/payout-method-store.ts';
import { describeCommission } from '../../../programs/describe-commission.ts';
import type { Program } from '../../../programs/program.ts';
import { listPrograms } from '../../../programs/program-store.ts';
import { addRoute } from '../../add-route.ts';
import { logoUrl } from '../../assets/logos.ts';
import { bodyOf } from '../../body.ts';
import { type SignedInUser, signedInUser } from '../../callers/signed-in-user.ts';
import type { ServiceContext } from '../../service-context.ts';
import { toOffer } from '../programs/offer.ts';
import { toShownMethod } from './payout-method.ts';

export function addManageAccountRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addRoute(app, manageMe, async (request) => toMeReply(await signedInUser(ctx, request)));

  addRoute(app, manageUpdateMe, async (request) => {
    const caller = await signedInUser(ctx, request);
    const body = bodyOf(manageUpdateMe, request);
    const changes = { name: body.name } satisfies Complete<typeof body>;
    const user = await changeProfile(ctx, caller.user.id, changes, caller.actor);
    return toMeReply({ ...caller, user });
  });

  addRoute(app, manageApplications, async (request) => {
    const { user } = await signedInUser(ctx, request);
    const applications = await describeApplications(ctx, user.id);
    return {
      data: applications.map(({ programId, name, status, createdAt, answers, agreements }) => ({
        program_id: programId,
        name,
        status,
        created_at: createdAt.toISOString(),
        answers,
        agreements: agreements.map(({ version, text, acceptedAt }) => ({
          version,
          text,
          accepted_at: acceptedAt.toISOString(),
        })),
      })),
    };
  });

  addRoute(app, manageLogout, async (request) => {
    const { user, actor } = await signedInUser(ctx, request);
    const { credential } = request;
    if (credential.is === 'account-token') await revokeToken(ctx, user.id, credential.token.id, actor);
    return { data: {} };
  });

  addRoute(app, managePrograms, async (request) => {
    const { user, member } = await signedInUser(ctx, request);
    const own = member && !member.needsSecondFactor ? await listPrograms(ctx.db, member.workspaceId) : [];
    const joined = (await joinedPrograms(user.id)).filter(({ status }) => status === 'active');
    return {
      data: [
        ...own.map((program) => toProgramReply(ctx, program, member?.role ?? 'member')),
        ...joined.map(({ program }) => toProgramReply(ctx, program, 'partner')),
      ],
    };
  });

  async function toMeReply({ user, member }: Omit<SignedInUser, 'actor'>): Promise<ReplyOf<typeof manageMe>> {
    const [joined, lost] = [await joinedPrograms(user.id), await listLostPartners(ctx.db, user.id)];
    const method = await findMethod(ctx.db, user.id);
    return {
      data: {
        user: {
          id: user.id,
          name: user.name,
          email: user.email,
          email_verified: user.emailVerified,
          email_undeliverable: await isUndeliverable(ctx.db, user.email),
        },
        advertiser_id: member?.workspaceId ?? null,
        workspace: member ? await findWorkspaceName(ctx.db, member.workspaceId) : null,
        role: member?.role ?? null,
        needs_second_factor: member?.needsSecondFactor ?? false,
        payout_method: method && toShownMethod(method),
        partner_of: await Promise.all(joined.map((each) => toJoinedReply(ctx, each))),
        handed_over: lost.map(({ workspace, changedAt }) => ({ workspace, at: changedAt.toISOString() })),
      },
    };
  }

  async function joinedPrograms(userId: string): Promise<JoinedProgram[]> {
    const joined = await listProgramsOfPartner(ctx.db, userId, ctx.now());
    const programs = await Promise.all(joined.map(({ programId }) => ctx.lookup.program(programId)));
    return joined.flatMap((partnership, index) =>
      programs[index] ? [{ ...partnership, program: programs[index] }] : [],
    );
  }
}

type ProgramRow = ReplyRow<typeof managePrograms>;
type JoinedProgram = Omit<PartnerProgram, 'programId'> & { program: Program };

/** A program as those who manage it or are partners of it see it in the list of their programs. */
export function toProgramReply(ctx: ServiceContext, program: Program, role: ProgramRow['role']): ProgramRow {
  return {
    id: program.id,
    name: program.name,
    domain: program.domain,
    role,
    commission: describeCommission(program),
    status: program.status,
    brand_color: program.brandColor,
    logo_url: logoUrl(ctx, program),
  };
}

/** A program as a partner of it sees it. */
export async function toJoinedReply(
  ctx: ServiceContext,
  { program, partnerId, status, accountChangedAt, isChangePending }: JoinedProgram,
): Promise<ReplyData<typeof manageMe>['partner_of'][number]> {
  return {
    program_id: program.id,
    partner_id: partnerId,
    status,
    ...(await toOffer(ctx, program, partnerId)),
    program_status: program.status,
    contact_email: program.contactEmail,
    contact_url: program.contactUrl,
    link_base: `https://${program.domain}/?aff=`,
    account_changed_at: accountChangedAt?.toISOString() ?? null,
    account_change_pending: isChangePending,
  };
}
