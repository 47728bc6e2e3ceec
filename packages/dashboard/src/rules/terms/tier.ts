import type { GroupTier } from '@svc/contract';
import { formatCount, formatMoney } from '../money.ts';

const PERIODS: Record<GroupTier['in'], string> = { month: 'in a month', lifetime: 'altogether' };

/** When partners move into a group: `From $5,000.00 of confirmed revenue in a month`. */
export function tierInWords({ of, in: period, at_least: least }: GroupTier, currency: string): string {
  const reached =
    of === 'revenue'
      ? `${formatMoney(least, currency)} of confirmed revenue`
      : `${formatCount(least)} confirmed ${least === 1 ? 'sale' : 'sales'}`;
  return `From ${reached} ${PERIODS[period]}`;
}
