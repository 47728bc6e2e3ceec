import { manageExportSales, manageSale, manageSaleByTransactionId, manageSales } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import type { Selection } from '../../db/lists/list-query.ts';
import { findRows, findTotals, withId } from '../../db/lists/sorted-list.ts';
import { SALES, selectSales } from '../../sales/sale-list-store.ts';
import { queryOf } from '../body.ts';
import { addProgramRoute, type ProgramAccess } from '../callers/program-access.ts';
import { idParam, textParam } from '../id-param.ts';
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
    return { data: maskKeys(access, data), meta: { ...meta, ...all } };
  });

  const saleReply = async (access: ProgramAccess, selection: Selection) =>
    rowReply(maskKeys(access, await findRows(ctx.db, SALES, selection, 1)));

  addProgramRoute(app, ctx, manageSale, (access, request) =>
    saleReply(access, withId(SALES, selectionFor(access, {}), idParam(request, 'sale_id'))),
  );

  addProgramRoute(app, ctx, manageSaleByTransactionId, (access, request) =>
    saleReply(access, selectionFor(access, { transaction_id: textParam(request, 'transaction_id') })),
  );

  addExport(app, ctx, manageExportSales, { name: 'sales', source: SALES, mask: maskKeys }, (access, request) =>
    selectionFor(access, queryOf(manageExportSales, request)),
  );
}
