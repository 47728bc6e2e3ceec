import type { SubscriptionStage } from '../sales/sale.ts';

/** What an event says about who paid. */
export type PayerEvidence = {
  /** The program named in the metadata. */
  programId: string | undefined;
  clickId: string | undefined;
  customerKey: string | undefined;
  /** A click id or customer key that came with a payment link, a buy button or a pricing table. */
  clientReference: string | undefined;
  /** The processor's ids of the customer, subscription and invoice. */
  references: string[];
  email: string | undefined;
  /** A metadata field that looks like a misspelt one of ours, as a sentence. */
  hint: string | undefined;
};

/** A payment intent or charge, and how much it paid of an invoice. Null: not known. */
export type PaymentPart = { reference: string; amountCents: number | null };

/** A payment, recorded as a sale if its customer can be identified. */
export type PaymentFact = {
  kind: 'payment';
  transactionId: string;
  amountCents: number;
  /** How much of the amount is tax and shipping, if the processor says so. Together they are at most the amount. */
  taxCents?: number;
  shippingCents?: number;
  currency: string;
  saleType: 'payment' | 'subscription';
  subscriptionStage: SubscriptionStage | undefined;
  subscriptionId: string | undefined;
  paidAt: Date;
  evidence: PayerEvidence;
  /** What says which coupon was used, if anything does: codes as people write them, the surest first. */
  couponCodes?: string[];
  /** The processor's ids of discounts, which stand for codes that other events tell. */
  discountIds?: string[];
  /** Whether the payment may turn out to be that of an invoice, which then was made with the same code. */
  isPerhapsInvoiced?: boolean;
  /** The payment intents and charges that paid for it. */
  paidBy: PaymentPart[];
  /** Nothing on the payment is ours, so it counts only if a checkout has announced it. */
  needsAnnouncement: boolean;
  /** Whether another event of the same purchase may identify the payer with more certainty. */
  expectsBetterEvidence: boolean;
};

/** A charge and the total refunded of it, as of `asOf`. */
export type ChargeFact = {
  kind: 'charge';
  chargeId: string;
  paymentIntent: string | null;
  invoice: string | null;
  /** What was captured. */
  amountCents: number;
  refundedCents: number;
  /** What was authorized and never captured, if a refund stands for it. That one gives no money back. */
  uncapturedCents?: number;
  currency: string;
  asOf: Date;
};

/** Stands for the currency of the sale in a deduction that names none. ISO 4217 has this code for no currency at all. */
export const CURRENCY_OF_SALE = 'XXX';

/**
 * A single refund or dispute. The states are stored values: `standing` is pending or open and already counts, `settled` is
 * completed, `undone` is a failed refund or a won dispute. A state further down this list replaces one further up.
 */
export type DeductionFact = {
  kind: 'refund' | 'dispute';
  id: string;
  chargeId: string | null;
  paymentIntent: string | null;
  /** Negative if it gives back what a dispute took. */
  amountCents: number;
  /** How much of it is tax, with the same sign. Null: the processor does not say. */
  taxCents?: number | null;
  currency: string;
  state: 'standing' | 'settled' | 'undone';
  madeAt: Date;
  stateAt: Date;
};

/** Who the processor's customer is, without a payment of its own. */
export type IdentityFact = {
  kind: 'identity';
  outcome: 'left_to_invoice' | 'payer_known' | 'not_paid';
  evidence: PayerEvidence;
  paidBy: PaymentPart[];
  invoice: string | null;
  /** As in payments, and the ids of the subscription and the invoice whose payments they are about. */
  couponCodes?: string[];
  codeReferences?: string[];
  /** The payment whose code is that of the invoice, too. */
  codeFrom?: string | null;
};

/** What paid an invoice. */
export type LinkFact = {
  kind: 'link';
  invoice: string;
  paidBy: PaymentPart[];
  /** The payment whose code is that of the invoice, too. */
  codeFrom?: string | null;
};

type IgnoredOutcome =
  | 'not_paid'
  | 'unknown_currency'
  | 'inquiry'
  | 'awaiting_approval'
  | 'credited'
  | 'ping'
  | 'thin_event'
  | 'malformed'
  | 'not_used';

/** What an event of a payment processor means, independent of the processor. */
export type ProcessorFact =
  | PaymentFact
  | ChargeFact
  | DeductionFact
  | IdentityFact
  | { kind: 'promotion_code'; reference: string; code: string }
  | LinkFact
  /** The hint says what to correct in the shop. */
  | { kind: 'ignored'; outcome: IgnoredOutcome; hint?: string };
