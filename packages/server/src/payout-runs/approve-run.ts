import { errors } from '@svc/contract';
import type { Actor } from '../audit/audit-store.ts';
import { listOwed, lockCommissions } from '../commissions/payout-coverage-store.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/db.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import type { Encryption } from '../encryption.ts';
import { listPartnerMethods } from '../payout-methods/payout-method-store.ts';
import { listAllLines, updateNotInFile } from '../payouts/payout-store.ts';
import { queuePayoutMails } from '../payouts/queue-payout-mails.ts';
import type { Program } from '../programs/program.ts';
import { differencesIn } from './differences.ts';
import { findPayees } from './find-payees.ts';
import { makeRunFiles, notInFile, sealFile } from './make-run-files.ts';
import { insertPayoutFiles } from './payout-file-store.ts';
import { findPayoutSettings } from './payout-settings-store.ts';
import { auditRun } from './run-audit.ts';
import { listPayoutsOfRun, type RunPayoutRow } from './run-payout-store.ts';
import { type LockedRun, lockRun, updateApprover, updateRunStatus } from './run-store.ts';
import { openPayer } from './save-settings.ts';

export type RunProgram = Pick<Program, 'id' | 'workspaceId' | 'name'>;
export type FilesContext = Context & { encryption: Encryption };

/**
 * Approves a draft and makes its files. If balances or payout methods are not what they were when it was made, nothing changes:
 * that is decided while what it pays is locked.
 */
export function approveRun(ctx: FilesContext, program: RunProgram, runId: number, actor: Actor): Promise<void> {
  return retryOnConflict(() =>
    ctx.db.transaction(async (tx) => {
      const now = ctx.now();
      const run = await lockRun(tx, program.id, runId);
      if (!run) throw errors.notFound();
      const settings = await findPayoutSettings(tx, program.id);
      if (run.status !== 'draft') throw errors.runIs(run.number, run.status, 'approved');
      requireOtherPerson(run, settings, actor);
      const payouts = await listPayoutsOfRun(tx, run.id);
      const methods = await requireUnchanged(tx, program.id, run, payouts, now);
      const payer = openPayer(ctx, settings.payerSealed);
      const facts = { payouts, methods, payer, run: { number: run.number, at: now }, programName: program.name };
      const made = await makeRunFiles(ctx.encryption, facts);
      const files = made.files.map((file) => sealFile(ctx.encryption, file));
      await insertPayoutFiles(tx, run.id, files, now);
      await updateNotInFile(
        tx,
        [...notInFile(made)].map(([id, reason]) => ({ id, reason })),
      );
      await updateRunStatus(tx, run.id, 'approved', now);
      await updateApprover(tx, run.id, actor.userId);
      const after = { files: files.map(({ name, currency, part, sha256 }) => ({ name, currency, part, sha256 })) };
      await auditRun(tx, ctx, program, run, { action: 'payout_run.approved', actor, after });
      const ids = payouts.map(({ id }) => id);
      await queuePayoutMails(tx, ctx, program.id, ids, (fields) => ({
        kind: 'payout_created',
        cause: String(fields.payoutId),
        fields,
      }));
    }),
  );
}

/** Someone other than the maker, if the run or the settings ask for that. What the schedule made, anyone may approve. */
function requireOtherPerson(run: LockedRun, settings: { twoPersons: boolean }, { userId }: Actor): void {
  if (!run.twoPersons && !settings.twoPersons) return;
  if (userId === null) throw errors.approvalNeedsPerson();
  if (userId === run.madeBy) throw errors.ownRun();
}

async function requireUnchanged(
  tx: Transaction,
  programId: number,
  run: LockedRun,
  payouts: RunPayoutRow[],
  now: Date,
) {
  const partnerIds = [...new Set(payouts.map(({ partnerId }) => partnerId))];
  const lines = await listAllLines(
    tx,
    payouts.map(({ id }) => id),
  );
  // A refund that is under way is either seen below, or it waits and is deducted from a later payout.
  await lockCommissions(
    tx,
    lines.map(({ commissionId }) => commissionId),
  );
  const [owed, payees] = await Promise.all([
    listOwed(tx, programId, partnerIds),
    findPayees(tx, programId, partnerIds, listPartnerMethods),
  ]);
  const differences = differencesIn({ payouts, owed, payees, now });
  if (differences.length > 0) throw errors.runChanged(run.number, differences);
  return new Map([...payees].flatMap(([partnerId, { method }]) => (method ? [[partnerId, method] as const] : [])));
}
