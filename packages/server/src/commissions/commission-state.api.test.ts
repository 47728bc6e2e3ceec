import type { CommissionStage } from '@svc/contract';
import { useService } from '@svc/testkit/service/service.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';
import type { ReviewTransition, TransitionName } from './commission-state.ts';
import { updateHoldEnded, updateReviewed } from './commission-store.ts';
import { updateCoveredToPaid, updateUncovered } from './payout-coverage-store.ts';

const service = useService();

/** A commission in the given state, written directly to the database. */
async function commissionIn(state: {
  stage: CommissionStage;
  reversal?: string;
  inPayouts?: boolean;
  holdReason?: string;
  wasApproved?: boolean;
}) {
  const on = await service.program();
  const { commissionId } = await sold(service, on);
  await service.sql(
    `update commissions set stage = $2, reversal = $3, deducted_cents = case $3 when 'full' then commission_cents else 0 end,
       settled_cents = case when $4 then commission_cents else 0 end, approve_after = $5, hold_reason = $6,
       approved_at = case when $7 then $5::timestamptz end where id = $1`,
    [
      commissionId,
      state.stage,
      state.reversal ?? 'none',
      state.inPayouts ?? false,
      new Date(0),
      state.holdReason ?? null,
      state.wasApproved ?? false,
    ],
  );
  return { id: Number(commissionId), programId: on.program.id };
}

const review =
  (name: ReviewTransition) =>
  ({ id, programId }: { id: number; programId: number }) =>
    updateReviewed(service.ctx.db, programId, [id], name, { now: service.time });

const PERFORM: Record<TransitionName, (commission: { id: number; programId: number }) => Promise<unknown>> = {
  approve: review('approve'),
  reject: review('reject'),
  restore_pending: review('restore_pending'),
  restore_approved: review('restore_approved'),
  end_hold: () => updateHoldEnded(service.ctx.db, service.time, 1_000),
  pay: ({ id }) => updateCoveredToPaid(service.ctx.db, [id]),
  payment_failed: ({ id }) => updateUncovered(service.ctx.db, [{ id, cents: 2_000 }]),
};

const stageOf = async (id: number) =>
  (await service.sql<{ stage: string }>('select stage from commissions where id = $1', [id]))[0]?.stage;

/** The stage after each transition, by the stage before it. Written out by hand: the code under test has its own table. */
const STAGES_AFTER: Record<TransitionName, Record<CommissionStage, CommissionStage>> = {
  approve: { pending: 'approved', approved: 'approved', paid: 'paid', rejected: 'rejected' },
  end_hold: { pending: 'approved', approved: 'approved', paid: 'paid', rejected: 'rejected' },
  reject: { pending: 'rejected', approved: 'rejected', paid: 'paid', rejected: 'rejected' },
  restore_pending: { pending: 'pending', approved: 'approved', paid: 'paid', rejected: 'pending' },
  restore_approved: { pending: 'pending', approved: 'approved', paid: 'paid', rejected: 'approved' },
  pay: { pending: 'pending', approved: 'paid', paid: 'paid', rejected: 'rejected' },
  payment_failed: { pending: 'pending', approved: 'approved', paid: 'approved', rejected: 'rejected' },
};

const CELLS = Object.entries(STAGES_AFTER).flatMap(([name, after]) =>
  Object.entries(after).map(([before, then]) => [name as TransitionName, before as CommissionStage, then] as const),
);

describe('the stage of a commission', () => {
  it.each(CELLS)('after %s, if it was %s, is %s', async (name, stage, expected) => {
    const commission = await commissionIn({
      stage,
      inPayouts: name === 'pay' || name === 'payment_failed',
      wasApproved: name === 'restore_approved',
    });
    await PERFORM[name](commission);
    expect(await stageOf(commission.id)).toBe(expected);
  });
});

describe('a transition whose conditions besides the stage are not met', () => {
  it.each<
    [
      TransitionName,
      CommissionStage,
      { reversal?: string; inPayouts?: boolean; holdReason?: string; wasApproved?: boolean },
    ]
  >([
    ['approve', 'pending', { reversal: 'full' }],
    ['end_hold', 'pending', { reversal: 'full' }],
    ['end_hold', 'pending', { holdReason: 'self_referral' }],
    ['reject', 'approved', { inPayouts: true }],
    ['pay', 'approved', { inPayouts: false }],
    ['restore_pending', 'rejected', { wasApproved: true }],
    ['restore_approved', 'rejected', { wasApproved: false }],
  ])('%s does not change a %s commission with %o', async (name, stage, state) => {
    const commission = await commissionIn({ stage, ...state });
    await PERFORM[name](commission);
    expect(await stageOf(commission.id)).toBe(stage);
  });

  it('end_hold does not change a commission before its hold ends', async () => {
    const commission = await commissionIn({ stage: 'pending' });
    await service.sql('update commissions set approve_after = $2 where id = $1', [
      commission.id,
      new Date(service.time.getTime() + 1),
    ]);
    await PERFORM.end_hold(commission);
    expect(await stageOf(commission.id)).toBe('pending');
  });
});

describe('a commission that is held for a reason', () => {
  it.each([
    ['approve', 'approved', null],
    ['reject', 'rejected', 'self_referral'],
  ] as const)('%s moves it to %s, and its hold reason becomes %s', async (name, stage, hold_reason) => {
    const commission = await commissionIn({ stage: 'pending', holdReason: 'self_referral' });
    await PERFORM[name](commission);
    const rows = await service.sql('select stage, hold_reason from commissions where id = $1', [commission.id]);
    expect(rows).toEqual([{ stage, hold_reason }]);
  });
});
