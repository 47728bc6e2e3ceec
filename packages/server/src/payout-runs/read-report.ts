import { errors, type ReportRow as ReportReplyRow } from '@svc/contract';
import type { Actor } from '../audit/audit-store.ts';
import type { Transaction } from '../db/db.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import { checkSepa } from '../payout-files/check-sepa.ts';
import { payoutIdOf, readMessageId } from '../payout-files/payout-item.ts';
import { readPain002 } from '../payout-files/read-pain002.ts';
import { readPaypalReport } from '../payout-files/read-paypal-report.ts';
import type { ReportRow } from '../payout-files/report-row.ts';
import type { FilesContext } from './approve-run.ts';
import { openFile } from './make-run-files.ts';
import { listFileContents } from './payout-file-store.ts';
import { type JudgedRow, judgeReport } from './report.ts';
import { auditRun, type PaidProgram } from './run-audit.ts';
import { listOtherPayouts, listPayoutsOfRun } from './run-payout-store.ts';
import type { LockedRun } from './run-store.ts';
import { countsOf, lockSentRun, writeSettlements } from './settle-run.ts';

export type ReportFormat = 'pain002' | 'paypal';
export type ReadRow = ReportReplyRow;
export type ReadReport = { rows: ReadRow[]; problems: string[] };

/**
 * Reads what a bank or PayPal reports about a sent run and settles what it has decided. Reading the same report again changes
 * nothing, nor does a row about something else. A report about another run is refused.
 */
export function readReport(
  ctx: FilesContext,
  program: PaidProgram,
  runId: number,
  report: { format: ReportFormat; bytes: Uint8Array },
  actor: Actor,
): Promise<ReadReport> {
  const read =
    report.format === 'pain002' ? readPain002(report.bytes) : { ...readPaypalReport(report.bytes), others: null };
  return retryOnConflict(() =>
    ctx.db.transaction(async (tx) => {
      const { run, payouts } = await lockSentRun(tx, program.id, runId);
      const rows = 'originalMessageId' in read ? await rowsOfMessage(tx, ctx, run, read) : read.rows;
      const problems = firstOf(read.problems);
      if (rows.length === 0 && problems.length > 0) throw errors.reportUnreadable(problems.join(' '));
      const ids = rows.flatMap(({ endToEndId }) => payoutIdOf(endToEndId) ?? []);
      const others = await listOtherPayouts(tx, program.id, run.id, ids);
      const ofRun = new Map(payouts.map((payout) => [payout.id, payout]));
      const judged = judgeReport(rows, ofRun, new Set(others.map(({ id }) => id)));
      if (isOfOtherRun(judged)) throw errors.reportOfOtherRun(run.number);
      const settlements = judged.flatMap(({ settlement }) => settlement ?? []);
      if (settlements.length > 0) {
        await writeSettlements(tx, ctx, program, run, settlements);
        const after = { ...countsOf(settlements), format: report.format };
        await auditRun(tx, ctx, program, run, { action: 'payout_run.report_read', actor, after });
      }
      const now = new Map((await listPayoutsOfRun(tx, run.id)).map((payout) => [payout.id, payout]));
      const elsewhere = new Map(others.map((payout) => [payout.id, payout]));
      const replied = judged.map(({ row, payoutId, outcome }): ReadRow => {
        const payout = payoutId === null ? undefined : (now.get(payoutId) ?? elsewhere.get(payoutId));
        return {
          end_to_end_id: row.endToEndId.slice(0, 100),
          payout_id: payoutId,
          partner_name: payout?.partnerName ?? null,
          outcome,
          status: payout?.status ?? null,
          code: row.code,
          message: row.reason,
        };
      });
      return { rows: replied, problems };
    }),
  );
}

const MAX_PROBLEMS = 20;

/** Enough of the problems to see what is wrong. */
function firstOf(problems: string[]): string[] {
  const more = problems.length - MAX_PROBLEMS;
  if (more <= 0) return problems;
  return [
    ...problems.slice(0, MAX_PROBLEMS),
    `There ${more === 1 ? 'is 1 more problem' : `are ${more} more problems`}.`,
  ];
}

/** Whether nothing in the report is about this run, and something is about another one. */
function isOfOtherRun(judged: JudgedRow[]): boolean {
  const outcomes = judged.map(({ outcome }) => outcome);
  return (
    outcomes.includes('other_run') && outcomes.every((outcome) => outcome === 'other_run' || outcome === 'unknown')
  );
}

type BankReport = ReturnType<typeof readPain002>;

/** The rows of a bank's report, and what it says about the payments of its message that it does not list. */
async function rowsOfMessage(
  tx: Transaction,
  ctx: FilesContext,
  run: LockedRun,
  { originalMessageId, rows, others, unclear }: BankReport,
): Promise<ReportRow[]> {
  if (originalMessageId === null) return rows;
  const listed = await paymentsOfMessage(tx, ctx, run, originalMessageId);
  if (!listed) throw errors.reportOfOtherRun(run.number);
  if (!others) return rows;
  const named = new Set([...unclear, ...rows.map(({ endToEndId }) => endToEndId)]);
  return [...rows, ...listed.filter((id) => !named.has(id)).map((endToEndId) => ({ endToEndId, ...others }))];
}

/** The end-to-end ids in the file of this run that has the message id; null if it has none. */
async function paymentsOfMessage(
  tx: Transaction,
  { encryption }: FilesContext,
  run: LockedRun,
  messageId: string,
): Promise<string[] | null> {
  const message = readMessageId(messageId);
  if (!message || message.runNumber !== run.number) return null;
  const files = await listFileContents(tx, run.id, 'sepa.xml');
  const payments = files.map(({ bytesSealed }) => checkSepa(openFile(encryption, bytesSealed)).payouts);
  const found = payments.find(([first]) => first?.endToEndId === message.firstEndToEndId);
  return found?.map(({ endToEndId }) => endToEndId) ?? null;
}
