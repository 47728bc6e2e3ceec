import { COMMISSION_TYPES } from '@svc/contract';
import type { Program } from './program.ts';

type Terms = Pick<Program, 'commissionType' | 'commissionRate' | 'currency' | 'recurringMonths'>;

/** The commission in a few words: `20% per sale`, `20% recurring for 12 months`. */
export function describeCommission(terms: Terms): string {
  const { recurringMonths } = terms;
  const amount = describeRate(terms);
  if (!COMMISSION_TYPES[terms.commissionType].renewals) return `${amount} per sale`;
  if (recurringMonths === null) return `${amount} recurring`;
  return `${amount} recurring for ${recurringMonths} ${recurringMonths === 1 ? 'month' : 'months'}`;
}

function describeRate({ commissionType, commissionRate, currency }: Terms): string {
  const rate = commissionRate.includes('.') ? commissionRate.replace(/\.?0+$/, '') : commissionRate;
  const { basis } = COMMISSION_TYPES[commissionType];
  switch (basis) {
    case 'percent':
      return `${rate}%`;
    case 'fixed':
      return `${rate} ${currency}`;
    default:
      return basis satisfies never;
  }
}
