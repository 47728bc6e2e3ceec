import type { CommissionStage, ReviewAction } from '@svc/contract';

/**
 * The lifecycle of a commission.
 *
 * Its stage only moves forward, except that a rejection can be undone, and that a payment can fail. How much of its sale was refunded (`reversal`) is independent of the stage, because a sale can
 * be refunded at any time, even after the commission was paid. The amount already put into payouts (`settled_cents`) is
 * tracked separately too. What the commission earns at its stage, minus deductions, minus that amount, is due.
 */
export type Reversal = 'none' | 'partial' | 'full';

type Transition = {
  from: readonly CommissionStage[];
  to: CommissionStage;
  /** An additional condition, as SQL on the commission `m`. */
  when: string;
};

// A negative adjustment is covered by a payout that it was taken from.
const IS_COVERED = '(m.settled_cents > 0 and m.due_cents <= 0 or m.settled_cents < 0 and m.due_cents = 0)';

// With `offset 0`, the membership is looked up. Without it, a statement about many commissions may read those of all programs.
const HAS_BLOCKED_PARTNER = `exists (
  select from memberships b
  where b.program_id = m.program_id and b.partner_id = m.partner_id and b.status = 'blocked' offset 0)`;

/** Why the hold of a commission `m` does not end by itself. Those of a blocked partner are held while they are blocked. */
export const HOLD_REASON = `coalesce(m.hold_reason,
  case when m.stage = 'pending' and ${HAS_BLOCKED_PARTNER} then 'partner_blocked' end)`;

/** Whether a commission `m` is held until a person approves or rejects it. */
export const AWAITS_REVIEW = `(m.stage = 'pending' and m.reversal <> 'full' and m.hold_reason is not null)`;

/** Every transition between stages. Nothing else writes the column. */
export const TRANSITIONS = {
  /**
   * By a person, before the hold ends or for a commission that is held for a reason. Once the sale is fully refunded, there is
   * nothing left to approve.
   */
  approve: { from: ['pending'], to: 'approved', when: `m.reversal <> 'full'` },
  /** By the scheduled job, once the hold has ended. What is held for a reason waits for a person, or for the partner's return. */
  end_hold: {
    from: ['pending'],
    to: 'approved',
    when: `m.reversal <> 'full' and m.hold_reason is null and m.approve_after <= $1 and not ${HAS_BLOCKED_PARTNER}`,
  },
  /** By a person. A commission in a payout is on its way to the partner, so the payout has to be cancelled first. */
  reject: { from: ['pending', 'approved'], to: 'rejected', when: 'm.settled_cents = 0' },
  /** By a person who undoes a rejection. The commission returns to the stage that it was rejected at. */
  restore_pending: { from: ['rejected'], to: 'pending', when: 'm.approved_at is null' },
  restore_approved: { from: ['rejected'], to: 'approved', when: 'm.approved_at is not null' },
  /** By the payout that covers what is left of it, once it is in no open payout. */
  pay: {
    from: ['approved'],
    to: 'paid',
    when: IS_COVERED,
  },
  /** By a payout that failed after it was paid, where other payouts do not cover the commission. */
  payment_failed: { from: ['paid'], to: 'approved', when: `not ${IS_COVERED}` },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof TRANSITIONS;

/** What people do with a commission, and the transitions that it may take. */
export const REVIEWS = {
  approve: ['approve'],
  reject: ['reject'],
  restore: ['restore_pending', 'restore_approved'],
} as const satisfies Record<ReviewAction, readonly TransitionName[]>;

export type ReviewTransition = (typeof REVIEWS)[ReviewAction][number];

/** The SQL condition under which a commission `m` can make the transition. */
export function transitionGuard(name: TransitionName): string {
  const { from, when } = TRANSITIONS[name];
  return `m.stage in (${from.map((stage) => `'${stage}'`).join(', ')}) and ${when}`;
}

/** The reversal of a commission, given how much of its sale was refunded. */
export function reversalOf(refundedCents: number, amountCents: number): Reversal {
  if (refundedCents === 0) return 'none';
  return refundedCents === amountCents ? 'full' : 'partial';
}

/** The status of a commission `m` that callers see: rejected first, then refunded, then its stage. */
export const COMMISSION_STATUS = `case when m.stage = 'rejected' then 'rejected' when m.reversal = 'full' then 'reversed'
  when m.reversal = 'partial' then 'partially_reversed' else m.stage end`;
