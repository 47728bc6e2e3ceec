import { couponKey, type HoldReason } from '@svc/contract';
import { listCommissionsOfSale, removedCommissions } from '../commissions/commission-list-store.ts';
import { deleteUnpaidCommissions } from '../commissions/commission-store.ts';
import type { Context } from '../context.ts';
import { deleteAssignment, isMovedAt } from '../customers/attribution-store.ts';
import { deleteCredit } from '../customers/credit-store.ts';
import { movedCustomers } from '../customers/customer-list-store.ts';
import { updateConversion } from '../customers/customer-store.ts';
import type { Transaction } from '../db/db.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import { insertDecision } from '../decisions/decision-store.ts';
import { announce } from '../outbox/announce.ts';
import type { Program } from '../programs/program.ts';
import { findSaleRow, removedSale } from '../sales/sale-list-store.ts';
import { deleteSale, findProcessorSaleForUpdate, type ProcessorSale } from '../sales/sale-store.ts';
import { deleteTransactions } from '../sales/transaction-store.ts';
import { deleteRefunds, listOwnRefunds } from './refund-store.ts';

/** What a payment is judged by, as far as it may become known only after the payment. */
export type JudgedBy = {
  customerId: number | undefined;
  couponCode: string | null;
  holdReason: HoldReason | null;
  /** Whether the brand has approved a sale that rests on the claim of a page. What it has decided stays. */
  isClaimApproved: boolean;
  /** Whether it can be recorded again. A payment of the same customer must not get lost because their partner has left since. */
  isRecordable: boolean;
};

export type RevokedSale = {
  /** Whether a coupon had given the customer to its partner with the sale, which is taken back, too. */
  hadTakenCustomer: boolean;
};

/**
 * Takes back the sale of a payment that was recorded before it was known who paid, with which coupon, or whose customer that was,
 * so that it can be recorded as if that had been known. A sale that the workspace reported or refunded itself stays, and so does one whose
 * commission was ever in a payout or rejected. Null if the sale stays.
 */
export async function revokeMisjudgedSale(
  ctx: Context,
  program: Program,
  transactionId: string,
  judgedBy: JudgedBy,
): Promise<RevokedSale | null> {
  let revoked: RevokedSale | null = null;
  await retryOnConflict(() =>
    ctx.db.transaction(async (tx) => {
      revoked = await revoke(ctx, tx, program, transactionId, judgedBy);
      if (!revoked) tx.rollBack();
    }),
  );
  return revoked;
}

async function revoke(
  ctx: Context,
  tx: Transaction,
  program: Program,
  transactionId: string,
  judgedBy: JudgedBy,
): Promise<RevokedSale | null> {
  const sale = await findProcessorSaleForUpdate(tx, program.id, transactionId);
  if (!sale || isJudgedBy(sale, judgedBy)) return null;
  if (sale.customerId === judgedBy.customerId && !judgedBy.isRecordable) return null;
  if ((await listOwnRefunds(tx, sale.id)).length > 0) return null;
  const [row, commissions] = [await findSaleRow(tx, program.id, sale.id), await listCommissionsOfSale(tx, sale.id)];
  const { deleted, kept } = await deleteUnpaidCommissions(tx, sale.id, ctx.now());
  if (kept > 0) return null;
  await deleteCredit(tx, sale.id, ctx.now());
  await deleteRefunds(tx, sale.id);
  await deleteSale(tx, sale.id);
  await deleteTransactions(tx, program.id, transactionId, sale.id);
  if (sale.customerId !== null) await updateConversion(tx, sale.customerId);
  // The customer goes back to the previous partner. If the coupon still takes them over, recording the payment again does that.
  const { customerId, partnerId, couponCode, createdAt: since } = sale;
  const mayHaveTaken = couponCode !== null && customerId !== null && partnerId !== null;
  const hadTakenCustomer = mayHaveTaken && (await isMovedAt(tx, customerId, since));
  const moved = hadTakenCustomer ? await deleteAssignment(tx, { customerId, partnerId, since }) : [];
  const decisionId = await insertDecision(tx, {
    programId: program.id,
    kind: 'commission',
    outcome: 'not_attributed',
    reason: 'payer_known_better',
    facts: {
      amount_cents: sale.amountCents,
      currency: sale.currency,
      commission_removed: deleted > 0 ? true : undefined,
    },
    source: 'processor',
    customerId: sale.customerId,
    partnerId: sale.partnerId,
    transactionId,
    requestId: null,
    isTest: false,
    createdAt: ctx.now(),
  });
  const about = { programId: program.id, decisionId };
  announce(ctx, tx, [
    removedSale(row, about),
    removedCommissions(commissions, about),
    movedCustomers(moved, () => decisionId),
  ]);
  return { hadTakenCustomer };
}

function isJudgedBy(sale: ProcessorSale, { customerId, couponCode, holdReason, isClaimApproved }: JudgedBy): boolean {
  const hasCoupon =
    couponCode === null || (sale.couponCode !== null && couponKey(sale.couponCode) === couponKey(couponCode));
  const isDecided = sale.holdReason === 'self_referral' || (sale.holdReason === 'claimed_key' && isClaimApproved);
  const isHeldAlike = sale.holdReason === holdReason || isDecided;
  return sale.customerId === customerId && !sale.isMiscredited && hasCoupon && isHeldAlike;
}
