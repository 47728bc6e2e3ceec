import type { Customer } from '../customers/customer.ts';
import { hashEmailIdentity } from '../customers/email.ts';
import { insertDecision } from '../decisions/decision-store.ts';
import type { Program } from '../programs/program.ts';
import { recordSale } from '../sales/record-sale.ts';
import { isRecordable } from '../sales/record-sales.ts';
import { type NewSale, periodOf, type SaleOutcome } from '../sales/sale.ts';
import { hasEarlierPayment, type SubscriptionPayment } from '../sales/subscription-store.ts';
import { deleteInvoiceAlias } from '../sales/transaction-store.ts';
import type { Period } from '../terms/earning.ts';
import type { EventDetails, ProcessedEvent } from './events/event-store.ts';
import type { EventOutcome } from './events/outcomes.ts';
import type { PaymentsContext } from './payments-context.ts';
import type { PaymentFact } from './processor-fact.ts';

/** Who paid, and how that is known. */
export type KnownPayer = Pick<
  NewSale,
  'customerId' | 'isKeyDisputed' | 'isEmailFromPage' | 'isKeyFromPage' | 'realCustomer' | 'hint' | 'couponCode'
>;

/** Records the sale of a payment, once. */
export async function recordPayment(
  ctx: PaymentsContext,
  program: Program,
  fact: PaymentFact,
  event: EventDetails,
  payer: KnownPayer,
): Promise<SaleOutcome> {
  return recordInvoiceFirst(ctx, program, await saleOf(ctx, program, fact, event, payer));
}

/** Whether the payment can be recorded as a sale, apart from being recorded already. */
export async function isPaymentRecordable(
  ctx: PaymentsContext,
  program: Program,
  fact: PaymentFact,
  event: EventDetails,
  payer: KnownPayer,
): Promise<boolean> {
  return isRecordable(ctx, { program, sale: await saleOf(ctx, program, fact, event, payer) });
}

async function saleOf(
  ctx: PaymentsContext,
  program: Program,
  fact: PaymentFact,
  event: EventDetails,
  payer: KnownPayer,
): Promise<NewSale> {
  const now = ctx.now();
  const paidAt = paidAtOf(fact, now);
  const period = await findPeriod(ctx, program, subscriptionPaymentOf(fact, event, now));
  const { email } = fact.evidence;
  const paidBy = [...new Set(fact.paidBy.map(({ reference }) => reference))].filter((id) => id !== fact.transactionId);
  return {
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
    details: { subscription_id: fact.subscriptionId },
    paidBy: paidBy.length === 0 ? undefined : paidBy.slice(0, MAX_LISTED),
    isTest: event.isTest,
    source: 'processor',
    requestId: null,
  };
}

const MAX_ATTEMPTS = 5;

/**
 * The sale of its payment may have the id of an invoice, even since a moment ago. The invoice comes first: `syncPayment`
 * takes the other sale back.
 */
async function recordInvoiceFirst(ctx: PaymentsContext, program: Program, sale: NewSale): Promise<SaleOutcome> {
  if (sale.isTest) return recordSale(ctx, program, sale);
  const free = () => deleteInvoiceAlias(ctx.db, program.id, sale.transactionId);
  await free();
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await recordSale(ctx, program, sale);
    const isDuplicate = outcome.is === 'refused' && outcome.reason === 'duplicate_transaction';
    if (!isDuplicate || attempt === MAX_ATTEMPTS || !(await free())) return outcome;
  }
}

/** How many ids a decision lists. */
const MAX_LISTED = 20;

/** What the payment is within its subscription, as far as the payments before it are known by now. */
async function findPeriod(
  ctx: PaymentsContext,
  program: Program,
  payment: SubscriptionPayment | null,
): Promise<Period> {
  return payment ? periodOf(payment.stage, await hasEarlierPayment(ctx.db, program.id, payment)) : 'first';
}

/** The payment as one of its subscription; null without one. */
export function subscriptionPaymentOf(
  fact: PaymentFact,
  { isTest }: Pick<EventDetails, 'isTest'>,
  now: Date,
): SubscriptionPayment | null {
  const { subscriptionId, subscriptionStage: stage, transactionId } = fact;
  return subscriptionId === undefined
    ? null
    : { subscriptionId, stage, transactionId, paidAt: paidAtOf(fact, now), isTest };
}

/** When it was paid. The processor's clock may be ahead of this service's. */
export const paidAtOf = ({ paidAt }: Pick<PaymentFact, 'paidAt'>, now: Date) => (paidAt < now ? paidAt : now);

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

export function eventOutcome(sale: SaleOutcome): EventOutcome {
  return sale.is === 'refused' ? REFUSAL_OUTCOMES[sale.reason] : sale.is;
}

/** A payment of zero is no sale. It leaves a decision, so that it can be explained like any other payment. */
export async function recordZeroPayment(
  ctx: PaymentsContext,
  program: Program,
  { transactionId, currency, evidence }: PaymentFact,
  event: EventDetails,
  customer: Customer | null,
): Promise<ProcessedEvent> {
  await insertDecision(ctx.db, {
    programId: program.id,
    kind: 'sale',
    outcome: 'unchanged',
    reason: 'nothing_paid',
    facts: { amount_cents: 0, currency },
    source: 'processor',
    customerId: customer?.id,
    partnerId: customer?.partnerId,
    transactionId,
    customerKey: evidence.customerKey,
    clickId: evidence.clickId,
    requestId: null,
    isTest: event.isTest,
    createdAt: ctx.now(),
  });
  return { outcome: 'zero_amount', transactionId, customerId: customer?.id };
}
