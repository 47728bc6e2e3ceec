import type { Context } from '../context.ts';
import type { Program } from '../programs/program.ts';
import { addMonths, earnsCommission } from '../terms/earning.ts';
import { findFirstSaleAt, listLimitedRenewals, listSalesOfLimitedRules } from './renewal-store.ts';
import { revokeCommission } from './revoke-commission.ts';

const REASONS = {
  renewal: 'renewal_without_commission',
  change: 'change_without_commission',
} as const;

/**
 * Revokes commissions beyond the months that the terms they were judged by pay for, after an earlier first sale of the customer
 * became known: those on renewals and changes by the commission settings, and those on any sale by a rule. Where the terms have
 * rules, the sale then owes what they pay without the months. Commissions that were ever in a payout are kept.
 */
export async function revokeCommissionsPastTerm(ctx: Context, program: Program, customerId: number): Promise<void> {
  const [renewals, sales] = await Promise.all([
    listLimitedRenewals(ctx.db, program.id, customerId),
    listSalesOfLimitedRules(ctx.db, program.id, customerId),
  ]);
  if (renewals.length + sales.length === 0) return;
  const firstSaleAt = await findFirstSaleAt(ctx.db, program.id, customerId);
  if (!firstSaleAt) return;
  const known = { first_sale_at: firstSaleAt.toISOString(), is_first_sale_learnt: true } as const;
  for (const renewal of renewals) {
    if (earnsCommission(renewal, renewal.period, firstSaleAt, renewal.paidAt)) continue;
    await revokeCommission(ctx, program, { ...renewal, customerId }, REASONS[renewal.period], known);
  }
  for (const sale of sales) {
    if (sale.paidAt < addMonths(firstSaleAt, sale.months)) continue;
    await revokeCommission(ctx, program, { ...sale, customerId }, 'months_over', known);
  }
}
