import type { Decision } from '../decisions/decision.ts';
import type { Program } from '../programs/program.ts';
import { type NewRefund, overrideFacts, type RefundableSale, type RefundVerdict } from './refund.ts';

const OUTCOMES: Partial<Record<Decision['reason'], Decision['outcome']>> = {
  sale_not_found: 'refused',
  refund_too_large: 'refused',
  already_refunded: 'unchanged',
  refund_repeated: 'unchanged',
  refund_known: 'unchanged',
};

/** The decision about a refund, with the facts of the sale before it. Without a sale there is no verdict either. */
export function refundDecision(
  program: Program,
  refund: NewRefund,
  sale: RefundableSale | null,
  verdict: RefundVerdict | null,
  now: Date,
): Decision {
  const reason = verdict?.reason ?? 'sale_not_found';
  return {
    programId: program.id,
    kind: 'refund',
    outcome: OUTCOMES[reason] ?? 'recorded',
    reason,
    facts: {
      requested_cents: refund.amountCents,
      refund_id: refund.refundKey,
      refund_reason: refund.reason,
      sale_cents: sale?.amountCents,
      refunded_before_cents: sale?.refundedCents,
      ...(verdict && factsOf(verdict)),
      ...(sale && verdict?.is === 'recorded' && overrideFacts(sale, verdict.amountCents)),
    },
    source: 'api',
    customerId: sale?.customerId,
    partnerId: sale?.partnerId,
    saleId: sale?.id,
    transactionId: refund.transactionId,
    additionalData: refund.additionalData,
    requestId: refund.requestId,
    isTest: sale?.isTest ?? refund.onlyTest ?? false,
    createdAt: now,
  };
}

function factsOf(verdict: RefundVerdict): Record<string, unknown> {
  if (verdict.is === 'refused') return { left_cents: verdict.leftCents };
  if (verdict.is === 'repeated') return {};
  return { refunded_cents: verdict.amountCents, deduction_cents: verdict.deductionCents };
}
