import { isCurrency } from '@svc/contract';
import type { DeductionFact, ProcessorFact } from '../../processor-fact.ts';
import { at } from '../payload.ts';
import { centsOf, idOf, timeOf } from './fields.ts';

type Deduction = { kind: DeductionFact['kind']; sign: 1 | -1; states: Record<string, DeductionFact['state']> };
type Ignored = Extract<ProcessorFact, { kind: 'ignored' }>;

const NOTHING_TAKEN: Ignored = { kind: 'ignored', outcome: 'inquiry' };
// Credit lowers what a later transaction costs, and that is what is recorded for it.
const CREDITED: Ignored = { kind: 'ignored', outcome: 'credited' };
// Paddle does not say that the bank has decided, so a chargeback stays open. One that was reversed stays what it was: the
// reversal is an adjustment of its own, which gives the money back.
const CHARGEBACK_STATES: Deduction['states'] = { approved: 'standing', reversed: 'standing', rejected: 'undone' };

/** What each action of an adjustment does to its sale. */
const ACTIONS: Record<string, Deduction | Ignored> = {
  refund: { kind: 'refund', sign: 1, states: { approved: 'settled', rejected: 'undone', reversed: 'undone' } },
  chargeback: { kind: 'dispute', sign: 1, states: CHARGEBACK_STATES },
  chargeback_reverse: { kind: 'dispute', sign: -1, states: CHARGEBACK_STATES },
  chargeback_warning: NOTHING_TAKEN,
  chargeback_warning_reverse: NOTHING_TAKEN,
  credit: CREDITED,
  credit_reverse: CREDITED,
};

/** A refund, a chargeback or a credit. An adjustment that waits for approval takes nothing back. */
export function readAdjustment(id: string, adjustment: Record<string, unknown>, stateAt: Date): ProcessorFact {
  const action = Object.entries(ACTIONS).find(([name]) => name === adjustment.action)?.[1];
  if (!action) return { kind: 'ignored', outcome: 'not_used' };
  if (action.kind === 'ignored') return action;
  const state = Object.entries(action.states).find(([status]) => status === adjustment.status)?.[1];
  if (!state) return { kind: 'ignored', outcome: 'awaiting_approval' };
  const transaction = idOf(adjustment.transaction_id);
  const cents = centsOf(at(adjustment.totals, 'total'));
  const currency = idOf(adjustment.currency_code)?.toUpperCase() ?? '';
  const taxCents = centsOf(at(adjustment.totals, 'tax'));
  if (transaction === null || cents === null) return { kind: 'ignored', outcome: 'malformed' };
  if (!isCurrency(currency)) return { kind: 'ignored', outcome: 'unknown_currency' };
  return {
    kind: action.kind,
    id,
    chargeId: null,
    paymentIntent: transaction,
    amountCents: action.sign * cents,
    taxCents: taxCents === null || taxCents > cents ? null : action.sign * taxCents,
    currency,
    state,
    madeAt: timeOf(adjustment.created_at) ?? stateAt,
    stateAt,
  };
}
