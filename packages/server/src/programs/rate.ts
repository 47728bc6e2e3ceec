import { errors, maxRate } from '@svc/contract';
import type { ProgramTerms } from './program.ts';

type Rate = Pick<ProgramTerms, 'commissionType' | 'commissionRate'>;

/** Refuses a rate that is too high for its type. A program that had it before the limit existed keeps it. */
export function checkRate(rate: Rate, before?: Rate): void {
  const isUnchanged =
    before?.commissionType === rate.commissionType && Number(before.commissionRate) === Number(rate.commissionRate);
  const max = maxRate(rate.commissionType);
  if (!isUnchanged && Number(rate.commissionRate) > max) throw errors.rateTooHigh(max, rate.commissionType);
}
