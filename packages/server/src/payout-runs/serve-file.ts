import { errors, PAYOUT_FILE_NAMES, type PayoutFileName } from '@svc/contract';
import type { Actor } from '../audit/audit-store.ts';
import type { FilesContext } from './approve-run.ts';
import { openFile } from './make-run-files.ts';
import { listFileContents, listPayoutFiles } from './payout-file-store.ts';
import { auditRun, type PaidProgram } from './run-audit.ts';
import { lockRun } from './run-store.ts';

export type AskedFile = { name: string; currency?: string | undefined; part?: number | undefined };
export type ServedFile = { name: PayoutFileName; fileName: string; bytes: Buffer };

/**
 * A file of a run as it was made when it was approved: the same bytes every time, until the run is cancelled. Who takes it is in
 * the audit log, before anybody can cancel the run.
 */
export function serveFile(
  ctx: FilesContext,
  program: PaidProgram & { slug: string },
  runId: number,
  asked: AskedFile,
  actor: Actor,
): Promise<ServedFile> {
  return ctx.db.transaction(async (tx) => {
    const name = PAYOUT_FILE_NAMES.find((known) => known === asked.name);
    const run = await lockRun(tx, program.id, runId);
    if (!run || !name) throw errors.notFound();
    // Otherwise it could be uploaded after another run has paid the same.
    if (run.status === 'cancelled') throw errors.filesOfCancelledRun(run.number);
    const files = await listPayoutFiles(tx, runId);
    if (files.length === 0) throw errors.runHasNoFiles(run.number, run.status);
    const contents = await listFileContents(tx, runId, name);
    const fitting = contents.filter(
      ({ currency, part }) => currency === (asked.currency ?? currency) && part === (asked.part ?? part),
    );
    const [file, ...more] = fitting;
    if (!file) throw errors.noSuchFile(name, [...new Set(files.map((each) => each.name))]);
    if (more.length > 0) throw errors.whichFile(name, fitting.map(choiceOf));
    const { currency, part } = file;
    const after = { file: name, currency, part };
    await auditRun(tx, ctx, program, run, { action: 'payout_run.file_downloaded', actor, after });
    const isOneOf = contents.filter((each) => each.currency === currency).length > 1;
    const marks = [
      program.slug,
      `run-${run.number}`,
      ...(currency ? [currency] : []),
      ...(isOneOf ? [`part-${part}`] : []),
    ];
    return { name, fileName: `${marks.join('-')}-${name}`, bytes: openFile(ctx.encryption, file.bytesSealed) };
  });
}

const choiceOf = ({ currency, part }: { currency: string | null; part: number }) =>
  currency ? `currency=${currency}&part=${part}` : `part=${part}`;
