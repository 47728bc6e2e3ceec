import { manageLogout, manageMe, managePrograms, manageUpdateMe } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { updateTokenRevoked } from '../../accounts/account-token-store.ts';
import { updateProfile } from '../../accounts/user-store.ts';
import { listProgramsOfPartner, type PartnerProgram } from '../../partners/partner-store.ts';
import type { Program } from '../../programs/program.ts';
import { listPrograms } from '../../programs/program-store.ts';
import { commissionInWords } from '../../programs/program-words.ts';
import { addRoute } from '../add-route.ts';
import { bodyOf } from '../body.ts';
import type { ServiceContext } from '../service-context.ts';
import { type Visitor, visitorOf } from './visitor.ts';

export function addManageAccountRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addRoute(app, manageMe, async (request) => shownMe(await visitorOf(ctx, request)));

  addRoute(app, manageUpdateMe, async (request) => {
    const visitor = await visitorOf(ctx, request);
    const { name, payout_details: payoutDetails } = bodyOf(manageUpdateMe, request);
    const user = await updateProfile(ctx.db, visitor.user.id, { name, payoutDetails }, ctx.now());
    return shownMe({ ...visitor, user });
  });

  addRoute(app, manageLogout, async (request) => {
    await visitorOf(ctx, request);
    const { credential } = request;
    if (credential.is === 'account-token') await updateTokenRevoked(ctx.db, credential.token.id, ctx.now());
    return { data: {} };
  });

  addRoute(app, managePrograms, async (request) => {
    const { user, membership } = await visitorOf(ctx, request);
    const own = membership ? await listPrograms(ctx.db, membership.advertiserId) : [];
    const joined = (await joinedPrograms(user.id)).filter(({ status }) => status === 'active');
    return {
      data: [
        ...own.map((program) => listed(program, membership?.role ?? 'member')),
        ...joined.map(({ program }) => listed(program, 'partner')),
      ],
    };
  });

  async function shownMe({ user, membership }: Visitor) {
    return {
      data: {
        user: { id: user.id, name: user.name, email: user.email },
        advertiser_id: membership?.advertiserId ?? null,
        role: membership?.role ?? null,
        payout_details: user.payoutDetails,
        partner_of: (await joinedPrograms(user.id)).map(shownJoined),
      },
    };
  }

  async function joinedPrograms(userId: string): Promise<JoinedProgram[]> {
    const joined = await listProgramsOfPartner(ctx.db, userId);
    const programs = await Promise.all(joined.map(({ programId }) => ctx.directory.program(programId)));
    return joined.flatMap((place, index) => (programs[index] ? [{ ...place, program: programs[index] }] : []));
  }
}

type JoinedProgram = PartnerProgram & { program: Program };

function shownJoined({ program, partnerId, status }: JoinedProgram) {
  return {
    program_id: program.id,
    partner_id: partnerId,
    status,
    name: program.name,
    domain: program.domain,
    commission: commissionInWords(program),
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
    commission: commissionInWords(program),
  };
}
