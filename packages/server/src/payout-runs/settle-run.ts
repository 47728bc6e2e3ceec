import { errors } from '@svc/contract';
import type { Actor } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/db.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import { describeReason } from '../payout-files/reasons.ts';
import { writePaid, writeUnpaid } from '../payouts/write-closed.ts';
import { auditRun, type PaidProgram } from './run-audit.ts';
import { listPayoutsOfRun, type RunPayoutRow } from './run-payout-store.ts';
import { type LockedRun, lockRun, updateSettled } from './run-store.ts';
import { canBecome, type Outcome, reasonFor } from './settlement.ts';

/** What became of one payout, as a person or a report says. */
export type Settlement = {
  id: number;
  outcome: Outcome;
  reference: string | null;
  code: string | null;
  reason: string | null;
};

/** Certain payouts of a run, or all that are sent. */
export type Settlements = { items: Settlement[] } | { allPaid: true; reference: string | null };

/** Settles payouts of a sent run: all of the given ones, or none if one of them cannot become what is said. */
export function settleRun(
  ctx: Context,
  program: PaidProgram,
  runId: number,
  settlements: Settlements,
  actor: Actor,
): Promise<void> {
  return retryOnConflict(() =>
    ctx.db.transaction(async (tx) => {
      const { run, payouts } = await lockSentRun(tx, program.id, runId);
      const items = 'items' in settlements ? settlements.items : allPaid(payouts, settlements.reference);
      if (items.length === 0) throw errors.nothingSent(run.number);
      requireSettleable(run, payouts, items);
      await writeSettlements(tx, ctx, program, run, items);
      await auditRun(tx, ctx, program, run, { action: 'payout_run.settled', actor, after: countsOf(items) });
    }),
  );
}

/** A run that is sent or settled: what was paid may still come back. */
export async function lockSentRun(
  tx: Transaction,
  programId: number,
  runId: number,
): Promise<{ run: LockedRun; payouts: RunPayoutRow[] }> {
  const run = await lockRun(tx, programId, runId);
  if (!run) throw errors.notFound();
  if (run.status !== 'sent' && run.status !== 'settled') throw errors.runIs(run.number, run.status, 'settled');
  return { run, payouts: await listPayoutsOfRun(tx, run.id) };
}

function allPaid(payouts: RunPayoutRow[], reference: string | null): Settlement[] {
  return payouts
    .filter(({ status }) => status === 'sent')
    .map(({ id }) => ({ id, outcome: 'paid', reference, code: null, reason: null }));
}

function requireSettleable(run: LockedRun, payouts: RunPayoutRow[], items: Settlement[]): void {
  const ofRun = new Map(payouts.map((payout) => [payout.id, payout]));
  const seen = new Set<number>();
  for (const { id, outcome } of items) {
    const payout = ofRun.get(id);
    if (!payout) throw errors.notOfThisRun(id, run.number);
    if (seen.has(id)) throw errors.settledTwice(id);
    seen.add(id);
    if (!canBecome(outcome, payout)) throw errors.notSettleable(id, payout.status, outcome);
  }
}

/** Writes what became of payouts of a locked run, and settles the run once none of them is on its way. */
export async function writeSettlements(
  tx: Transaction,
  ctx: Context,
  { id: programId }: PaidProgram,
  run: LockedRun,
  items: Settlement[],
): Promise<void> {
  const unpaid = (outcome: 'failed' | 'returned') =>
    items
      .filter((item) => item.outcome === outcome)
      .map(({ id, code, reference, ...item }) => {
        const reason = reasonFor(outcome, { code, reason: item.reason }, describeReason);
        return { id, code, reason, reference: reference ?? undefined };
      });
  const paid = items.filter(({ outcome }) => outcome === 'paid').map(({ id, reference }) => ({ id, reference }));
  await writePaid(tx, ctx, programId, paid);
  await writeUnpaid(tx, ctx, programId, 'failed', unpaid('failed'));
  await writeUnpaid(tx, ctx, programId, 'returned', unpaid('returned'));
  await updateSettled(tx, [run.id], ctx.now());
}

/** What the audit log says about settlements. */
export function countsOf(items: Settlement[]) {
  const ids = (outcome: Outcome) => items.filter((item) => item.outcome === outcome).map(({ id }) => id);
  return { paid: ids('paid'), failed: ids('failed'), returned: ids('returned') };
}
