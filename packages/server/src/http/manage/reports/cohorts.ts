import { manageCohorts, type SentReplyOf } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import type { Paid } from '../../../reporting/reports/cohorts.ts';
import { reportCohorts } from '../../../reporting/reports/report-cohorts.ts';
import { queryOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import type { ServiceContext } from '../../service-context.ts';

export function addManageCohortRoute(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageCohorts, async ({ program, partnerId }, request) => {
    const { partner_id } = queryOf(manageCohorts, request);
    const report = await reportCohorts(ctx, program.id, partnerId ?? partner_id ?? null);
    return {
      data: {
        from: report.from.toISOString(),
        to: report.to.toISOString(),
        totals: toPaidReply(report.totals),
        earlier: toPaidReply(report.earlier),
        pending: toPaidReply(report.pending),
        cohorts: report.cohorts.map(({ month, customers, months }) => ({
          month,
          customers,
          months: months.map(({ month: since, ...paid }) => ({ month: since, ...toPaidReply(paid) })),
        })),
      },
    };
  });
}

function toPaidReply({ sales, money }: Paid): SentReplyOf<typeof manageCohorts>['data']['totals'] {
  return {
    sales,
    money: money.map(({ currency, revenueCents, refundedCents }) => ({
      currency,
      revenue_cents: revenueCents,
      refunded_cents: refundedCents,
    })),
  };
}
