import type { ProcessorFact } from '../../processor-fact.ts';
import { idOf, money, timeOf } from './fields.ts';

export function readCharge(id: string, charge: Record<string, unknown>, asOf: Date): ProcessorFact {
  const captured = money(charge.amount_captured || charge.amount, charge.currency);
  return {
    kind: 'charge',
    chargeId: id,
    paymentIntent: idOf(charge.payment_intent),
    invoice: idOf(charge.invoice),
    ...captured,
    refundedCents: money(charge.amount_refunded, charge.currency).amountCents,
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
    madeAt: timeOf(object.created) ?? eventAt,
  };
}
