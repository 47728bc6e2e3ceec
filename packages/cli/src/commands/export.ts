import { resolve } from 'node:path';
import { MAX_LIST, type manageCoupons, manageProgram } from '@svc/contract';
import { ExportFolder } from '../export/export-folder.ts';
import { EXPORTED, EXPORTED_NAMES, type ExportedName } from '../export/lists.ts';
import { CANCELLED, Failure } from '../failure.ts';
import type { Access } from '../import/access.ts';
import { table } from '../output.ts';
import { accountToken, programOf, type Session } from '../session.ts';

export type ExportOptions = { to: string; force?: boolean; program?: string };

/** Writes everything about a program to files, page by page. Started again, it goes on where it stopped. */
export async function exportAll(session: Session, options: ExportOptions): Promise<void> {
  const { api, out, cwd } = session;
  const signal = session.untilInterrupted();
  const access = { params: programOf(session, options), token: await accountToken(session), signal };
  try {
    const { data: program } = await api.call(manageProgram, access);
    const subject = { service: api.apiUrl, program_id: program.id, program: program.name };
    const folder = await ExportFolder.open(resolve(cwd, options.to), subject, options.force ?? false, new Date());
    const isResumed = Object.keys(folder.manifest.lists).length > 0;
    if (isResumed) out.note(`Going on with the export of ${folder.manifest.started_at}.`);
    await out.withSpinner(`Exporting ${program.name}`, async () => {
      for (const name of EXPORTED_NAMES) await exportList(session, folder, name, access);
    });
    await folder.complete(new Date());
    const rows = EXPORTED_NAMES.map((name) => [
      `${name}.csv, ${name}.json`,
      String(folder.manifest.lists[name]?.rows ?? 0),
    ]);
    out.result(folder.manifest, [`Wrote ${folder.path}:`, ...table(rows).map((line) => `  ${line}`)]);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Failure('Stopped. Run the same command again: it goes on where it stopped.', { exitCode: CANCELLED });
  }
}

async function exportList(
  { api, out }: Session,
  folder: ExportFolder,
  name: ExportedName,
  access: Access,
): Promise<void> {
  const { route, queries } = EXPORTED[name];
  let progress = await folder.begin(name);
  while (!progress.complete) {
    const asked = queries[progress.query];
    const query = { limit: MAX_LIST, ...asked, ...(progress.cursor && { cursor: progress.cursor }) };
    // Every list takes these, and has pages of this shape.
    const { data, meta } = await api.call(route as typeof manageCoupons, { ...access, query });
    const isLast = meta.next_cursor === null;
    const next = {
      query: isLast ? progress.query + 1 : progress.query,
      cursor: meta.next_cursor,
      complete: isLast && progress.query + 1 === queries.length,
    };
    progress = await folder.add(name, progress, data, next);
    out.note(`${name}: ${progress.rows}`);
  }
}
