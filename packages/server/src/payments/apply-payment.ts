import { parseClickId } from '../clicks/click-id.ts';
import { hashEmail } from '../customers/email.ts';
import { confirmLead } from '../leads/confirm-lead.ts';
import type { Program } from '../programs/program.ts';
import { recordSale } from '../sales/record-sale.ts';
import { revokeCommissionsPastTerm } from '../sales/revoke-commissions-past-term.ts';
import type { SaleOutcome } from '../sales/sale.ts';
import { syncWithProcessor } from './apply-refund.ts';
import { insertPaymentLinks } from './charge-store.ts';
import { type ProcessedEvent, wakeOutsideWindow, wakeWaitingFor } from './event-store.ts';
import type { EventOutcome } from './outcomes.ts';
import { findPayer, insertIdentities, type Recognised } from './payer-store.ts';
import type { PaymentsContext } from './payments-context.ts';
import type { Evidence, PaymentFact } from './processor-fact.ts';

export type EventMark = {
  isTest: boolean;
  happenedAt: Date;
  receivedAt: Date;
  /** What became of it at the last attempt. */
  lastOutcome: EventOutcome | null;
};

/** How long a payment that only an e-mail tells about waits for an event of the same purchase that tells more. */
const BETTER_EVIDENCE_MS = 2_000;

/** Finds who paid, settles their lead, records the sale once, and applies what is known to have been taken back of it. */
export async function applyPayment(
  ctx: PaymentsContext,
  program: Program,
  fact: PaymentFact,
  mark: EventMark,
): Promise<ProcessedEvent> {
  const { transactionId, evidence } = fact;
  await insertPaymentLinks(ctx.db, program.id, fact.paidBy, transactionId);
  if (namesAnother(program, evidence)) return { outcome: 'other_program', transactionId };

  const payer = await recognise(ctx, program, evidence, mark);
  if (payer && payer.customer.programId !== program.id) return { outcome: 'other_program', transactionId };
  const waitsUntil = new Date(mark.receivedAt.getTime() + BETTER_EVIDENCE_MS);
  if (payer?.via === 'email' && fact.mayBeToldBetter && ctx.now() < waitsUntil) {
    return { outcome: 'waiting_for_checkout', transactionId, dueAt: waitsUntil, waitsFor: evidence.references };
  }
  const isTriedInVain = payer
    ? mark.lastOutcome === 'outside_window' && payer.customer.convertedAt === null
    : mark.lastOutcome === 'no_customer';
  // Nothing has changed; the decision that says so was made at the attempt before.
  if (isTriedInVain) return payer ? tooLate(fact, payer) : unknownPayer(fact);

  const hasSettled = payer ? await settlePayer(ctx, program, payer, evidence, mark) : false;
  if (fact.amountCents === 0) return { outcome: 'zero_amount', transactionId, customerId: payer?.customer.id };
  const outcome = await recordSale(ctx, program, {
    transactionId,
    customerId: payer?.customer.id,
    customerKey: evidence.customerKey,
    clickId: evidence.clickId,
    paidAt: fact.paidAt < ctx.now() ? fact.paidAt : ctx.now(),
    amountCents: fact.amountCents,
    currency: fact.currency,
    saleType: fact.saleType,
    isRecurring: fact.isRecurring,
    subscriptionId: fact.subscriptionId,
    isTest: mark.isTest,
    source: 'processor',
    requestId: null,
  });
  if (payer && outcome.is === 'recorded') await lookBack(ctx, program, payer, fact);
  // After the sale, never before: of this and of the event of a refund, the later one sees what the other wrote.
  await syncWithProcessor(ctx, program, transactionId);
  if (!payer && outcome.is === 'refused' && outcome.reason === 'customer_not_found') return unknownPayer(fact);
  if (payer && outcome.is === 'outside_window') return tooLate(fact, payer);
  return { outcome: wordFor(outcome, hasSettled), transactionId, customerId: payer?.customer.id };
}

/** Keeps who the processor's customer is, and what paid for the invoice; the payment itself comes with the invoice. */
export async function applyIdentity(
  ctx: PaymentsContext,
  program: Program,
  { evidence, paidBy, invoice }: { evidence: Evidence; paidBy: string[]; invoice: string | null },
  mark: EventMark,
): Promise<ProcessedEvent> {
  if (invoice) await insertPaymentLinks(ctx.db, program.id, paidBy, invoice);
  if (namesAnother(program, evidence)) return { outcome: 'other_program' };
  const payer = await recognise(ctx, program, evidence, mark);
  if (payer && payer.customer.programId !== program.id) return { outcome: 'other_program' };
  if (!payer) return { outcome: 'no_customer' };
  await remember(ctx, program, payer, evidence, mark);
  return { outcome: 'left_to_invoice', customerId: payer.customer.id };
}

function namesAnother(program: Program, { programId }: Evidence): boolean {
  return programId !== undefined && programId !== String(program.id);
}

function recognise(ctx: PaymentsContext, program: Program, evidence: Evidence, mark: EventMark) {
  return findPayer(ctx.db, {
    programId: program.id,
    isTest: mark.isTest,
    click: parseClickId(evidence.clickId),
    customerKey: evidence.customerKey,
    references: evidence.references,
    emailHash: evidence.email === undefined ? null : hashEmail(evidence.email, ctx.emailSecret),
  });
}

async function remember(
  ctx: PaymentsContext,
  program: Program,
  payer: Recognised,
  { references }: Evidence,
  mark: EventMark,
): Promise<void> {
  if (payer.via === 'reference' || references.length === 0) return;
  await insertIdentities(ctx.db, program.id, references, payer, mark.happenedAt);
  await wakeWaitingFor(ctx.db, program.id, references, ctx.now());
}

async function settlePayer(
  ctx: PaymentsContext,
  program: Program,
  payer: Recognised,
  evidence: Evidence,
  mark: EventMark,
): Promise<boolean> {
  await remember(ctx, program, payer, evidence, mark);
  return confirmLead(ctx, program, payer.customer, { ...evidence, isTest: mark.isTest });
}

/** A sale that is told late may come before others of its customer: those are looked at again. */
async function lookBack(ctx: PaymentsContext, program: Program, { customer }: Recognised, { paidAt }: PaymentFact) {
  await wakeOutsideWindow(ctx.db, customer.id, paidAt, ctx.now());
  if (program.recurringMonths !== null) await revokeCommissionsPastTerm(ctx, program, customer.id);
}

function tooLate({ transactionId }: PaymentFact, { customer }: Recognised): ProcessedEvent {
  return { outcome: 'outside_window', transactionId, customerId: customer.id };
}

function unknownPayer({ transactionId, evidence }: PaymentFact): ProcessedEvent {
  return { outcome: 'no_customer', transactionId, waitsFor: evidence.references };
}

const WORDS = {
  customer_not_found: 'no_customer',
  attributed_elsewhere: 'other_program',
  customer_unattributed: 'not_attributed',
  click_after_payment: 'click_after_payment',
  membership_missing: 'not_attributed',
  partner_blocked: 'partner_blocked',
  partner_removed: 'partner_removed',
  duplicate_transaction: 'duplicate',
  partner_missing: 'commission_owed',
  commission_failed: 'commission_owed',
} as const;

function wordFor(outcome: SaleOutcome, hasSettled: boolean): EventOutcome {
  if (outcome.is === 'outside_window') return 'outside_window';
  if (outcome.is === 'refused') return WORDS[outcome.reason];
  return hasSettled ? 'settled_and_recorded' : 'recorded';
}
