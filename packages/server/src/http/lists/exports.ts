import { Readable } from 'node:stream';
import { type Cell, CSV_START, csvColumns, csvLine, type FileFormat, type RouteDefinition } from '@svc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Selection } from '../../db/lists/list-query.ts';
import { type Listed, type ListSource, listSorted, type Position } from '../../db/lists/sorted-list.ts';
import { withoutReplica } from '../../db/report-reader.ts';
import { queryOf } from '../body.ts';
import { addProgramRoute, type ProgramAccess } from '../callers/program-access.ts';
import { sayBehind } from '../read-report.ts';
import type { ServiceContext } from '../service-context.ts';
import { XLSX_TYPE, xlsxParts } from './xlsx.ts';
import { zipOf } from './zip.ts';

const BATCH = 500;

type FileRoute = RouteDefinition & { replyType: 'text/csv'; query: z.ZodType<{ format: FileFormat }> };
/** A list as a file: its name without the day, and where the rows come from. Every field of a row is a column. */
type ListFile<Row> = { name: string; source: ListSource<Row, 'created_at', string>; format: FileFormat };

/** `source` may depend on who asks, and `mask` hides what a partner may not see. */
type ExportedFile<Row> = Pick<ListFile<Row>, 'name'> & {
  /** Whether the file is about what is owed or paid, and has to be current. */
  isOfMoney?: true;
  source: ListFile<Row>['source'] | ((access: ProgramAccess) => ListFile<Row>['source']);
  mask?: (access: ProgramAccess, rows: Row[]) => Row[];
};

/** Serves all rows of a list about one program as a file. */
export function addExport<Row extends object>(
  app: FastifyInstance,
  ctx: ServiceContext,
  route: FileRoute,
  { name, source, mask, isOfMoney }: ExportedFile<Row>,
  selectionFor: (access: ProgramAccess, request: FastifyRequest) => Selection,
): void {
  const reports = isOfMoney ? withoutReplica(ctx.db) : ctx.reports;
  addProgramRoute(app, ctx, route, (access, request, reply) => {
    const file = {
      name: `${access.program.slug}-${name}`,
      source: typeof source === 'function' ? source(access) : source,
      format: queryOf(route, request).format,
    };
    const shown = mask && ((rows: Row[]) => mask(access, rows));
    return sendFile({ ...ctx, reports }, reply, file, selectionFor(access, request), shown);
  });
}

/** Sends all rows as a file to be saved: newest first, whatever the order of the list on the screen. */
export async function sendFile<Row extends object>(
  { reports, now }: Pick<ServiceContext, 'reports' | 'now'>,
  reply: FastifyReply,
  { name, source, format }: ListFile<Row>,
  selection: Selection,
  shown: (rows: Row[]) => Row[] = (rows) => rows,
): Promise<Readable> {
  const sort = { by: 'created_at', isDescending: true } as const;
  const read = (after: Position | null) =>
    reports.read((db) => listSorted(db, source, selection, { sort, after, limit: BATCH }));
  const next = async (after: Position | null) => (await read(after)).result;
  // The first rows are read before anything is sent, so that a failure can still become an error response.
  const first = sayBehind(reply, await read(null));
  const columns = csvColumns(source.fields);
  const titles = columns.map(({ title }) => title);
  const batches = cellsOf(first, next, (rows) => shown(rows).map((row) => columns.map(({ cell }) => cell(row))));
  reply.header('Content-Type', format === 'xlsx' ? XLSX_TYPE : 'text/csv; charset=utf-8');
  reply.header('Content-Disposition', `attachment; filename="${name}-${now().toISOString().slice(0, 10)}.${format}"`);
  reply.header('Cache-Control', 'no-store');
  return Readable.from(format === 'xlsx' ? zipOf(xlsxParts(titles, batches)) : csvOf(titles, batches));
}

/** The cells of all rows, in batches. The next rows are read once the previous ones are consumed. */
async function* cellsOf<Row>(
  first: Listed<Row>[],
  next: (after: Position | null) => Promise<Listed<Row>[]>,
  cells: (rows: Row[]) => Cell[][],
): AsyncGenerator<Cell[][]> {
  for (
    let batch = first;
    batch.length > 0;
    batch = batch.length < BATCH ? [] : await next(batch.at(-1)?.position ?? null)
  ) {
    yield cells(batch.map(({ row }) => row));
  }
}

async function* csvOf(titles: string[], batches: AsyncIterable<Cell[][]>): AsyncGenerator<string> {
  yield CSV_START + csvLine(titles);
  for await (const rows of batches) yield rows.map(csvLine).join('');
}
