import { bindKey } from '../leads/bind-key.ts';
import { confirmLead } from '../leads/confirm-lead.ts';
import type { Program } from '../programs/program.ts';
import { reviewSubscription } from '../sales/review-subscription.ts';
import { revokeCommissionsPastTerm } from '../sales/revoke-commissions-past-term.ts';
import { upsertPaymentLinks } from './charge-store.ts';
import { addCouponPayer } from './coupons/add-coupon-payer.ts';
import { identifyCoupon, type PaymentCoupon, saveCheckoutCode } from './coupons/identify-coupon.ts';
import { type EventDetails, type ProcessedEvent, requeueOutsideWindow } from './events/event-store.ts';
import type { EventOutcome } from './events/outcomes.ts';
import { type Identification, identifyPayer, saveIdentity } from './identify-payer.ts';
import { isKeyFromPage, type Payer } from './payer-store.ts';
import type { PaymentsContext } from './payments-context.ts';
import type { IdentityFact, PaymentFact } from './processor-fact.ts';
import { eventOutcome, recordPayment, recordZeroPayment } from './record-payment.ts';
import { syncPayment } from './sync-payment.ts';

/** How long a payment matched only by e-mail waits for an event of the same purchase that identifies the payer better. */
const BETTER_EVIDENCE_WAIT_MS = 2_000;

/** Identifies the payer, confirms their lead, records the sale once, and applies refunds that are already known. */
export async function applyPayment(
  ctx: PaymentsContext,
  program: Program,
  fact: PaymentFact,
  event: EventDetails,
): Promise<ProcessedEvent> {
  await upsertPaymentLinks(ctx.db, program.id, fact.transactionId, fact.paidBy);
  const found = await identifyPayer(ctx, program, fact.evidence, event);
  if (fact.needsAnnouncement && found.is !== 'identified') return unannounced(fact, event);
  const coupon = await identifyCoupon(ctx, program, fact);
  const identification = await identifyByCoupon(ctx, program, found, coupon, fact, event);
  const processed = await applyIdentification(ctx, program, { ...fact, coupon }, event, identification);
  // After the sale, never before: whichever of the payment and its refund runs second sees what the first one wrote.
  await syncPayment(ctx, program, [fact.transactionId]);
  return event.isTest ? asTest(processed) : processed;
}

/** Stores who the processor's customer is and what paid the invoice. The sale itself is recorded from another event. */
export async function applyIdentity(
  ctx: PaymentsContext,
  program: Program,
  fact: IdentityFact,
  event: EventDetails,
): Promise<ProcessedEvent> {
  const { evidence, paidBy, invoice, outcome } = fact;
  if (invoice !== null) {
    await upsertPaymentLinks(ctx.db, program.id, invoice, paidBy);
    await syncPayment(ctx, program, [invoice]);
  }
  const found = await identifyPayer(ctx, program, evidence, event);
  if (found.is === 'other_program') return { outcome: 'other_program' };
  const coupon = await saveCheckoutCode(ctx, program, fact);
  const identification = await identifyByCoupon(ctx, program, found, coupon, fact, event);
  if (identification.is === 'other_program') return { outcome: 'other_program' };
  if (identification.is === 'unidentified') {
    const noCustomer = { outcome: 'no_customer' as const, hint: evidence.hint };
    return event.isTest ? asTest(noCustomer) : noCustomer;
  }
  const { payer } = identification;
  await saveIdentity(ctx, program, payer, evidence, event);
  return { outcome, customerId: payer.customer.id };
}

/** A payer whom nobody knows becomes a customer of the partner whose coupon they used. */
async function identifyByCoupon(
  ctx: PaymentsContext,
  program: Program,
  found: Identification,
  coupon: PaymentCoupon | null,
  { evidence }: PaymentFact | IdentityFact,
  event: EventDetails,
): Promise<Identification> {
  const isAdded = found.is === 'unidentified' && (await addCouponPayer(ctx, program, coupon, evidence, event));
  return isAdded ? identifyPayer(ctx, program, evidence, event) : found;
}

/** A payment with the coupon that it was made with. */
type CouponedPayment = PaymentFact & { coupon: PaymentCoupon | null };

function applyIdentification(
  ctx: PaymentsContext,
  program: Program,
  fact: CouponedPayment,
  event: EventDetails,
  identification: Identification,
): Promise<ProcessedEvent> | ProcessedEvent {
  switch (identification.is) {
    case 'other_program':
      return { outcome: 'other_program', transactionId: fact.transactionId };
    case 'unidentified':
      return applyUnidentifiedPayment(ctx, program, fact, event, identification.isKeyDisputed);
    case 'identified': {
      const { payer } = identification;
      return event.isTest && !payer.customer.isTest
        ? applyTestPayment(ctx, program, fact, event, payer)
        : applyIdentifiedPayment(ctx, program, fact, event, payer);
    }
  }
}

async function applyIdentifiedPayment(
  ctx: PaymentsContext,
  program: Program,
  fact: CouponedPayment,
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
  const isClaim = isKeyFromPage(payer);
  const isLeadConfirmed = await confirmLead(ctx, program, customer, { ...evidence, isClaim, isTest: event.isTest });
  const isSurelyPayer = payer.matchedBy !== 'email' && payer.matchedBy !== 'claim';
  if (evidence.customerKey !== undefined && isSurelyPayer) await bindKey(ctx, customer, evidence.customerKey);
  if (fact.amountCents === 0) return recordZeroPayment(ctx, program, fact, event, customer);

  const isEmailFromPage = payer.matchedBy === 'email' && payer.isEmailFromPage;
  const known = { customerId, isEmailFromPage, isKeyFromPage: isClaim, couponCode: fact.coupon?.code };
  const outcome = eventOutcome(await recordPayment(ctx, program, fact, event, known));
  if (isRecorded(outcome)) await reviewOtherSales(ctx, program, customerId, fact, event);
  return {
    outcome: outcome === 'recorded' && isLeadConfirmed ? 'settled_and_recorded' : outcome,
    transactionId,
    customerId,
  };
}

/** Also a duplicate: the attempt that recorded the sale may have been interrupted before it came to what follows. */
const isRecorded = (outcome: EventOutcome) => outcome === 'recorded' || outcome === 'duplicate';

/** A payment of nobody the program knows. A guest who used a coupon is a new customer of its partner. */
async function applyUnidentifiedPayment(
  ctx: PaymentsContext,
  program: Program,
  fact: CouponedPayment,
  event: EventDetails,
  isKeyDisputed: boolean,
): Promise<ProcessedEvent> {
  const { transactionId, coupon } = fact;
  const { references, hint } = fact.evidence;
  const noCustomer: ProcessedEvent = { outcome: 'no_customer', transactionId, waitsFor: references, hint };
  // Nothing has changed since the last attempt, and its decision still holds.
  const hasFailed = event.lastOutcome === 'no_customer' || event.lastOutcome === 'test_no_customer';
  if (hasFailed && !(coupon?.isKnown && !event.isTest)) return noCustomer;
  if (fact.amountCents === 0) return recordZeroPayment(ctx, program, fact, event, null);

  const known = { isKeyDisputed, hint, couponCode: coupon?.code };
  const outcome = eventOutcome(await recordPayment(ctx, program, fact, event, known));
  return outcome === 'no_customer' ? noCustomer : { outcome, transactionId };
}

/** A test payment of a real customer changes nothing about them. It only shows whom it would have credited. */
async function applyTestPayment(
  ctx: PaymentsContext,
  program: Program,
  fact: CouponedPayment,
  event: EventDetails,
  payer: Payer,
): Promise<ProcessedEvent> {
  const { transactionId, evidence, coupon } = fact;
  const { customer } = payer;
  await saveIdentity(ctx, program, payer, evidence, event);
  if (fact.amountCents === 0) return recordZeroPayment(ctx, program, fact, event, customer);
  const known = { realCustomer: customer, couponCode: coupon?.code };
  const sale = await recordPayment(ctx, program, fact, event, known);
  return { outcome: eventOutcome(sale), transactionId, customerId: customer.id };
}

/** A payment of something else, unless a checkout that is not known yet announces it. */
function unannounced({ transactionId, evidence }: PaymentFact, event: EventDetails): ProcessedEvent {
  const { references: waitsFor, hint } = evidence;
  const isMisspelt = event.isTest && hint !== undefined;
  return isMisspelt ? { outcome: 'test_no_customer', transactionId, hint } : { outcome: 'not_used', waitsFor, hint };
}

const TEST_OUTCOMES: Partial<Record<EventOutcome, EventOutcome>> = {
  recorded: 'test_recorded',
  settled_and_recorded: 'test_recorded',
  no_customer: 'test_no_customer',
};

/** What the outcome is called in test mode, where nothing counts. */
function asTest(processed: ProcessedEvent): ProcessedEvent {
  return { ...processed, outcome: TEST_OUTCOMES[processed.outcome] ?? processed.outcome };
}

/** A sale reported late may turn out to be the customer's first, which changes what their other sales earn. */
async function reviewOtherSales(
  ctx: PaymentsContext,
  program: Program,
  customerId: number,
  { subscriptionId, paidAt }: PaymentFact,
  event: EventDetails,
): Promise<void> {
  if (subscriptionId !== undefined) await reviewSubscription(ctx, program, subscriptionId);
  await requeueOutsideWindow(ctx.db, customerId, paidAt, event, ctx.now());
  await revokeCommissionsPastTerm(ctx, program, customerId);
}
