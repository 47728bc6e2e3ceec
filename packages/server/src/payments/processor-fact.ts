/** Who paid, as far as an event tells. */
export type Evidence = {
  /** The program that the metadata names. */
  programId: string | undefined;
  clickId: string | undefined;
  customerKey: string | undefined;
  /** The processor's customer, subscription and invoice. */
  references: string[];
  email: string | undefined;
};

/** A payment that is a sale, if its customer can be found. */
export type PaymentFact = {
  kind: 'payment';
  transactionId: string;
  amountCents: number;
  currency: string;
  saleType: 'payment' | 'subscription';
  isRecurring: boolean;
  subscriptionId: string | undefined;
  paidAt: Date;
  evidence: Evidence;
  /** Payment intents and charges that paid for it. */
  paidBy: string[];
  /** Whether another event of the same purchase may tell better who paid. */
  mayBeToldBetter: boolean;
};

/** A charge with what was refunded of it in all, as it stood at `asOf`. */
export type ChargeFact = {
  kind: 'charge';
  chargeId: string;
  paymentIntent: string | null;
  invoice: string | null;
  amountCents: number;
  refundedCents: number;
  currency: string;
  asOf: Date;
};

/** A single refund or dispute. `settled` is final; of two states the more final one is the later. */
export type DeductionFact = {
  kind: 'refund' | 'dispute';
  id: string;
  chargeId: string | null;
  paymentIntent: string | null;
  amountCents: number;
  currency: string;
  state: 'standing' | 'settled' | 'undone';
  madeAt: Date;
  stateAt: Date;
};

/** What an event of a payment processor says, in the terms of this service. */
export type ProcessorFact =
  | PaymentFact
  | ChargeFact
  | DeductionFact
  | { kind: 'identity'; outcome: 'left_to_invoice'; evidence: Evidence; paidBy: string[]; invoice: string | null }
  | { kind: 'link'; invoice: string; paidBy: string[] }
  | { kind: 'nothing'; outcome: 'not_paid' | 'zero_amount' | 'unknown_currency' | 'not_used' };
