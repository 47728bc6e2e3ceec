import { managePerformance, type SentReplyOf } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import type { Numbers } from '../../../reporting/performance.ts';
import { reportPerformance } from '../../../reporting/report-performance.ts';
import { queryOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import { readReport } from '../../read-report.ts';
import type { ServiceContext } from '../../service-context.ts';

export function addManagePerformanceRoute(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, managePerformance, async ({ program, partnerId }, request, reply) => {
    const query = queryOf(managePerformance, request);
    const report = await readReport(ctx, reply, (reading) =>
      reportPerformance(reading, program.id, {
        from: query.from,
        to: query.to,
        interval: query.interval ?? 'day',
        groupBy: query.group_by,
        maxGroups: query.limit,
        partnerId: partnerId ?? query.partner_id ?? null,
        linkId: query.link_id ?? null,
      }),
    );
    const { money, ...counts } = report.change;
    return {
      data: {
        from: report.from.toISOString(),
        to: report.to.toISOString(),
        totals: toNumbersReply(report.totals),
        previous: toNumbersReply(report.previous),
        change: { ...counts, money: money.map(toMoneyReply) },
        funnel: {
          clicks: report.totals.clicks,
          leads: report.totals.leads,
          first_sales: report.firstSales,
        },
        interval: report.interval,
        series: report.series.map((entry) => ({ ...toEntryReply(entry), is_finished: entry.isFinished })),
        previous_series: report.previousSeries.map(toEntryReply),
        groups: report.groups.map(({ id, name, ...numbers }) => ({ id, name, ...toNumbersReply(numbers) })),
      },
    };
  });
}

type NumbersReply = SentReplyOf<typeof managePerformance>['data']['totals'];

function toEntryReply({ date, lastDate, ...numbers }: Numbers & { date: string; lastDate: string }) {
  return { date, last_date: lastDate, ...toNumbersReply(numbers) };
}

function toNumbersReply({ clicks, leads, sales, money }: Numbers): NumbersReply {
  return { clicks, leads, sales, money: money.map(toMoneyReply) };
}

export function toMoneyReply<Amount>(part: {
  currency: string;
  revenueCents: Amount;
  refundedCents: Amount;
  commissionCents: Amount;
}) {
  return {
    currency: part.currency,
    revenue_cents: part.revenueCents,
    refunded_cents: part.refundedCents,
    commission_cents: part.commissionCents,
  };
}
