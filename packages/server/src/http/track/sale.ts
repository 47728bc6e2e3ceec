import {
  type Complete,
  errors,
  type ReplyOf,
  type SaleBody,
  type SaleDetails,
  TEST_AMOUNT_CENTS,
  trackSale,
} from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import type { Program } from '../../programs/program.ts';
import { recordSale } from '../../sales/record-sale.ts';
import { createTestTransactionIds, recordTestSale } from '../../sales/record-test-sale.ts';
import type { NewSale, SaleOutcome } from '../../sales/sale.ts';
import type { TrackingContext } from '../../tracking-context.ts';
import { addRoute } from '../add-route.ts';
import { programOfKey } from '../callers/program-of-key.ts';
import { type ParsedAttempt, parseAttempt } from './attempt.ts';
import { creditField } from './customer-credit.ts';

export function addSaleRoute(app: FastifyInstance, ctx: TrackingContext): void {
  const nextTestId = createTestTransactionIds(ctx.now);
  addRoute(app, trackSale, async (request) => {
    const parsed = parseAttempt(trackSale, request);
    return answerSale(ctx, await programOfKey(ctx, request), parsed, { requestId: request.id, nextTestId });
  });
}

/** Records a sale and returns the reply. Refusals are thrown. */
export async function answerSale(
  ctx: TrackingContext,
  program: Program,
  { body, isTest }: ParsedAttempt<typeof trackSale>,
  { requestId, nextTestId }: { requestId: string; nextTestId: () => string },
): Promise<ReplyOf<typeof trackSale>> {
  const sale = newSale(body, isTest, requestId);
  const outcome =
    body.transaction_id === undefined
      ? await recordTestSale(ctx, program, sale, nextTestId)
      : await recordSale(ctx, program, { ...sale, transactionId: body.transaction_id });
  return toReply(outcome, program);
}

/** A sale with every field of the body: one that is not mapped does not compile. The details stay as they are. */
export type ReportedSale = Omit<NewSale, 'transactionId'> &
  Complete<Omit<SaleBody, 'transaction_id' | keyof SaleDetails>> & { details: SaleDetails };

function newSale(body: SaleBody, isTest: boolean, requestId: string): ReportedSale {
  return {
    customerKey: body.customer_key,
    clickId: body.click_id,
    amountCents: body.amount_cents ?? TEST_AMOUNT_CENTS,
    taxCents: body.tax_cents,
    shippingCents: body.shipping_cents,
    currency: body.currency,
    saleType: body.sale_type,
    isRecurring: body.is_recurring,
    couponCode: body.coupon_code,
    details: body,
    additionalData: body.additional_data,
    isTest,
    source: 'api',
    requestId,
  };
}

function toReply(outcome: SaleOutcome, program: Program): ReplyOf<typeof trackSale> {
  if (outcome.is === 'refused') throw refusal(outcome.reason);
  if (outcome.is === 'outside_window') {
    return {
      data: {
        attributed: false,
        reason: 'attribution_window_expired',
        click_age_days: outcome.clickAgeDays,
        window_days: outcome.windowDays,
        sale_id: null,
        commission_id: null,
      },
      success: true,
    };
  }
  const { isTest, credit } = outcome;
  const message = isTest ? 'Test sale event tracked successfully' : 'Sale tracked successfully';
  return {
    data: {
      sale_id: outcome.saleId,
      commission_id: outcome.commissionId,
      attributed: outcome.attributed,
      commission_cents: outcome.earned.cents,
      currency: outcome.earned.currency,
      message,
      ...creditField(credit),
      ...(isTest && { eventId: outcome.decisionId, programId: program.id, test_mode: true }),
    },
    ...(isTest && { message }),
    success: true,
  };
}

function refusal(reason: (SaleOutcome & { is: 'refused' })['reason']): Error {
  switch (reason) {
    case 'customer_not_found':
    case 'key_claimed_by_several':
      return errors.saleCustomerNotFound();
    case 'attributed_elsewhere':
    case 'click_after_payment':
    case 'customer_unattributed':
      return errors.saleNotAttributed();
    case 'membership_missing':
    case 'partner_blocked':
    case 'partner_removed':
      return errors.saleNoMembership();
    case 'partner_missing':
      return errors.salePartnerMissing();
    case 'duplicate_transaction':
      return errors.duplicateTransaction();
    case 'commission_failed':
      return errors.commissionFailed();
  }
}
