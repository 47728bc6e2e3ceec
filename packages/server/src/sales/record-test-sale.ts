import type { Program } from '../programs/program.ts';
import type { TrackingContext } from '../tracking-context.ts';
import { recordSale } from './record-sale.ts';
import type { NewSale, SaleOutcome } from './sale.ts';

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
