import { manage, type OwnedProgram, ownedProgram, partnerAccount } from '@svc/testkit/service/accounts.ts';
import { approvedSale, asOwner, dueOn, paidOut } from '@svc/testkit/service/payments/paid.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { badRequest } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const review = (made: OwnedProgram, body: object) => asOwner(service, made, 'POST', '/commissions/review', body);
const rowOf = async (made: OwnedProgram, id: number | null, key = made.owner.token) => {
  const { data } = (await service.call('GET', manage(made, '/commissions?limit=100'), { key })).body;
  return data.find((row: { id: number }) => row.id === id);
};

/** Adds copies of the program's newest commission, each with a sale of its own, one second apart. */
async function addCommissions(made: OwnedProgram, count: number): Promise<void> {
  await sold(service, made);
  await service.sql(
    `with original as (select * from sales where program_id = $1 order by id desc limit 1), copies as (
       insert into sales (processor_event_id, program_id, customer_id, partner_id, link_id, amount_cents, currency, sale_type,
         is_recurring, commission_state, commission_type, created_at)
       select processor_event_id || '_' || n, program_id, customer_id, partner_id, link_id, amount_cents, currency, sale_type,
         is_recurring, commission_state, commission_type, created_at - n * interval '1 second'
       from original, generate_series(1, $2 - 1) n returning *
     )
     insert into commissions (sale_id, program_id, partner_id, commission_type, commission_rate, commission_cents, currency,
       approve_after, created_at)
     select id, program_id, partner_id, commission_type, 20, 2000, currency, created_at, created_at from copies`,
    [made.program.id, count],
  );
}

describe('POST /api/v1/manage/programs/:id/commissions/review', () => {
  it('works through all commissions of a filter, page by page, and leaves out what is created meanwhile', async () => {
    const made = await ownedProgram(service);
    await addCommissions(made, 450);
    const filter = { partner_id: made.partnerId, status: 'pending' };
    const changed: number[] = [];
    let cursor: string | null = null;
    do {
      const { status, body } = await review(made, {
        action: 'approve',
        filter,
        ...(cursor ? { cursor } : { count: 450 }),
      });
      expect(status).toBe(200);
      changed.push(body.data.changed);
      expect(body.data.skipped).toEqual([]);
      cursor = body.meta.next_cursor;
      service.advance({ seconds: 1 });
      if (changed.length === 1) await sold(service, made);
    } while (cursor);
    expect(changed).toEqual([200, 200, 50]);
    const counts = await service.sql(
      'select stage, count(*) from commissions where program_id = $1 group by 1 order by 1',
      [made.program.id],
    );
    expect(counts).toEqual([
      { stage: 'approved', count: 450 },
      { stage: 'pending', count: 1 },
    ]);
  });

  it('409 and no change when the filter matches another number than the caller saw', async () => {
    const made = await ownedProgram(service);
    const sale = await sold(service, made);
    await sold(service, made);
    const message = 'The filter matches 2 commissions now, not 1. Nothing was changed. Review the list and try again.';
    const answer = await review(made, { action: 'reject', filter: { stage: 'pending' }, count: 1 });
    expect(answer).toMatchObject({ status: 409, body: platformError(409, 'ConflictError', message) });
    expect(await dueOn(service, sale)).toEqual({ stage: 'pending', due: 0 });
  });

  it('says how many were skipped, and why', async () => {
    const made = await ownedProgram(service);
    await approvedSale(service, made);
    await paidOut(service, made);
    await approvedSale(service, made);
    await sold(service, made);
    const { transactionId } = await sold(service, made);
    await service.refund({ transaction_id: transactionId }, { key: made.apiKey });
    const approval = await review(made, { action: 'approve', filter: {}, count: 4 });
    expect(approval.body.data).toEqual({
      changed: 1,
      skipped: expect.arrayContaining([
        { reason: 'reversed', count: 1 },
        { reason: 'approved', count: 1 },
        { reason: 'in_payout', count: 1 },
      ]),
    });
    const theirs = await sold(service, await ownedProgram(service));
    const byIds = await review(made, { action: 'reject', ids: [theirs.commissionId] });
    expect(byIds.body).toEqual({
      data: { changed: 0, skipped: [{ reason: 'not_found', count: 1 }] },
      meta: { next_cursor: null },
    });
  });

  it.each([
    [{ action: 'approve' }, 'Send either ids or filter'],
    [{ action: 'approve', filter: {} }, 'count is required with filter'],
    [
      { action: 'approve', filter: { status: 'gone' }, count: 1 },
      'status must be one of pending, approved, paid, reversed, partially_reversed, rejected',
    ],
    [{ action: 'approve', filter: {}, cursor: 'x' }, 'cursor is not valid for this list'],
  ])('400 on %o', async (body, message) => {
    expect(await review(await ownedProgram(service), body)).toMatchObject({ status: 400, body: badRequest(message) });
  });
});

describe('rejecting with a reason, and undoing it', () => {
  const restore = (made: OwnedProgram, id: number | null) =>
    asOwner(service, made, 'POST', `/commissions/${id}/restore`);

  it('both sides see the reason until the rejection is undone; the commission is what it was before', async () => {
    const made = await ownedProgram(service);
    const { token } = await partnerAccount(service, made.partnerId);
    const [pending, approved] = [await sold(service, made), await approvedSale(service, made)];
    const before = [await rowOf(made, pending.commissionId), await rowOf(made, approved.commissionId)];
    const reason = ' The order was a test. ';
    const ids = [pending.commissionId, approved.commissionId];
    await asOwner(service, made, 'POST', '/commissions/reject', { ids, reason });
    for (const key of [made.owner.token, token]) {
      for (const id of ids) {
        const shown = { status: 'rejected', rejection_reason: 'The order was a test.' };
        expect(await rowOf(made, id, key)).toMatchObject(shown);
      }
    }
    service.advance({ days: 1 });
    const undone = await review(made, { action: 'restore', ids });
    expect(undone.body.data).toEqual({ changed: 2, skipped: [] });
    expect([await rowOf(made, pending.commissionId), await rowOf(made, approved.commissionId)]).toEqual(before);
    expect(await dueOn(service, approved)).toEqual({ stage: 'approved', due: 2_000 });
  });

  it('what was refunded while it was rejected is deducted when it comes back', async () => {
    const made = await ownedProgram(service);
    const [partly, fully] = [await approvedSale(service, made), await sold(service, made)];
    for (const { commissionId } of [partly, fully]) {
      await asOwner(service, made, 'POST', `/commissions/${commissionId}/reject`);
    }
    const refund = (transaction_id: string, refund_amount_cents?: number) =>
      service.refund({ transaction_id, refund_amount_cents }, { key: made.apiKey });
    await refund(partly.transactionId, 2_500);
    await refund(fully.transactionId);
    expect((await restore(made, partly.commissionId)).body.data).toMatchObject({
      status: 'partially_reversed',
      stage: 'approved',
      deducted_cents: 500,
    });
    expect((await restore(made, fully.commissionId)).body.data).toMatchObject({
      status: 'reversed',
      stage: 'pending',
      deducted_cents: 2_000,
    });
    // The next refund continues from there.
    await refund(partly.transactionId, 2_500);
    expect(await dueOn(service, partly)).toEqual({ stage: 'approved', due: 1_000 });
  });

  it('400 on one that is not rejected', async () => {
    const made = await ownedProgram(service);
    const { commissionId } = await approvedSale(service, made);
    const message = 'A commission that is approved cannot be restored';
    expect(await restore(made, commissionId)).toMatchObject({ status: 400, body: badRequest(message) });
  });
});

it('a commission that was paid and reversed afterwards still names its payout', async () => {
  const made = await ownedProgram(service);
  const { commissionId, transactionId } = await approvedSale(service, made);
  const [payout] = await paidOut(service, made);
  await asOwner(service, made, 'POST', `/payouts/${payout?.id}/mark-paid`, {});
  const paid_at = service.time.toISOString();
  await service.refund({ transaction_id: transactionId }, { key: made.apiKey });
  service.advance({ days: 1 });
  expect(await rowOf(made, commissionId)).toMatchObject({ status: 'reversed', payout_id: payout?.id, paid_at });
});
