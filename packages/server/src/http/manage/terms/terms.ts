import {
  manageAddTerms,
  manageSimulateTerms,
  manageTerms,
  manageWithdrawTerms,
  type ReplyRow,
  type SentReplyOf,
  termsWarnings,
} from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { ownClicks } from '../../../customers/apply-last-click.ts';
import { describeCommission } from '../../../programs/describe-commission.ts';
import { addTerms, withdrawTerms } from '../../../terms/add-terms.ts';
import type { Difference } from '../../../terms/simulation/differences.ts';
import { runSimulation, type SimulationResult } from '../../../terms/simulation/run-simulation.ts';
import { type ListedTerms, listTerms } from '../../../terms/terms-store.ts';
import { bodyOf, queryOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import { idParam } from '../../id-param.ts';
import { idOfCursor } from '../../lists/cursor.ts';
import { pageOf } from '../../lists/page-of.ts';
import type { ServiceContext } from '../../service-context.ts';

export function addManageTermsRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageTerms, async ({ program }, request) => {
    const { cursor, limit } = queryOf(manageTerms, request);
    const versions = await listTerms(ctx.db, program.id, { before: idOfCursor(cursor), limit: limit + 1 });
    return pageOf(versions.map(toTermsReply), limit, ({ version }) => [version]);
  });

  addProgramRoute(app, ctx, manageAddTerms, async ({ program, userId, actor }, request) => {
    const { effective_from: since, ...terms } = bodyOf(manageAddTerms, request);
    const { rules, attribution, note, backdate } = terms;
    const asked = { rules, attribution, since, note, backdate };
    const published = await addTerms(ctx, program.id, asked, { ...actor, userId });
    return { data: toTermsReply(published) };
  });

  addProgramRoute(app, ctx, manageWithdrawTerms, async ({ program, actor }, request) => {
    await withdrawTerms(ctx, program.id, idParam(request, 'version'), actor);
    return { data: {} };
  });

  addProgramRoute(app, ctx, manageSimulateTerms, async ({ program }, request) => {
    const { rules, attribution, from, to, groups } = bodyOf(manageSimulateTerms, request);
    const proposal = { rules, attribution, isOwnClick: ownClicks(ctx.emailSecret) };
    const simulated = await runSimulation(ctx, program, proposal, { from, to, groups });
    const { commissionType: type, commissionRate: rate, currency } = program;
    const settings = { type, rate: Number(rate), currency };
    return { data: { ...toSimulationReply(simulated), warnings: termsWarnings(rules, settings) } };
  });
}

function toTermsReply(terms: ListedTerms): ReplyRow<typeof manageTerms> {
  const { type, rate, currency, recurringMonths } = terms;
  return {
    version: terms.version,
    effective_from: terms.since.toISOString(),
    effective_until: terms.until?.toISOString() ?? null,
    commission: describeCommission({ commissionType: type, commissionRate: rate, currency, recurringMonths }),
    commission_type: type,
    commission_rate: Number(rate),
    commission_base: terms.base,
    currency,
    recurring_months: recurringMonths,
    hold_days: terms.holdDays,
    attribution: terms.attribution,
    rules: terms.rules,
    warnings: termsWarnings(terms.rules, { type, rate: Number(rate), currency }),
    note: terms.note,
    made_by: terms.madeBy,
  };
}

function toSimulationReply(
  result: SimulationResult,
): Omit<SentReplyOf<typeof manageSimulateTerms>['data'], 'warnings'> {
  const { partners: partnerNames, transactions } = result.names;
  const nameOf = (partnerId: number) => partnerNames.get(partnerId) ?? String(partnerId);
  return {
    matches_actual: result.matchesActual,
    sales: result.sales,
    leads: result.leads,
    totals: result.totals.map(toDifference),
    partners: result.partners.map((partner) => ({
      partner_id: partner.partnerId,
      partner_name: nameOf(partner.partnerId),
      ...toDifference(partner),
    })),
    largest: result.largest.map((change) => ({
      partner_id: change.partnerId,
      partner_name: nameOf(change.partnerId),
      sale_id: change.event.saleId,
      transaction_id: transactions.get(change.event.saleId ?? 0) ?? null,
      customer_id: change.event.customerId,
      actual_rule: change.actualRule,
      simulated_rule: change.simulatedRule,
      ...toDifference(change),
    })),
  };
}

const toDifference = ({ currency, actualCents, simulatedCents }: Difference) => ({
  currency,
  actual_cents: actualCents,
  simulated_cents: simulatedCents,
});
