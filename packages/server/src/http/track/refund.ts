import { errors, type ReplyOf, trackRefund } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import type { Program } from '../../programs/program.ts';
import { recordRefund } from '../../refunds/record-refund.ts';
import type { RefundOutcome } from '../../refunds/refund.ts';
import type { TrackingContext } from '../../tracking-context.ts';
import { addRoute } from '../add-route.ts';
import { programOfKey } from '../callers/program-of-key.ts';
import { type ParsedAttempt, parseAttempt } from './attempt.ts';

export function addRefundRoute(app: FastifyInstance, ctx: TrackingContext): void {
  addRoute(app, trackRefund, async (request) => {
    const parsed = parseAttempt(trackRefund, request);
    return answerRefund(ctx, await programOfKey(ctx, request), parsed, request.id);
  });
}

/** Records a refund and returns the reply. Refusals are thrown. */
export async function answerRefund(
  ctx: TrackingContext,
  program: Program,
  { body, isTest, isTestCaller }: ParsedAttempt<typeof trackRefund>,
  requestId: string,
): Promise<ReplyOf<typeof trackRefund>> {
  const outcome = await recordRefund(ctx, program, {
    transactionId: body.transaction_id,
    amountCents: body.refund_amount_cents,
    reason: body.refund_reason,
    refundKey: body.refund_id,
    prefersTest: isTest,
    onlyTest: isTestCaller,
    additionalData: body.additional_data,
    requestId,
  });
  return toReply(outcome);
}

function toReply(outcome: RefundOutcome): ReplyOf<typeof trackRefund> {
  if (outcome.is === 'refused') {
    throw outcome.reason === 'sale_not_found' ? errors.saleNotFound() : errors.refundTooLarge(outcome.leftCents);
  }
  return {
    data: {
      refund_id: outcome.refundId,
      sale_id: outcome.saleId,
      commission_id: outcome.commissionId,
      status: outcome.status,
      refunded_cents: outcome.refundedCents,
      deduction_cents: outcome.deductionCents,
      currency: outcome.currency,
    },
    success: true,
  };
}
