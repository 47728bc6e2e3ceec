import { manageClickAges } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { reportClickAges } from '../../../reporting/reports/report-click-ages.ts';
import { queryOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import { readReport } from '../../read-report.ts';
import type { ServiceContext } from '../../service-context.ts';

export function addManageClickAgeRoute(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageClickAges, async ({ program }, request, reply) => {
    const { from, to, partner_id } = queryOf(manageClickAges, request);
    const report = await readReport(ctx, reply, (reading) =>
      reportClickAges(reading, program.id, { from, to, partnerId: partner_id ?? null }),
    );
    return {
      data: {
        from: report.from.toISOString(),
        to: report.to.toISOString(),
        is_complete: report.isComplete,
        rows: report.rows.map((row) => ({
          browser: row.browser,
          cookie_set_by: row.isRelayed ? ('server' as const) : ('script' as const),
          signups: row.signups,
          same_day: row.sameDay,
          days_1_to_7: row.upTo7,
          days_8_to_30: row.upTo30,
          days_31_or_more: row.older,
        })),
      },
    };
  });
}
