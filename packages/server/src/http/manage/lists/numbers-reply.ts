import type { SentNumbers } from '@svc/contract';
import type { Numbers } from '../../../partners/lists/number-store.ts';

export function toNumbersReply({ clicks, leads, sales, money }: Numbers): SentNumbers {
  return {
    clicks,
    leads,
    sales,
    money: money.map(({ currency, revenueCents, commissionCents, payableCents }) => ({
      currency,
      revenue_cents: revenueCents,
      commission_cents: commissionCents,
      payable_cents: payableCents,
    })),
  };
}
