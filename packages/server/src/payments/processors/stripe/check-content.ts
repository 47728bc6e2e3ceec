import { isIdentifier, isTime } from '../../identifier-checks.ts';
import { at } from '../payload.ts';

const AMOUNTS = ['amount', 'amount_total', 'amount_paid', 'amount_received', 'amount_captured', 'amount_refunded'];

/** Whether the object of an event has an id, and amounts and times that can be stored, as far as it has them. */
export function isWellFormed(object: unknown): boolean {
  const id = at(object, 'id');
  const amounts = AMOUNTS.map((name) => at(object, name)).filter((amount) => amount !== null && amount !== undefined);
  const paidAt = at(at(object, 'status_transitions'), 'paid_at') ?? null;
  return isIdentifier(id) && amounts.every(isAmount) && (paidAt === null || isTime(paidAt));
}

function isAmount(amount: unknown): boolean {
  return typeof amount === 'number' && Number.isSafeInteger(amount) && amount >= 0;
}
