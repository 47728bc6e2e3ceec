import { manage, type OwnedProgram, ownedProgram, partnerAccount } from '@svc/testkit/service/accounts.ts';
import { approvedSale, asOwner, dueOn, linesOf, paidOut } from '@svc/testkit/service/payments/paid.ts';
import { giveMethod } from '@svc/testkit/service/payout-methods.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { type Sold, sold } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const conflict = (message: string) => ({ status: 409, body: platformError(409, 'ConflictError', message) });
const refund = (made: OwnedProgram, { transactionId }: Sold, cents = 0) =>
  service.refund({ transaction_id: transactionId, refund_amount_cents: cents }, { key: made.apiKey });
const balances = async (made: OwnedProgram) => (await asOwner(service, made, 'GET', '/balances')).body.data;
const markPaid = (made: OwnedProgram, id: number | undefined, body: object = {}) =>
  asOwner(service, made, 'POST', `/payouts/${id}/mark-paid`, body);
const cancel = (made: OwnedProgram, id: number | undefined) => asOwner(service, made, 'POST', `/payouts/${id}/cancel`);

const balance = (made: OwnedProgram, parts: object) => ({
  partner_id: made.partnerId,
  partner_name: 'Jane',
  partner_status: 'active',
  payout_method_kind: null,
  payout_method: null,
  account_changed_at: null,
  currency: 'USD',
  approved_cents: 0,
  carried_cents: 0,
  pending_cents: 0,
  payable_cents: 0,
  due_commissions: 0,
  ...parts,
});

describe('POST /api/v1/manage/programs/:id/payouts', () => {
  it('answers 201 with a payout of all that is approved; pending, rejected and test commissions stay out', async () => {
    const made = await ownedProgram(service);
    await giveMethod(service, (await partnerAccount(service, made.partnerId)).userId);
    const [one, two] = [await approvedSale(service, made), await approvedSale(service, made, { amount_cents: 5_000 })];
    await sold(service, made);
    const rejected = await approvedSale(service, made);
    await asOwner(service, made, 'POST', `/commissions/${rejected.commissionId}/reject`);
    await asOwner(service, made, 'POST', '/test-chain');
    const { status, body } = await asOwner(service, made, 'POST', '/payouts', {});
    const payout = {
      id: expect.any(Number),
      partner_id: made.partnerId,
      partner_name: 'Jane',
      partner_email: `${made.link}@partner.test`,
      payout_method_kind: 'iban',
      payout_method: 'DE****3000',
      account_changed_at: null,
      currency: 'USD',
      amount_cents: 3_000,
      status: 'open',
      reference: null,
      created_at: service.time.toISOString(),
      paid_at: null,
      cancelled_at: null,
      failed_at: null,
      failure_reason: null,
      failure_code: null,
      run_id: null,
      not_in_file: null,
      sent_at: null,
      returned_at: null,
    };
    expect({ status, body }).toEqual({ status: 201, body: { data: [payout], meta: { more: false } } });
    const [{ id }] = body.data;
    expect(await linesOf(service, id)).toEqual({ [`${one.commissionId}`]: 2_000, [`${two.commissionId}`]: 1_000 });
    expect(await dueOn(service, one)).toEqual({ stage: 'approved', due: 0 });
    expect(await balances(made)).toEqual([
      balance(made, { pending_cents: 2_000, payout_method_kind: 'iban', payout_method: 'DE****3000' }),
    ]);
  });

  it('creates one for each partner and currency, or only the chosen ones', async () => {
    const made = await ownedProgram(service);
    const other = { ...made, ...(await service.partner(made.program)) };
    for (const currency of ['EUR', 'USD']) {
      await approvedSale(service, made, { currency });
      await approvedSale(service, other, { currency });
    }
    const chosen = await paidOut(service, made, { partner_id: other.partnerId, currency: 'eur' });
    expect(chosen).toMatchObject([{ partner_id: other.partnerId, currency: 'EUR', amount_cents: 2_000 }]);
    const ofOne = await paidOut(service, made, { partner_id: made.partnerId });
    expect(ofOne.map(({ currency }) => currency)).toEqual(['EUR', 'USD']);
    expect(await paidOut(service, made)).toMatchObject([{ partner_id: other.partnerId, currency: 'USD' }]);
    expect(await paidOut(service, made)).toEqual([]);
  });

  it('a commission is in only one payout', async () => {
    const made = await ownedProgram(service);
    await approvedSale(service, made);
    expect(await paidOut(service, made)).toHaveLength(1);
    await approvedSale(service, made, { amount_cents: 500 });
    expect(await paidOut(service, made)).toMatchObject([{ amount_cents: 100 }]);
  });

  it('404 for a partner of another program', async () => {
    const [made, theirs] = [await ownedProgram(service), await ownedProgram(service)];
    await approvedSale(service, theirs);
    const answer = await asOwner(service, made, 'POST', '/payouts', { partner_id: theirs.partnerId });
    expect(answer.status).toBe(404);
    expect(await service.sql('select 1 from payouts where program_id = $1', [theirs.program.id])).toEqual([]);
  });
});

describe('a refund', () => {
  it('before the payout reduces it', async () => {
    const made = await ownedProgram(service);
    await refund(made, await approvedSale(service, made), 2_500);
    expect(await paidOut(service, made)).toMatchObject([{ amount_cents: 1_500 }]);
  });

  it('after the payout was paid is carried as a negative balance, and deducted from the next payout', async () => {
    const made = await ownedProgram(service);
    const sale = await approvedSale(service, made);
    const [first] = await paidOut(service, made);
    await markPaid(made, first?.id);
    await refund(made, sale);
    expect(await balances(made)).toEqual([balance(made, { carried_cents: -2_000, due_commissions: 1 })]);
    expect(await paidOut(service, made)).toEqual([]);
    const next = await approvedSale(service, made, { amount_cents: 15_000 });
    expect(await balances(made)).toEqual([
      balance(made, { approved_cents: 3_000, carried_cents: -2_000, payable_cents: 1_000, due_commissions: 2 }),
    ]);
    const [second] = await paidOut(service, made);
    expect(second).toMatchObject({ amount_cents: 1_000 });
    expect(await linesOf(service, second?.id ?? 0)).toEqual({
      [`${sale.commissionId}`]: -2_000,
      [`${next.commissionId}`]: 3_000,
    });
    expect(await balances(made)).toEqual([]);
  });

  it('between creating the payout and paying it is carried too: the agreed amount is paid', async () => {
    const made = await ownedProgram(service);
    const sale = await approvedSale(service, made);
    const [payout] = await paidOut(service, made);
    await refund(made, sale, 5_000);
    expect((await markPaid(made, payout?.id)).body.data).toMatchObject({ amount_cents: 2_000, status: 'paid' });
    expect(await dueOn(service, sale)).toEqual({ stage: 'paid', due: -1_000 });
  });
});

describe('POST /api/v1/manage/programs/:id/payouts/:payout_id/mark-paid', () => {
  it('stores the reference and the time, and moves the commissions to paid', async () => {
    const made = await ownedProgram(service);
    const sale = await approvedSale(service, made);
    const [payout] = await paidOut(service, made);
    service.advance({ days: 1 });
    const { status, body } = await markPaid(made, payout?.id, { reference: 'SEPA-1' });
    const paid = { ...payout, status: 'paid', reference: 'SEPA-1', paid_at: service.time.toISOString() };
    expect({ status, body }).toEqual({ status: 200, body: { data: paid } });
    expect(await dueOn(service, sale)).toEqual({ stage: 'paid', due: 0 });
    const { data } = (await asOwner(service, made, 'GET', `/commissions?status=paid`)).body;
    expect(data).toMatchObject([{ id: sale.commissionId, status: 'paid', stage: 'paid' }]);
  });

  it('a commission of which a part was restored meanwhile stays approved until the rest is paid', async () => {
    const made = await ownedProgram(service);
    const sale = await approvedSale(service, made);
    await refund(made, sale, 5_000);
    const [first] = await paidOut(service, made);
    await service.sql(`update commissions set deducted_cents = 0, reversal = 'none' where id = $1`, [
      sale.commissionId,
    ]);
    await markPaid(made, first?.id);
    expect(await dueOn(service, sale)).toEqual({ stage: 'approved', due: 1_000 });
    const [second] = await paidOut(service, made);
    expect(second).toMatchObject({ amount_cents: 1_000 });
    await markPaid(made, second?.id);
    expect(await dueOn(service, sale)).toEqual({ stage: 'paid', due: 0 });
  });

  it.each(['mark-paid', 'cancel'])(
    '409 on %s of one that is paid or cancelled, and it stays that way',
    async (verb) => {
      const made = await ownedProgram(service);
      const word = verb === 'cancel' ? 'cancelled' : 'paid';
      for (const [settle, state] of [
        [markPaid, 'paid'],
        [cancel, 'cancelled'],
      ] as const) {
        await approvedSale(service, made);
        const [payout] = await paidOut(service, made);
        const settled = (await settle(made, payout?.id)).body.data;
        const answer = await asOwner(service, made, 'POST', `/payouts/${payout?.id}/${verb}`, { reference: 'again' });
        expect(answer).toMatchObject(conflict(`A payout that is ${state} cannot be ${word}`));
        expect((await asOwner(service, made, 'GET', `/payouts/${payout?.id}`)).body.data).toMatchObject(settled);
      }
    },
  );
});

describe('POST /api/v1/manage/programs/:id/payouts/:payout_id/cancel', () => {
  it('makes its commissions payable again', async () => {
    const made = await ownedProgram(service);
    const sale = await approvedSale(service, made);
    const [payout] = await paidOut(service, made);
    const { status, body } = await cancel(made, payout?.id);
    const cancelled = { ...payout, status: 'cancelled', cancelled_at: service.time.toISOString() };
    expect({ status, body }).toEqual({ status: 200, body: { data: cancelled } });
    expect(await dueOn(service, sale)).toEqual({ stage: 'approved', due: 2_000 });
    expect(await paidOut(service, made)).toMatchObject([{ amount_cents: 2_000, status: 'open' }]);
  });
});

it('a commission that was refunded in full before its payout was cancelled never counts as paid', async () => {
  const made = await ownedProgram(service);
  const sale = await approvedSale(service, made);
  const [payout] = await paidOut(service, made);
  await refund(made, sale);
  await cancel(made, payout?.id);
  expect(await dueOn(service, sale)).toEqual({ stage: 'approved', due: 0 });
  expect(await balances(made)).toEqual([]);
});

describe('GET /api/v1/manage/programs/:id/payouts and a single payout', () => {
  it('lists newest first in pages, and filters by status and partner', async () => {
    const made = await ownedProgram(service);
    const other = { ...made, ...(await service.partner(made.program)) };
    const ids: number[] = [];
    for (const whose of [made, other, made]) {
      await approvedSale(service, whose);
      ids.unshift(...(await paidOut(service, made)).map(({ id }) => id));
    }
    await markPaid(made, ids[2]);
    const list = async (query: string) => (await asOwner(service, made, 'GET', `/payouts${query}`)).body;
    const idsOf = ({ data }: { data: { id: number }[] }) => data.map(({ id }) => id);
    expect(idsOf(await list(''))).toEqual(ids);
    expect(idsOf(await list('?status=open'))).toEqual(ids.slice(0, 2));
    expect(idsOf(await list('?status=paid'))).toEqual(ids.slice(2));
    expect(idsOf(await list(`?partner_id=${other.partnerId}`))).toEqual([ids[1]]);
    const first = await list('?limit=2');
    expect(idsOf(await list(`?limit=2&cursor=${first.meta.next_cursor}`))).toEqual([ids[2]]);
    expect((await list('?cursor=x')).error.message).toBe('cursor is not valid for this list');
    expect((await list('?status=gone')).error.message).toBe(
      'status must be one of open, sent, paid, failed, returned, cancelled',
    );
  });

  it('a single payout has its lines, in pages', async () => {
    const made = await ownedProgram(service);
    const sales: (Sold & { at: Date })[] = [];
    for (let sale = 0; sale < 3; sale += 1) {
      sales.unshift({ ...(await approvedSale(service, made)), at: service.time });
    }
    const [payout] = await paidOut(service, made);
    const read = async (query: string) => (await asOwner(service, made, 'GET', `/payouts/${payout?.id}${query}`)).body;
    const line = ({ commissionId, saleId, transactionId, at }: (typeof sales)[number]) => ({
      commission_id: commissionId,
      kind: 'sale',
      reason: null,
      sale_id: saleId,
      transaction_id: transactionId,
      customer_id: expect.any(Number),
      customer_key: expect.stringContaining('user_'),
      sale_cents: 10_000,
      sale_currency: 'USD',
      sale_at: at.toISOString(),
      base_cents: 10_000,
      terms_version: 1,
      rule: 1,
      terms: '20% of each sale, not of renewals',
      commission_cents: 2_000,
      deducted_cents: 0,
      earlier_cents: 0,
      refunded_at: null,
      amount_cents: 2_000,
      created_at: at.toISOString(),
    });
    const meta = { next_cursor: null, limit: 25 };
    expect(await read('')).toEqual({ data: { ...payout, lines: sales.map(line) }, meta });
    const first = await read('?limit=2');
    expect(first.data.lines).toEqual(sales.slice(0, 2).map(line));
    const second = await read(`?limit=2&cursor=${first.meta.next_cursor}`);
    expect(second).toEqual({ data: { ...payout, lines: sales.slice(2).map(line) }, meta: { ...meta, limit: 2 } });
  });

  it('lines say what refunds and earlier payouts took, as it was when the payout was created', async () => {
    const made = await ownedProgram(service);
    const sale = await approvedSale(service, made);
    const linesOfNext = async () => {
      const [payout] = await paidOut(service, made);
      await markPaid(made, payout?.id);
      return async () => (await asOwner(service, made, 'GET', `/payouts/${payout?.id}`)).body.data.lines;
    };
    await refund(made, sale, 1_000);
    const refundedAt = service.time.toISOString();
    const first = await linesOfNext();
    service.advance({ days: 1 });
    await refund(made, sale, 4_000);
    const carriedAt = service.time.toISOString();
    const more = await approvedSale(service, made);
    service.advance({ days: 1 });
    const second = await linesOfNext();
    service.advance({ seconds: 1 });
    await refund(made, sale, 5_000);

    const parts = { commission_id: sale.commissionId, commission_cents: 2_000 };
    expect(await first()).toMatchObject([
      { ...parts, deducted_cents: 200, earlier_cents: 0, refunded_at: refundedAt, amount_cents: 1_800 },
    ]);
    expect(await second()).toMatchObject([
      { commission_id: more.commissionId, deducted_cents: 0, earlier_cents: 0, refunded_at: null, amount_cents: 2_000 },
      { ...parts, deducted_cents: 1_000, earlier_cents: 1_800, refunded_at: carriedAt, amount_cents: -800 },
    ]);
  });

  it('a partner sees their own payouts and balance, and no others', async () => {
    const made = await ownedProgram(service);
    const other = { ...made, ...(await service.partner(made.program)) };
    await approvedSale(service, made);
    await approvedSale(service, other);
    const payouts = await paidOut(service, made);
    const [mine, theirs] = [made, other].map(({ partnerId }) => payouts.find((one) => one.partner_id === partnerId));
    for (const whose of [made, other]) await approvedSale(service, whose, { amount_cents: 500 });
    const { token: key } = await partnerAccount(service, made.partnerId);
    const read = (rest: string) => service.call('GET', manage(made, rest), { key });
    for (const query of ['', `?partner_id=${other.partnerId}`]) {
      expect((await read(`/payouts${query}`)).body.data).toEqual([mine]);
      expect((await read(`/balances${query}`)).body.data).toEqual([
        balance(made, { approved_cents: 100, payable_cents: 100, due_commissions: 1 }),
      ]);
    }
    expect((await read(`/payouts/${mine?.id}`)).status).toBe(200);
    expect((await read(`/payouts/${theirs?.id}`)).status).toBe(404);
  });
});

describe('GET /api/v1/manage/programs/:id/balances', () => {
  it('lists partners and currencies in pages that together have each once', async () => {
    const made = await ownedProgram(service);
    const other = { ...made, ...(await service.partner(made.program)) };
    for (const whose of [made, other]) {
      for (const currency of ['JPY', 'EUR']) await sold(service, whose, { currency });
      await approvedSale(service, whose);
    }
    const all = await balances(made);
    expect(all.map((row: { partner_id: number; currency: string }) => [row.partner_id, row.currency])).toEqual(
      [made, other].flatMap(({ partnerId }) => ['EUR', 'JPY', 'USD'].map((currency) => [partnerId, currency])),
    );
    expect(all[0]).toEqual(balance(made, { currency: 'EUR', pending_cents: 2_000 }));
    expect(all[2]).toEqual(balance(made, { approved_cents: 2_000, payable_cents: 2_000, due_commissions: 1 }));
    const walked = [];
    for (let cursor = ''; ; ) {
      const { body } = await asOwner(service, made, 'GET', `/balances?limit=4&cursor=${cursor}`);
      walked.push(...body.data);
      cursor = body.meta.next_cursor ?? '';
      if (!cursor) break;
    }
    expect(walked).toEqual(all);
  });

  it.each([[[1]], [[1, 'usd']], [['USD', 1]], [[1.5, 'USD']], [[1, 'USD', 2]]])(
    '400 for the cursor %j',
    async (parts) => {
      const cursor = Buffer.from(JSON.stringify(parts)).toString('base64url');
      const answer = await asOwner(service, await ownedProgram(service), 'GET', `/balances?cursor=${cursor}`);
      expect([answer.status, answer.body.error.message]).toEqual([400, 'cursor is not valid for this list']);
    },
  );
});

describe('GET /api/v1/manage/programs/:id/earnings', () => {
  it('shows by currency what is pending, approved, in payouts, paid, reversed, carried and payable', async () => {
    const made = await ownedProgram(service);
    const other = { ...made, ...(await service.partner(made.program)) };
    const paid = await approvedSale(service, made);
    await markPaid(made, (await paidOut(service, made))[0]?.id);
    await approvedSale(service, made, { amount_cents: 5_000 });
    await paidOut(service, made);
    await refund(made, paid, 1_000);
    await approvedSale(service, made, { amount_cents: 500 });
    await sold(service, made, { amount_cents: 50_000 });
    await sold(service, made, { currency: 'EUR' });
    await approvedSale(service, other);
    const earnings = { currency: 'USD', in_payouts_cents: 1_000, paid_cents: 2_000, reversed_cents: 200 };
    const own = { ...earnings, pending_cents: 10_000, approved_cents: 100, carried_cents: -200, payable_cents: 0 };
    const euro = {
      currency: 'EUR',
      pending_cents: 2_000,
      approved_cents: 0,
      in_payouts_cents: 0,
      paid_cents: 0,
      reversed_cents: 0,
      carried_cents: 0,
      payable_cents: 0,
    };
    const { token } = await partnerAccount(service, made.partnerId);
    const asPartner = await service.call('GET', manage(made, '/earnings'), { key: token });
    expect({ status: asPartner.status, body: asPartner.body }).toEqual({ status: 200, body: { data: [euro, own] } });
    const read = async (query: string) => (await asOwner(service, made, 'GET', `/earnings${query}`)).body.data;
    expect(await read(`?partner_id=${made.partnerId}`)).toEqual([euro, own]);
    // One partner's negative balance is not offset against what is due to another.
    expect(await read('')).toEqual([euro, { ...own, approved_cents: 2_100, payable_cents: 2_000 }]);
  });
});
