import { describeOffer } from '../../../partners/describe-offer.ts';
import { describeCommission } from '../../../programs/describe-commission.ts';
import type { Program } from '../../../programs/program.ts';
import type { ServiceContext } from '../../service-context.ts';

/** What a program offers a partner, or a new one, as its brand, its partners and people with an invitation see it. */
export async function toOffer(ctx: ServiceContext, program: Program, partnerId: number | null) {
  return {
    name: program.name,
    domain: program.domain,
    commission: describeCommission(program),
    earnings: await describeOffer(ctx.db, ctx, { program, partnerId }),
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
