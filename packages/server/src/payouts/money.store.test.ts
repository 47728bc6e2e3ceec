import { type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { asOwner } from '@svc/testkit/service/payments/paid.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { type Sold, sold } from '@svc/testkit/service/sold.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OPERATOR } from '../audit/audit-store.ts';
import { addAdjustment } from '../commissions/add-adjustment.ts';
import { reviewCommissions } from '../commissions/review-commissions.ts';
import { EVERYONE } from '../db/lists/list-query.ts';
import { cancelPayout, markFailed, markPaid } from '../payout-runs/close-payout.ts';
import { recordRefund } from '../refunds/record-refund.ts';
import { createPayouts } from './create-payouts.ts';
import type { PayoutStatus } from './payout-store.ts';

const service = useService();

const SALES = 3;
const RATE = 0.2;

type Step =
  | { do: 'approve' | 'reject' | 'undo rejection' | 'win dispute'; sale: number }
  | { do: 'refund'; sale: number; cents: number }
  | { do: 'adjust'; cents: number }
  | { do: 'reject adjustment' | 'restore adjustment'; which: number }
  | { do: 'pay out' }
  | { do: 'pay' | 'cancel' | 'fail'; payout: number };

const sale = fc.nat(SALES - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('approve' as const), sale }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('reject' as const, 'win dispute' as const), sale }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('refund' as const), sale, cents: fc.integer({ min: 1, max: 9_999 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('undo rejection' as const), sale }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('adjust' as const),
      cents: fc.oneof(fc.integer({ min: 1, max: 3_000 }), fc.integer({ min: -3_000, max: -1 })),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('reject adjustment' as const, 'restore adjustment' as const),
      which: fc.nat(2),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ do: 'pay out' as const }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('pay' as const, 'pay' as const, 'cancel' as const, 'fail' as const),
      payout: fc.nat(4),
    }),
  },
);

type Stage = 'pending' | 'approved' | 'rejected';

/** The expected ledger: what each sale earns, and the status of each payout. */
type Model = {
  sales: { sold: Sold; stage: Stage; stageBefore: Stage; refundedCents: number }[];
  adjustments: { id: number; cents: number; isRejected: boolean }[];
  payouts: { id: number; amountCents: number; status: PayoutStatus }[];
};

const netOf = ({ stage, refundedCents }: Model['sales'][number]) =>
  stage === 'approved' ? 10_000 * RATE - Math.round(refundedCents * RATE) : 0;
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

it('any sequence of approvals, rejections that are undone, refunds, adjustments, payouts, payments, failed ones and cancellations loses no cent and pays none twice', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const made = await ownedProgram(service);
      const model: Model = { sales: [], adjustments: [], payouts: [] };
      for (let index = 0; index < SALES; index += 1) {
        model.sales.push({
          sold: await sold(service, made),
          stage: 'pending',
          stageBefore: 'pending',
          refundedCents: 0,
        });
      }
      for (const next of steps) {
        await perform(made, model, next);
        await expectLedger(made, model);
      }
    }),
    { numRuns: 12 },
  );
}, 120_000);

async function perform(made: OwnedProgram, model: Model, step: Step): Promise<void> {
  const { ctx } = service;
  const { program } = made;
  if (step.do === 'pay out') {
    const { payouts } = await createPayouts(ctx, program, { partnerId: EVERYONE }, { actor: OPERATOR });
    const payable = balanceOf(model);
    expect(payouts.map(({ amount_cents: cents }) => cents)).toEqual(payable > 0 ? [payable] : []);
    for (const { id, amount_cents: amountCents } of payouts) model.payouts.push({ id, amountCents, status: 'open' });
    return;
  }
  if (step.do === 'adjust') {
    const adjustment = { partnerId: made.partnerId, cents: step.cents, currency: 'USD', reason: 'Agreed' };
    const id = await addAdjustment(ctx, program, adjustment, OPERATOR);
    model.adjustments.push({ id, cents: step.cents, isRejected: false });
    return;
  }
  if ('which' in step) {
    const adjustment = model.adjustments[step.which];
    if (!adjustment) return;
    const action = step.do === 'reject adjustment' ? 'reject' : 'restore';
    const [reviewed] = await reviewCommissions(ctx, program, [adjustment.id], { action, actor: OPERATOR });
    if (reviewed?.outcome === 'done') adjustment.isRejected = action === 'reject';
    return;
  }
  if ('payout' in step) {
    const payout = model.payouts[step.payout];
    if (!payout) return;
    const close = {
      pay: () => markPaid(ctx, program, payout.id, { reference: null, actor: OPERATOR }),
      cancel: () => cancelPayout(ctx, program, payout.id, OPERATOR),
      fail: () => markFailed(ctx, program, payout.id, { reason: 'It came back', actor: OPERATOR }),
    }[step.do]();
    const isClosable = payout.status === 'open' || (step.do === 'fail' && payout.status === 'paid');
    if (!isClosable) return expect(close).rejects.toThrow(`A payout that is ${payout.status}`);
    payout.status = (await close).status;
    return;
  }
  const chosen = model.sales[step.sale] as Model['sales'][number];
  const { transactionId, commissionId, saleId } = chosen.sold;
  if (step.do === 'refund') {
    const refund = { transactionId, amountCents: step.cents, reason: undefined, refundKey: undefined, requestId: null };
    const outcome = await recordRefund(ctx, made.program, refund);
    if (outcome.is === 'recorded') chosen.refundedCents += step.cents;
    return;
  }
  if (step.do === 'win dispute') {
    // What a won dispute does to a sale.
    await service.sql(
      `with refund as (delete from refunds where sale_id = $1), sale as (
         update sales set refunded_cents = 0 where id = $1)
       update commissions set deducted_cents = 0, reversal = 'none' where sale_id = $1`,
      [saleId],
    );
    chosen.refundedCents = 0;
    return;
  }
  const action = step.do === 'undo rejection' ? 'restore' : step.do;
  const [reviewed] = await reviewCommissions(ctx, program, [Number(commissionId)], { action, actor: OPERATOR });
  if (reviewed?.outcome !== 'done') return;
  const after = { approve: 'approved', reject: 'rejected', restore: chosen.stageBefore } as const;
  [chosen.stageBefore, chosen.stage] = [chosen.stage, after[action]];
}

function balanceOf({ sales, adjustments, payouts }: Model): number {
  const settled = payouts
    .filter(({ status }) => status === 'open' || status === 'paid')
    .map(({ amountCents }) => amountCents);
  const adjusted = adjustments.map(({ cents, isRejected }) => (isRejected ? 0 : cents));
  return sum(sales.map(netOf)) + sum(adjusted) - sum(settled);
}

/** On every commission, the amounts paid, in open payouts and due add up to what was earned. */
async function expectLedger(made: OwnedProgram, model: Model): Promise<void> {
  const [row] = (await asOwner(service, made, 'GET', '/earnings')).body.data;
  const totalOf = (wanted: string) =>
    sum(model.payouts.filter(({ status }) => status === wanted).map(({ amountCents }) => amountCents));
  expect([row.paid_cents, row.in_payouts_cents, row.approved_cents + row.carried_cents]).toEqual([
    totalOf('paid'),
    totalOf('open'),
    balanceOf(model),
  ]);
  const lines = await service.sql<{ earned: number; settled: number; due: number; lines: number }>(
    `select case when m.stage in ('approved', 'paid') then m.commission_cents - m.deducted_cents else 0 end as earned,
       m.settled_cents as settled, m.due_cents as due,
       coalesce((select sum(l.amount_cents) from payout_lines l join payouts o on o.id = l.payout_id
                 where l.commission_id = m.id and o.status in ('open', 'paid')), 0)::bigint as lines
     from commissions m where m.program_id = $1`,
    [made.program.id],
  );
  for (const { earned, settled, due, lines: inLines } of lines) {
    expect([settled, inLines + due]).toEqual([inLines, earned]);
  }
  const wrong = await service.sql(
    `select id from payouts o where program_id = $1
       and amount_cents <> (select sum(amount_cents) from payout_lines where payout_id = o.id)`,
    [made.program.id],
  );
  expect(wrong).toEqual([]);
  const paidWithoutPayment = await service.sql(
    `select id from commissions m where program_id = $1 and stage = 'paid' and not exists (
       select 1 from payout_lines l join payouts o on o.id = l.payout_id
       where l.commission_id = m.id and o.status = 'paid')`,
    [made.program.id],
  );
  expect(paidWithoutPayment).toEqual([]);
}
