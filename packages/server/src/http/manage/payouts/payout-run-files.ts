import { Readable } from 'node:stream';
import { errors, managePayoutFile, manageReadStatusReport, PAYOUT_FILES } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { readReport } from '../../../payout-runs/read-report.ts';
import { findRunSummary } from '../../../payout-runs/run-list-store.ts';
import { serveFile } from '../../../payout-runs/serve-file.ts';
import { queryOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import { idParam } from '../../id-param.ts';
import type { ServiceContext } from '../../service-context.ts';

export function addManagePayoutRunFileRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, managePayoutFile, async ({ program, actor }, request, reply) => {
    const { file: name = '' } = request.params as { file?: string };
    const asked = { name, ...queryOf(managePayoutFile, request) };
    const file = await serveFile(ctx, program, idParam(request, 'run_id'), asked, actor);
    reply.header('Content-Type', `${PAYOUT_FILES[file.name]}; charset=utf-8`);
    reply.header('Content-Disposition', `attachment; filename="${file.fileName}"`);
    reply.header('Content-Length', file.bytes.length);
    reply.header('Cache-Control', 'no-store');
    return Readable.from([file.bytes]);
  });

  app.register((reports, _options, done) => {
    reports.removeAllContentTypeParsers();
    // Whatever it is: that a type is not read is told to those who may send one.
    reports.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => {
      parsed(null, body);
    });
    addProgramRoute(reports, ctx, manageReadStatusReport, async ({ program, actor }, request) => {
      const runId = idParam(request, 'run_id');
      if (!(await findRunSummary(ctx.db, program.id, runId))) throw errors.notFound();
      const { receives } = manageReadStatusReport;
      const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
      const isRead = receives.some((received) => received === type);
      if (!isRead || !Buffer.isBuffer(request.body)) throw errors.unsupportedMediaType(receives);
      const format = type === 'text/csv' ? 'paypal' : 'pain002';
      const { rows, problems } = await readReport(ctx, program, runId, { format, bytes: request.body }, actor);
      const run = await findRunSummary(ctx.db, program.id, runId);
      const count = (...outcomes: string[]) => rows.filter(({ outcome }) => outcomes.includes(outcome)).length;
      return {
        data: {
          run_status: run!.status,
          changed: count('changed'),
          unchanged: count('already', 'pending', 'refused'),
          unknown: count('unknown', 'other_run'),
          rows,
          problems,
        },
      };
    });
    done();
  });
}
