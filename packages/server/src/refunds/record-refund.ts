import { updateDeductions } from '../commissions/commission-store.ts';
import type { Context } from '../context.ts';
import type { Queryable } from '../db/db.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import { insertDecisions } from '../decisions/decision-store.ts';
import type { Program } from '../programs/program.ts';
import { updateRefunded } from '../sales/sale-store.ts';
import type { TrackingContext } from '../tracking-context.ts';
import { lockSaleAccounts } from './lock-sales.ts';
import type { NewRefund, RefundOutcome } from './refund.ts';
import { deductionsOf, judgeRefunds, type RefundAttempt, type SaleAccount } from './refund-group.ts';
import { insertRefunds, type NewRefundRow, reserveRefundIds } from './refund-store.ts';

/** Refunds a sale of the program, in part or in full, once. It waits for its group: `recordRefunds` below. */
export function recordRefund(ctx: TrackingContext, program: Program, refund: NewRefund): Promise<RefundOutcome> {
  return ctx.refunds.submit({ program, refund });
}

/** Records a group of refunds in one transaction: lock their sales, judge one after the other, write. */
export function recordRefunds(ctx: Context, attempts: RefundAttempt[]): Promise<RefundOutcome[]> {
  return retryOnConflict(() =>
    ctx.db.transaction(async (tx) => {
      const find = await lockSaleAccounts(tx, attempts.map(targetOf));
      const accountOf = (attempt: RefundAttempt) => find(targetOf(attempt));
      const ids = await reserveRefundIds(tx, attempts.length);
      const judged = judgeRefunds(attempts, accountOf, ids, ctx.now());

      const rows = judged.flatMap(({ row }) => (row ? [row] : []));
      const accounts = new Set(attempts.map(accountOf).filter((account) => account !== null));
      await writeRefunds(tx, rows, [...accounts]);
      await insertDecisions(
        tx,
        judged.map(({ decision }) => decision),
      );
      return judged.map(({ outcome }) => outcome);
    }),
  );
}

const targetOf = ({ program, refund }: RefundAttempt) => ({ programId: program.id, ...refund });

/** Writes refunds, takes them off their sales and, in proportion, off the commissions; a negative amount gives back. */
export async function writeRefunds(tx: Queryable, rows: NewRefundRow[], accounts: SaleAccount[]): Promise<void> {
  const refundedCents = new Map<number, number>();
  for (const { saleId, amountCents } of rows) {
    refundedCents.set(saleId, (refundedCents.get(saleId) ?? 0) + amountCents);
  }
  const changed = accounts.filter(({ sale }) => refundedCents.has(sale.id));
  await insertRefunds(tx, rows);
  await updateRefunded(tx, refundedCents);
  await updateDeductions(
    tx,
    changed.flatMap(({ sale }) => deductionsOf(sale)),
  );
}
