import type { Context } from '../context.ts';
import type { Program } from '../programs/program.ts';
import { earnsCommission } from '../terms/earning.ts';
import { listLimitedRenewals } from './renewal-store.ts';
import { revokeCommission } from './revoke-commission.ts';

const REASONS = {
  renewal: 'renewal_without_commission',
  change: 'change_without_commission',
} as const;

/**
 * Revokes commissions on renewals and changes beyond the recurring months of the terms they were judged by, after an earlier
 * first sale of the customer became known. Commissions that were ever in a payout are kept.
 */
export async function revokeCommissionsPastTerm(ctx: Context, program: Program, customerId: number): Promise<void> {
  const { firstSaleAt, renewals } = await listLimitedRenewals(ctx.db, program.id, customerId);
  for (const renewal of renewals) {
    if (earnsCommission(renewal, renewal.period, firstSaleAt, renewal.paidAt)) continue;
    const known = { first_sale_at: firstSaleAt?.toISOString() };
    await revokeCommission(ctx, program, { ...renewal, customerId }, REASONS[renewal.period], known);
  }
}
