import type { Period } from '../commissions/commission.ts';
import { hashEmailIdentity } from '../customers/email.ts';
import { bindKey } from '../leads/bind-key.ts';
import { confirmLead } from '../leads/confirm-lead.ts';
import type { Program } from '../programs/program.ts';
import { recordSale } from '../sales/record-sale.ts';
import { reviewSubscription } from '../sales/review-subscription.ts';
import { revokeCommissionsPastTerm } from '../sales/revoke-commissions-past-term.ts';
import { type NewSale, periodOf, type SaleOutcome } from '../sales/sale.ts';
import { hasEarlierPayment } from '../sales/subscription-store.ts';
import { syncWithProcessor } from './apply-refund.ts';
import { insertPaymentLinks } from './charge-store.ts';
import { type EventDetails, type ProcessedEvent, requeueOutsideWindow } from './event-store.ts';
import { identifyPayer, saveIdentity } from './identify-payer.ts';
import type { EventOutcome } from './outcomes.ts';
import type { Payer } from './payer-store.ts';
import type { PaymentsContext } from './payments-context.ts';
import type { IdentityFact, PaymentFact } from './processor-fact.ts';

/** How long a payment matched only by e-mail waits for an event of the same purchase that identifies the payer better. */
const BETTER_EVIDENCE_WAIT_MS = 2_000;

/** Identifies the payer, confirms their lead, records the sale once, and applies refunds that are already known. */
export async function applyPayment(
  ctx: PaymentsContext,
  program: Program,
  fact: PaymentFact,
  event: EventDetails,
): Promise<ProcessedEvent> {
  await insertPaymentLinks(ctx.db, program.id, fact.paidBy, fact.transactionId);
  const identification = await identifyPayer(ctx, program, fact.evidence, event);
  switch (identification.is) {
    case 'other_program':
      return { outcome: 'other_program', transactionId: fact.transactionId };
    case 'unidentified':
      return applyUnidentifiedPayment(ctx, program, fact, event, identification.isKeyDisputed);
    case 'identified':
      return applyIdentifiedPayment(ctx, program, fact, event, identification.payer);
  }
}

/** Stores who the processor's customer is and what paid the invoice. The sale itself is recorded from the invoice. */
export async function applyIdentity(
  ctx: PaymentsContext,
  program: Program,
  { evidence, paidBy, invoice, outcome }: IdentityFact,
  event: EventDetails,
): Promise<ProcessedEvent> {
  if (invoice) await insertPaymentLinks(ctx.db, program.id, paidBy, invoice);
  const identification = await identifyPayer(ctx, program, evidence, event);
  if (identification.is === 'other_program') return { outcome: 'other_program' };
  if (identification.is === 'unidentified') return { outcome: 'no_customer' };
  const { payer } = identification;
  await saveIdentity(ctx, program, payer, evidence, event);
  return { outcome, customerId: payer.customer.id };
}

async function applyIdentifiedPayment(
  ctx: PaymentsContext,
  program: Program,
  fact: PaymentFact,
  event: EventDetails,
  payer: Payer,
): Promise<ProcessedEvent> {
  const { transactionId, evidence } = fact;
  const { customer } = payer;
  const customerId = customer.id;

  const waitUntil = new Date(event.receivedAt.getTime() + BETTER_EVIDENCE_WAIT_MS);
  if (payer.matchedBy === 'email' && fact.expectsBetterEvidence && ctx.now() < waitUntil) {
    return { outcome: 'waiting_for_checkout', transactionId, dueAt: waitUntil, waitsFor: evidence.references };
  }
  // Only a first purchase lifts the window. Until there is one, the last attempt and its decision still hold.
  const isStillOutsideWindow = event.lastOutcome === 'outside_window' && customer.convertedAt === null;
  if (isStillOutsideWindow) return { outcome: 'outside_window', transactionId, customerId };

  await saveIdentity(ctx, program, payer, evidence, event);
  const isLeadConfirmed = await confirmLead(ctx, program, customer, { ...evidence, isTest: event.isTest });
  const isSurelyPayer = payer.matchedBy !== 'email' && payer.matchedBy !== 'claim';
  if (evidence.customerKey !== undefined && isSurelyPayer) await bindKey(ctx, customer, evidence.customerKey);
  if (fact.amountCents === 0) return { outcome: 'zero_amount', transactionId, customerId };

  const isEmailFromPage = payer.matchedBy === 'email' && payer.isEmailFromPage;
  const sale = await recordPayment(ctx, program, fact, event, { customerId, isEmailFromPage });
  if (sale.is === 'recorded') {
    if (fact.subscriptionId !== undefined) await reviewSubscription(ctx, program, fact.subscriptionId);
    await reviewOtherSales(ctx, program, customerId, fact.paidAt, event);
  }
  // After the sale, never before: whichever of the payment and its refund runs second sees what the first one wrote.
  await syncWithProcessor(ctx, program, transactionId);
  const outcome = eventOutcome(sale);
  return {
    outcome: outcome === 'recorded' && isLeadConfirmed ? 'settled_and_recorded' : outcome,
    transactionId,
    customerId,
  };
}

async function applyUnidentifiedPayment(
  ctx: PaymentsContext,
  program: Program,
  fact: PaymentFact,
  event: EventDetails,
  isKeyDisputed: boolean,
): Promise<ProcessedEvent> {
  const { transactionId } = fact;
  const noCustomer: ProcessedEvent = { outcome: 'no_customer', transactionId, waitsFor: fact.evidence.references };
  // Nothing has changed since the last attempt, and its decision still holds.
  if (event.lastOutcome === 'no_customer') return noCustomer;
  if (fact.amountCents === 0) return { outcome: 'zero_amount', transactionId };

  const sale = await recordPayment(ctx, program, fact, event, { isKeyDisputed });
  await syncWithProcessor(ctx, program, transactionId);
  const outcome = eventOutcome(sale);
  return outcome === 'no_customer' ? noCustomer : { outcome, transactionId };
}

async function recordPayment(
  ctx: PaymentsContext,
  program: Program,
  fact: PaymentFact,
  event: EventDetails,
  payer: Pick<NewSale, 'customerId' | 'isKeyDisputed' | 'isEmailFromPage'>,
): Promise<SaleOutcome> {
  const now = ctx.now();
  // The processor's clock may be ahead of this service's.
  const paidAt = fact.paidAt < now ? fact.paidAt : now;
  const period = await findPeriod(ctx, program, fact, paidAt, event.isTest);
  const { email } = fact.evidence;
  return recordSale(ctx, program, {
    ...payer,
    transactionId: fact.transactionId,
    customerKey: fact.evidence.customerKey,
    clickId: fact.evidence.clickId,
    emailIdentityHash: email === undefined ? undefined : hashEmailIdentity(email, ctx.emailSecret),
    paidAt,
    amountCents: fact.amountCents,
    taxCents: fact.taxCents,
    shippingCents: fact.shippingCents,
    currency: fact.currency,
    saleType: fact.saleType,
    isRecurring: period === 'renewal',
    isChange: period === 'change',
    subscriptionStage: fact.subscriptionStage,
    subscriptionId: fact.subscriptionId,
    isTest: event.isTest,
    source: 'processor',
    requestId: null,
  });
}

/** What the payment is within its subscription, as far as the payments before it are known by now. */
async function findPeriod(
  ctx: PaymentsContext,
  program: Program,
  { subscriptionId, subscriptionStage, transactionId }: PaymentFact,
  paidAt: Date,
  isTest: boolean,
): Promise<Period> {
  if (subscriptionId === undefined) return 'first';
  const payment = { transactionId, paidAt, isTest };
  return periodOf(subscriptionStage, await hasEarlierPayment(ctx.db, program.id, subscriptionId, payment));
}

/** A sale reported late may turn out to be the customer's first, which changes what their other sales earn. */
async function reviewOtherSales(
  ctx: PaymentsContext,
  program: Program,
  customerId: number,
  paidAt: Date,
  event: EventDetails,
): Promise<void> {
  await requeueOutsideWindow(ctx.db, customerId, paidAt, event, ctx.now());
  await revokeCommissionsPastTerm(ctx, program, customerId);
}

const REFUSAL_OUTCOMES = {
  customer_not_found: 'no_customer',
  key_claimed_by_several: 'no_customer',
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

function eventOutcome(sale: SaleOutcome): EventOutcome {
  return sale.is === 'refused' ? REFUSAL_OUTCOMES[sale.reason] : sale.is;
}
