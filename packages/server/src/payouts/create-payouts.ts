import { errors, MAX_BULK_ROWS, MAX_PAYOUTS_AT_ONCE, type PayoutRow } from '@svc/contract';
import { type Actor, type AuditEvent, insertAuditEvents } from '../audit/audit-store.ts';
import { listDueForUpdate, updateInPayouts } from '../commissions/payout-coverage-store.ts';
import type { Context } from '../context.ts';
import type { Queryable, Transaction } from '../db/db.ts';
import { EVERYONE, type ProgramScope, type Whose } from '../db/lists/list-query.ts';
import type { Sum } from '../db/lists/sum.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import { announceMany } from '../outbox/announce.ts';
import type { Program } from '../programs/program.ts';
import { type BalanceFilter, findBalanceTotals, listPayable, type Payable } from './balance-list-store.ts';
import { type ChosenPayout, choosePayouts } from './payout-lines.ts';
import { listPayoutsByIds, PAYOUT_ROWS } from './payout-list-store.ts';
import { insertPayouts } from './payout-store.ts';
import { queuePayoutMails } from './queue-payout-mails.ts';
import { areSeenSums } from './seen-sums.ts';

type PaidProgram = Pick<Program, 'id' | 'workspaceId'>;

export type CreatedPayouts = { payouts: PayoutRow[]; more: boolean };

/** What a person saw before they asked for payouts: the number of balances, and what they add up to. */
export type SeenBalances = { count?: number; totals?: { currency: string; payable_cents: number }[] };

/**
 * Creates a payout for each partner and currency with a positive balance, optionally only for the given ones: all of them in one
 * transaction, or none if the balances are not the ones that the person saw. Every cent due goes into one payout, even with
 * concurrent requests.
 */
export async function createPayouts(
  ctx: Context,
  program: PaidProgram,
  { partnerId, ...only }: BalanceFilter & { partnerId: Whose },
  { actor, ...seen }: SeenBalances & { actor: Actor },
): Promise<CreatedPayouts> {
  const scope = { programId: program.id, partnerId };
  const { ids, more } = await retryOnConflict(() =>
    ctx.db.transaction(async (tx) => {
      const payable = await listPayable(tx, scope, only, MAX_PAYOUTS_AT_ONCE + 1);
      const due = await listDueForUpdate(tx, program.id, payable.slice(0, MAX_PAYOUTS_AT_ONCE));
      // Only now: what is locked can no longer change, and what became due before this is among the sums.
      if (seen.count !== undefined || seen.totals) await requireUnchanged(tx, scope, only, seen);
      const { payouts, isComplete } = choosePayouts(due, MAX_PAYOUTS_AT_ONCE);
      const ids = await writePayouts(ctx, tx, program, payouts, actor);
      return { ids, more: !isComplete || payable.length > MAX_PAYOUTS_AT_ONCE };
    }),
  );
  return { payouts: await listPayoutsByIds(ctx.db, program.id, ids), more };
}

/** A balance as a person saw it, in the smallest unit of its currency. */
export type SeenBalance = Payable & { payableCents: string };

/** All balances that can be paid now, if they are the ones that the person saw. */
export async function listSeenBalances(
  db: Queryable,
  programId: number,
  only: BalanceFilter,
  seen: SeenBalances,
): Promise<SeenBalance[]> {
  const scope = { programId, partnerId: EVERYONE } as const;
  // What becomes due after the rows were read is in the totals, and refused with them.
  const balances = await listPayable(db, scope, only, MAX_BULK_ROWS + 1);
  await requireUnchanged(db, scope, only, seen);
  return balances;
}

/**
 * Creates the payouts of balances, as a part of a transaction, and says what became of each: `done`, or why not. What is paid is
 * what was seen, to the cent.
 */
export async function payBalances(
  tx: Transaction,
  ctx: Context,
  program: PaidProgram,
  seen: SeenBalance[],
  { only, actor }: { only: BalanceFilter; actor: Actor },
): Promise<string[]> {
  const scope = { programId: program.id, partnerId: EVERYONE } as const;
  const partnerIds = [...new Set(seen.map(({ partnerId }) => partnerId))];
  const payable = new Set((await listPayable(tx, scope, { ...only, partnerIds }, MAX_BULK_ROWS)).map(keyOf));
  const wanted = seen.filter((balance) => payable.has(keyOf(balance)));
  const due = await listDueForUpdate(tx, program.id, wanted);
  const sums = new Map<string, bigint>();
  for (const row of due) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0n) + BigInt(row.dueCents));
  const unchanged = new Set(
    wanted.filter((balance) => sums.get(keyOf(balance)) === BigInt(balance.payableCents)).map(keyOf),
  );
  const { payouts } = choosePayouts(
    due.filter((row) => unchanged.has(keyOf(row))),
    Number.POSITIVE_INFINITY,
  );
  await writePayouts(ctx, tx, program, payouts, actor);
  return seen.map((balance) => {
    if (!payable.has(keyOf(balance))) return 'not_payable';
    return unchanged.has(keyOf(balance)) ? 'done' : 'balance_changed';
  });
}

const keyOf = ({ partnerId, currency }: Payable) => `${partnerId} ${currency}`;

/** Throws an error that says what would be paid now, unless it is what the person saw. */
async function requireUnchanged(tx: Queryable, scope: ProgramScope, only: BalanceFilter, seen: SeenBalances) {
  const { count, totals } = await findBalanceTotals(tx, scope, { ...only, isPayable: true });
  const sumOf = ({ currency, payable_cents: cents }: { currency: string; payable_cents: Sum }) => ({ currency, cents });
  const isSameSum = !seen.totals || areSeenSums(totals.map(sumOf), seen.totals.map(sumOf));
  if (count !== (seen.count ?? count) || !isSameSum) throw errors.balancesChanged(count);
}

async function writePayouts(
  ctx: Context,
  tx: Transaction,
  { id: programId, workspaceId }: PaidProgram,
  payouts: ChosenPayout[],
  actor: Actor,
): Promise<number[]> {
  if (payouts.length === 0) return [];
  const now = ctx.now();
  const ids = await insertPayouts(tx, programId, payouts, now);
  await updateInPayouts(
    tx,
    payouts.flatMap(({ covered }) => covered.map(({ id, dueCents }) => ({ id, cents: dueCents }))),
  );
  const events = payouts.map(({ partnerId, currency, amountCents, covered }, index): AuditEvent => {
    const after = { partner_id: partnerId, amount_cents: amountCents, currency, commissions: covered.length };
    const subject = { type: 'payout', id: ids[index]! } as const;
    return { workspaceId, programId, actor, action: 'payout.created', subject, after };
  });
  await insertAuditEvents(tx, events, now);
  await queuePayoutMails(tx, ctx, programId, ids, (fields) => ({
    kind: 'payout_created',
    cause: String(fields.payoutId),
    fields,
  }));
  await announceMany(ctx, tx, [
    { rows: PAYOUT_ROWS, events: ids.map((id) => ({ type: 'payout.created', programId, id })) },
  ]);
  return ids;
}
