import { type Complete, manageExplain, type ReplyRow } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { type ExplainedDecision, explain } from '../../../reporting/explain.ts';
import { queryOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import type { ServiceContext } from '../../service-context.ts';

export function addManageExplainRoute(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageExplain, async ({ program }, request) => {
    const query = queryOf(manageExplain, request);
    const decisions = await explain(ctx, program.id, {
      transactionId: query.transaction_id,
      customerKey: query.customer_key,
      clickId: query.click_id,
    } satisfies Complete<typeof query>);
    return { data: decisions.map(toDecisionReply) };
  });
}

function toDecisionReply(decision: ExplainedDecision): ReplyRow<typeof manageExplain> {
  return {
    id: decision.id,
    kind: decision.kind,
    outcome: decision.outcome,
    reason: decision.reason,
    sentence: decision.sentence,
    terms: decision.terms,
    attribution: decision.attribution,
    facts: decision.facts,
    source: decision.source,
    customer_id: decision.customerId,
    partner_id: decision.partnerId,
    sale_id: decision.saleId,
    transaction_id: decision.transactionId,
    customer_key: decision.customerKey,
    click_id: decision.clickId,
    request_id: decision.requestId,
    is_test: decision.isTest,
    created_at: decision.createdAt.toISOString(),
  };
}
