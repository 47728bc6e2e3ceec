import { listCommissionsOfSale, removedCommissions } from '../commissions/commission-list-store.ts';
import { deleteUnpaidCommissions } from '../commissions/commission-store.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/db.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import { insertDecision } from '../decisions/decision-store.ts';
import { announce } from '../outbox/announce.ts';
import type { Program } from '../programs/program.ts';
import type { StoredFacts } from '../terms/stored-facts.ts';
import { lockSale, updateRevoked } from './sale-store.ts';

type PaidSale = {
  saleId: number;
  transactionId: string;
  customerId: number;
  partnerId: number;
  /** The version of the terms that it was judged by, if it is known. */
  termsVersion: number | null;
};

type RevokedReason = 'renewal_without_commission' | 'change_without_commission' | 'months_over';

/**
 * Revokes the commissions of a sale that turned out not to earn them. If one of them was ever in a payout, all stay, and so
 * does what the sale was judged by.
 */
export function revokeCommission(
  ctx: Context,
  program: Program,
  sale: PaidSale,
  reason: RevokedReason,
  /** What is known by now, in place of what the sale was judged by. */
  known: Partial<StoredFacts>,
): Promise<void> {
  // Other work may lock the commissions first, so the two can deadlock; the one that loses retries.
  return retryOnConflict(() => ctx.db.transaction((tx) => revoke(ctx, tx, program, { ...sale, known }, reason)));
}

async function revoke(
  ctx: Context,
  tx: Transaction,
  program: Program,
  sale: PaidSale & { known: Partial<StoredFacts> },
  reason: RevokedReason,
): Promise<void> {
  await lockSale(tx, sale.saleId);
  const commissions = await listCommissionsOfSale(tx, sale.saleId);
  const { deleted } = await deleteUnpaidCommissions(tx, sale.saleId, ctx.now());
  if (deleted === 0) return;
  await updateRevoked(tx, sale.saleId, sale.known);
  const decisionId = await insertDecision(tx, {
    programId: program.id,
    kind: 'commission',
    outcome: 'not_attributed',
    reason,
    facts: { terms_version: sale.termsVersion ?? undefined },
    source: 'processor',
    customerId: sale.customerId,
    partnerId: sale.partnerId,
    saleId: sale.saleId,
    transactionId: sale.transactionId,
    requestId: null,
    isTest: false,
    createdAt: ctx.now(),
  });
  announce(ctx, tx, [removedCommissions(commissions, { programId: program.id, decisionId })]);
}
