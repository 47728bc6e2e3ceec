import type { Program } from '../programs/program.ts';
import type { TrackingContext } from '../tracking-context.ts';
import { recordSale } from './record-sale.ts';
import type { NewSale, SaleOutcome } from './sale.ts';

/** Generates ids for test sales without one, `test_txn_<timestamp>`, unique on this node. */
export function createTestTransactionIds(now: () => Date): () => string {
  let last = 0;
  return () => {
    last = Math.max(last + 1, now().getTime());
    return `test_txn_${last}`;
  };
}

/** Records a test sale under a generated transaction id, retrying with a new one on a collision. */
export async function recordTestSale(
  ctx: TrackingContext,
  program: Program,
  sale: Omit<NewSale, 'transactionId' | 'hasGeneratedId'>,
  nextTestId: () => string,
): Promise<SaleOutcome> {
  // Another node may have generated the same id at the same moment.
  for (;;) {
    const outcome = await recordSale(ctx, program, { ...sale, transactionId: nextTestId(), hasGeneratedId: true });
    if (outcome.is !== 'refused' || outcome.reason !== 'duplicate_transaction') return outcome;
  }
}
