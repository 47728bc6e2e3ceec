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
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { PageOf, Position, Positioned } from '../../../db/sorted-list.ts';
import { listPayouts } from '../../../payouts/payout-store.ts';
import { listCommissions } from '../../../reporting/lists/commission-list-store.ts';
import { csvLine } from '../../../reporting/lists/csv.ts';
import { type CsvColumn, csvColumns, type ListedFields } from '../../../reporting/lists/csv-columns.ts';
import { listCustomers } from '../../../reporting/lists/customer-list-store.ts';
import { listSales } from '../../../reporting/lists/sale-list-store.ts';
import { queryOf } from '../../body.ts';
import { addProgramRoute, type ProgramAccess } from '../../callers/program-access.ts';
import type { ServiceContext } from '../../service-context.ts';
import { toCommissionReply } from './commissions.ts';
import { toCustomerReply } from './customers.ts';
import { commissionFilter, customerFilter, payoutFilter, saleFilter } from './list-filters.ts';
import { maskKeys, maskPaidRows } from './mask-keys.ts';
import { toPayoutReply } from './payouts.ts';
import { toSaleReply } from './sales.ts';

const BATCH = 500;

type CsvRoute = RouteDefinition & { replyType: 'text/csv' };
/** A list route; the fields of its rows are the columns of the file. */
type ListRoute = RouteDefinition & { reply: z.ZodObject<{ data: z.ZodArray<z.ZodObject> }> };
type NextRows<Row> = (after: Position | null) => Promise<Positioned<Row>[]>;

/** The rows of a file are newest first, whatever the order of the list on the screen. */
export const pageAfter = (after: Position | null): PageOf<'created_at'> => ({
  sort: { by: 'created_at', isDescending: true },
  after,
  limit: BATCH,
});

export function addManageExportRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addExport(manageExportSales, 'sales', manageSales, toSaleReply, (access, request) => {
    const filter = saleFilter(access, queryOf(manageExportSales, request), ctx.emailSecret);
    return async (after) => maskKeys(access, await listSales(ctx.db, access.program.id, filter, pageAfter(after)));
  });

  addExport(manageExportCommissions, 'commissions', manageCommissions, toCommissionReply, (access, request) => {
    const filter = commissionFilter(access, queryOf(manageExportCommissions, request), ctx.emailSecret);
    return async (after) =>
      maskPaidRows(access, await listCommissions(ctx.db, access.program.id, filter, pageAfter(after)));
  });

  addExport(manageExportCustomers, 'customers', manageCustomers, toCustomerReply, (access, request) => {
    const filter = customerFilter(access, queryOf(manageExportCustomers, request), ctx.emailSecret);
    return async (after) => maskKeys(access, await listCustomers(ctx.db, access.program.id, filter, pageAfter(after)));
  });

  addExport(manageExportPayouts, 'payouts', managePayouts, toPayoutReply, (access, request) => {
    const filter = payoutFilter(access, queryOf(manageExportPayouts, request));
    return (after) => listPayouts(ctx.db, access.program.id, filter, pageAfter(after));
  });

  function addExport<List extends ListRoute, Row>(
    route: CsvRoute,
    name: string,
    list: List,
    toReply: (row: Row) => ReplyRow<List> & ListedFields,
    rowsFor: (access: ProgramAccess, request: FastifyRequest) => NextRows<Row>,
  ): void {
    const columns = Object.keys(list.reply.shape.data.element.shape);
    addProgramRoute(app, ctx, route, (access, request, reply) => {
      const file = { name: `${access.program.slug}-${name}`, columns, toFields: toReply };
      return sendCsv(ctx, reply, file, rowsFor(access, request));
    });
  }
}

/** A file: its name without the day, its columns, and the fields of a row. */
export type CsvFile<Row> = { name: string; columns: string[]; toFields: (row: Row) => ListedFields };

/** Sends all rows as a CSV file to be saved. */
export async function sendCsv<Row>(
  { now }: Pick<ServiceContext, 'now'>,
  reply: FastifyReply,
  { name, columns, toFields }: CsvFile<Row>,
  next: NextRows<Row>,
): Promise<Readable> {
  // The first rows are read before anything is sent, so that a failure can still become an error response.
  const first = await next(null);
  reply.header('Content-Type', 'text/csv; charset=utf-8');
  reply.header('Content-Disposition', `attachment; filename="${name}-${now().toISOString().slice(0, 10)}.csv"`);
  reply.header('Cache-Control', 'no-store');
  return Readable.from(csvOf(csvColumns(columns), toFields, first, next));
}

/** The lines of the file, in batches. The next rows are read once the previous ones are consumed. */
async function* csvOf<Row>(
  columns: CsvColumn[],
  toFields: (row: Row) => ListedFields,
  first: Positioned<Row>[],
  next: NextRows<Row>,
) {
  yield csvLine(columns.map(({ title }) => title));
  for (let rows = first; rows.length > 0; rows = rows.length < BATCH ? [] : await next(rows.at(-1)?.position ?? null)) {
    yield rows
      .map(toFields)
      .map((fields) => csvLine(columns.map(({ cell }) => cell(fields))))
      .join('');
  }
}
