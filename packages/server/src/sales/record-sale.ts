import type { Program } from '../programs/program.ts';
import type { TrackingContext } from '../tracking-context.ts';
import type { NewSale, SaleOutcome } from './sale.ts';

/** Records a sale once, even if its commission cannot be created. It joins a group, which comes out in `recordSales`. */
export function recordSale(ctx: TrackingContext, program: Program, sale: NewSale): Promise<SaleOutcome> {
  return ctx.sales.submit({ program, sale });
}
