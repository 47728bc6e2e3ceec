import { isMovedAt } from '../customers/attribution-store.ts';
import type { Customer } from '../customers/customer.ts';
import { bindKey } from '../leads/bind-key.ts';
import { confirmLead } from '../leads/confirm-lead.ts';
import type { Program } from '../programs/program.ts';
import { revokeMisjudgedSale } from '../refunds/revoke-misjudged-sale.ts';
import { isClickAfter } from '../sales/attribution-window.ts';
import { reviewSubscription } from '../sales/review-subscription.ts';
import { revokeCommissionsPastTerm } from '../sales/revoke-commissions-past-term.ts';
import type { SaleOutcome } from '../sales/sale.ts';
import { evidenceToReview } from '../sales/sale-reward.ts';
import { type Following, findFollowing, listMiscredited } from '../sales/sale-store.ts';
import type { SubscriptionPayment } from '../sales/subscription-store.ts';
import { linksOf, upsertPaymentLinks } from './charge-store.ts';
import { isKeyFromPage, type Match, type Payer } from './choose-payer.ts';
import { addCouponPayer } from './coupons/add-coupon-payer.ts';
import { applyEarlierCoupon } from './coupons/apply-earlier-coupon.ts';
import {
  identifyCoupon,
  type PaymentCoupon,
  saveCheckoutCode,
  saveCodeOfPayment,
  shareCode,
  shareCodeOfPayment,
} from './coupons/identify-coupon.ts';
import {
  type EventDetails,
  type ProcessedEvent,
  requeueEventsOf,
  requeueMiscredited,
  requeueNotYetCustomers,
  requeueOutsideWindow,
  updateCustomer,
} from './events/event-store.ts';
import type { EventOutcome } from './events/outcomes.ts';
import { type Identification, identifyPayer, saveIdentity } from './identify-payer.ts';
import { updateKnownSince } from './payer-store.ts';
import type { PaymentsContext } from './payments-context.ts';
import type { IdentityFact, PaymentFact } from './processor-fact.ts';
import { moneyOfSubscription } from './record-notes.ts';
import {
  eventOutcome,
  isPaymentRecordable,
  type KnownPayer,
  paidAtOf,
  recordPayment,
  recordZeroPayment,
  subscriptionPaymentOf,
} from './record-payment.ts';
import { isFirstPayment } from './subscription-store.ts';
import { syncPayment, syncRecorded } from './sync-payment.ts';

/** How long a payment with weak evidence waits for an event of the same purchase that identifies the payer better. */
const BETTER_EVIDENCE_WAIT_MS = 2_000;
/** What says who paid without proving it. */
const WEAK_MATCHES: Match[] = ['email', 'coupon'];

/** Identifies the payer, confirms their lead, records the sale once, and applies refunds that are already known. */
export async function applyPayment(
  ctx: PaymentsContext,
  program: Program,
  read: PaymentFact,
  event: EventDetails,
): Promise<ProcessedEvent> {
  const fact = withOwnReference(read);
  const found = await identifyPayer(ctx, program, fact, event);
  if (fact.needsAnnouncement && found.is !== 'identified') return unannounced(fact, event);
  const coupon = await identifyCoupon(ctx, program, fact);
  const waitUntil = new Date(event.receivedAt.getTime() + BETTER_EVIDENCE_WAIT_MS);
  const isWeak = found.is === 'identified' ? WEAK_MATCHES.includes(found.payer.matchedBy) : coupon?.isKnown === true;
  if (isWeak && found.is !== 'other_program' && fact.expectsBetterEvidence && ctx.now() < waitUntil) {
    return { outcome: 'waiting_for_checkout', transactionId: fact.transactionId, dueAt: waitUntil };
  }
  await saveCodeOfPayment(ctx, program, fact, coupon, event);
  const usedAt = paidAtOf(fact, ctx.now());
  const identification = await identifyByCoupon(ctx, program, found, { coupon, usedAt, by: read }, fact, event);
  const processed = await applyIdentification(ctx, program, { ...fact, coupon }, event, identification);
  // A payment that is no sale may still show that another one was not the first of the subscription.
  const payment = isRecorded(processed.outcome) ? null : moneyOfSubscription(program, fact, event, ctx.now());
  if (payment && (await isFirstPayment(ctx.db, payment))) await reviewPaymentsAfter(ctx, program, payment, event);
  // After the sale, never before: whichever of the payment and its refund runs second sees what the first one wrote.
  await syncRecorded(ctx, program, fact.transactionId);
  await shareCodeOfPayment(ctx, program, fact, event);
  return event.isTest ? asTest(processed) : processed;
}

/** The id of the payment says who paid as well: two events about it may have nothing else in common. */
function withOwnReference(fact: PaymentFact): PaymentFact {
  const { evidence, transactionId } = fact;
  const references = [...new Set([...evidence.references, transactionId])];
  return { ...fact, evidence: { ...evidence, references } };
}

/** Stores who the processor's customer is and what paid the invoice. The sale itself is recorded from another event. */
export async function applyIdentity(
  ctx: PaymentsContext,
  program: Program,
  fact: IdentityFact,
  event: EventDetails,
): Promise<ProcessedEvent> {
  const { evidence, paidBy, invoice, outcome, codeFrom } = fact;
  if (invoice !== null) {
    await upsertPaymentLinks(ctx.db, linksOf(program.id, invoice, paidBy));
    await syncPayment(ctx, program, [invoice]);
    if (codeFrom) await shareCode(ctx, program, codeFrom, [invoice], event);
  }
  const found = await identifyPayer(ctx, program, fact, event);
  if (found.is === 'other_program') return { outcome: 'other_program' };
  const coupon = await saveCheckoutCode(ctx, program, fact, event);
  const usedAt = event.happenedAt < ctx.now() ? event.happenedAt : ctx.now();
  const identification = await identifyByCoupon(ctx, program, found, { coupon, usedAt, by: fact }, fact, event);
  if (identification.is === 'other_program') return { outcome: 'other_program' };
  if (identification.is === 'unidentified') {
    // Nothing was paid with it, and most of these people come through no partner.
    const isPurchase = outcome !== 'payer_known';
    const noCustomer = {
      outcome: isPurchase ? ('no_customer' as const) : ('not_a_customer_yet' as const),
      hint: evidence.hint,
    };
    return event.isTest ? asTest(noCustomer) : noCustomer;
  }
  const { payer } = identification;
  await saveIdentity(ctx, program, payer, evidence, event);
  return { outcome, customerId: payer.customer.id };
}

/** A coupon that a payer used. What would make them a customer leaves out the id of the payment, which says nothing about others. */
type UsedCoupon = { coupon: PaymentCoupon | null; usedAt: Date; by: PaymentFact | IdentityFact };

/** An unknown payer becomes a customer of the partner whose coupon they used first. */
async function identifyByCoupon(
  ctx: PaymentsContext,
  program: Program,
  found: Identification,
  { coupon, usedAt, by }: UsedCoupon,
  fact: PaymentFact | IdentityFact,
  event: EventDetails,
): Promise<Identification> {
  const isAdded =
    found.is === 'unidentified' && (await addCouponPayer(ctx, program, coupon, by.evidence, usedAt, event));
  const known = isAdded ? await identifyPayer(ctx, program, fact, event) : found;
  if (known.is !== 'identified' || known.payer.evidence !== 'coupon' || event.isTest) return known;
  const { customer } = known.payer;
  // If the key moves to another customer later, this event is requeued. If it has moved already, the second look sees it.
  await updateCustomer(ctx.db, event, customer.id);
  if (await applyEarlierCoupon(ctx, program, coupon, customer, usedAt)) {
    await updateKnownSince(ctx.db, program.id, fact.evidence.references, event.happenedAt);
    await reviewTakenOver(ctx, customer.id, usedAt, event);
  }
  return identifyPayer(ctx, program, fact, event);
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

  // Only a first purchase lifts the window. Until there is one, the last attempt and its decision still hold.
  const isStillOutsideWindow = event.lastOutcome === 'outside_window' && customer.convertedAt === null;
  if (isStillOutsideWindow) return { outcome: 'outside_window', transactionId, customerId };

  // A click after the payment does not change who it was credited to.
  const isKept = event.lastOutcome !== null && isRecorded(event.lastOutcome) && isClickAfter(customer, fact.paidAt);
  if (isKept) return { outcome: event.lastOutcome!, transactionId };

  const isClaim = isKeyFromPage(payer);
  // What the processor's ids say is stored already.
  if (!payer.isReference) await saveIdentity(ctx, program, payer, evidence, event);
  else if (payer.isFirstWord) await updateKnownSince(ctx.db, program.id, evidence.references, payer.knownSince);
  const isLeadConfirmed = await confirmLead(ctx, program, customer, { ...evidence, isClaim, isTest: event.isTest });
  const isSurelyPayer = payer.matchedBy !== 'email' && payer.matchedBy !== 'claim';
  if (evidence.customerKey !== undefined && isSurelyPayer) {
    // Payments that the key alone made the loser's are this customer's now.
    await bindKey(ctx, customer, evidence.customerKey, payer.claimantIds, (tx, loserId) =>
      requeueEventsOf(tx, loserId, event, ctx.now()),
    );
  }
  if (fact.amountCents === 0) return recordZeroPayment(ctx, program, fact, event, customer);

  const isEmailFromPage = payer.matchedBy === 'email' && payer.isEmailFromPage;
  const known = { customerId, isEmailFromPage, isKeyFromPage: isClaim, couponCode: fact.coupon?.code };
  const recorded = await recordForPayer(ctx, program, fact, event, known, payer);
  const outcome = eventOutcome(recorded.sale);
  if (isRecorded(outcome)) await reviewOtherSales(ctx, program, customer, fact, event, recorded);
  return {
    outcome: outcome === 'recorded' && isLeadConfirmed ? 'settled_and_recorded' : outcome,
    transactionId,
    customerId,
  };
}

type RecordedPayment = {
  sale: SaleOutcome;
  following: Following;
  /** Whether a coupon had given the customer to its partner with the sale, until that was taken back. */
  hasGivenBack: boolean;
};

/** Records the payment. A sale that it was recorded as on weaker evidence is taken back first. */
async function recordForPayer(
  ctx: PaymentsContext,
  program: Program,
  fact: CouponedPayment,
  event: EventDetails,
  known: KnownPayer & { customerId: number },
  { customer, isClaimApproved }: Pick<Payer, 'customer' | 'isClaimApproved'>,
): Promise<RecordedPayment> {
  // Months are counted from the first sale. Only an earlier one changes what the others earn, however many there are.
  const isFirst = customer.convertedAt === null || fact.paidAt <= customer.convertedAt;
  const buyer = { customerId: customer.id, isFirst };
  // An earlier attempt may have got no further than taking it back.
  let hasGivenBack = event.isRetry;
  const record = async (): Promise<RecordedPayment> => {
    const sale = await recordPayment(ctx, program, fact, event, known);
    return { sale, following: await findFollowing(ctx.db, program.id, fact.transactionId, buyer), hasGivenBack };
  };
  if (event.isTest) return record();
  const judgedBy = {
    customerId: known.customerId,
    couponCode: fact.coupon?.isKnown ? fact.coupon.code : null,
    holdReason: evidenceToReview(known),
    isClaimApproved,
  };
  const revoke = async () => {
    const isRecordable = await isPaymentRecordable(ctx, program, fact, event, known);
    const revoked = await revokeMisjudgedSale(ctx, program, fact.transactionId, { ...judgedBy, isRecordable });
    hasGivenBack ||= revoked?.hadTakenCustomer === true;
    return revoked !== null;
  };
  // This event was processed before, so it may have recorded the sale itself.
  if (event.lastOutcome !== null) await revoke();
  const recorded = await record();
  const { sale, following } = recorded;
  const isDuplicate = sale.is === 'refused' && sale.reason === 'duplicate_transaction';
  // A coupon may have taken the customer over while the sale was written, and not have seen it.
  const isWrong = isDuplicate || following.isMiscredited;
  return isWrong && (await revoke()) ? record() : recorded;
}

/** Also a duplicate: the attempt that recorded the sale may have been interrupted before it came to what follows. */
const RECORDED: EventOutcome[] = ['recorded', 'settled_and_recorded', 'duplicate'];
const isRecorded = (outcome: EventOutcome) => RECORDED.includes(outcome);

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
  // A customer may have signed up with the email address of the processor's customer.
  await requeueNotYetCustomers(ctx.db, program.id, references, ctx.now());
  const noCustomer: ProcessedEvent = { outcome: 'no_customer', transactionId, hint };
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
  if (!payer.isReference) await saveIdentity(ctx, program, payer, evidence, event);
  if (fact.amountCents === 0) return recordZeroPayment(ctx, program, fact, event, customer);
  const known = { realCustomer: customer, couponCode: coupon?.code };
  const sale = await recordPayment(ctx, program, fact, event, known);
  return { outcome: eventOutcome(sale), transactionId, customerId: customer.id };
}

/** A payment of something else, unless a checkout that is not known yet announces it. */
function unannounced({ transactionId, evidence }: PaymentFact, event: EventDetails): ProcessedEvent {
  const { hint } = evidence;
  const isMisspelt = event.isTest && hint !== undefined;
  return isMisspelt ? { outcome: 'test_no_customer', transactionId, hint } : { outcome: 'not_used', hint };
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
  customer: Customer,
  fact: CouponedPayment,
  event: EventDetails,
  { following: { hasOtherSales, hasLatePayments }, hasGivenBack }: RecordedPayment,
): Promise<void> {
  const paidAt = paidAtOf(fact, ctx.now());
  const payment = subscriptionPaymentOf(fact, event, ctx.now());
  if (payment) await reviewPaymentsAfter(ctx, program, payment, event);
  if (hasLatePayments) await requeueOutsideWindow(ctx.db, customer.id, fact.paidAt, event, ctx.now());
  if (fact.coupon?.isKnown) await reviewTakenOver(ctx, customer.id, paidAt, event);
  if (hasOtherSales) await revokeCommissionsPastTerm(ctx, program, customer.id);
  if (hasOtherSales || hasGivenBack) await reviewMiscredited(ctx, customer.id, paidAt, event);
}

/** Payments of a subscription that were judged as its first, and are not, may earn less, or have taken a customer with a coupon. */
async function reviewPaymentsAfter(
  ctx: PaymentsContext,
  program: Program,
  { subscriptionId, paidAt }: Pick<SubscriptionPayment, 'subscriptionId' | 'paidAt'>,
  event: EventDetails,
): Promise<void> {
  for (const customerId of await reviewSubscription(ctx, program, subscriptionId, paidAt)) {
    await revokeCommissionsPastTerm(ctx, program, customerId);
    await reviewMiscredited(ctx, customerId, paidAt, event);
  }
}

/** A purchase that is recorded late, or without its coupon after all, may show that later ones credit the wrong partner. */
async function reviewMiscredited(
  ctx: PaymentsContext,
  customerId: number,
  since: Date,
  event: EventDetails,
): Promise<void> {
  const transactionIds = await listMiscredited(ctx.db, customerId, since);
  if (transactionIds.length === 0) return;
  await requeueMiscredited(ctx.db, customerId, { transactionIds, from: since }, event, ctx.now());
}

/** A coupon may take a customer over from a time on at which other payments of theirs were made that are recorded already. */
async function reviewTakenOver(
  ctx: PaymentsContext,
  customerId: number,
  since: Date,
  event: EventDetails,
): Promise<void> {
  if (event.isTest || !(await isMovedAt(ctx.db, customerId, since))) return;
  const transactionIds = await listMiscredited(ctx.db, customerId, since);
  await requeueMiscredited(ctx.db, customerId, { transactionIds, from: since }, event, ctx.now());
}
