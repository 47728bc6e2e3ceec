import { manageExportSales, manageSale, manageSaleByTransactionId, manageSales } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import type { Selection } from '../../db/lists/list-query.ts';
import { findRows, findTotals, withId } from '../../db/lists/sorted-list.ts';
import { SALES, selectSales } from '../../sales/sale-list-store.ts';
import { queryOf } from '../body.ts';
import { addProgramRoute, type ProgramAccess } from '../callers/program-access.ts';
import { idParam, textParam } from '../id-param.ts';
import { expandRows } from '../lists/expand-rows.ts';
import { addExport } from '../lists/exports.ts';
import { type QueryOf, scopeOf, searchByKey } from '../lists/list-filters.ts';
import { maskKeys } from '../lists/mask-keys.ts';
import { rowReply } from '../lists/row-reply.ts';
import { sortedPage } from '../lists/sorted-page.ts';
import { readReport } from '../read-report.ts';
import type { ServiceContext } from '../service-context.ts';

export function addManageSaleRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  const selectionFor = (access: ProgramAccess, { q, ...filter }: QueryOf<typeof manageSales>) => {
    const search = q === undefined ? undefined : searchByKey(access.role, q, ctx.emailSecret);
    // Partners could test whether a person bought something.
    const withoutEmailKeys = access.role === 'partner' && filter.customer_key !== undefined;
    return selectSales(scopeOf(access, filter), { ...filter, search, withoutEmailKeys });
  };

  addProgramRoute(app, ctx, manageSales, async (access, request, reply) => {
    const query = queryOf(manageSales, request);
    const selection = selectionFor(access, query);
    const { data, meta } = await sortedPage(ctx.db, SALES, selection, query);
    const all = query.totals && (await readReport(ctx, reply, ({ db }) => findTotals(db, SALES, selection)));
    return { data: await expandRows(ctx, access, maskKeys(access, data), query.expand), meta: { ...meta, ...all } };
  });

  const saleReply = async (
    access: ProgramAccess,
    selection: Selection,
    { expand }: z.infer<typeof manageSale.query>,
  ) => {
    const sales = maskKeys(access, await findRows(ctx.db, SALES, selection, 1));
    return rowReply(await expandRows(ctx, access, sales, expand));
  };

  addProgramRoute(app, ctx, manageSale, (access, request) => {
    const selection = withId(SALES, selectionFor(access, {}), idParam(request, 'sale_id'));
    return saleReply(access, selection, queryOf(manageSale, request));
  });

  addProgramRoute(app, ctx, manageSaleByTransactionId, (access, request) => {
    const selection = selectionFor(access, { transaction_id: textParam(request, 'transaction_id') });
    return saleReply(access, selection, queryOf(manageSaleByTransactionId, request));
  });

  addExport(app, ctx, manageExportSales, { name: 'sales', source: SALES, mask: maskKeys }, (access, request) =>
    selectionFor(access, queryOf(manageExportSales, request)),
  );
}
