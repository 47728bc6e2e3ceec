import type { Context } from '../context.ts';
import type { Queryable } from '../db/db.ts';
import type { Decision } from '../decisions/decision.ts';
import { insertDecision } from '../decisions/decision-store.ts';
import type { Program } from '../programs/program.ts';
import { lockSaleLedgers } from './lock-sales.ts';
import { writeRefunds } from './record-refund.ts';
import { judgeTotal, type RefundableSale, type TotalVerdict } from './refund.ts';
import { saleAfter } from './refund-group.ts';
import { reserveRefundIds } from './refund-store.ts';

export type SyncOutcome = { is: 'sale_not_found' | 'unchanged' | 'refunded' | 'restored' };

/**
 * Updates a sale to match the total that its payment processor refunded. What the workspace itself reported is part of that
 * total, not on top of it. `readTotal` runs once the sale is locked, so it sees everything stored up to then.
 */
export function syncRefunds(
  ctx: Context,
  program: Program,
  transactionId: string,
  readTotal: (tx: Queryable, sale: RefundableSale) => Promise<number>,
): Promise<SyncOutcome> {
  return ctx.db.transaction(async (tx) => {
    const target = { programId: program.id, transactionId };
    const ledger = (await lockSaleLedgers(tx, [target]))(target);
    if (!ledger) return { is: 'sale_not_found' };
    const { sale } = ledger;
    const verdict = judgeTotal(sale, Math.max(await readTotal(tx, sale), sale.reportedCents));
    if (verdict.is === 'unchanged') return verdict;

    const { amountCents, deductionCents, status } = verdict;
    const [id] = await reserveRefundIds(tx, 1);
    const row = {
      id: id!,
      saleId: sale.id,
      programId: program.id,
      refundKey: null,
      amountCents,
      deductionCents,
      status,
      reason: null,
      requestId: null,
      source: 'processor' as const,
      reportedCents: 0,
      createdAt: ctx.now(),
    };
    await writeRefunds(tx, [row], [{ ...ledger, sale: saleAfter(sale, { ...verdict, reportedCents: 0 }) }]);
    await insertDecision(tx, syncDecision(ctx, program, transactionId, sale, verdict));
    return { is: status === 'restored' ? 'restored' : 'refunded' };
  });
}

function syncDecision(
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
