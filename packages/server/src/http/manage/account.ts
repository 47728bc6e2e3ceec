import { manageLogout, manageMe, managePrograms, manageUpdateMe } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { updateTokenRevoked } from '../../accounts/account-token-store.ts';
import { updateProfile } from '../../accounts/user-store.ts';
import { listProgramsOfPartner, type PartnerProgram } from '../../partners/partner-store.ts';
import { describeCommission } from '../../programs/describe-commission.ts';
import type { Program } from '../../programs/program.ts';
import { listPrograms } from '../../programs/program-store.ts';
import { addRoute } from '../add-route.ts';
import { bodyOf } from '../body.ts';
import type { ServiceContext } from '../service-context.ts';
import { type SignedInUser, signedInUser } from './signed-in.ts';

export function addManageAccountRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addRoute(app, manageMe, async (request) => toMeReply(await signedInUser(ctx, request)));

  addRoute(app, manageUpdateMe, async (request) => {
    const visitor = await signedInUser(ctx, request);
    const { name, payout_details: payoutDetails } = bodyOf(manageUpdateMe, request);
    const user = await updateProfile(ctx.db, visitor.user.id, { name, payoutDetails }, ctx.now());
    return toMeReply({ ...visitor, user });
  });

  addRoute(app, manageLogout, async (request) => {
    await signedInUser(ctx, request);
    const { credential } = request;
    if (credential.is === 'account-token') await updateTokenRevoked(ctx.db, credential.token.id, ctx.now());
    return { data: {} };
  });

  addRoute(app, managePrograms, async (request) => {
    const { user, membership } = await signedInUser(ctx, request);
    const own = membership ? await listPrograms(ctx.db, membership.workspaceId) : [];
    const joined = (await joinedPrograms(user.id)).filter(({ status }) => status === 'active');
    return {
      data: [
        ...own.map((program) => listed(program, membership?.role ?? 'member')),
        ...joined.map(({ program }) => listed(program, 'partner')),
      ],
    };
  });

  async function toMeReply({ user, membership }: SignedInUser) {
    return {
      data: {
        user: { id: user.id, name: user.name, email: user.email },
        advertiser_id: membership?.workspaceId ?? null,
        role: membership?.role ?? null,
        payout_details: user.payoutDetails,
        partner_of: (await joinedPrograms(user.id)).map(toJoinedReply),
      },
    };
  }

  async function joinedPrograms(userId: string): Promise<JoinedProgram[]> {
    const joined = await listProgramsOfPartner(ctx.db, userId);
    const programs = await Promise.all(joined.map(({ programId }) => ctx.lookup.program(programId)));
    return joined.flatMap((place, index) => (programs[index] ? [{ ...place, program: programs[index] }] : []));
  }
}

type JoinedProgram = PartnerProgram & { program: Program };

function toJoinedReply({ program, partnerId, status }: JoinedProgram) {
  return {
    program_id: program.id,
    partner_id: partnerId,
    status,
    name: program.name,
    domain: program.domain,
    commission: describeCommission(program),
    currency: program.currency,
    cookie_window_days: program.cookieWindowDays,
    link_base: `https://${program.domain}/?aff=`,
  };
}

function listed(program: Program, role: string) {
  return {
    id: program.id,
    name: program.name,
    domain: program.domain,
    role,
    commission: describeCommission(program),
  };
}
