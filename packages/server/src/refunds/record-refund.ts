import { COMMISSION_ROWS } from '../commissions/commission-list-store.ts';
import { type ChangedDeduction, updateDeductions } from '../commissions/commission-store.ts';
import type { Context } from '../context.ts';
import { updateReversedCredits } from '../customers/credit-store.ts';
import type { Queryable, Transaction } from '../db/db.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import { insertDecisions } from '../decisions/decision-store.ts';
import { announce } from '../outbox/announce.ts';
import type { Announcement } from '../outbox/outbox-store.ts';
import type { Program } from '../programs/program.ts';
import { SALE_ROWS } from '../sales/sale-list-store.ts';
import { updateRefunded } from '../sales/sale-store.ts';
import type { TrackingContext } from '../tracking-context.ts';
import { lockSaleLedgers } from './lock-sales.ts';
import type { NewRefund, RefundOutcome } from './refund.ts';
import { deductionsOf, judgeRefunds, type RefundAttempt, type SaleLedger } from './refund-group.ts';
import { insertRefunds, type NewRefundRow, reserveRefundIds } from './refund-store.ts';

/** Refunds a sale of the program, partially or fully, once. Refunds are written in groups: see `recordRefunds` below. */
export function recordRefund(ctx: TrackingContext, program: Program, refund: NewRefund): Promise<RefundOutcome> {
  return ctx.refunds.submit({ program, refund });
}

/** Records a group of refunds in one transaction: lock their sales, judge them in order, write. */
export function recordRefunds(ctx: Context, attempts: RefundAttempt[]): Promise<RefundOutcome[]> {
  return retryOnConflict(() =>
    ctx.db.transaction(async (tx) => {
      const [ids, findLedger] = await Promise.all([
        reserveRefundIds(tx, attempts.length),
        lockSaleLedgers(tx, attempts.map(targetOf)),
      ]);
      const ledgerOf = (attempt: RefundAttempt) => findLedger(targetOf(attempt));
      const judged = judgeRefunds(attempts, ledgerOf, ids, ctx.now());

      const rows = judged.flatMap(({ row }) => (row ? [row] : []));
      const ledgers = new Set(attempts.map(ledgerOf).filter((ledger) => ledger !== null));
      const [refunded, decisionIds] = await Promise.all([
        writeRefunds(tx, rows, [...ledgers], ctx.now()),
        insertDecisions(
          tx,
          judged.map(({ decision }) => decision),
        ),
      ]);
      announceRefunds(ctx, tx, refunded, (row) => decisionIds[judged.findIndex((each) => each.row === row)]);
      return judged.map(({ outcome }) => outcome);
    }),
  );
}

const targetOf = ({ program, refund }: RefundAttempt) => ({ programId: program.id, ...refund });

/** Refunds that were written, their sales as they are now, and the commissions that changed with them. */
export type WrittenRefunds = { rows: NewRefundRow[]; ledgers: SaleLedger[]; commissions: ChangedDeduction[] };

/** Writes refunds and deducts them from their sales and, in proportion, the commissions. Negative amounts restore. */
export async function writeRefunds(
  tx: Queryable,
  rows: NewRefundRow[],
  ledgers: SaleLedger[],
  now: Date,
): Promise<WrittenRefunds> {
  const refundedCents = new Map<number, number>();
  for (const { saleId, amountCents } of rows) {
    refundedCents.set(saleId, (refundedCents.get(saleId) ?? 0) + amountCents);
  }
  const changed = ledgers.filter(({ sale }) => refundedCents.has(sale.id));
  const deductions = changed.flatMap(({ sale }) => deductionsOf(sale));
  // Credits follow what is refunded of their sales, so the order matters.
  const [, , commissions] = await Promise.all([
    insertRefunds(tx, rows),
    updateRefunded(tx, refundedCents),
    updateDeductions(tx, deductions, now),
    updateReversedCredits(tx, [...refundedCents.keys()], now),
  ]);
  return { rows, ledgers: changed, commissions };
}

/** Announces what refunds of real sales moved, each refund with its decision. */
export function announceRefunds(
  ctx: Context,
  tx: Transaction,
  { rows, ledgers, commissions }: WrittenRefunds,
  decisionOf: (row: NewRefundRow) => number | undefined,
): void {
  const refunds: Announcement[] = [];
  const reversals: Announcement[] = [];
  for (const { sale, was } of ledgers.filter((ledger) => !ledger.sale.isTest)) {
    const own = rows.filter(({ saleId, amountCents }) => saleId === sale.id && amountCents !== 0);
    let refundedCents = sale.refundedCents - own.reduce((sum, { amountCents }) => sum + amountCents, 0);
    for (const row of own) {
      const { programId, amountCents } = row;
      const refund = { amount_cents: amountCents, currency: sale.currency };
      // Of several refunds in a group, the first one changes the rest.
      const previous = { ...(row === own[0] && was.sale), refunded_cents: refundedCents };
      const decisionId = decisionOf(row);
      refunds.push({ type: 'sale.refunded', programId, id: sale.id, decisionId, previous, more: { refund } });
      refundedCents += amountCents;
    }
    const last = own.at(-1);
    for (const { id, programId, fromCents, toCents } of commissions.filter(({ saleId }) => saleId === sale.id)) {
      const type = toCents > fromCents ? 'commission.reversed' : 'commission.restored';
      const previous = { status: was.commissionStatus.get(id), deducted_cents: fromCents };
      reversals.push({ type, programId, id, previous, decisionId: last && decisionOf(last) });
    }
  }
  announce(ctx, tx, [
    { rows: SALE_ROWS, events: refunds },
    { rows: COMMISSION_ROWS, events: reversals },
  ]);
}
