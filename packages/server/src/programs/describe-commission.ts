import type { Program } from './program.ts';

type Terms = Pick<Program, 'commissionType' | 'commissionRate' | 'currency' | 'recurringMonths'>;

/** The commission as people say it: `20% per sale`, `20% recurring for 12 months`. */
export function describeCommission({ commissionType, commissionRate, currency, recurringMonths }: Terms): string {
  const rate = commissionRate.includes('.') ? commissionRate.replace(/\.?0+$/, '') : commissionRate;
  const amount = commissionType.endsWith('percent') ? `${rate}%` : `${rate} ${currency}`;
  if (!commissionType.startsWith('recurring')) return `${amount} per sale`;
  if (recurringMonths === null) return `${amount} recurring`;
  return `${amount} recurring for ${recurringMonths} ${recurringMonths === 1 ? 'month' : 'months'}`;
}
