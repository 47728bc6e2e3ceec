import { type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

async function programWithCustomer(settings = {}): Promise<TestProgram> {
  const acme = await service.program(settings);
  await service.customer(acme, 'user-1');
  return acme;
}

function buy({ program, apiKey }: TestProgram, sent: object = {}, name = 'sale') {
  const sale = { transaction_id: `${name}-${program.id}`, amount_cents: 10_000, customer_key: 'user-1', ...sent };
  return service.sale(sale, { key: apiKey });
}

const commissionsOf = ({ program }: TestProgram) =>
  service.sql(
    `select commission_type, commission_rate, commission_cents, currency, approve_after
     from commissions where program_id = $1 order by id`,
    [program.id],
  );

const NO_COMMISSION = { attributed: true, commission_id: null, commission_cents: 0 };

describe('a percent commission, rounded half up to the smallest unit', () => {
  it.each([
    ['20', 4900, 'USD', 980],
    ['20', 1, 'USD', 0],
    ['10', 4, 'USD', 0],
    ['10', 5, 'USD', 1],
    ['12.5', 1004, 'USD', 126],
    ['33.3333', 10_000, 'USD', 3333],
    ['0.0001', 499_999, 'USD', 0],
    ['0.0001', 500_000, 'USD', 1],
    ['100', 123_456_789, 'USD', 123_456_789],
    ['50', 9_007_199_254_740_991, 'USD', 4_503_599_627_370_496],
    ['15', 1001, 'JPY', 150],
    ['10', 12_345, 'KWD', 1235],
  ])('of %s percent of %d (%s) is %d', async (commissionRate, amount_cents, currency, commission_cents) => {
    const acme = await programWithCustomer({ commissionType: 'percent', commissionRate, currency: 'EUR' });
    const { status, body } = await buy(acme, { amount_cents, currency });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ commission_id: expect.any(Number), commission_cents, currency });
    expect(await commissionsOf(acme)).toMatchObject([{ commission_cents, currency }]);
  });
});

describe('a fixed commission', () => {
  it.each([
    ['12.5', 'USD', 1250],
    ['0.0049', 'USD', 0],
    ['0.005', 'USD', 1],
    ['500', 'JPY', 500],
    ['0.5', 'JPY', 1],
    ['1.5', 'KWD', 1500],
    ['0.0005', 'KWD', 1],
  ])(
    'of %s %s is %d of its smallest units, whatever the currency of the sale',
    async (rate, currency, commission_cents) => {
      const acme = await programWithCustomer({ commissionType: 'fixed', commissionRate: rate, currency });
      const { status, body } = await buy(acme, { amount_cents: 77, currency: 'EUR' });
      expect(status).toBe(200);
      expect(body.data).toMatchObject({ commission_id: expect.any(Number), commission_cents, currency });
      expect(await commissionsOf(acme)).toMatchObject([{ commission_type: 'fixed', commission_cents, currency }]);
      expect(await service.sql('select currency from sales where program_id = $1', [acme.program.id])).toEqual([
        { currency: 'EUR' },
      ]);
    },
  );

  it('is in USD if neither program nor sale says otherwise', async () => {
    const acme = await programWithCustomer({ commissionType: 'fixed', commissionRate: '3' });
    expect((await buy(acme)).body.data).toMatchObject({ commission_cents: 300, currency: 'USD' });
  });
});

describe('a program with renewals', () => {
  it.each([
    ['percent', '20', 2000],
    ['fixed', '20', 2000],
  ])(
    'and %s terms pays for every sale except renewals, which are recorded with commission_id null',
    async (type, rate, cents) => {
      const acme = await programWithCustomer({ commissionType: type, commissionRate: rate });
      const first = await buy(acme, { sale_type: 'subscription' }, 'first');
      const renewal = await buy(acme, { sale_type: 'subscription', is_recurring: true }, 'renewal');
      const second = await buy(acme, {}, 'second');
      expect(first.body.data).toMatchObject({ commission_cents: cents });
      expect(renewal.status).toBe(200);
      expect(renewal.body).toEqual({
        data: {
          ...NO_COMMISSION,
          sale_id: expect.any(Number),
          currency: 'USD',
          message: 'Sale tracked successfully',
        },
        success: true,
      });
      expect(second.body.data).toMatchObject({ commission_cents: cents });
      expect(await service.counts(acme.program.id)).toMatchObject({ sales: 3, commissions: 2 });
      const [sale] = await service.sql('select * from sales where id = $1', [renewal.body.data.sale_id]);
      expect(sale).toMatchObject({ is_recurring: true, commission_state: 'none' });
      const [decision] = await service.sql('select reason from decisions where sale_id = $1', [sale?.id]);
      expect(decision).toEqual({ reason: 'renewal_without_commission' });
    },
  );

  it.each([
    ['recurring_percent', '20', 2000],
    ['recurring_fixed', '20', 2000],
  ])('and %s terms pays for renewals too, without an end', async (type, rate, cents) => {
    const acme = await programWithCustomer({ commissionType: type, commissionRate: rate });
    await buy(acme, { sale_type: 'subscription' }, 'first');
    service.advance({ days: 3000 });
    expect((await buy(acme, { is_recurring: true }, 'renewal')).body.data).toMatchObject({ commission_cents: cents });
    expect(await service.counts(acme.program.id)).toMatchObject({ sales: 2, commissions: 2 });
  });

  it.each(['recurring_percent', 'recurring_fixed'])(
    'and %s terms pays for renewals for recurring_months months after the first sale',
    async (commissionType) => {
      service.time = new Date('2050-01-31T11:00:00.000Z');
      const acme = await programWithCustomer({ commissionType, recurringMonths: 1 });
      service.time = new Date('2050-01-31T12:00:00.000Z');
      await buy(acme, {}, 'first');
      service.time = new Date('2050-02-28T11:59:59.999Z');
      const last = await buy(acme, { is_recurring: true }, 'last');
      expect(last.body.data).toMatchObject({ commission_cents: 2000 });
      service.time = new Date('2050-02-28T12:00:00.000Z');
      const over = await buy(acme, { is_recurring: true }, 'over');
      expect(over.body.data).toMatchObject(NO_COMMISSION);
      const bought = await buy(acme, { is_recurring: false }, 'bought');
      expect(bought.body.data).toMatchObject({ commission_cents: 2000 });
      expect(await service.counts(acme.program.id)).toMatchObject({ sales: 4, commissions: 3 });
    },
  );

  it('records the conversion even for a renewal that earns nothing', async () => {
    const acme = await programWithCustomer({ commissionType: 'percent' });
    await buy(acme, { is_recurring: true });
    expect(await service.sql('select status from customers where program_id = $1', [acme.program.id])).toEqual([
      { status: 'conversion' },
    ]);
  });
});

describe('the terms of a commission', () => {
  it('stay the same when the program changes, while the next sale has the new terms', async () => {
    const acme = await programWithCustomer({ commissionType: 'percent', commissionRate: '20', holdDays: 14 });
    const holdUntil = (days: number) => new Date(service.time.getTime() + days * 86_400_000);
    const first = {
      commission_type: 'percent',
      commission_rate: '20.0000',
      commission_cents: 2000,
      currency: 'USD',
      approve_after: holdUntil(14),
    };
    await buy(acme, {}, 'first');
    await service.sql(
      `update programs set commission_type = 'fixed', commission_rate = 7.5, currency = 'EUR', hold_days = 3
       where id = $1`,
      [acme.program.id],
    );
    expect(await commissionsOf(acme)).toEqual([first]);
    service.advance({ seconds: 60 });
    await buy(acme, {}, 'second');
    expect(await commissionsOf(acme)).toEqual([
      first,
      {
        commission_type: 'fixed',
        commission_rate: '7.5000',
        commission_cents: 750,
        currency: 'EUR',
        approve_after: holdUntil(3),
      },
    ]);
    const kept =
      'select commission_type, commission_rate, program_currency, hold_days from sales where program_id = $1';
    expect(await service.sql(`${kept} order by id`, [acme.program.id])).toEqual([
      { commission_type: 'percent', commission_rate: '20.0000', program_currency: 'USD', hold_days: 14 },
      { commission_type: 'fixed', commission_rate: '7.5000', program_currency: 'EUR', hold_days: 3 },
    ]);
  });
});

describe('the currency of a sale', () => {
  it.each([
    ['usd', 'USD'],
    ['Eur', 'EUR'],
    ['JPY', 'JPY'],
    [undefined, 'USD'],
    [null, 'USD'],
  ])('%s is recorded as %s', async (currency, recorded) => {
    const acme = await programWithCustomer();
    const { body } = await buy(acme, { currency });
    expect(body.data).toMatchObject({ currency: recorded });
    expect(await service.sql('select currency from sales where program_id = $1', [acme.program.id])).toEqual([
      { currency: recorded },
    ]);
  });
});
