import { errors, managePartnerTerms } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { describeOffer } from '../../../partners/describe-offer.ts';
import { findStanding, listMoves, listRecruits } from '../../../partners/groups/placement-store.ts';
import { describeCommission } from '../../../programs/describe-commission.ts';
import { rulesOfPartner } from '../../../terms/rules-of-partner.ts';
import { currentTerms } from '../../../terms/terms.ts';
import { queryOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import type { ServiceContext } from '../../service-context.ts';

const MAX_MOVES = 20;

export function addManagePartnerTermsRoute(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, managePartnerTerms, async (access, request) => {
    const { program } = access;
    const partnerId = access.partnerId ?? queryOf(managePartnerTerms, request).partner_id;
    if (partnerId === undefined) throw errors.partnerRequired();
    const standing = await findStanding(ctx.db, program.id, partnerId);
    if (!standing) throw errors.notFound();
    const recruits = await listRecruits(ctx.db, program.id, partnerId);
    const moves = await listMoves(ctx.db, program.id, partnerId, MAX_MOVES);
    const terms = currentTerms(program, ctx.now());
    return {
      data: {
        version: terms.version,
        effective_from: terms.since.toISOString(),
        group_name: standing.groupName,
        moves: moves.map(({ at, ...move }) => ({ at: at.toISOString(), ...move })),
        attribution: terms.attribution,
        commission: describeCommission(program),
        earnings: await describeOffer(ctx.db, ctx, { program, partnerId }),
        rules: rulesOfPartner(terms.rules, { ...standing, recruits }, terms.currency),
      },
    };
  });
}
