import { isCurrency } from '@svc/contract';
import type { SubscriptionStage } from '../../../sales/sale.ts';
import { isIdentifier } from '../../identifier-checks.ts';
import type { PayerEvidence, PaymentPart, ProcessorFact } from '../../processor-fact.ts';
import { metadataHint } from '../metadata-hint.ts';
import { at, idOf, listOf, money, present, record, timeOf } from './fields.ts';
import { readCouponCodes, readPromotionCode } from './read-coupon-codes.ts';
import { readIntentParts, readInvoiceParts, readSessionParts } from './read-parts.ts';
import { readCharge, readDispute, readRefund } from './read-refund.ts';

// Parsed by hand instead of with the library's types: an event has the shape of the API version that the account is pinned
// to, which may be years older than the library's.

export type StripeEvent = {
  id: string;
  type: string;
  created: number;
  livemode: boolean;
  api_version?: unknown;
  data?: unknown;
};

/** Translates a Stripe event into a processor-independent fact. Never throws: unknown events are ignored. */
export function readStripeEvent(event: StripeEvent): ProcessorFact {
  if (event.type === 'v2.core.event_destination.ping') return { kind: 'ignored', outcome: 'ping' };
  if (/^v\d+\./.test(event.type)) return { kind: 'ignored', outcome: 'thin_event' };
  const object = record(at(event.data, 'object'));
  const id = idOf(object);
  if (object === null || id === null) return { kind: 'ignored', outcome: 'not_used' };
  const happenedAt = new Date(event.created * 1000);
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return readSession(id, object, happenedAt);
    case 'payment_intent.succeeded':
      return readPaymentIntent(id, object, happenedAt);
    case 'customer.created':
    case 'customer.updated':
      return readIdentity(object, [id, idOf(object.customer_account)], object.email);
    case 'customer.subscription.created':
      return readIdentity(object, [id, ...customerOf(object)], undefined);
    case 'promotion_code.created':
    case 'promotion_code.updated':
      return readPromotionCode(id, object);
    case 'invoice.paid':
    case 'invoice.payment_succeeded':
      return readInvoice(id, object, happenedAt);
    case 'invoice_payment.paid':
      return readInvoicePayment(object);
    case 'charge.refunded':
      return readCharge(id, object, event.api_version, happenedAt);
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.refund.updated':
      return readRefund(id, object, happenedAt);
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.closed':
      return readDispute(id, object, event.type === 'charge.dispute.closed', happenedAt);
    default:
      return { kind: 'ignored', outcome: 'not_used' };
  }
}

/** The program that the metadata of the event's object names. */
export function readNamedProgram(event: StripeEvent): string | undefined {
  const fact = readStripeEvent(event);
  if ('evidence' in fact) return fact.evidence.programId;
  const named = at(at(at(event.data, 'object'), 'metadata'), 'program_id');
  return isIdentifier(named) ? named : undefined;
}

function readSession(id: string, session: Record<string, unknown>, paidAt: Date): ProcessorFact {
  const paymentIntent = idOf(session.payment_intent);
  const invoice = idOf(session.invoice);
  const subscription = idOf(session.subscription);
  const references = [...customerOf(session), subscription, invoice];
  const evidence = payerEvidence([session.metadata], references, emailOf(session), session.client_reference_id);
  const paidBy = partsOf([paymentIntent], null);
  const couponCodes = readCouponCodes(session);
  const used = couponCodes.length > 0 && { couponCodes };
  // The session also creates an invoice, and the sale is recorded from that: only once, whichever event arrives first.
  if (session.mode === 'subscription' || invoice !== null) {
    const code = used && { ...used, codeReferences: present([subscription, invoice]) };
    return { kind: 'identity', outcome: 'left_to_invoice', evidence, paidBy, invoice, ...code };
  }
  const paysNothing = session.mode !== 'payment' || session.payment_status === 'no_payment_required';
  if (paysNothing) return { kind: 'identity', outcome: 'payer_known', evidence, paidBy, invoice };
  if (session.payment_status !== 'paid') {
    // The money follows later, perhaps only as a payment intent that is captured. That must be known to be this purchase.
    const known = { ...evidence, references: present([...references, paymentIntent]) };
    return { kind: 'identity', outcome: 'not_paid', evidence: known, paidBy: [], invoice: null };
  }
  const { amountCents, currency } = money(session.amount_total, session.currency);
  if (!isCurrency(currency)) return { kind: 'ignored', outcome: 'unknown_currency' };
  return {
    kind: 'payment',
    transactionId: paymentIntent ?? id,
    amountCents,
    ...readSessionParts(session),
    currency,
    saleType: 'payment',
    subscriptionStage: undefined,
    subscriptionId: undefined,
    paidAt,
    evidence,
    ...used,
    paidBy,
    needsAnnouncement: false,
    expectsBetterEvidence: false,
  };
}

/** A payment without an invoice counts if the shop has put our metadata on it, or on the checkout that it completes. */
function readPaymentIntent(id: string, intent: Record<string, unknown>, paidAt: Date): ProcessorFact {
  const evidence = payerEvidence([intent.metadata], customerOf(intent), emailText(intent.receipt_email));
  const isOurs = evidence.clickId !== undefined || evidence.customerKey !== undefined;
  if (idOf(intent.invoice) !== null) return { kind: 'ignored', outcome: 'not_used' };
  const { amountCents, currency } = money(intent.amount_received, intent.currency);
  if (!isCurrency(currency)) return { kind: 'ignored', outcome: 'unknown_currency' };
  return {
    kind: 'payment',
    transactionId: id,
    amountCents,
    ...readIntentParts(intent),
    currency,
    saleType: 'payment',
    subscriptionStage: undefined,
    subscriptionId: undefined,
    paidAt,
    evidence: isOurs ? evidence : { ...evidence, references: [id], email: undefined },
    paidBy: [],
    needsAnnouncement: !isOurs,
    expectsBetterEvidence: false,
  };
}

/** A customer or subscription of the processor that carries our metadata. */
function readIdentity(object: Record<string, unknown>, references: (string | null)[], email: unknown): ProcessorFact {
  const evidence = payerEvidence([object.metadata], references, emailText(email));
  const isOurs = evidence.clickId !== undefined || evidence.customerKey !== undefined;
  if (!isOurs) return { kind: 'ignored', outcome: 'not_used' };
  return { kind: 'identity', outcome: 'payer_known', evidence, paidBy: [], invoice: null };
}

const STAGES: Record<string, SubscriptionStage> = {
  subscription_create: 'start',
  subscription_cycle: 'cycle',
  subscription_update: 'change',
  subscription_threshold: 'change',
};

function readInvoice(id: string, invoice: Record<string, unknown>, eventAt: Date): ProcessorFact {
  const parent = at(invoice.parent, 'subscription_details');
  const details = record(invoice.subscription_details);
  const lines = listOf(invoice.lines);
  const subscription = idOf(at(parent, 'subscription')) ?? idOf(invoice.subscription) ?? subscriptionFromLines(lines);
  const metadata = [
    at(parent, 'metadata'),
    at(details, 'metadata'),
    invoice.metadata,
    ...lines.map((line) => line.metadata),
  ];
  const references = [...customerOf(invoice), subscription, id];
  const paidAtSeconds = at(invoice.status_transitions, 'paid_at');
  // A payment of part of the invoice is reported too. The sale is the whole invoice, once it is paid.
  if (invoice.status !== 'paid') return { kind: 'ignored', outcome: 'not_paid' };
  const { amountCents, currency } = money(invoice.amount_paid, invoice.currency);
  if (!isCurrency(currency)) return { kind: 'ignored', outcome: 'unknown_currency' };
  const evidence = payerEvidence(metadata, references, emailOf(invoice));
  const couponCodes = readCouponCodes(invoice, metadata);
  return {
    kind: 'payment',
    transactionId: id,
    amountCents,
    ...readInvoiceParts(invoice),
    currency,
    saleType: subscription === null ? 'payment' : 'subscription',
    subscriptionStage: subscription === null ? undefined : (STAGES[String(invoice.billing_reason)] ?? 'start'),
    subscriptionId: subscription ?? undefined,
    paidAt: timeOf(paidAtSeconds) ?? eventAt,
    evidence,
    ...(couponCodes.length > 0 && { couponCodes }),
    paidBy: [
      ...partsOf([idOf(invoice.payment_intent), idOf(invoice.charge)], amountCents),
      ...listOf(invoice.payments).flatMap(paymentsOf),
    ],
    needsAnnouncement: false,
    expectsBetterEvidence: evidence.clickId === undefined && evidence.customerKey === undefined,
  };
}

function readInvoicePayment(invoicePayment: Record<string, unknown>): ProcessorFact {
  const invoice = idOf(invoicePayment.invoice);
  return invoice
    ? { kind: 'link', invoice, paidBy: paymentsOf(invoicePayment) }
    : { kind: 'ignored', outcome: 'not_used' };
}

function payerEvidence(
  metadata: unknown[],
  references: (string | null)[],
  email: string | undefined,
  clientReference?: unknown,
): PayerEvidence {
  const firstValue = (name: string) => metadata.map((source) => at(source, name)).find(isIdentifier);
  return {
    programId: firstValue('program_id'),
    clickId: firstValue('svc_click_id'),
    customerKey: firstValue('svc_customer_key'),
    clientReference: isIdentifier(clientReference) ? clientReference : undefined,
    references: present(references),
    email,
    hint: metadataHint(metadata.map(record)),
  };
}

function emailOf(object: Record<string, unknown>): string | undefined {
  return emailText(at(object.customer_details, 'email')) ?? emailText(object.customer_email);
}

/** The value if it may be an e-mail address. */
function emailText(email: unknown): string | undefined {
  return typeof email === 'string' && email.includes('@') ? email : undefined;
}

/** The payment intent or charge of an invoice payment, and how much of the invoice it paid. */
function paymentsOf({ payment, amount_paid, currency }: Record<string, unknown>): PaymentPart[] {
  const ids = [idOf(at(payment, 'payment_intent')), idOf(at(payment, 'charge'))];
  return partsOf(ids, typeof amount_paid === 'number' ? money(amount_paid, currency).amountCents : null);
}

function partsOf(references: (string | null)[], amountCents: number | null): PaymentPart[] {
  return present(references).map((reference) => ({ reference, amountCents }));
}

/** The customer, by the id of either version of accounts. */
function customerOf(object: Record<string, unknown>): (string | null)[] {
  return [idOf(object.customer), idOf(object.customer_account)];
}

function subscriptionFromLines(lines: Record<string, unknown>[]): string | null {
  for (const line of lines) {
    const found = idOf(line.subscription) ?? idOf(at(at(line.parent, 'subscription_item_details'), 'subscription'));
    if (found) return found;
  }
  return null;
}
