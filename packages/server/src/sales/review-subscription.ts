import type { Context } from '../context.ts';
import type { Program } from '../programs/program.ts';
import { earnsWithin } from '../terms/earning.ts';
import { revokeCommission } from './revoke-commission.ts';
import { periodOf } from './sale.ts';
import { updateRecurring } from './sale-store.ts';
import { listSubscriptionPayments } from './subscription-store.ts';

/**
 * Events arrive in any order, so a payment may turn out later not to have been the first of its subscription. It then
 * becomes a renewal or a change, and loses a commission that the program's terms do not pay for it. Commissions that were
 * ever in a payout are kept.
 */
export async function reviewSubscription(ctx: Context, program: Program, subscriptionId: string): Promise<void> {
  const [, ...later] = await listSubscriptionPayments(ctx.db, program.id, subscriptionId);
  for (const payment of later) {
    const period = periodOf(payment.stage ?? undefined, true);
    if (period === 'renewal' && !payment.isRecurring) await updateRecurring(ctx.db, payment.saleId);
    if (payment.commissionId === null || payment.partnerId === null) continue;
    if (earnsWithin(payment.commissionType, period)) continue;
    const { partnerId } = payment;
    const reason = period === 'change' ? 'change_without_commission' : 'renewal_without_commission';
    await revokeCommission(ctx, program, { ...payment, partnerId }, reason, { period });
  }
}
