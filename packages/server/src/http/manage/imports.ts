import {
  type Complete,
  errors,
  type ImportDetails,
  manageImport,
  manageImportDetails,
  manageImports,
  manageOpeningBalances,
  manageUndoImport,
} from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { listOpeningBalances } from '../../imports/balance-store.ts';
import { importRows } from '../../imports/import-rows.ts';
import { countsOf, findImport, listImports, listKept, toImportRow } from '../../imports/import-store.ts';
import { undoImport } from '../../imports/undo-import.ts';
import { bodyOf, queryOf } from '../body.ts';
import { addProgramRoute } from '../callers/program-access.ts';
import { idParam } from '../id-param.ts';
import { encodeCursor, idOfCursor } from '../lists/cursor.ts';
import type { ServiceContext } from '../service-context.ts';

export function addManageImportRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageImports, async ({ program }, request) => {
    const { limit, cursor } = queryOf(manageImports, request);
    const found = await listImports(ctx.db, program.id, { before: idOfCursor(cursor), limit: limit + 1 });
    return pageOf(found, limit, toImportRow);
  });

  addProgramRoute(app, ctx, manageImport, async ({ program, actor }, request) => {
    const body = bodyOf(manageImport, request);
    const asked = {
      source: body.source,
      rows: body.rows,
      payApproved: body.pay_approved,
      dryRun: body.dry_run,
    } satisfies Complete<typeof body>;
    return { data: { ...(await importRows(ctx, program, asked, actor)), dry_run: asked.dryRun } };
  });

  const detailsOf = async (programId: number, importId: number): Promise<ImportDetails> => {
    const found = await findImport(ctx.db, programId, importId);
    if (!found) throw errors.notFound();
    const kept = await listKept(ctx.db, importId);
    return { ...toImportRow(found), removed: countsOf(found, ({ removed }) => removed), kept };
  };

  addProgramRoute(app, ctx, manageImportDetails, async ({ program }, request) => ({
    data: await detailsOf(program.id, idParam(request, 'import_id')),
  }));

  addProgramRoute(app, ctx, manageUndoImport, async ({ program, actor }, request) => {
    const importId = idParam(request, 'import_id');
    await undoImport(ctx, program, importId, actor);
    return { data: await detailsOf(program.id, importId) };
  });

  addProgramRoute(app, ctx, manageOpeningBalances, async ({ program, partnerId }, request) => {
    const { limit, cursor, partner_id: asked } = queryOf(manageOpeningBalances, request);
    const scope = { programId: program.id, partnerId: partnerId ?? asked ?? null };
    const found = await listOpeningBalances(ctx.db, scope, { before: idOfCursor(cursor), limit: limit + 1 });
    return pageOf(found, limit, (balance) => ({
      source: balance.source,
      partner_id: balance.partnerId,
      currency: balance.currency,
      pending_cents: balance.pendingCents,
      approved_cents: balance.approvedCents,
      paid_cents: balance.paidCents,
      commission_id: balance.commissionId,
      created_at: balance.createdAt.toISOString(),
    }));
  });
}

function pageOf<Found extends { id: number }, Row>(found: Found[], limit: number, rowOf: (found: Found) => Row) {
  const rows = found.slice(0, limit);
  const next_cursor = found.length > limit ? encodeCursor([(rows.at(-1) as Found).id]) : null;
  return { data: rows.map(rowOf), meta: { next_cursor, limit } };
}
