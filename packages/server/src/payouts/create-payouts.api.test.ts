import { newAccount, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { approvedSale, asOwner, dueOn, paidOut } from '@svc/testkit/service/payments/paid.ts';
import { giveMethod } from '@svc/testkit/service/payout-methods.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';
import { updatePartnerUser } from '../partners/partner-account-store.ts';

const service = useService();

const otherPartner = async (made: OwnedProgram) => ({ ...made, ...(await service.partner(made.program)) });

/** Gives the partner an account that says where to send the money. */
async function withMethod({ partnerId }: OwnedProgram): Promise<void> {
  const { userId } = await newAccount(service);
  await updatePartnerUser(service.ctx.db, partnerId, userId, service.ctx.now());
  await giveMethod(service, userId);
}

const preview = async (made: OwnedProgram, more = '') =>
  (await asOwner(service, made, 'GET', `/balances?payable=true&totals=true&sort=-payable_cents${more}`)).body;

describe('a payout run', () => {
  it('has a preview of who is paid, and who lacks a payout method; nobody with nothing to pay is in it', async () => {
    const made = await ownedProgram(service);
    const [second, empty] = [await otherPartner(made), await otherPartner(made)];
    await approvedSale(service, made);
    await approvedSale(service, second, { amount_cents: 20_000 });
    await approvedSale(service, second, { amount_cents: 5_000, currency: 'EUR' });
    await service.sql(`update commissions set stage = 'pending' where partner_id = $1`, [empty.partnerId]);
    await withMethod(second);
    const { data, meta } = await preview(made);
    expect(data.map((row: Record<string, unknown>) => [row.partner_id, row.currency, row.payable_cents])).toEqual([
      [second.partnerId, 'USD', 4_000],
      [made.partnerId, 'USD', 2_000],
      [second.partnerId, 'EUR', 1_000],
    ]);
    const sums = { pending_cents: 0, carried_cents: 0 };
    expect([meta.count, meta.totals]).toEqual([
      3,
      [
        { currency: 'EUR', count: 1, approved_cents: 1_000, payable_cents: 1_000, ...sums },
        { currency: 'USD', count: 2, approved_cents: 6_000, payable_cents: 6_000, ...sums },
      ],
    ]);
    expect((await preview(made, '&has_payout_method=false')).meta).toMatchObject({
      count: 1,
      totals: [{ currency: 'USD', payable_cents: 2_000 }],
    });
    const run = { with_payout_method: true, count: 2, totals: [eur(1_000), usd(4_000)] };
    const { status, body } = await asOwner(service, made, 'POST', '/payouts', run);
    expect([status, body.data.length]).toEqual([201, 2]);
    expect((await preview(made)).meta.count).toBe(1);
  });

  const usd = (payable_cents: number) => ({ currency: 'USD', payable_cents });
  const eur = (payable_cents: number) => ({ currency: 'EUR', payable_cents });

  it.each([
    ['another number of balances', { count: 2 }],
    ['another sum', { count: 1, totals: [usd(1_999)] }],
    ['another currency', { count: 1, totals: [eur(2_000)] }],
    ['a currency that is gone', { count: 1, totals: [usd(2_000), eur(1)] }],
  ])('409 and no payout if the caller saw %s', async (_what, seen) => {
    const made = await ownedProgram(service);
    const sale = await approvedSale(service, made);
    const answer = await asOwner(service, made, 'POST', '/payouts', seen);
    const message =
      'The balances have changed: 1 can be paid out now. No payout was created. Review them and try again.';
    expect(answer).toMatchObject({ status: 409, body: platformError(409, 'ConflictError', message) });
    expect(await dueOn(service, sale)).toEqual({ stage: 'approved', due: 2_000 });
  });
});

describe('POST /api/v1/manage/programs/:id/bulk/payouts/mark-paid', () => {
  const mark = (made: OwnedProgram, body: object) => asOwner(service, made, 'POST', '/bulk/payouts/mark-paid', body);

  it('marks all payouts of a filter with one reference, and their commissions as paid', async () => {
    const made = await ownedProgram(service);
    const second = await otherPartner(made);
    const sales = [await approvedSale(service, made), await approvedSale(service, second)];
    await paidOut(service, made);
    const filter = { status: 'open', to: new Date(service.time.getTime() + 1).toISOString() };
    service.advance({ days: 1 });
    const later = await approvedSale(service, made);
    await paidOut(service, made);
    const { status, body } = await mark(made, { filter, count: 2, reference: 'SEPA 17' });
    expect({ status, body }).toEqual({
      status: 200,
      body: { data: { changed: 2, skipped: [] }, meta: { next_cursor: null } },
    });
    for (const sale of sales) expect(await dueOn(service, sale)).toEqual({ stage: 'paid', due: 0 });
    expect(await dueOn(service, later)).toEqual({ stage: 'approved', due: 0 });
    const { data, meta } = (await asOwner(service, made, 'GET', '/payouts?q=sepa&totals=true')).body;
    expect(data.map((row: { status: string; paid_at: string }) => [row.status, row.paid_at])).toEqual([
      ['paid', service.time.toISOString()],
      ['paid', service.time.toISOString()],
    ]);
    expect([meta.count, meta.totals]).toEqual([2, [{ currency: 'USD', count: 2, amount_cents: 4_000 }]]);
  });

  it('skips those that are not open, and 409 if the filter matches another number than the caller saw', async () => {
    const made = await ownedProgram(service);
    await approvedSale(service, made);
    const [cancelled] = await paidOut(service, made);
    await asOwner(service, made, 'POST', `/payouts/${cancelled?.id}/cancel`);
    const [open] = await paidOut(service, made);
    const message = 'The filter matches 2 payouts now, not 1. Nothing was changed. Review the list and try again.';
    const wrong = await mark(made, { filter: {}, count: 1 });
    expect(wrong).toMatchObject({ status: 409, body: platformError(409, 'ConflictError', message) });
    const byIds = await mark(made, { ids: [open?.id, cancelled?.id, 999_999_999] });
    expect(byIds.body.data).toEqual({
      changed: 1,
      skipped: [
        { reason: 'cancelled', count: 1 },
        { reason: 'not_found', count: 1 },
      ],
    });
  });
});
