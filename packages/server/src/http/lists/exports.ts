import { Readable } from 'node:stream';
import { CSV_START, csvColumns, csvLine, type RouteDefinition } from '@svc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Selection } from '../../db/lists/list-query.ts';
import { type Listed, type ListSource, listSorted, type Position } from '../../db/lists/sorted-list.ts';
import { withoutReplica } from '../../db/report-reader.ts';
import { addProgramRoute, type ProgramAccess } from '../callers/program-access.ts';
import { sayBehind } from '../read-report.ts';
import type { ServiceContext } from '../service-context.ts';

const BATCH = 500;

type CsvRoute = RouteDefinition & { replyType: 'text/csv' };
/** A list as a file: its name without the day, and where the rows come from. Every field of a row is a column. */
type CsvFile<Row> = { name: string; source: ListSource<Row, 'created_at', string> };

/** `source` may depend on who asks, and `mask` hides what a partner may not see. */
type ExportedFile<Row> = Pick<CsvFile<Row>, 'name'> & {
  /** Whether the file is about what is owed or paid, and has to be current. */
  isOfMoney?: true;
  source: CsvFile<Row>['source'] | ((access: ProgramAccess) => CsvFile<Row>['source']);
  mask?: (access: ProgramAccess, rows: Row[]) => Row[];
};

/** Serves all rows of a list about one program as a CSV file. */
export function addExport<Row extends object>(
  app: FastifyInstance,
  ctx: ServiceContext,
  route: CsvRoute,
  { name, source, mask, isOfMoney }: ExportedFile<Row>,
  selectionFor: (access: ProgramAccess, request: FastifyRequest) => Selection,
): void {
  const reports = isOfMoney ? withoutReplica(ctx.db) : ctx.reports;
  addProgramRoute(app, ctx, route, (access, request, reply) => {
    const file = {
      name: `${access.program.slug}-${name}`,
      source: typeof source === 'function' ? source(access) : source,
    };
    const shown = mask && ((rows: Row[]) => mask(access, rows));
    return sendCsv({ ...ctx, reports }, reply, file, selectionFor(access, request), shown);
  });
}

/** Sends all rows as a CSV file to be saved: newest first, whatever the order of the list on the screen. */
export async function sendCsv<Row extends object>(
  { reports, now }: Pick<ServiceContext, 'reports' | 'now'>,
  reply: FastifyReply,
  { name, source }: CsvFile<Row>,
  selection: Selection,
  shown: (rows: Row[]) => Row[] = (rows) => rows,
): Promise<Readable> {
  const sort = { by: 'created_at', isDescending: true } as const;
  const read = (after: Position | null) =>
    reports.read((db) => listSorted(db, source, selection, { sort, after, limit: BATCH }));
  const next = async (after: Position | null) => (await read(after)).result;
  // The first rows are read before anything is sent, so that a failure can still become an error response.
  const first = sayBehind(reply, await read(null));
  reply.header('Content-Type', 'text/csv; charset=utf-8');
  reply.header('Content-Disposition', `attachment; filename="${name}-${now().toISOString().slice(0, 10)}.csv"`);
  reply.header('Cache-Control', 'no-store');
  return Readable.from(csvOf(source.fields, shown, first, next));
}

/** The lines of the file, in batches. The next rows are read once the previous ones are consumed. */
async function* csvOf<Row extends object>(
  fields: string[],
  shown: (rows: Row[]) => Row[],
  first: Listed<Row>[],
  next: (after: Position | null) => Promise<Listed<Row>[]>,
) {
  const columns = csvColumns(fields);
  yield CSV_START + csvLine(columns.map(({ title }) => title));
  for (
    let batch = first;
    batch.length > 0;
    batch = batch.length < BATCH ? [] : await next(batch.at(-1)?.position ?? null)
  ) {
    yield shown(batch.map(({ row }) => row))
      .map((row) => csvLine(columns.map(({ cell }) => cell(row))))
      .join('');
  }
}
