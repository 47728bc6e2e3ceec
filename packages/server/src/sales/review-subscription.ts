import { COMMISSION_TYPES, type CommissionType } from '@svc/contract';
import type { Context } from '../context.ts';
import type { Program } from '../programs/program.ts';
import { earnsWithin } from '../terms/earning.ts';
import { revokeCommission } from './revoke-commission.ts';
import { updateRecurring } from './sale-store.ts';
import { listLaterPayments } from './subscription-store.ts';

const TYPES = Object.keys(COMMISSION_TYPES) as CommissionType[];
const UNPAID = {
  renewals: TYPES.filter((type) => !earnsWithin(type, 'renewal')),
  changes: TYPES.filter((type) => !earnsWithin(type, 'change')),
};

/**
 * Events arrive in any order, so a payment may turn out later not to have been the first of its subscription. It then
 * becomes a renewal or a change, and loses a commission that the program's terms do not pay for it. Commissions that were
 * ever in a payout are kept. Looks at the payments from a time on: a payment cannot change what came before it. Returns whose
 * payments they were.
 */
export async function reviewSubscription(
  ctx: Context,
  program: Program,
  subscriptionId: string,
  from: Date,
): Promise<Set<number>> {
  const later = await listLaterPayments(ctx.db, program.id, subscriptionId, from, UNPAID);
  for (const payment of later) {
    const period = payment.stage === 'change' ? 'change' : 'renewal';
    if (period === 'renewal' && !payment.isRecurring) await updateRecurring(ctx.db, payment.saleId);
    if (payment.commissionId === null || payment.partnerId === null) continue;
    if (earnsWithin(payment.commissionType, period)) continue;
    const { partnerId } = payment;
    const reason = period === 'change' ? 'change_without_commission' : 'renewal_without_commission';
    await revokeCommission(ctx, program, { ...payment, partnerId }, reason, { period });
  }
  return new Set(later.map(({ customerId }) => customerId));
}
