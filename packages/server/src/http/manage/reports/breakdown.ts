import { availableBreakdowns, type Breakdown, errors, manageBreakdown, type SentReplyOf } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { type Counts, conversionRate, earningsPerClick } from '../../../reporting/reports/breakdown.ts';
import { reportBreakdown } from '../../../reporting/reports/report-breakdown.ts';
import { queryOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import { readReport } from '../../read-report.ts';
import type { ServiceContext } from '../../service-context.ts';
import { toMoneyReply } from './performance.ts';

/** Groups, and the codes of others, are the brand's business. */
export function checkReader(role: string, by: Breakdown): void {
  if (role === 'partner' && (by === 'group' || by === 'coupon')) throw errors.breakdownOfBrands();
}

export function addManageBreakdownRoute(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageBreakdown, async ({ program, partnerId, role }, request, reply) => {
    const { by, from, to, partner_id, sort = 'revenue', limit } = queryOf(manageBreakdown, request);
    checkReader(role, by);
    const report = await readReport(ctx, reply, (reading) =>
      reportBreakdown(reading, program.id, {
        by,
        from,
        to,
        partnerId: partnerId ?? partner_id ?? null,
        sort,
        currency: program.currency,
        limit,
      }),
    );
    return {
      data: {
        by,
        from: report.from.toISOString(),
        to: report.to.toISOString(),
        available: availableBreakdowns({ isPartner: role === 'partner', hasCountries: Boolean(ctx.countryOf) }),
        totals: toCountsReply(report.totals),
        rows: report.rows.map((row) => ({
          kind: row.kind,
          id: row.id,
          value: row.value,
          name: row.name,
          ...toCountsReply(row),
        })),
      },
    };
  });
}

type CountsReply = SentReplyOf<typeof manageBreakdown>['data']['totals'];

function toCountsReply(counts: Counts): CountsReply {
  const { clicks, leads, firstSales, sales, money } = counts;
  return {
    clicks,
    leads,
    first_sales: firstSales,
    sales,
    conversion_rate: conversionRate(counts),
    money: money.map((part) => ({
      ...toMoneyReply(part),
      earnings_per_click_cents: earningsPerClick(part.commissionCents, clicks),
    })),
  };
}
