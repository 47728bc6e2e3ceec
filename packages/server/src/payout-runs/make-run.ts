import { errors, type LeftOut } from '@svc/contract';
import type { Actor } from '../audit/audit-store.ts';
import { listDueUntilForUpdate, updateInPayouts } from '../commissions/payout-coverage-store.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/db.ts';
import { toSum } from '../db/lists/sum.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import { announce } from '../outbox/announce.ts';
import { PAYOUT_ROWS } from '../payouts/payout-list-store.ts';
import { insertPayouts } from '../payouts/payout-store.ts';
import { DAY_MS } from '../time.ts';
import { chooseRun, type RunChoice } from './choose-run.ts';
import { findPayees, type NamedPayee } from './find-payees.ts';
import { lockPayoutSettings } from './payout-settings-store.ts';
import { auditRun, type PaidProgram } from './run-audit.ts';
import { insertOmissions, insertRun, type NewOmission, type RunRequest, type RunTotal } from './run-store.ts';

/** A draft that was made; or nobody would be paid, and nothing was written. */
export type MadeRun =
  | { isMade: true; id: number; number: number; totals: RunTotal[]; leftOut: number }
  | { isMade: false; leftOut: LeftOut[] };

/**
 * Makes a draft with a payout for every partner and currency that can be paid, and everybody else with a reason. What is in it is
 * in no other payout, even if several people make runs and payouts at the same time.
 */
export async function makeRun(
  ctx: Context,
  program: PaidProgram,
  request: RunRequest,
  actor: Actor,
): Promise<{ id: number }> {
  const made = await retryOnConflict(() => ctx.db.transaction((tx) => writeRun(tx, ctx, program, request, actor)));
  if (!made.isMade) throw errors.nobodyToPay(made.leftOut);
  return made;
}

/** Makes the draft in a transaction of the caller. */
export async function writeRun(
  tx: Transaction,
  ctx: Context,
  program: PaidProgram,
  request: RunRequest,
  actor: Actor,
): Promise<MadeRun> {
  const now = ctx.now();
  const settings = await lockPayoutSettings(tx, program.id);
  const cutoffAt = request.cutoffAt ?? new Date(now.getTime() - settings.netDays * DAY_MS);
  const { currency, partnerIds } = request;
  const due = await listDueUntilForUpdate(tx, program.id, { cutoffAt, currency, partnerIds });
  const asked = [...(partnerIds ?? []), ...request.excludedPartnerIds];
  const payees = await findPayees(tx, program.id, [...new Set([...due.map(({ partnerId }) => partnerId), ...asked])]);
  requireKnown('partner_ids', partnerIds ?? [], payees);
  requireKnown('excluded_partner_ids', request.excludedPartnerIds, payees);
  const choice = chooseRun({ due, payees, minimumCents: settings.minimumCents, request, now });
  if (choice.payouts.length === 0) return { isMade: false, leftOut: choice.leftOut.map((each) => named(each, payees)) };
  const run = { programId: program.id, cutoffAt, twoPersons: settings.twoPersons, request, madeBy: actor.userId };
  const inserted = await insertRun(tx, run, now);
  await writeParts(tx, ctx, program.id, inserted.id, choice);
  const totals = totalsOf(choice);
  const after = { totals: totals.map(auditedTotal), left_out: choice.leftOut.length, cutoff_at: cutoffAt };
  await auditRun(tx, ctx, program, inserted, { action: 'payout_run.made', actor, after });
  return { isMade: true, ...inserted, totals, leftOut: choice.leftOut.length };
}

function requireKnown(field: string, partnerIds: number[], payees: Map<number, NamedPayee>): void {
  const unknown = partnerIds.find((id) => !payees.has(id) || payees.get(id)?.status === null);
  if (unknown !== undefined) throw errors.partnerOfOtherProgram(field, unknown);
}

async function writeParts(
  tx: Transaction,
  ctx: Context,
  programId: number,
  runId: number,
  { payouts, leftOut }: RunChoice,
): Promise<void> {
  const parts = payouts.map(({ method, ...payout }) => ({
    ...payout,
    part: { runId, methodId: method.methodId, methodKind: method.kind, methodMasked: method.masked },
  }));
  const ids = await insertPayouts(tx, programId, parts, ctx.now());
  await updateInPayouts(
    tx,
    payouts.flatMap(({ covered }) => covered.map(({ id, dueCents }) => ({ id, cents: dueCents }))),
  );
  await insertOmissions(tx, runId, leftOut);
  const events = ids.map((id) => ({ type: 'payout.created' as const, programId, id }));
  announce(ctx, tx, [{ rows: PAYOUT_ROWS, events }]);
}

function named({ partnerId, amountCents, ...omission }: NewOmission, payees: Map<number, NamedPayee>): LeftOut {
  const amount = toSum(amountCents);
  return { partner_id: partnerId, partner_name: payees.get(partnerId)?.name ?? '', amount_cents: amount, ...omission };
}

function totalsOf({ payouts }: RunChoice): RunTotal[] {
  const totals = new Map<string, { cents: bigint; payouts: number }>();
  for (const { currency, amountCents } of payouts) {
    const { cents, payouts: count } = totals.get(currency) ?? { cents: 0n, payouts: 0 };
    totals.set(currency, { cents: cents + BigInt(amountCents), payouts: count + 1 });
  }
  return [...totals]
    .map(([currency, { cents, payouts: count }]) => ({ currency, amountCents: toSum(cents), payouts: count }))
    .sort((one, other) => (one.currency < other.currency ? -1 : 1));
}

const auditedTotal = ({ currency, amountCents, payouts }: RunTotal) => ({
  currency,
  amount_cents: String(amountCents),
  payouts,
});
