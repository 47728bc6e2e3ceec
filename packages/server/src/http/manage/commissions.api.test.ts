import { manage, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { type Sold, sold } from '@svc/testkit/service/sold.ts';
import { badRequest } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const settle = (made: OwnedProgram, { commissionId }: Sold, verb: 'approve' | 'reject') =>
  service.call('POST', manage(made, `/commissions/${commissionId}/${verb}`), { key: made.owner.token });
const setStage = ({ commissionId }: Sold, stage: string) =>
  service.sql('update commissions set stage = $2 where id = $1', [commissionId, stage]);
const refund = (made: OwnedProgram, { transactionId }: Sold, cents = 0) =>
  service.refund({ transaction_id: transactionId, refund_amount_cents: cents }, { key: made.apiKey });

function rowOf(made: OwnedProgram, sale: Sold, at: Date) {
  return {
    id: sale.commissionId,
    kind: 'sale',
    sale_id: sale.saleId,
    transaction_id: sale.transactionId,
    customer_id: expect.any(Number),
    customer_key: expect.stringContaining('user_'),
    partner_id: made.partnerId,
    partner_name: 'Jane',
    status: 'pending',
    stage: 'pending',
    sale_cents: 10_000,
    sale_currency: 'USD',
    commission_type: 'percent',
    commission_rate: 20,
    commission_cents: 2000,
    base_cents: 10_000,
    terms_version: 1,
    rule: 1,
    terms: 'rule 1 of version 1: 20% of each sale, not of renewals',
    reason: null,
    deducted_cents: 0,
    currency: 'USD',
    approve_after: new Date(at.getTime() + 30 * 86_400_000).toISOString(),
    hold_reason: null,
    rejection_reason: null,
    payout_id: null,
    paid_at: null,
    created_at: at.toISOString(),
  };
}

describe('POST /api/v1/manage/programs/:id/commissions/:id/approve and /reject', () => {
  it.each([
    ['approve', 'approved'],
    ['reject', 'rejected'],
  ] as const)('%s: a pending commission is %s', async (verb, word) => {
    const made = await ownedProgram(service);
    const sale = await sold(service, made);
    const { status, body } = await settle(made, sale, verb);
    expect({ status, body }).toEqual({
      status: 200,
      body: { data: { ...rowOf(made, sale, service.time), status: word, stage: word } },
    });
    const [row] = await service.sql('select stage, approved_at from commissions where id = $1', [sale.commissionId]);
    expect(row).toEqual({ stage: word, approved_at: word === 'approved' ? service.time : null });
  });

  it('reject: an approved commission is rejected', async () => {
    const made = await ownedProgram(service);
    const sale = await sold(service, made);
    await settle(made, sale, 'approve');
    expect((await settle(made, sale, 'reject')).body.data).toMatchObject({ status: 'rejected', stage: 'rejected' });
  });

  it.each([
    ['approve', 'approved', 'approved'],
    ['approve', 'rejected', 'approved'],
    ['approve', 'paid', 'approved'],
    ['reject', 'rejected', 'rejected'],
    ['reject', 'paid', 'rejected'],
  ] as const)('400 on %s of one that is %s, and it stays that way', async (verb, stage, to) => {
    const made = await ownedProgram(service);
    const sale = await sold(service, made);
    await setStage(sale, stage);
    const answer = await settle(made, sale, verb);
    expect(answer).toMatchObject({ status: 400, body: badRequest(`A commission that is ${stage} cannot be ${to}`) });
    const rows = await service.sql('select stage from commissions where id = $1', [sale.commissionId]);
    expect(rows).toEqual([{ stage }]);
  });

  it('400 on approving one that was reversed by a full refund', async () => {
    const made = await ownedProgram(service);
    const sale = await sold(service, made);
    await refund(made, sale);
    const answer = await settle(made, sale, 'approve');
    expect(answer).toMatchObject({
      status: 400,
      body: badRequest('A commission that is reversed cannot be approved'),
    });
  });

  it('one that was partially reversed can be approved: its stage changes, its status shows the reversal', async () => {
    const made = await ownedProgram(service);
    const sale = await sold(service, made);
    await refund(made, sale, 2500);
    expect((await settle(made, sale, 'approve')).body.data).toMatchObject({
      status: 'partially_reversed',
      stage: 'approved',
      commission_cents: 2000,
      deducted_cents: 500,
    });
  });
});

describe('POST /api/v1/manage/programs/:id/commissions/approve and /reject', () => {
  const settleMany = (made: OwnedProgram, verb: string, ids: unknown[]) =>
    service.call('POST', manage(made, `/commissions/${verb}`), { key: made.owner.token, body: { ids } });

  it('reports the outcome of each, in the order they were sent; one that cannot change does not affect the others', async () => {
    const [made, theirs] = [await ownedProgram(service), await ownedProgram(service)];
    const [one, two, rejected] = [await sold(service, made), await sold(service, made), await sold(service, made)];
    await settle(made, rejected, 'reject');
    const foreign = await sold(service, theirs);
    const ids = [two, foreign, rejected, one, two].map(({ commissionId }) => commissionId);
    const { status, body } = await settleMany(made, 'approve', [...ids, 999_999_999]);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: [
          { id: two.commissionId, outcome: 'done', status: 'approved' },
          { id: foreign.commissionId, outcome: 'not_found', status: null },
          { id: rejected.commissionId, outcome: 'refused', status: 'rejected' },
          { id: one.commissionId, outcome: 'done', status: 'approved' },
          { id: 999_999_999, outcome: 'not_found', status: null },
        ],
      },
    });
    const stages = await service.sql('select id, stage, approved_at from commissions where id = any ($1) order by id', [
      ids,
    ]);
    expect(stages).toEqual([
      { id: one.commissionId, stage: 'approved', approved_at: service.time },
      { id: two.commissionId, stage: 'approved', approved_at: service.time },
      { id: rejected.commissionId, stage: 'rejected', approved_at: null },
      { id: foreign.commissionId, stage: 'pending', approved_at: null },
    ]);
    const again = await settleMany(made, 'reject', ids.slice(0, 1));
    expect(again.body).toEqual({ data: [{ id: two.commissionId, outcome: 'done', status: 'rejected' }] });
  });

  it('one that is in a payout cannot be rejected, alone or with others', async () => {
    const made = await ownedProgram(service);
    const sale = await sold(service, made);
    await settle(made, sale, 'approve');
    await service.call('POST', manage(made, '/payouts'), { key: made.owner.token, body: {} });
    const many = await settleMany(made, 'reject', [sale.commissionId]);
    expect(many.body.data).toEqual([{ id: sale.commissionId, outcome: 'refused', status: 'approved' }]);
    const message = 'A commission that is in a payout cannot be rejected';
    expect(await settle(made, sale, 'reject')).toMatchObject({ status: 400, body: badRequest(message) });
  });
});

describe('GET /api/v1/manage/programs/:id/commissions', () => {
  it('lists commissions with their sale, customer and partner, and the filters narrow the list', async () => {
    const made = await ownedProgram(service);
    const other = await service.partner(made.program);
    const pending = await sold(service, made);
    const firstAt = service.time;
    const approved = await sold(service, made);
    await settle(made, approved, 'approve');
    const reversed = await sold(service, made);
    await refund(made, reversed);
    const partly = await sold(service, { ...made, ...other });
    await refund(made, partly, 1);
    const rejected = await sold(service, made);
    await settle(made, rejected, 'reject');
    const paid = await sold(service, made);
    await setStage(paid, 'paid');
    const ids = async (query: string) => {
      const path = manage(made, `/commissions?${query}`);
      const { body } = await service.call('GET', path, { key: made.owner.token });
      return body.data.map(({ id }: { id: number }) => id);
    };
    expect(await ids('')).toEqual(
      [paid, rejected, partly, reversed, approved, pending].map((sale) => sale.commissionId),
    );
    const all = { pending, approved, paid, reversed, partially_reversed: partly, rejected };
    for (const [status, sale] of Object.entries(all))
      expect(await ids(`status=${status}`)).toEqual([sale.commissionId]);
    expect(await ids(`partner_id=${other.partnerId}`)).toEqual([partly.commissionId]);
    expect(await ids(`transaction_id=${paid.transactionId}`)).toEqual([paid.commissionId]);
    expect(await ids('transaction_id=unknown')).toEqual([]);
    expect(await ids('stage=rejected')).toEqual([rejected.commissionId]);
    expect(await ids('stage=pending')).toEqual([partly, reversed, pending].map((sale) => sale.commissionId));
    expect(await ids(`q=${paid.transactionId.slice(0, -2)}`)).toEqual([paid.commissionId]);
    expect(await ids('q=order_')).toHaveLength(6);
    expect(await ids('q=rder_')).toEqual([]);
    expect(await ids(`from=${firstAt.toISOString()}`)).toHaveLength(6);
    expect(await ids(`to=${firstAt.toISOString()}`)).toEqual([]);
    expect(await ids(`from=${service.time.toISOString()}`)).toEqual([paid.commissionId]);
    const body = (await service.call('GET', manage(made, '/commissions?status=pending'), { key: made.owner.token }))
      .body;
    expect(body).toEqual({ data: [rowOf(made, pending, firstAt)], meta: { next_cursor: null, limit: 25 } });
  });
});
