import { type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { approvedSale, asOwner, dueOn, paidOut } from '@svc/testkit/service/payments/paid.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const reason = 'The bank says that the account is closed.';
const markFailed = (made: OwnedProgram, payoutId: number | undefined, body: object = { reason }) =>
  asOwner(service, made, 'POST', `/payouts/${payoutId}/mark-failed`, body);
const earningsOf = async (made: OwnedProgram) => (await asOwner(service, made, 'GET', '/earnings')).body.data[0];

async function paidPayout(settings: Parameters<typeof ownedProgram>[1] = {}) {
  const made = await ownedProgram(service, settings);
  const sale = await approvedSale(service, made);
  const [payout] = await paidOut(service, made);
  await asOwner(service, made, 'POST', `/payouts/${payout?.id}/mark-paid`, { reference: 'SEPA 1' });
  return { made, sale, payoutId: payout?.id as number };
}

describe('POST /api/v1/manage/programs/:id/payouts/:payout_id/mark-failed', () => {
  it('makes what a paid payout covered payable again, and keeps the payout with its reason', async () => {
    const { made, sale, payoutId } = await paidPayout();
    const paidAt = service.time.toISOString();
    service.advance({ days: 2 });
    const { status, body } = await markFailed(made, payoutId);
    expect({ status, data: body.data }).toMatchObject({
      status: 200,
      data: {
        id: payoutId,
        status: 'failed',
        reference: 'SEPA 1',
        paid_at: paidAt,
        failed_at: service.time.toISOString(),
        failure_reason: reason,
        cancelled_at: null,
      },
    });
    expect(await dueOn(service, sale)).toEqual({ stage: 'approved', due: 2_000 });
    expect(await earningsOf(made)).toMatchObject({ paid_cents: 0, in_payouts_cents: 0, payable_cents: 2_000 });
    const commission = (await asOwner(service, made, 'GET', '/commissions')).body.data[0];
    expect(commission).toMatchObject({ status: 'approved', payout_id: null, paid_at: null });

    const [again] = await paidOut(service, made);
    expect(again).toMatchObject({ amount_cents: 2_000, status: 'open' });
    await asOwner(service, made, 'POST', `/payouts/${again?.id}/mark-paid`);
    expect(await dueOn(service, sale)).toEqual({ stage: 'paid', due: 0 });
    expect(await earningsOf(made)).toMatchObject({ paid_cents: 2_000, payable_cents: 0 });
  });

  it('keeps refunds since then exact: what was deducted from a later payout is owed again', async () => {
    const { made, sale, payoutId } = await paidPayout();
    await service.refund({ transaction_id: sale.transactionId }, { key: made.apiKey });
    const other = await approvedSale(service, made, { amount_cents: 30_000 });
    const [second] = await paidOut(service, made);
    expect(second).toMatchObject({ amount_cents: 4_000 });
    await asOwner(service, made, 'POST', `/payouts/${second?.id}/mark-paid`);
    await markFailed(made, payoutId);
    // 20.00 never arrived, and 20.00 were taken off the 60.00 of the second sale for them.
    expect(await earningsOf(made)).toMatchObject({ paid_cents: 4_000, payable_cents: 2_000 });
    expect([await dueOn(service, sale), await dueOn(service, other)]).toEqual([
      { stage: 'approved', due: 2_000 },
      { stage: 'paid', due: 0 },
    ]);
  });

  it('also takes an open payout whose transfer was refused', async () => {
    const made = await ownedProgram(service);
    const sale = await approvedSale(service, made);
    const [payout] = await paidOut(service, made);
    expect((await markFailed(made, payout?.id)).body.data).toMatchObject({ status: 'failed', paid_at: null });
    expect(await dueOn(service, sale)).toEqual({ stage: 'approved', due: 2_000 });
  });

  it('400 without a reason, 409 for a payout that is cancelled or has failed, and nothing changes', async () => {
    const { made, sale, payoutId } = await paidPayout();
    expect(await markFailed(made, payoutId, {})).toMatchObject({
      status: 400,
      body: platformError(400, 'BadRequestError', 'reason is required', { field: 'reason' }),
    });
    expect(await dueOn(service, sale)).toEqual({ stage: 'paid', due: 0 });
    await markFailed(made, payoutId);
    expect(await markFailed(made, payoutId)).toMatchObject({
      status: 409,
      body: platformError(409, 'ConflictError', 'A payout that is failed cannot be failed'),
    });
    const [open] = await paidOut(service, made);
    await asOwner(service, made, 'POST', `/payouts/${open?.id}/cancel`);
    expect((await markFailed(made, open?.id)).status).toBe(409);
    expect((await markFailed(made, 999_999_999)).status).toBe(404);
  });

  it('is in the audit log with its reason', async () => {
    const { made, payoutId } = await paidPayout();
    await markFailed(made, payoutId);
    const { body } = await service.call('GET', '/api/v1/manage/audit?action=payout.marked_failed', {
      key: made.owner.token,
    });
    expect(body.data).toMatchObject([
      { subject_id: String(payoutId), before: { status: 'paid', commissions: 1 }, after: { reason } },
    ]);
  });
});
