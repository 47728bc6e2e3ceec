import { manage, type OwnedProgram, ownedProgram, partnerAccount } from '@svc/testkit/service/accounts.ts';
import { approvedSale, asOwner, paidOut } from '@svc/testkit/service/payments/paid.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const adjust = (made: OwnedProgram, amount_cents: number, fields: object = {}) => {
  const body = { partner_id: made.partnerId, amount_cents, currency: 'USD', reason: 'Agreed by phone', ...fields };
  return asOwner(service, made, 'POST', '/adjustments', body);
};
const earned = async (made: OwnedProgram) => (await asOwner(service, made, 'GET', '/earnings')).body.data;
const linesOf = async (made: OwnedProgram, payoutId: number) =>
  (await asOwner(service, made, 'GET', `/payouts/${payoutId}`)).body.data.lines;

/** What the recruiter of the partner gets for a sale. */
const payOverride = (saleId: number, partnerId: number, cents: number) =>
  service.sql(
    `insert into commissions (kind, sale_id, program_id, partner_id, commission_type, commission_rate, commission_cents,
       currency, approve_after, created_at)
     select 'override', id, program_id, $2, 'percent', 5, $3, 'USD', created_at, created_at from sales where id = $1`,
    [saleId, partnerId, cents],
  );

describe('POST adjustments', () => {
  it('a positive amount is a bonus: a commission without a sale, approved at once', async () => {
    const made = await ownedProgram(service);
    const { status, body } = await adjust(made, 5_000, { reason: '  Best review of the month  ' });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        data: {
          id: expect.any(Number),
          kind: 'bonus',
          sale_id: null,
          transaction_id: null,
          customer_id: null,
          customer_key: null,
          partner_id: made.partnerId,
          partner_name: 'Jane',
          status: 'approved',
          stage: 'approved',
          sale_cents: null,
          sale_currency: null,
          commission_type: null,
          commission_rate: null,
          commission_cents: 5_000,
          base_cents: null,
          terms_version: null,
          rule: null,
          terms: null,
          reason: 'Best review of the month',
          deducted_cents: 0,
          currency: 'USD',
          approve_after: service.time.toISOString(),
          hold_reason: null,
          rejection_reason: null,
          payout_id: null,
          paid_at: null,
          created_at: service.time.toISOString(),
        },
      },
    });
    expect(await earned(made)).toMatchObject([{ approved_cents: 5_000, payable_cents: 5_000, pending_cents: 0 }]);
  });

  it.each([
    [-1, {}, 'adjustment'],
    [1, {}, 'bonus'],
    [1, { kind: 'adjustment' }, 'adjustment'],
    [Number.MAX_SAFE_INTEGER, {}, 'bonus'],
    [-Number.MAX_SAFE_INTEGER, {}, 'adjustment'],
  ])('an amount of %d with %o is of kind %s', async (cents, fields, kind) => {
    const { status, body } = await adjust(await ownedProgram(service), cents, fields);
    expect([status, body.data.kind, body.data.commission_cents]).toEqual([201, kind, cents]);
  });

  it('400: a bonus that takes something away', async () => {
    const { status, body } = await adjust(await ownedProgram(service), -1, { kind: 'bonus' });
    expect([status, body.error.message]).toEqual([400, 'amount_cents of a bonus must be above 0']);
  });

  it('a negative one is deducted from the next payout, which then covers it', async () => {
    const made = await ownedProgram(service);
    const { commissionId } = await approvedSale(service, made);
    const { id } = (await adjust(made, -700)).body.data;
    expect(await earned(made)).toMatchObject([{ approved_cents: 2_000, carried_cents: -700, payable_cents: 1_300 }]);
    const [payout] = await paidOut(service, made);
    expect(payout).toMatchObject({ amount_cents: 1_300 });
    expect(await linesOf(made, payout?.id as number)).toMatchObject([
      { commission_id: id, kind: 'adjustment', reason: 'Agreed by phone', transaction_id: null, amount_cents: -700 },
      { commission_id: commissionId, kind: 'sale', reason: null, amount_cents: 2_000 },
    ]);
    await asOwner(service, made, 'POST', `/payouts/${payout?.id}/mark-paid`);
    const stages = await service.sql('select stage, due_cents from commissions where program_id = $1', [
      made.program.id,
    ]);
    expect(stages).toEqual([
      { stage: 'paid', due_cents: 0 },
      { stage: 'paid', due_cents: 0 },
    ]);
    expect(await earned(made)).toMatchObject([{ paid_cents: 1_300, payable_cents: 0, carried_cents: 0 }]);
  });

  it('more than the balance is carried over: nothing is payable until it is earned back', async () => {
    const made = await ownedProgram(service);
    await approvedSale(service, made);
    await adjust(made, -3_000);
    expect(await paidOut(service, made)).toEqual([]);
    await approvedSale(service, made);
    expect(await paidOut(service, made)).toMatchObject([{ amount_cents: 1_000 }]);
  });

  it('can be rejected and restored like any commission, but not once it is in a payout', async () => {
    const made = await ownedProgram(service);
    const { id } = (await adjust(made, 500)).body.data;
    const review = (action: string) => asOwner(service, made, 'POST', `/commissions/${id}/${action}`);
    expect((await review('reject')).body.data).toMatchObject({ status: 'rejected' });
    expect(await earned(made)).toMatchObject([{ payable_cents: 0 }]);
    expect((await review('restore')).body.data).toMatchObject({ status: 'approved', commission_cents: 500 });
    await paidOut(service, made);
    expect((await review('reject')).status).toBe(400);
  });
});

describe('the partner', () => {
  it('sees what was adjusted and why, and what a recruit’s sale paid them, but not the customer', async () => {
    const made = await ownedProgram(service);
    const { saleId } = await approvedSale(service, made);
    const ben = await service.partner(made.program);
    await payOverride(saleId, ben.partnerId, 500);
    await adjust({ ...made, partnerId: ben.partnerId }, 300, { reason: 'Thank you' });
    const { token } = await partnerAccount(service, ben.partnerId);
    const { body } = await service.call('GET', manage(made, '/commissions'), { key: token });
    expect(body.data).toMatchObject([
      { kind: 'bonus', reason: 'Thank you', commission_cents: 300 },
      { kind: 'override', commission_cents: 500, sale_cents: 10_000, customer_id: null, customer_key: null },
    ]);
    const file = await service.call('GET', manage(made, '/export/commissions.csv'), { key: made.owner.token });
    expect(file.text.split('\n').filter((line) => /,(bonus|override),/.test(line))).toHaveLength(2);
    for (const [query, kinds] of [
      ['?kind=override', ['override']],
      ['?sort=-sale_cents', ['override', 'sale', 'bonus']],
      ['?sort=sale_cents&limit=1', ['bonus']],
    ] as const) {
      const listed = await asOwner(service, made, 'GET', `/commissions${query}`);
      expect(listed.body.data.map(({ kind }: { kind: string }) => kind).sort()).toEqual([...kinds].sort());
    }
    // A sale with two commissions is one sale.
    const sales = await asOwner(service, made, 'GET', '/sales?totals=true');
    expect(sales.body.data).toMatchObject([{ id: saleId, commission_cents: 2_000 }]);
  });
});

it('a refund takes the same share of every commission of the sale', async () => {
  const made = await ownedProgram(service);
  const { saleId, transactionId } = await approvedSale(service, made);
  const ben = await service.partner(made.program);
  await payOverride(saleId, ben.partnerId, 333);
  const refund = (refund_amount_cents?: number) =>
    service.refund({ transaction_id: transactionId, refund_amount_cents }, { key: made.apiKey });
  const deducted = () =>
    service.sql('select kind, deducted_cents as cents, reversal from commissions where sale_id = $1 order by id', [
      saleId,
    ]);
  expect((await refund(2_500)).body.data).toMatchObject({ deduction_cents: 500, status: 'partially_reversed' });
  expect(await deducted()).toEqual([
    { kind: 'sale', cents: 500, reversal: 'partial' },
    { kind: 'override', cents: 83, reversal: 'partial' },
  ]);
  await refund();
  expect(await deducted()).toEqual([
    { kind: 'sale', cents: 2_000, reversal: 'full' },
    { kind: 'override', cents: 333, reversal: 'full' },
  ]);
  const decisions = await service.sql(
    `select facts -> 'override_deductions' as taken from decisions where sale_id = $1 and kind = 'refund' order by id`,
    [saleId],
  );
  const taken = (deduction_cents: number) => [
    { commission_id: expect.any(Number), partner_id: ben.partnerId, deduction_cents, currency: 'USD' },
  ];
  expect(decisions).toEqual([{ taken: taken(83) }, { taken: taken(250) }]);
});
