import { updateDeductions } from '../commissions/commission-store.ts';
import type { Context } from '../context.ts';
import { updateReversedCredits } from '../customers/credit-store.ts';
import type { Queryable } from '../db/db.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import { insertDecisions } from '../decisions/decision-store.ts';
import type { Program } from '../programs/program.ts';
import { updateRefunded } from '../sales/sale-store.ts';
import type { TrackingContext } from '../tracking-context.ts';
import { lockSaleLedgers } from './lock-sales.ts';
import type { NewRefund, RefundOutcome } from './refund.ts';
import { deductionsOf, judgeRefunds, type RefundAttempt, type SaleLedger } from './refund-group.ts';
import { insertRefunds, type NewRefundRow, reserveRefundIds } from './refund-store.ts';

/** Refunds a sale of the program, partially or fully, once. Refunds are written in groups: see `recordRefunds` below. */
export function recordRefund(ctx: TrackingContext, program: Program, refund: NewRefund): Promise<RefundOutcome> {
  return ctx.refunds.submit({ program, refund });
}

/** Records a group of refunds in one transaction: lock their sales, judge them in order, write. */
export function recordRefunds(ctx: Context, attempts: RefundAttempt[]): Promise<RefundOutcome[]> {
  return retryOnConflict(() =>
    ctx.db.transaction(async (tx) => {
      const findLedger = await lockSaleLedgers(tx, attempts.map(targetOf));
      const ledgerOf = (attempt: RefundAttempt) => findLedger(targetOf(attempt));
      const ids = await reserveRefundIds(tx, attempts.length);
      const judged = judgeRefunds(attempts, ledgerOf, ids, ctx.now());

      const rows = judged.flatMap(({ row }) => (row ? [row] : []));
      const ledgers = new Set(attempts.map(ledgerOf).filter((ledger) => ledger !== null));
      await Promise.all([
        writeRefunds(tx, rows, [...ledgers]),
        insertDecisions(
          tx,
          judged.map(({ decision }) => decision),
        ),
      ]);
      return judged.map(({ outcome }) => outcome);
    }),
  );
}

const targetOf = ({ program, refund }: RefundAttempt) => ({ programId: program.id, ...refund });

/** Writes refunds and deducts them from their sales and, in proportion, the commissions. Negative amounts restore. */
export async function writeRefunds(tx: Queryable, rows: NewRefundRow[], ledgers: SaleLedger[]): Promise<void> {
  const refundedCents = new Map<number, number>();
  for (const { saleId, amountCents } of rows) {
    refundedCents.set(saleId, (refundedCents.get(saleId) ?? 0) + amountCents);
  }
  const changed = ledgers.filter(({ sale }) => refundedCents.has(sale.id));
  await Promise.all([
    insertRefunds(tx, rows),
    updateRefunded(tx, refundedCents),
    updateDeductions(
      tx,
      changed.flatMap(({ sale }) => deductionsOf(sale)),
    ),
  ]);
  await updateReversedCredits(tx, [...refundedCents.keys()]);
}
