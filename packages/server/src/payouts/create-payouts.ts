import { errors, MAX_PAYOUTS_AT_ONCE, type PayoutRow } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import { listDueForUpdate, updateInPayouts } from '../commissions/payout-coverage-store.ts';
import type { Context } from '../context.ts';
import type { ProgramScope, Whose } from '../db/lists/list-query.ts';
import { queueMailToPartner } from '../mail/queue-mail.ts';
import type { Program } from '../programs/program.ts';
import { type BalanceFilter, findBalanceTotals, listPayable, type Payable } from './balance-list-store.ts';
import { choosePayoutLines } from './payout-lines.ts';
import { listPayoutsByIds } from './payout-list-store.ts';
import { insertPayout } from './payout-store.ts';

type PaidProgram = Pick<Program, 'id' | 'workspaceId'>;

export type CreatedPayouts = { payouts: PayoutRow[]; more: boolean };

/** What a person saw before they asked for payouts: the number of balances, and what they add up to. */
export type SeenBalances = { count?: number; totals?: { currency: string; payable_cents: number }[] };

/** Creates a payout for each partner and currency with a positive balance, optionally only for the given ones. */
export async function createPayouts(
  ctx: Context,
  program: PaidProgram,
  { partnerId, ...only }: BalanceFilter & { partnerId: Whose },
  { actor, ...seen }: SeenBalances & { actor: Actor },
): Promise<CreatedPayouts> {
  const scope = { programId: program.id, partnerId };
  if (seen.count !== undefined || seen.totals) await requireUnchanged(ctx, scope, only, seen);
  const payable = await listPayable(ctx.db, scope, only, MAX_PAYOUTS_AT_ONCE + 1);
  const ids: number[] = [];
  const waiting = [...payable];
  for (let balance = waiting[0]; balance && ids.length < MAX_PAYOUTS_AT_ONCE; balance = waiting[0]) {
    const made = await createPayout(ctx, program, balance, actor);
    if (made) ids.push(made.id);
    // A balance that is too large for one payout takes several.
    if (!made || made.isComplete) waiting.shift();
  }
  return { payouts: await listPayoutsByIds(ctx.db, program.id, ids), more: waiting.length > 0 };
}

/** Throws an error that says what would be paid now, unless it is what the person saw. */
async function requireUnchanged(ctx: Context, scope: ProgramScope, only: BalanceFilter, seen: SeenBalances) {
  const { count, totals } = await findBalanceTotals(ctx.db, scope, { ...only, isPayable: true });
  const sums = new Map(totals.map(({ currency, payable_cents: cents }) => [currency, cents]));
  const isSameSum =
    !seen.totals ||
    (seen.totals.length === sums.size &&
      seen.totals.every(({ currency, payable_cents: cents }) => BigInt(sums.get(currency) ?? -1) === BigInt(cents)));
  if (count !== (seen.count ?? count) || !isSameSum) throw errors.balancesChanged(count);
}

/** Every cent due goes into one payout, even with concurrent requests. Null when nothing is left to pay. */
function createPayout(
  ctx: Context,
  { id: programId, workspaceId }: PaidProgram,
  { partnerId, currency }: Payable,
  actor: Actor,
): Promise<{ id: number; isComplete: boolean } | null> {
  return ctx.db.transaction(async (tx) => {
    const due = await listDueForUpdate(tx, programId, partnerId, currency);
    const { covered, amountCents } = choosePayoutLines(due);
    if (amountCents <= 0) return null;
    const lines = covered.map(({ id, dueCents }) => ({ commissionId: id, amountCents: dueCents }));
    const id = await insertPayout(tx, { programId, partnerId, currency, amountCents }, lines, ctx.now());
    await updateInPayouts(
      tx,
      covered.map((commission) => ({ id: commission.id, cents: commission.dueCents })),
    );
    const after = { partner_id: partnerId, amount_cents: amountCents, currency, commissions: lines.length };
    const subject = { type: 'payout', id } as const;
    await insertAuditEvent(tx, { workspaceId, programId, actor, action: 'payout.created', subject, after }, ctx.now());
    const fields = { payoutId: id, currency, amountCents };
    await queueMailToPartner(tx, ctx, partnerId, { kind: 'payout_created', cause: String(id), programId, fields });
    return { id, isComplete: covered.length === due.length };
  });
}
