import { earnsCommission } from '../commissions/commission.ts';
import type { Context } from '../context.ts';
import type { Program } from '../programs/program.ts';
import { listRenewals } from './renewal-store.ts';
import { revokeCommission } from './revoke-commission.ts';
import { termsOf } from './sale.ts';

const REASONS = {
  renewal: 'renewal_without_commission',
  change: 'change_without_commission',
} as const;

/**
 * Revokes commissions on renewals and changes beyond the program's recurring months, after an earlier first sale of the
 * customer became known. Commissions that were ever in a payout are kept.
 */
export async function revokeCommissionsPastTerm(ctx: Context, program: Program, customerId: number): Promise<void> {
  const { firstSaleAt, renewals } = await listRenewals(ctx.db, program.id, customerId);
  for (const renewal of renewals) {
    if (earnsCommission(termsOf(program), renewal.period, firstSaleAt, renewal.paidAt)) continue;
    await revokeCommission(ctx, program, { ...renewal, customerId }, REASONS[renewal.period]);
  }
}
