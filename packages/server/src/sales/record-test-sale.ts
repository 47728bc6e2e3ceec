import type { Program } from '../programs/program.ts';
import type { TrackingContext } from '../tracking-context.ts';
import { recordSale } from './record-sale.ts';
import type { NewSale, SaleOutcome } from './sale.ts';

/** Records a test sale under an id that is made here, whoever else makes ids at the same moment. */
export async function recordTestSale(
  ctx: TrackingContext,
  program: Program,
  sale: Omit<NewSale, 'transactionId' | 'hasGeneratedId'>,
  nextTestId: () => string,
): Promise<SaleOutcome> {
  // Another node may have made the same id in the same moment; the next one is tried then.
  for (;;) {
    const outcome = await recordSale(ctx, program, { ...sale, transactionId: nextTestId(), hasGeneratedId: true });
    if (outcome.is !== 'refused' || outcome.reason !== 'duplicate_transaction') return outcome;
  }
}
