import type { Context } from '../context.ts';
import { isRefusedStatement, lostToAnother } from '../db/db.ts';
import type { Program } from '../programs/program.ts';
import type { TrackingContext } from '../tracking-context.ts';
import { judgeAndPrepare, outcomeOf } from './prepare-sale.ts';
import type { NewSale, SaleAttempt, SaleOutcome } from './sale.ts';
import { findSaleFacts } from './sale-facts-store.ts';
import { insertSales, type SaleToWrite, type WrittenSale } from './sale-store.ts';

/** Records a sale once. The sale stands even if its commission fails. */
export function recordSale(ctx: TrackingContext, program: Program, sale: NewSale): Promise<SaleOutcome> {
  return ctx.sales.submit({ program, sale });
}

/** Records a group of sales: look up what is known, judge each, write them all. Duplicates are settled by the write. */
export async function recordSales(ctx: Context, attempts: SaleAttempt[]): Promise<SaleOutcome[]> {
  const now = ctx.now();
  const facts = await findSaleFacts(ctx.db, attempts);
  const judged = attempts.map((attempt, index) => judgeAndPrepare(attempt, facts[index]!, now));
  const writes = judged.map(({ write }) => write);
  try {
    const written = await insertWithRetry(ctx, writes);
    return judged.map((sale, index) => outcomeOf(sale, written[index]!));
  } catch (error) {
    // In a group the fault may be another sale's; then each is tried again alone.
    const isCommissionAtFault = writes.length === 1 && isRefusedStatement(error) && !lostToAnother(error);
    if (isCommissionAtFault && writes[0]?.commissionState === 'created') {
      return [await keepWithoutCommission(ctx, writes[0], error)];
    }
    throw error;
  }
}

/** Two nodes that convert the same customers at once can block each other; the database then ends one of the two. */
async function insertWithRetry(ctx: Context, writes: SaleToWrite[], triesLeft = 3): Promise<WrittenSale[]> {
  try {
    return await insertSales(ctx.db, writes);
  } catch (error) {
    if (triesLeft > 0 && lostToAnother(error)) return insertWithRetry(ctx, writes, triesLeft - 1);
    throw error;
  }
}

/** The commission cannot be created: the sale is written all the same, and owes it. */
async function keepWithoutCommission(ctx: Context, write: SaleToWrite, error: unknown): Promise<SaleOutcome> {
  const [written] = await insertSales(ctx.db, [
    {
      ...write,
      earned: null,
      commissionState: 'owed',
      decision: { ...write.decision, outcome: 'failed', reason: 'commission_failed' },
    },
  ]);
  if (!written?.saleId) return { is: 'refused', reason: 'duplicate_transaction' };
  ctx.log.error({ err: error, saleId: written.saleId, requestId: write.sale.requestId }, 'A sale owes its commission');
  return { is: 'refused', reason: 'commission_failed' };
}
