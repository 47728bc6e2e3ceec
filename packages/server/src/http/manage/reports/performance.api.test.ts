import { manage, type OwnedProgram, ownedProgram, unchangedProgram } from '@svc/testkit/service/accounts.ts';
import { linkIdOf } from '@svc/testkit/service/routes/requests/links.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { badRequest } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';
import { rollUpCounts } from '../../../jobs/roll-up-counts.ts';

const service = useService();

const NOTHING = { clicks: 0, leads: 0, sales: 0, money: [] };
const usd = (revenue_cents: number, commission_cents: number, refunded_cents = 0) => ({
  currency: 'USD',
  revenue_cents,
  refunded_cents,
  commission_cents,
});
const report = (made: OwnedProgram, query = '') =>
  service.call('GET', manage(made, `/performance${query}`), { key: made.owner.token });
const dataOf = async (made: OwnedProgram, query = '') => (await report(made, query)).body.data;
const day = (offset = 0) => new Date(service.time.getTime() + offset * 86_400_000).toISOString().slice(0, 10);
const onDay = (offset = 0) => ({ date: day(offset), last_date: day(offset), is_finished: true });
const settle = (made: OwnedProgram, id: number | null, verb: string) =>
  service.call('POST', manage(made, `/commissions/${id}/${verb}`), { key: made.owner.token });

describe('GET /api/v1/manage/programs/:id/performance', () => {
  it('answers 200 with zeros for a program in which nothing happened, over the last 30 days', async () => {
    const made = await ownedProgram(service);
    const { status, body } = await report(made);
    expect(status).toBe(200);
    const { series, previous_series: before, ...rest } = body.data;
    expect(rest).toEqual({
      from: new Date(service.time.getTime() - 30 * 86_400_000).toISOString(),
      to: service.time.toISOString(),
      totals: NOTHING,
      previous: NOTHING,
      change: { clicks: null, leads: null, sales: null, money: [] },
      funnel: { clicks: 0, leads: 0, first_sales: 0 },
      interval: 'day',
      groups: [],
    });
    expect(series[0]).toEqual({ ...onDay(-30), ...NOTHING });
    expect(series.at(-1)).toEqual({ ...onDay(), is_finished: false, ...NOTHING });
    expect(before).toHaveLength(series.length);
    expect(before[0]).toEqual({ date: day(-60), last_date: day(-60), ...NOTHING });
    expect(new Set(series.map(({ date }: { date: string }) => date)).size).toBe(series.length);
  });

  it('counts clicks, leads, sales and money, in totals and by day', async () => {
    const made = await ownedProgram(service);
    const from = day();
    await sold(service, made);
    await service.clickId(made.link);
    service.advance({ days: 1 });
    await sold(service, made, { amount_cents: 5_000 });
    service.advance({ days: 1 });
    const { totals, series } = await dataOf(made, `?from=${from}&to=${day(1)}`);
    expect(totals).toEqual({ clicks: 3, leads: 2, sales: 2, money: [usd(15_000, 3_000)] });
    expect(series).toEqual([
      { ...onDay(-2), clicks: 2, leads: 1, sales: 1, money: [usd(10_000, 2_000)] },
      { ...onDay(-1), clicks: 1, leads: 1, sales: 1, money: [usd(5_000, 1_000)] },
      { ...onDay(), is_finished: false, ...NOTHING },
    ]);
  });

  it('counts clicks the same before and after they are rolled up', async () => {
    const made = await ownedProgram(service);
    for (let click = 0; click < 3; click += 1) await service.clickId(made.link);
    service.advance({ seconds: 3600 });
    const before = await dataOf(made, '?group_by=link');
    expect(before.totals.clicks).toBe(3);
    await rollUpCounts.run(service.ctx);
    await service.clickId(made.link);
    await rollUpCounts.run(service.ctx);
    service.advance({ seconds: 3600 });
    expect((await dataOf(made)).totals.clicks).toBe(4);
  });

  it('counts every click once when a period consists of days and hours, rolled up or not', async () => {
    const made = await ownedProgram(service);
    service.time = new Date(`${day(1)}T00:00:00.000Z`);
    const start = service.time.getTime();
    // At 0:00, 5:00, 10:00 and so on, for three days.
    for (let hour = 0; hour < 72; hour += 5) {
      service.time = new Date(start + hour * 3_600_000);
      await service.clickId(made.link);
      if (hour === 40) await rollUpCounts.run(service.ctx);
    }
    const at = (hour: number) => new Date(start + hour * 3_600_000).toISOString();
    const clicks = async (from: number, to: number) => {
      const { totals, series } = await dataOf(made, `?from=${at(from)}&to=${at(to)}`);
      expect(series.reduce((sum: number, one: { clicks: number }) => sum + one.clicks, 0)).toBe(totals.clicks);
      return totals.clicks;
    };
    const all = async () => [
      await clicks(0, 72),
      await clicks(0, 24),
      await clicks(24, 48),
      await clicks(5, 70),
      await clicks(6, 12),
      await clicks(20, 30),
      await clicks(6, 71),
    ];
    const expected = [15, 5, 5, 13, 1, 2, 13];
    expect(await all()).toEqual(expected);
    await rollUpCounts.run(service.ctx);
    expect(await all()).toEqual(expected);
  });

  it('rounds a period to whole hours, for clicks and sales alike, and says so', async () => {
    const made = await ownedProgram(service);
    service.time = new Date(`${day(1)}T00:00:00.000Z`);
    const start = service.time.getTime();
    const at = (minutes: number) => new Date(start + minutes * 60_000);
    // Clicks and sales at 0:10, 1:10 and 2:10.
    for (const minutes of [10, 70, 130]) {
      service.time = at(minutes);
      await sold(service, made);
    }
    await rollUpCounts.run(service.ctx);
    for (const [from, to] of [
      [75, 80],
      [61, 119],
      [60, 120],
    ] as const) {
      const data = await dataOf(made, `?from=${at(from).toISOString()}&to=${at(to).toISOString()}`);
      expect([data.from, data.to]).toEqual([at(60).toISOString(), at(120).toISOString()]);
      expect(data.totals).toMatchObject({ clicks: 1, leads: 1, sales: 1 });
    }
  });

  it('divides both periods by week or month, and chooses by the length of the period', async () => {
    service.time = new Date('2026-05-20T12:00:00.000Z');
    const made = await ownedProgram(service);
    await sold(service, made);
    service.time = new Date('2026-07-15T12:00:00.000Z');
    await sold(service, made, { amount_cents: 5_000 });
    await service.clickId(made.link);
    const read = async (interval: string) => dataOf(made, `?from=2026-06-20&to=2026-07-20&interval=${interval}`);
    type Entry = { date: string; last_date: string; sales: number };
    const brief = (entries: Entry[]) => entries.map(({ date, last_date, sales }) => [date, last_date, sales]);
    const months = await read('month');
    expect(brief(months.series)).toEqual([
      ['2026-06-20', '2026-06-30', 0],
      ['2026-07-01', '2026-07-19', 1],
    ]);
    expect(months.series.map(({ is_finished }: { is_finished: boolean }) => is_finished)).toEqual([true, false]);
    expect(months.series[1].money).toEqual([usd(5_000, 1_000)]);
    // As long as their counterparts, 30 days earlier.
    expect(brief(months.previous_series)).toEqual([
      ['2026-05-21', '2026-05-31', 0],
      ['2026-06-01', '2026-06-19', 0],
    ]);
    const weeks = await read('week');
    expect(brief(weeks.series).map(([date]) => date)).toEqual([
      ...['2026-06-20', '2026-06-22', '2026-06-29', '2026-07-06', '2026-07-13'],
    ]);
    expect(weeks.series.at(-1)).toMatchObject({ clicks: 2, sales: 1, is_finished: false });
    const auto = async (from: string) => (await dataOf(made, `?from=${from}&to=2026-07-20&interval=auto`)).interval;
    expect([await auto('2026-07-01'), await auto('2026-05-01'), await auto('2025-07-20')]).toEqual([
      'day',
      'week',
      'month',
    ]);
  });

  it('compares with the period before, of the same length', async () => {
    const made = await ownedProgram(service);
    const from = day();
    for (let sale = 0; sale < 2; sale += 1) await sold(service, made);
    service.advance({ days: 1 });
    for (let sale = 0; sale < 3; sale += 1) await sold(service, made);
    await service.clickId(made.link);
    const { totals, previous, change } = await dataOf(made, `?from=${day()}&to=${day(1)}`);
    expect(totals).toEqual({ clicks: 4, leads: 3, sales: 3, money: [usd(30_000, 6_000)] });
    expect(previous).toEqual({ clicks: 2, leads: 2, sales: 2, money: [usd(20_000, 4_000)] });
    const money = [{ currency: 'USD', revenue_cents: 0.5, refunded_cents: null, commission_cents: 0.5 }];
    expect(change).toEqual({ clicks: 1, leads: 0.5, sales: 0.5, money });
    const nothing = { currency: 'USD', revenue_cents: null, refunded_cents: null, commission_cents: null };
    expect((await dataOf(made, `?from=${from}&to=${day()}`)).change).toEqual({
      clicks: null,
      leads: null,
      sales: null,
      money: [nothing],
    });
  });

  it('the funnel counts clicks, leads, and customers who bought for the first time', async () => {
    const made = await ownedProgram(service);
    await service.clickId(made.link);
    await service.customer(made, 'lead-only');
    await service.customer(made, 'buyer');
    for (const transaction_id of [newId('order'), newId('order')]) {
      await service.sale({ transaction_id, customer_key: 'buyer', amount_cents: 100 }, { key: made.apiKey });
    }
    await service.call('POST', manage(made, '/test-chain'), { key: made.owner.token });
    service.advance({ days: 1 });
    const { funnel, totals } = await dataOf(made);
    expect(funnel).toEqual({ clicks: 3, leads: 2, first_sales: 1 });
    expect(totals.sales).toBe(2);
    await service.sale(
      { transaction_id: newId('order'), customer_key: 'buyer', amount_cents: 100 },
      { key: made.apiKey },
    );
    const today = await dataOf(made, `?from=${day()}&to=${day(1)}`);
    expect([today.funnel, today.totals.sales]).toEqual([{ clicks: 0, leads: 0, first_sales: 0 }, 1]);
  });

  it('partner_id and link_id filter everything', async () => {
    const made = await ownedProgram(service);
    const other = { ...made, ...(await service.partner(made.program)) };
    for (const whose of [made, other, other]) await sold(service, whose);
    service.advance({ seconds: 3600 });
    const numbers = async (query: string) => {
      const { totals, funnel, series } = await dataOf(made, query);
      const days = series.reduce((sum: number, { sales }: { sales: number }) => sum + sales, 0);
      return [totals.clicks, totals.leads, totals.sales, totals.money[0]?.commission_cents, funnel.first_sales, days];
    };
    expect(await numbers('')).toEqual([3, 3, 3, 6_000, 3, 3]);
    expect(await numbers(`?partner_id=${other.partnerId}`)).toEqual([2, 2, 2, 4_000, 2, 2]);
    expect(await numbers(`?link_id=${await linkIdOf(service, made)}`)).toEqual([1, 1, 1, 2_000, 1, 1]);
    expect(await numbers('?link_id=999999999')).toEqual([0, 0, 0, undefined, 0, 0]);
  });

  it('returns the best ten groups, or as many as limit says', async () => {
    const made = await ownedProgram(service);
    for (let partner = 0; partner < 11; partner += 1) {
      await service.clickId((await service.partner(made.program)).link);
    }
    await sold(service, made);
    service.advance({ seconds: 3600 });
    const groups = async (query: string) =>
      (await dataOf(made, query)).groups.map(({ id }: { id: number }) => id) as number[];
    expect(await groups('?group_by=partner')).toHaveLength(10);
    expect(await groups('?group_by=partner&limit=1')).toEqual([made.partnerId]);
    expect(await groups('?group_by=link&limit=100')).toHaveLength(12);
    const answer = await report(made, '?limit=101');
    expect(answer).toMatchObject({ status: 400, body: badRequest('limit must be a whole number from 1 to 100') });
  });

  it('never adds up two currencies', async () => {
    const made = await ownedProgram(service);
    await sold(service, made);
    await sold(service, made, { currency: 'EUR', amount_cents: 700 });
    await sold(service, made, { currency: 'JPY', amount_cents: 300 });
    service.advance({ seconds: 3600 });
    for (const numbers of [
      (await dataOf(made)).totals,
      (await dataOf(made, '?group_by=partner')).groups[0],
      (await dataOf(made, '?group_by=link')).groups[0],
    ]) {
      expect(numbers.sales).toBe(3);
      expect(numbers.money).toEqual([
        { currency: 'EUR', revenue_cents: 700, refunded_cents: 0, commission_cents: 140 },
        { currency: 'JPY', revenue_cents: 300, refunded_cents: 0, commission_cents: 60 },
        usd(10_000, 2_000),
      ]);
    }
  });

  it('a fixed commission in the program’s currency is listed next to sales in another', async () => {
    const made = await ownedProgram(service, { commissionType: 'fixed', commissionRate: '5', currency: 'EUR' });
    await sold(service, made);
    service.advance({ seconds: 3600 });
    const { sales, money } = (await dataOf(made)).totals;
    const { currency } =
      (await service.sql('select currency from commissions where program_id = $1', [made.program.id]))[0] ?? {};
    expect(sales).toBe(1);
    expect(money).toEqual(
      currency === 'USD'
        ? [usd(10_000, 500)]
        : [{ currency: 'EUR', revenue_cents: 0, refunded_cents: 0, commission_cents: 500 }, usd(10_000, 0)],
    );
  });

  it('shows refunds next to the revenue, and the commission after reversals', async () => {
    const made = await ownedProgram(service);
    const [whole, part] = [await sold(service, made), await sold(service, made)];
    await service.refund({ transaction_id: whole.transactionId }, { key: made.apiKey });
    await service.refund({ transaction_id: part.transactionId, refund_amount_cents: 2_500 }, { key: made.apiKey });
    service.advance({ seconds: 3600 });
    expect((await dataOf(made)).totals).toEqual({
      clicks: 2,
      leads: 2,
      sales: 2,
      money: [usd(20_000, 1_500, 12_500)],
    });
  });

  it('does not count rejected commissions', async () => {
    const made = await ownedProgram(service);
    const [rejected, approved] = [await sold(service, made), await sold(service, made)];
    await settle(made, rejected.commissionId, 'reject');
    await settle(made, approved.commissionId, 'approve');
    service.advance({ seconds: 3600 });
    expect((await dataOf(made)).totals).toMatchObject({ sales: 2, money: [usd(20_000, 2_000)] });
  });

  it('does not count test events', async () => {
    const made = await ownedProgram(service);
    for (const body of [{ type: 'chain' }, { event_type: 'click' }, { event_type: 'lead' }, { event_type: 'sale' }]) {
      await service.call('POST', '/api/v1/cli/test-event', { key: made.apiKey, body });
    }
    await service.click({ affiliate_url: `https://acme.test/?aff=${made.link}`, additional_data: { test_mode: true } });
    service.advance({ seconds: 3600 });
    for (const group of ['partner', 'link']) {
      const { totals, groups, series } = await dataOf(made, `?group_by=${group}`);
      expect(totals).toEqual(NOTHING);
      expect(groups).toEqual([]);
      expect(series.every(({ clicks, leads, sales }: typeof NOTHING) => clicks + leads + sales === 0)).toBe(true);
    }
  });

  it('groups by partner and by link, those with the most sales first', async () => {
    const made = await ownedProgram(service);
    const other = await service.partner(made.program);
    await sold(service, made);
    await sold(service, { ...made, ...other });
    await sold(service, { ...made, ...other });
    service.advance({ seconds: 3600 });
    const one = { clicks: 1, leads: 1, sales: 1, money: [usd(10_000, 2_000)] };
    const two = { clicks: 2, leads: 2, sales: 2, money: [usd(20_000, 4_000)] };
    expect((await dataOf(made, '?group_by=partner')).groups).toEqual([
      { id: other.partnerId, name: 'Jane', ...two },
      { id: made.partnerId, name: 'Jane', ...one },
    ]);
    expect((await dataOf(made, '?group_by=link')).groups).toEqual([
      { id: await linkIdOf(service, { ...made, ...other }), name: other.link, ...two },
      { id: await linkIdOf(service, made), name: made.link, ...one },
    ]);
    expect((await dataOf(made, '?group_by=day')).groups).toEqual([]);
  });

  it('a lead without a partner counts in the totals and in no group', async () => {
    const made = await ownedProgram(service);
    await service.lead({ customer_key: 'nobodys' }, { key: made.apiKey });
    service.advance({ seconds: 3600 });
    const { totals, groups } = await dataOf(made, '?group_by=partner');
    expect(totals).toEqual({ ...NOTHING, leads: 1 });
    expect(groups).toEqual([]);
  });

  it.each([
    ['?from=2026-02-01&to=2026-02-01', 'from must be before to'],
    ['?from=2026-02-02&to=2026-02-01', 'from must be before to'],
    ['?from=2020-01-01&to=2026-01-01', 'The period must be at most 731 days long'],
    ['?from=junk', 'from must be a date or an ISO 8601 time'],
    ['?to=junk', 'to must be a date or an ISO 8601 time'],
    ['?group_by=month', 'group_by must be one of day, partner, link'],
  ])('400 on %s: %s', async (query, message) => {
    const answer = await report(await ownedProgram(service), query);
    expect(answer).toMatchObject({ status: 400, body: badRequest(message) });
  });
});

describe('GET /api/v1/manage/programs/:id/explain', () => {
  const explain = (made: OwnedProgram, query: string) =>
    service.call('GET', manage(made, `/explain${query}`), { key: made.owner.token });

  it('returns the decisions about a customer in order, with a sentence and a code', async () => {
    const made = await ownedProgram(service);
    const clickId = await service.customer(made, 'user-explained');
    const sale = { transaction_id: `order-${made.link}`, amount_cents: 1_000, customer_key: 'user-explained' };
    const recorded = await service.sale(sale, { key: made.apiKey, headers: { 'x-request-id': 'the-sale' } });
    await service.sale(sale, { key: made.apiKey });
    await service.refund({ transaction_id: sale.transaction_id }, { key: made.apiKey });
    const { status, body } = await explain(made, '?customer_key=user-explained');
    expect(status).toBe(200);
    expect(body.data.map(({ kind, outcome }: Record<string, string>) => `${kind} ${outcome}`)).toEqual([
      'lead recorded',
      'sale recorded',
      'sale refused',
      'refund recorded',
    ]);
    expect(body.data[1]).toEqual({
      id: expect.any(Number),
      kind: 'sale',
      outcome: 'recorded',
      reason: expect.stringMatching(/^[a-z_]+$/),
      sentence: expect.stringMatching(/\w+ .*\.$/),
      terms: expect.stringMatching(
        /^Version 1 of the commission rules: 20% of each sale, not of renewals, in force since .*\.$/,
      ),
      attribution: null,
      facts: expect.any(Object),
      source: 'api',
      customer_id: Number(clickId.split('_')[1]),
      partner_id: made.partnerId,
      sale_id: recorded.body.data.sale_id,
      transaction_id: sale.transaction_id,
      customer_key: 'user-explained',
      click_id: null,
      request_id: 'the-sale',
      is_test: false,
      created_at: service.time.toISOString(),
    });
    const kinds = async (query: string) =>
      (await explain(made, query)).body.data.map(({ kind }: { kind: string }) => kind);
    expect(await kinds(`?transaction_id=${sale.transaction_id}`)).toEqual(['sale', 'sale', 'refund']);
    expect(await kinds(`?click_id=${clickId}`)).toEqual(['lead', 'sale', 'sale', 'refund']);
    expect(await kinds('?customer_key=nobody')).toEqual([]);
  });

  it.each(['', '?', '?customer_key='])(
    '400 transaction_id, customer_key or click_id is required: %j',
    async (query) => {
      const answer = await explain(await unchangedProgram(service), query);
      expect(answer).toMatchObject({
        status: 400,
        body: badRequest('transaction_id, customer_key or click_id is required'),
      });
    },
  );

  it.each([
    ['?other=x', 'Unknown query parameter: "other"'],
    ['?transaction_id=%00', 'transaction_id contains characters that cannot be stored'],
    [`?click_id=${'x'.repeat(256)}`, 'click_id must be at most 255 characters'],
  ])('400 on %s', async (query, message) => {
    const answer = await explain(await unchangedProgram(service), query);
    expect(answer).toMatchObject({ status: 400, body: badRequest(message) });
  });
});
