import type { ProcessorFact } from '../../processor-fact.ts';
import { idOf, money, timeOf } from './fields.ts';

/** From this version on, what is not captured of a charge is released. Before, Stripe made a refund of it. */
const RELEASES_UNCAPTURED = '2025-03-31';

export function readCharge(
  id: string,
  charge: Record<string, unknown>,
  apiVersion: unknown,
  asOf: Date,
): ProcessorFact {
  const captured = money(charge.amount_captured || charge.amount, charge.currency);
  const refunded = money(charge.amount_refunded, charge.currency).amountCents;
  const rest = Math.max(money(charge.amount, charge.currency).amountCents - captured.amountCents, 0);
  // More than was captured cannot be refunded, whatever version the event has.
  const isOld = typeof apiVersion === 'string' && apiVersion < RELEASES_UNCAPTURED;
  const uncapturedCents = isOld || refunded > captured.amountCents ? Math.min(rest, refunded) : 0;
  return {
    kind: 'charge',
    chargeId: id,
    paymentIntent: idOf(charge.payment_intent),
    invoice: idOf(charge.invoice),
    ...captured,
    refundedCents: refunded - uncapturedCents,
    uncapturedCents,
    asOf,
  };
}

const UNDONE_REFUND_STATUSES: unknown[] = ['failed', 'canceled'];

export function readRefund(id: string, refund: Record<string, unknown>, stateAt: Date): ProcessorFact {
  const isUndone = UNDONE_REFUND_STATUSES.includes(refund.status);
  return {
    kind: 'refund',
    id,
    ...deductionFields(refund, stateAt),
    state: isUndone ? 'undone' : refund.status === 'succeeded' ? 'settled' : 'standing',
    stateAt,
  };
}

export function readDispute(
  id: string,
  dispute: Record<string, unknown>,
  isClosed: boolean,
  stateAt: Date,
): ProcessorFact {
  // An inquiry withdraws no money. It may become a dispute later, which is an update.
  if (typeof dispute.status === 'string' && dispute.status.startsWith('warning_')) {
    return { kind: 'ignored', outcome: 'inquiry' };
  }
  const isWon = isClosed && dispute.status === 'won';
  return {
    kind: 'dispute',
    id,
    ...deductionFields(dispute, stateAt),
    state: isWon ? 'undone' : isClosed ? 'settled' : 'standing',
    stateAt,
  };
}

function deductionFields(object: Record<string, unknown>, eventAt: Date) {
  return {
    chargeId: idOf(object.charge),
    paymentIntent: idOf(object.payment_intent),
    ...money(object.amount, object.currency),
    taxCents: null,
    madeAt: timeOf(object.created) ?? eventAt,
  };
}
