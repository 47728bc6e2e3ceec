import type { CommissionStage } from '@svc/contract';

/**
 * The life of a commission.
 *
 * Its stage goes forward only. What was refunded of its sale is a second thing beside the stage (`reversal`), because a
 * commission can be refunded in part at any stage, also after it was paid. What has gone into payouts is a third (the
 * amount is `settled_cents`): what a commission earns at its stage, less its refunds, less that amount, is due.
 */
export type Reversal = 'none' | 'partial' | 'full';

type Transition = {
  from: readonly CommissionStage[];
  to: CommissionStage;
  /** What must hold besides, as SQL about the commission `m`. */
  when: string;
};

/** Every way a commission changes its stage. Nothing else writes the column. */
export const TRANSITIONS = {
  /** By a person, before the hold has ended. There is nothing left to approve once the sale is refunded in full. */
  approve: { from: ['pending'], to: 'approved', when: `m.reversal <> 'full'` },
  /** By the clock, when the hold has ended. */
  end_hold: { from: ['pending'], to: 'approved', when: `m.reversal <> 'full' and m.approve_after <= $1` },
  /** By a person. A commission in a payout is on its way to the partner, so the payout has to be cancelled first. */
  reject: { from: ['pending', 'approved'], to: 'rejected', when: 'm.settled_cents = 0' },
  /** By the payout that covers what is left of it, once no open payout has a part in it. */
  pay: { from: ['approved'], to: 'paid', when: 'm.settled_cents > 0 and m.due_cents <= 0' },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof TRANSITIONS;

/** The condition on a commission `m` under which it can make the transition. */
export function canMake(name: TransitionName): string {
  const { from, when } = TRANSITIONS[name];
  return `m.stage in (${from.map((stage) => `'${stage}'`).join(', ')}) and ${when}`;
}

/** How much of its sale has been refunded, as it shows on the commission. */
export function reversalOf(refundedCents: number, amountCents: number): Reversal {
  if (refundedCents === 0) return 'none';
  return refundedCents === amountCents ? 'full' : 'partial';
}

/** The one status that callers see of a commission `m`: a rejection first, then what was refunded, then the stage. */
export const COMMISSION_STATUS = `case when m.stage = 'rejected' then 'rejected' when m.reversal = 'full' then 'reversed'
  when m.reversal = 'partial' then 'partially_reversed' else m.stage end`;
