import { manageProgram, manageUpdateProgram, type ReplyOf } from '@svc/contract';
import { CANCELLED, FAILED, Failure, wrongUsage } from '../failure.ts';
import type { Access } from '../import/access.ts';
import { type Assembled, assemble } from '../import/assemble.ts';
import { readMapping } from '../import/csv-source.ts';
import { type Reuse, readSource, type Source, type SourceOptions } from '../import/read-source.ts';
import { countsOf, type Report, reportLines, resultLines, several } from '../import/report.ts';
import { type Sent, sendRows } from '../import/send-rows.ts';
import type { SourceName } from '../import/sources.ts';
import { undoImport } from '../import/undo-import.ts';
import { type Verified, verifyAddresses } from '../import/verify.ts';
import { accountToken, programOf, type Session } from '../session.ts';

export type ImportOptions = SourceOptions & {
  program?: string;
  dryRun?: boolean;
  apply?: boolean;
  verify?: boolean;
  undo?: boolean;
  payApproved?: boolean;
  setLinkParameters?: boolean;
};

const DONE = 0;
const MODES = ['dryRun', 'apply', 'verify', 'undo'] as const;
type Mode = (typeof MODES)[number];

type Program = ReplyOf<typeof manageProgram>['data'];
type Import = Access & { session: Session; program: Program };

/** Imports partners from another tool: shows what would happen, does it, checks it, or takes it back. */
export async function importFrom(session: Session, name: SourceName, options: ImportOptions): Promise<number> {
  const mode = modeOf(options);
  const signal = session.untilInterrupted();
  try {
    const [params, token] = [programOf(session, options), await accountToken(session)];
    const { data: program } = await session.api.call(manageProgram, { params, token, signal });
    const work = { session, program, params, token, signal };
    if (mode === 'undo') return await undoImport(session, work, await sourceOf(session, name, options));
    const read = (reuse: Reuse) => prepare(work, name, options, reuse);
    if (mode === 'verify') return await verify(work, await read('any'));
    if (mode === 'apply') return await apply(work, await read('recent'), options);
    return await dryRun(work, await read('none'));
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Failure('Stopped. Run the same command again: it goes on where it stopped, and sends nothing twice.', {
      exitCode: CANCELLED,
    });
  }
}

function modeOf(options: ImportOptions): Mode {
  const named = MODES.filter((mode) => options[mode]);
  if (named.length > 1) throw wrongUsage('Pass only one of --dry-run, --apply, --verify and --undo.');
  const mode = named[0] ?? 'dryRun';
  if (mode !== 'apply' && (options.payApproved || options.setLinkParameters)) {
    throw wrongUsage('--pay-approved and --set-link-parameters need --apply.');
  }
  return mode;
}

type Prepared = { source: Source; assembled: Assembled };

async function prepare(
  { session, program, signal }: Import,
  name: SourceName,
  options: ImportOptions,
  reuse: Reuse,
): Promise<Prepared> {
  const currency = (options.currency ?? program.currency).toUpperCase();
  const source = await readSource(session, name, { ...options, currency }, reuse, signal);
  return { source, assembled: assemble(source.reading, program.domain) };
}

/** Sends the rows; nothing changes in a dry run. */
function send(
  work: Import,
  { source, assembled }: Prepared,
  how: { dryRun: boolean; payApproved?: boolean },
): Promise<Sent> {
  const { session, params, token, signal } = work;
  const { out } = session;
  let done = 0;
  const onBatch = (rows: number) => {
    done += rows;
    out.note(`${how.dryRun ? 'Checked' : 'Sent'} ${done} of ${several(assembled.rows.length, 'row')}`);
  };
  const what = how.dryRun ? 'Checking what would happen' : 'Importing';
  const sending = { params, token, signal, source: source.source, onBatch, ...how };
  return out.withSpinner(what, () => sendRows(session, assembled.rows, sending));
}

function reportOf(
  { source, title, readAt, notTakenOver }: Source,
  assembled: Assembled,
  sent: Sent,
  program: Program,
): Report {
  const { outcomes, refused, aliases } = sent;
  const missing = missingParameters(assembled, program);
  return {
    source,
    title,
    read_at: readAt,
    ...countsOf(assembled),
    not_taken_over: notTakenOver,
    missing_parameters: missing,
    outcomes,
    refused,
    aliases,
  };
}

const missingParameters = ({ rows }: Assembled, { link_parameters: known }: Program) =>
  [...new Set(rows.flatMap(({ links }) => links.map(({ parameter }) => parameter)))].filter(
    (name) => name !== 'aff' && !known.includes(name),
  );

async function dryRun(work: Import, prepared: Prepared): Promise<number> {
  const { session, program } = work;
  const report = await preview(work, prepared);
  session.out.result({ dry_run: true, program_id: program.id, ...report }, [
    ...reportLines(report),
    ...parameterLines(report.missing_parameters, program),
    '',
    'Nothing was changed. To import it, run the same command with --apply.',
  ]);
  return DONE;
}

async function preview(work: Import, prepared: Prepared): Promise<Report> {
  const sent = await send(work, prepared, { dryRun: true });
  return reportOf(prepared.source, prepared.assembled, sent, work.program);
}

async function apply(work: Import, prepared: Prepared, options: ImportOptions): Promise<number> {
  const { session, program, params, token, signal } = work;
  const { out } = session;
  const before = await preview(work, prepared);
  for (const line of reportLines(before)) out.note(line);
  if (prepared.assembled.rows.length === 0) throw new Failure('There is nothing to import.');
  const payApproved = options.payApproved ?? false;
  await confirm(session, before, payApproved);
  const sent = await send(work, prepared, { dryRun: false, payApproved });
  const missing = before.missing_parameters;
  if (options.setLinkParameters && missing.length > 0) {
    const body = { link_parameters: [...program.link_parameters, ...missing] };
    await session.api.call(manageUpdateProgram, { params, token, signal, body });
  }
  const left = options.setLinkParameters ? [] : missing;
  const report = { ...reportOf(prepared.source, prepared.assembled, sent, program), missing_parameters: left };
  out.result({ dry_run: false, program_id: program.id, import_id: sent.import?.id ?? null, ...report }, [
    ...resultLines(report),
    ...parameterLines(left, program),
    '',
    `Done${sent.import ? `: import ${sent.import.id}` : ''}. Nobody was mailed.`,
    'To check every old address, run it with --verify. To take it back, with --undo.',
  ]);
  return sent.refused.length > 0 ? FAILED : DONE;
}

function parameterLines(missing: string[], { link_parameters: known }: Program): string[] {
  if (missing.length === 0) return [];
  const all = [...known, ...missing].join(', ');
  return [
    '',
    `The program does not read ${missing.map((name) => `?${name}=`).join(' and ')} yet. Add --set-link-parameters to --apply, or set them`,
    `under Settings, Tracking (${all}). The pages need the tracker of the program then: see docs/moving-in.md.`,
  ];
}

async function confirm(
  { flags, prompts, out }: Session,
  { partners, totals }: Report,
  payApproved: boolean,
): Promise<void> {
  if (payApproved) {
    out.warn('--pay-approved makes the approved amounts payable here, once for each partner and currency.');
    out.warn('Do not pay them in the other tool as well. Pending and paid amounts are only shown.');
  }
  if (flags.yes) return;
  const approved = totals.filter(({ approved_cents: cents }) => cents > 0).map(({ currency }) => currency);
  const paying =
    payApproved && approved.length > 0 ? `, and make what is approved in ${approved.join(', ')} payable` : '';
  const picked = await prompts.choose('--yes', `Import ${several(partners, 'partner')}${paying}?`, [
    { value: 'yes', label: 'Import' },
    { value: 'no', label: 'Cancel' },
  ]);
  if (picked === 'no') throw new Failure('Cancelled. Nothing was changed.', { exitCode: CANCELLED });
}

async function verify(work: Import, prepared: Prepared): Promise<number> {
  const { session, program, params, token, signal } = work;
  const { codes } = await send(work, prepared, { dryRun: true });
  const count = prepared.assembled.addresses.length;
  const verified = await session.out.withSpinner('Opening the old addresses', () =>
    verifyAddresses(session, prepared.assembled, codes, program, { params, token, signal }, (done) => {
      if (done % 50 === 0 || done === count) session.out.note(`Opened ${done} of ${several(count, 'link')}`);
    }),
  );
  const wrong = verified.filter(({ problem }) => problem !== null);
  const lines = (wrong.length > 0 ? wrong : verified.slice(0, 10)).map(lineOf);
  session.out.result(
    { program_id: program.id, verified: verified.length - wrong.length, wrong: wrong.length, addresses: verified },
    [
      `${verified.length - wrong.length} of ${several(verified.length, 'old code')} credit the right partner.`,
      ...lines,
      ...(wrong.length === 0 && verified.length > lines.length ? [`and ${verified.length - lines.length} more`] : []),
    ],
  );
  return wrong.length > 0 ? FAILED : DONE;
}

const lineOf = ({ address, expected, problem }: Verified) =>
  problem === null ? `  ${address} credits ${expected}` : `  ${address} should credit ${expected}: ${problem}`;

/** What the service knows the source by. */
async function sourceOf({ cwd }: Session, name: SourceName, { mapping }: ImportOptions): Promise<string> {
  return name === 'csv' && mapping ? (await readMapping(cwd, mapping)).source : name;
}
