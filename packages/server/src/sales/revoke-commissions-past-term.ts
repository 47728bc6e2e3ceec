import { earnsCommission } from '../commissions/commission.ts';
import type { Context } from '../context.ts';
import type { Program } from '../programs/program.ts';
import { deleteUnpaidCommission, listRenewals } from './renewal-store.ts';
import { termsOf } from './sale.ts';

/**
 * Takes back commissions on renewals that are beyond the months of the terms, now that an earlier first sale of the
 * customer has become known. Commissions that are paid, or on their way, stay.
 */
export async function revokeCommissionsPastTerm(ctx: Context, program: Program, customerId: number): Promise<void> {
  const { firstSaleAt, renewals } = await listRenewals(ctx.db, program.id, customerId);
  for (const renewal of renewals) {
    if (earnsCommission(termsOf(program), true, firstSaleAt, renewal.paidAt)) continue;
    await deleteUnpaidCommission(ctx.db, { ...renewal, programId: program.id, customerId }, ctx.now());
  }
}
