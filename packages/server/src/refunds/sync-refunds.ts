import type { Context } from '../context.ts';
import type { Decision } from '../decisions/decision.ts';
import { insertDecision } from '../decisions/decision-store.ts';
import type { Program } from '../programs/program.ts';
import { judgeTotal, type RefundableSale, type TotalVerdict } from './refund.ts';
import { findSaleForUpdate, insertRefund } from './refund-store.ts';

export type SyncOutcome = { is: 'sale_not_found' | 'unchanged' | 'refunded' | 'restored' };

/**
 * Brings a sale in step with what its payment processor says was taken back in all. What the advertiser reported itself
 * is part of that total, not on top of it. `total` is asked once the sale is held, so the last word is the latest.
 */
export function syncRefunds(
  ctx: Context,
  program: Program,
  transactionId: string,
  total: (tx: Parameters<Parameters<Context['db']['transaction']>[0]>[0], sale: RefundableSale) => Promise<number>,
): Promise<SyncOutcome> {
  return ctx.db.transaction(async (tx) => {
    const sale = await findSaleForUpdate(tx, program.id, transactionId);
    if (!sale) return { is: 'sale_not_found' };
    const verdict = judgeTotal(sale, Math.max(await total(tx, sale), sale.reportedCents));
    if (verdict.is === 'unchanged') return verdict;

    const refund = { transactionId, amountCents: undefined, reason: undefined, refundKey: undefined, requestId: null };
    await insertRefund(tx, { ...verdict, programId: program.id, sale, refund, now: ctx.now() });
    await insertDecision(tx, decisionOf(ctx, program, transactionId, sale, verdict));
    return { is: verdict.status === 'restored' ? 'restored' : 'refunded' };
  });
}

function decisionOf(
  ctx: Context,
  program: Program,
  transactionId: string,
  sale: RefundableSale,
  verdict: TotalVerdict & { is: 'changed' },
): Decision {
  return {
    programId: program.id,
    kind: 'refund',
    outcome: 'recorded',
    reason: verdict.reason,
    facts: {
      sale_cents: sale.amountCents,
      refunded_before_cents: sale.refundedCents,
      refunded_cents: verdict.amountCents,
      deduction_cents: verdict.deductionCents,
    },
    source: 'processor',
    customerId: sale.customerId,
    partnerId: sale.partnerId,
    saleId: sale.id,
    transactionId,
    requestId: null,
    isTest: sale.isTest,
    createdAt: ctx.now(),
  };
}
