import type { Program } from '../programs/program.ts';
import {
  countUnlinkedInvoices,
  insertOwnLink,
  linksOf,
  upsertCharge,
  upsertDeduction,
  upsertPaymentLinks,
} from './charge-store.ts';
import { shareCode } from './coupons/identify-coupon.ts';
import type { EventDetails, ProcessedEvent } from './events/event-store.ts';
import type { PaymentsContext } from './payments-context.ts';
import type { ChargeFact, DeductionFact, LinkFact } from './processor-fact.ts';
import type { Processor } from './processors/processor.ts';
import { syncPayment } from './sync-payment.ts';

/** Stores a charge, refund or dispute and updates its sales. If a sale is not recorded yet, it picks this up later. */
export async function applyRefund(
  ctx: PaymentsContext,
  program: Program,
  fact: ChargeFact | DeductionFact,
  { linkedInvoicePrefix }: Pick<Processor, 'linkedInvoicePrefix'>,
): Promise<ProcessedEvent> {
  if (fact.kind === 'charge') await storeCharge(ctx, program, fact);
  else await upsertDeduction(ctx.db, program.id, fact);
  const invoice = fact.kind === 'charge' ? fact.invoice : null;
  const references = [fact.chargeId, fact.paymentIntent, invoice].filter((reference) => reference !== null);
  const synced = await syncPayment(ctx, program, references);
  if (synced) return { outcome: synced.is, transactionId: synced.transactionId };
  // Perhaps it has a sale, and only the event that says so is missing.
  const isLinkMissing =
    linkedInvoicePrefix !== null &&
    (await countUnlinkedInvoices(ctx.db, program.id, linkedInvoicePrefix, ctx.now())) > 0;
  return { outcome: isLinkMissing ? 'no_invoice_link' : 'no_sale_yet' };
}

/** Stores which payments paid an invoice, and updates the sales of those payments with their refunds and disputes. */
export async function applyPaymentLink(
  ctx: PaymentsContext,
  program: Program,
  { invoice, paidBy, codeFrom }: LinkFact,
  event: EventDetails,
): Promise<ProcessedEvent> {
  if (paidBy.length === 0) await insertOwnLink(ctx.db, program.id, invoice);
  else await upsertPaymentLinks(ctx.db, linksOf(program.id, invoice, paidBy));
  const synced = await syncPayment(ctx, program, [invoice]);
  if (codeFrom) await shareCode(ctx, program, codeFrom, [invoice], event);
  const isChanged = synced !== null && synced.is !== 'unchanged';
  return { outcome: isChanged ? synced.is : 'payment_linked', ...(synced && { transactionId: synced.transactionId }) };
}

async function storeCharge(ctx: PaymentsContext, program: Program, charge: ChargeFact): Promise<void> {
  await upsertCharge(ctx.db, program.id, charge);
  if (charge.invoice === null) return;
  const payments = [charge.chargeId, charge.paymentIntent].filter((reference) => reference !== null);
  const parts = payments.map((reference) => ({ reference, amountCents: null }));
  await upsertPaymentLinks(ctx.db, linksOf(program.id, charge.invoice, parts));
}
