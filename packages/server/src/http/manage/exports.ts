import { Readable } from 'node:stream';
import {
  manageCommissions,
  manageCustomers,
  manageExportCommissions,
  manageExportCustomers,
  manageExportPayouts,
  manageExportSales,
  managePayouts,
  manageSales,
  type ReplyRow,
  type RouteDefinition,
} from '@svc/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { listPayouts } from '../../payouts/payout-store.ts';
import { listCommissions } from '../../reporting/commission-list-store.ts';
import { type Cell, csvLine } from '../../reporting/csv.ts';
import type { LastRow } from '../../reporting/cursor.ts';
import { listCustomers } from '../../reporting/customer-list-store.ts';
import { listSales } from '../../reporting/sale-list-store.ts';
import { queryOf } from '../body.ts';
import { addProgramRoute, type ProgramAccess } from '../callers/program-access.ts';
import type { ServiceContext } from '../service-context.ts';
import { toCommissionReply } from './commissions.ts';
import { toCustomerReply } from './customers.ts';
import { commissionFilter, customerFilter, payoutFilter, saleFilter } from './list-filters.ts';
import { maskKeys } from './mask-keys.ts';
import { toPayoutReply } from './payouts.ts';
import { toSaleReply } from './sales.ts';

const BATCH = 500;

type CsvRoute = RouteDefinition & { replyType: 'text/csv' };
/** A list route; the fields of its rows are the columns of the file. */
type ListRoute = RouteDefinition & { reply: z.ZodObject<{ data: z.ZodArray<z.ZodObject> }> };
type Cells = Record<string, Cell>;
type NextRows<Row> = (last: Row | undefined) => Promise<Row[]>;

export function addManageExportRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addExport(manageExportSales, 'sales', manageSales, toSaleReply, (access, request) => {
    const filter = saleFilter(access, queryOf(manageExportSales, request));
    return async (last) => {
      const page = { ...filter, before: lastRowOf(last), limit: BATCH };
      return maskKeys(access, await listSales(ctx.db, access.program.id, page));
    };
  });

  addExport(manageExportCommissions, 'commissions', manageCommissions, toCommissionReply, (access, request) => {
    const filter = commissionFilter(access, queryOf(manageExportCommissions, request));
    return (last) => listCommissions(ctx.db, access.program.id, { ...filter, before: lastRowOf(last), limit: BATCH });
  });

  addExport(manageExportCustomers, 'customers', manageCustomers, toCustomerReply, (access, request) => {
    const filter = customerFilter(access, queryOf(manageExportCustomers, request), ctx.emailSecret);
    return async (last) => {
      const page = { ...filter, before: lastRowOf(last), limit: BATCH };
      return maskKeys(access, await listCustomers(ctx.db, access.program.id, page));
    };
  });

  addExport(manageExportPayouts, 'payouts', managePayouts, toPayoutReply, (access, request) => {
    const filter = payoutFilter(access, queryOf(manageExportPayouts, request));
    return (last) => listPayouts(ctx.db, access.program.id, { ...filter, beforeId: last?.id ?? null, limit: BATCH });
  });

  function addExport<List extends ListRoute, Row>(
    route: CsvRoute,
    name: string,
    list: List,
    toReply: (row: Row) => ReplyRow<List> & Cells,
    rowsFor: (access: ProgramAccess, request: FastifyRequest) => NextRows<Row>,
  ): void {
    addProgramRoute(app, ctx, route, async (access, request, reply) => {
      const next = rowsFor(access, request);
      // The first rows are read before anything is sent, so that a failure can still become an error response.
      const first = await next(undefined);
      const day = ctx.now().toISOString().slice(0, 10);
      reply.header('Content-Type', 'text/csv; charset=utf-8');
      reply.header('Content-Disposition', `attachment; filename="${access.program.slug}-${name}-${day}.csv"`);
      reply.header('Cache-Control', 'no-store');
      return Readable.from(csvOf(Object.keys(list.reply.shape.data.element.shape), toReply, first, next));
    });
  }
}

/** The lines of the file, in batches. The next rows are read once the previous ones are consumed. */
async function* csvOf<Row>(columns: string[], toCells: (row: Row) => Cells, first: Row[], next: NextRows<Row>) {
  yield csvLine(columns);
  for (let rows = first; rows.length > 0; rows = rows.length < BATCH ? [] : await next(rows.at(-1))) {
    yield rows
      .map(toCells)
      .map((cells) => csvLine(columns.map((column) => cells[column] ?? null)))
      .join('');
  }
}

function lastRowOf(last: { createdAt: Date; id: number } | undefined): LastRow | null {
  return last ? { at: last.createdAt, id: last.id } : null;
}
