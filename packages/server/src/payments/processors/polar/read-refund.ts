import { isCurrency } from '@svc/contract';
import type { DeductionFact, ProcessorFact } from '../../processor-fact.ts';
import { idOf, timeOf, wholeCents } from '../fields.ts';
import { paidCents } from './read-order.ts';

const STATES: Record<string, DeductionFact['state']> = {
  pending: 'standing',
  succeeded: 'settled',
  failed: 'undone',
  canceled: 'undone',
};

/** A single refund. Polar tells its tax apart from the rest. */
export function readRefund(id: string, refund: Record<string, unknown>, stateAt: Date): ProcessorFact {
  const order = idOf(refund.order_id);
  const amountCents = sumOf(refund.amount, refund.tax_amount);
  const currency = idOf(refund.currency)?.toUpperCase() ?? '';
  const state = Object.entries(STATES).find(([status]) => status === refund.status)?.[1];
  if (order === null || amountCents === null || !state) return { kind: 'ignored', outcome: 'malformed' };
  if (!isCurrency(currency)) return { kind: 'ignored', outcome: 'unknown_currency' };
  return {
    kind: 'refund',
    id,
    chargeId: order,
    paymentIntent: null,
    amountCents,
    taxCents: wholeCents(refund.tax_amount),
    currency,
    state,
    madeAt: timeOf(refund.created_at) ?? stateAt,
    stateAt,
  };
}

/** An order with the total that was refunded of it. */
export function readRefundedOrder(id: string, order: Record<string, unknown>, asOf: Date): ProcessorFact {
  const [amountCents, refundedCents] = [paidCents(order), sumOf(order.refunded_amount, order.refunded_tax_amount)];
  const currency = idOf(order.currency)?.toUpperCase() ?? '';
  if (amountCents === null || refundedCents === null) return { kind: 'ignored', outcome: 'malformed' };
  if (!isCurrency(currency)) return { kind: 'ignored', outcome: 'unknown_currency' };
  return {
    kind: 'charge',
    chargeId: id,
    paymentIntent: null,
    invoice: null,
    amountCents,
    refundedCents,
    currency,
    asOf,
  };
}

function sumOf(amount: unknown, tax: unknown): number | null {
  const [cents, taxCents] = [wholeCents(amount), wholeCents(tax ?? 0)];
  return cents === null || taxCents === null || !Number.isSafeInteger(cents + taxCents) ? null : cents + taxCents;
}
