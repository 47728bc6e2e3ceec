import { listCommissionsOfSale, removedCommissions } from '../commissions/commission-list-store.ts';
import { deleteUnpaidCommissions } from '../commissions/commission-store.ts';
import type { Context } from '../context.ts';
import { updateCreditSale, updateReversedCredits } from '../customers/credit-store.ts';
import { updateConversion } from '../customers/customer-store.ts';
import type { Queryable } from '../db/db.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import { insertDecision } from '../decisions/decision-store.ts';
import { announce } from '../outbox/announce.ts';
import type { Program } from '../programs/program.ts';
import { findSaleRow, removedSale } from '../sales/sale-list-store.ts';
import { deleteSale } from '../sales/sale-store.ts';
import { deleteAliases, updateTransactionSale } from '../sales/transaction-store.ts';
import { lockSaleLedgers } from './lock-sales.ts';
import { announceRefunds, type WrittenRefunds, writeRefunds } from './record-refund.ts';
import { judgeTotal } from './refund.ts';
import { judgeRefunds, type SaleLedger } from './refund-group.ts';
import {
  deleteRefunds,
  listOwnRefunds,
  listRefundsByKey,
  type NewRefundRow,
  type ReportedRefund,
  reserveRefundIds,
} from './refund-store.ts';
import { writeTotal } from './sync-refunds.ts';

/**
 * Takes back a sale whose payment turned out to be recorded under another id as well. Its id then stands for the sale that is
 * kept, which also gets the refunds that the workspace reported. A commission that was ever in a payout, or that the brand
 * rejected, stays with its sale: both are then reversed in full.
 */
export function revokeDuplicateSale(
  ctx: Context,
  program: Program,
  duplicateId: string,
  keptId: string,
  /** Other ids that may stand for the duplicate. */
  aliases: string[],
): Promise<void> {
  return retryOnConflict(() =>
    ctx.db.transaction(async (tx) => {
      const target = (transactionId: string) => ({ programId: program.id, transactionId });
      const ledgerOf = await lockSaleLedgers(tx, [target(duplicateId), target(keptId)]);
      const [duplicate, kept] = [ledgerOf(target(duplicateId)), ledgerOf(target(keptId))];
      if (!duplicate || !kept || duplicate === kept) return;
      // Another node may have been faster while this one waited for the locks.
      if (!(await updateTransactionSale(tx, duplicateId, duplicate.sale.id, kept.sale.id))) return;

      await deleteAliases(tx, duplicate.sale.id, aliases);
      const moved = await moveReportedRefunds(ctx, tx, program, duplicate, kept, keptId);
      const { commission } = duplicate.sale;
      const row = await findSaleRow(tx, program.id, duplicate.sale.id);
      const commissions = await listCommissionsOfSale(tx, duplicate.sale.id);
      let reversed: WrittenRefunds | null = null;
      const isRemoved = (await deleteUnpaidCommissions(tx, duplicate.sale.id, ctx.now())).kept === 0;
      if (isRemoved) {
        // The customer may have been given it already, and gets no other one.
        await updateCreditSale(tx, duplicate.sale.id, kept.sale.id);
        await updateReversedCredits(tx, [kept.sale.id], ctx.now());
        await deleteRefunds(tx, duplicate.sale.id);
        await deleteSale(tx, duplicate.sale.id);
        if (duplicate.sale.customerId !== null) await updateConversion(tx, duplicate.sale.customerId);
      } else {
        const reversal = judgeTotal(duplicate.sale, duplicate.sale.amountCents);
        if (reversal.is === 'changed') reversed = await writeTotal(ctx, tx, program, duplicate, reversal);
      }
      const decisionId = await insertDecision(tx, {
        programId: program.id,
        kind: 'commission',
        outcome: 'not_attributed',
        reason: 'payment_counted_once',
        facts: {
          recorded_as: keptId,
          kept_sale_id: kept.sale.id,
          amount_cents: duplicate.sale.amountCents,
          currency: duplicate.sale.currency,
          commission_cents: commission?.cents,
          commission_removed: commission === null ? undefined : isRemoved,
        },
        source: 'processor',
        customerId: duplicate.sale.customerId,
        partnerId: duplicate.sale.partnerId,
        saleId: isRemoved ? kept.sale.id : duplicate.sale.id,
        transactionId: duplicateId,
        requestId: null,
        isTest: false,
        createdAt: ctx.now(),
      });
      const about = { programId: program.id, decisionId };
      if (moved) announceRefunds(ctx, tx, moved, () => decisionId);
      if (reversed) announceRefunds(ctx, tx, reversed, () => decisionId);
      if (isRemoved) announce(ctx, tx, [removedSale(row, about), removedCommissions(commissions, about)]);
    }),
  );
}

/** What the workspace reported as refunded stays refunded. */
async function moveReportedRefunds(
  ctx: Context,
  tx: Queryable,
  program: Program,
  duplicate: SaleLedger,
  kept: SaleLedger,
  keptId: string,
): Promise<WrittenRefunds | null> {
  const reported = await listOwnRefunds(tx, duplicate.sale.id);
  if (reported.length === 0) return null;
  const keys = reported.flatMap(({ refundKey }) => (refundKey === null ? [] : [{ saleId: kept.sale.id, refundKey }]));
  for (const { refundKey, saleId: _saleId, ...refund } of await listRefundsByKey(tx, keys)) {
    kept.byKey.set(refundKey, refund);
  }
  const ids = await reserveRefundIds(tx, reported.length);
  const rows = reported.flatMap((refund, index) => moveRefund(program, kept, keptId, refund, ids[index]!, ctx.now()));
  return writeRefunds(tx, rows, [kept], ctx.now());
}

function moveRefund(
  program: Program,
  kept: SaleLedger,
  keptId: string,
  { refundKey, reportedCents, reason, requestId }: ReportedRefund,
  id: number,
  now: Date,
): NewRefundRow[] {
  const amountCents = Math.min(reportedCents, kept.sale.amountCents - kept.sale.reportedCents);
  if (amountCents === 0) return [];
  const refund = {
    transactionId: keptId,
    amountCents,
    reason: reason ?? undefined,
    refundKey: refundKey ?? undefined,
    requestId,
  };
  const [judged] = judgeRefunds([{ program, refund }], () => kept, [id], now);
  return judged?.row ? [judged.row] : [];
}
