import { Readable } from 'node:stream';
import {
  BREAKDOWNS,
  type Cell,
  CSV_START,
  csvLine,
  manageExportBreakdown,
  manageExportCohorts,
  manageExportPerformance,
} from '@svc/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { reportPerformance } from '../../../reporting/report-performance.ts';
import { reportBreakdown } from '../../../reporting/reports/report-breakdown.ts';
import { reportCohorts } from '../../../reporting/reports/report-cohorts.ts';
import {
  BREAKDOWN_COLUMNS,
  breakdownCells,
  cohortLines,
  currenciesOf,
  moneyColumns,
  SERIES_COLUMNS,
  seriesCells,
} from '../../../reporting/reports/report-lines.ts';
import { queryOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import { readReport } from '../../read-report.ts';
import type { ServiceContext } from '../../service-context.ts';
import { checkReader } from './breakdown.ts';

const MAX_VALUES = 1_000;

/** Reports as files. They are small, so they are sent whole. */
export function addManageReportExports(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageExportPerformance, async ({ program, partnerId }, request, reply) => {
    const query = queryOf(manageExportPerformance, request);
    const { series, interval } = await readReport(ctx, reply, (reading) =>
      reportPerformance(reading, program.id, {
        from: query.from,
        to: query.to,
        interval: query.interval ?? 'day',
        maxGroups: 1,
        partnerId: partnerId ?? query.partner_id ?? null,
        linkId: query.link_id ?? null,
      }),
    );
    const currencies = currenciesOf(series);
    const lines = series.map((row) => seriesCells(row, currencies));
    return send(reply, `${program.slug}-performance-by-${interval}`, [
      [...SERIES_COLUMNS, ...currencies.flatMap(moneyColumns)],
      ...lines,
    ]);
  });

  addProgramRoute(app, ctx, manageExportBreakdown, async ({ program, partnerId, role }, request, reply) => {
    const { by, from, to, partner_id, sort = 'revenue' } = queryOf(manageExportBreakdown, request);
    checkReader(role, by);
    const { rows } = await readReport(ctx, reply, (reading) =>
      reportBreakdown(reading, program.id, {
        by,
        from,
        to,
        partnerId: partnerId ?? partner_id ?? null,
        sort,
        currency: program.currency,
        limit: MAX_VALUES,
      }),
    );
    const currencies = currenciesOf(rows);
    const amounts = currencies.flatMap((currency) => [...moneyColumns(currency), `earnings_per_click_${currency}`]);
    const lines = rows.map((row) => [row.name, row.id, ...breakdownCells(row, currencies)]);
    return send(reply, `${program.slug}-${BREAKDOWNS[by].plural.toLowerCase().replaceAll(' ', '-')}`, [
      [by, 'id', ...BREAKDOWN_COLUMNS, ...amounts],
      ...lines,
    ]);
  });

  addProgramRoute(app, ctx, manageExportCohorts, async ({ program, partnerId }, request, reply) => {
    const { partner_id } = queryOf(manageExportCohorts, request);
    const report = await reportCohorts(ctx, program.id, partnerId ?? partner_id ?? null);
    return send(reply, `${program.slug}-customers-by-month`, cohortLines(report));
  });

  function send(reply: FastifyReply, name: string, lines: Cell[][]): Readable {
    reply.header('Content-Type', 'text/csv; charset=utf-8');
    reply.header('Content-Disposition', `attachment; filename="${name}-${ctx.now().toISOString().slice(0, 10)}.csv"`);
    reply.header('Cache-Control', 'no-store');
    return Readable.from([CSV_START + lines.map(csvLine).join('')]);
  }
}
