import type { Context } from '../context.ts';
import type { Queryable } from '../db/db.ts';
import type { Decision } from '../decisions/decision.ts';
import { insertDecision } from '../decisions/decision-store.ts';
import type { Program } from '../programs/program.ts';
import {
  type EarlierRefund,
  judgeRefund,
  type NewRefund,
  type RefundableSale,
  type RefundVerdict,
  type ReversalStatus,
  repeatsFullRefund,
} from './refund.ts';
import { findLastRefund, findRefund, findSaleForUpdate, insertRefund } from './refund-store.ts';

export type RefundOutcome =
  | {
      is: 'recorded';
      refundId: string;
      saleId: number;
      commissionId: number | null;
      status: ReversalStatus | 'already_refunded';
      refundedCents: number;
      deductionCents: number;
      currency: string;
    }
  | { is: 'refused'; reason: 'sale_not_found' }
  | { is: 'refused'; reason: 'refund_too_large'; leftCents: number };

/** Refunds a sale of the program, in part or in full, once. The sale is held meanwhile, so refunds come one by one. */
export function recordRefund(ctx: Context, program: Program, refund: NewRefund): Promise<RefundOutcome> {
  return ctx.db.transaction(async (tx) => {
    const sale = await findSaleForUpdate(tx, program.id, refund.transactionId);
    if (!sale) {
      await insertDecision(tx, decisionOf(ctx, program, refund, null, 'sale_not_found', {}));
      return { is: 'refused', reason: 'sale_not_found' };
    }
    const earlier = await findEarlier(tx, sale, refund);
    const verdict = judgeRefund(refund, sale, earlier);
    await insertDecision(tx, decisionOf(ctx, program, refund, sale, verdict.reason, factsOf(verdict)));
    if (verdict.is === 'refused') return verdict;
    if (verdict.is === 'repeated') return repeatedOutcome(verdict, sale);

    const refundId = await insertRefund(tx, { ...verdict, programId: program.id, sale, refund, now: ctx.now() });
    return {
      is: 'recorded',
      refundId,
      saleId: sale.id,
      commissionId: sale.commission?.id ?? null,
      status: isKnownInFull(verdict, sale) ? 'already_refunded' : verdict.status,
      refundedCents: verdict.amountCents,
      deductionCents: verdict.deductionCents,
      currency: sale.currency,
    };
  });
}

/** Whether the payment processor had told already that all is refunded. */
function isKnownInFull(verdict: RefundVerdict & { is: 'recorded' }, sale: RefundableSale): boolean {
  return verdict.reason === 'refund_known' && sale.refundedCents === sale.amountCents;
}

/** The refund that this one repeats, if any: by its own id, or, for a sale that is refunded in full, the last one. */
async function findEarlier(tx: Queryable, sale: RefundableSale, refund: NewRefund): Promise<EarlierRefund | null> {
  const sameId = refund.refundKey === undefined ? null : await findRefund(tx, sale.id, refund.refundKey);
  return sameId ?? (repeatsFullRefund(refund, sale) ? findLastRefund(tx, sale.id) : null);
}

function repeatedOutcome(verdict: RefundVerdict & { is: 'repeated' }, sale: RefundableSale): RefundOutcome {
  const { earlier } = verdict;
  return {
    is: 'recorded',
    refundId: earlier.refundId,
    saleId: sale.id,
    commissionId: sale.commission?.id ?? null,
    // Only a refund that is repeated in full finds a restored one before it.
    status:
      verdict.reason === 'already_refunded' || earlier.status === 'restored' ? 'already_refunded' : earlier.status,
    refundedCents: earlier.amountCents,
    deductionCents: earlier.deductionCents,
    currency: sale.currency,
  };
}

function factsOf(verdict: RefundVerdict): Record<string, unknown> {
  if (verdict.is === 'refused') return { left_cents: verdict.leftCents };
  if (verdict.is === 'repeated') return {};
  return { refunded_cents: verdict.amountCents, deduction_cents: verdict.deductionCents };
}

const OUTCOMES: Partial<Record<Decision['reason'], Decision['outcome']>> = {
  sale_not_found: 'refused',
  refund_too_large: 'refused',
  already_refunded: 'unchanged',
  refund_repeated: 'unchanged',
  refund_known: 'unchanged',
};

function decisionOf(
  ctx: Context,
  program: Program,
  refund: NewRefund,
  sale: RefundableSale | null,
  reason: Decision['reason'],
  facts: Record<string, unknown>,
): Decision {
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
      ...facts,
    },
    source: 'api',
    customerId: sale?.customerId,
    partnerId: sale?.partnerId,
    saleId: sale?.id,
    transactionId: refund.transactionId,
    additionalData: refund.additionalData,
    requestId: refund.requestId,
    isTest: sale?.isTest ?? false,
    createdAt: ctx.now(),
  };
}
