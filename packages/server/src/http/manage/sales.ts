import { manageExportSales, manageSales } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { findTotals } from '../../db/lists/sorted-list.ts';
import { SALES, selectSales } from '../../sales/sale-list-store.ts';
import { queryOf } from '../body.ts';
import { addProgramRoute, type ProgramAccess } from '../callers/program-access.ts';
import { addExport } from '../lists/exports.ts';
import { type QueryOf, scopeOf, searchByKey } from '../lists/list-filters.ts';
import { maskKeys } from '../lists/mask-keys.ts';
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

  addExport(app, ctx, manageExportSales, { name: 'sales', source: SALES, mask: maskKeys }, (access, request) =>
    selectionFor(access, queryOf(manageExportSales, request)),
  );
}
