import type { Program } from '../programs/program.ts';
import { syncRefunds } from '../refunds/sync-refunds.ts';
import {
  findPaidTransaction,
  insertPaymentLinks,
  listCharges,
  listDeductions,
  upsertCharge,
  upsertDeduction,
} from './charge-store.ts';
import type { ProcessedEvent } from './event-store.ts';
import type { PaymentsContext } from './payments-context.ts';
import type { ChargeFact, DeductionFact } from './processor-fact.ts';
import { refundedTotalCents } from './refunded-total.ts';

/** Stores a charge, refund or dispute and updates its sale. If the sale is not recorded yet, it picks this up later. */
export async function applyRefund(
  ctx: PaymentsContext,
  program: Program,
  fact: ChargeFact | DeductionFact,
): Promise<ProcessedEvent> {
  if (fact.kind === 'charge') await upsertCharge(ctx.db, program.id, fact);
  else await upsertDeduction(ctx.db, program.id, fact);
  const invoice = fact.kind === 'charge' ? fact.invoice : null;
  const references = [fact.chargeId, fact.paymentIntent, invoice].filter((reference) => reference !== null);
  return syncPayment(ctx, program, references);
}

/** Stores which payments paid an invoice, and updates its sale with their refunds and disputes. */
export async function applyPaymentLink(
  ctx: PaymentsContext,
  program: Program,
  invoice: string,
  paidBy: string[],
): Promise<ProcessedEvent> {
  await insertPaymentLinks(ctx.db, program.id, paidBy, invoice);
  const { outcome, ...processed } = await syncPayment(ctx, program, [invoice]);
  return { ...processed, outcome: outcome === 'refunded' || outcome === 'restored' ? outcome : 'payment_linked' };
}

async function syncPayment(ctx: PaymentsContext, program: Program, references: string[]): Promise<ProcessedEvent> {
  const transactionId = await findPaidTransaction(ctx.db, program.id, references);
  if (transactionId === null) return { outcome: 'no_sale_yet' };
  const { is } = await syncWithProcessor(ctx, program, transactionId);
  return { outcome: is === 'sale_not_found' ? 'no_sale_yet' : is, transactionId };
}

/** Updates a sale to match all its known charges, refunds and disputes. */
export function syncWithProcessor(ctx: PaymentsContext, program: Program, transactionId: string) {
  return syncRefunds(ctx, program, transactionId, async (tx, sale) =>
    refundedTotalCents(
      sale,
      await listCharges(tx, program.id, transactionId),
      await listDeductions(tx, program.id, transactionId),
    ),
  );
}
