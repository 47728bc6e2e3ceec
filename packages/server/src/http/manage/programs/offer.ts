import { describeCommission } from '../../../programs/describe-commission.ts';
import type { Program } from '../../../programs/program.ts';

/** What a program offers its partners, as its brand, its partners and people with an invitation see it. */
export function toOffer(program: Program) {
  return {
    name: program.name,
    domain: program.domain,
    commission: describeCommission(program),
    commission_type: program.commissionType,
    commission_rate: Number(program.commissionRate),
    commission_base: program.commissionBase,
    attribution: program.attribution,
    currency: program.currency,
    recurring_months: program.recurringMonths,
    cookie_window_days: program.cookieWindowDays,
    hold_days: program.holdDays,
  };
}
