import { BREAKDOWN_NAMES } from '@svc/contract';
import {
  manage,
  type OwnedProgram,
  ownedProgram,
  partnerAccount,
  unchangedProgram,
} from '@svc/testkit/service/accounts.ts';
import type { TestProgram } from '@svc/testkit/service/service.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { badRequest } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';
import { withoutRest } from '../../db/rest.ts';
import { rollUpCounts } from '../../jobs/roll-up-counts.ts';
import { rollUpFacets } from '../../jobs/roll-up-facets.ts';
import { rebuildClickFacetDay } from '../../rollups/click-facet-store.ts';
import { countResultsByFacet } from '../../rollups/count-results-by-facet.ts';
import { MAX_VALUES_A_DAY } from '../../rollups/facet-counts.ts';

const service = useService();

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari';
const LAPTOP = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';

type Visit = { page?: string; referrer?: string; userAgent?: string };

/** A click on the program's link, on this page of the site. */
async function visit({ link }: TestProgram, { page = '/', referrer, userAgent }: Visit = {}): Promise<string> {
  const separator = page.includes('?') ? '&' : '?';
  const { body } = await service.click({
    affiliate_url: `https://www.acme.test${page}${separator}aff=${link}`,
    ...(referrer !== undefined && { referrer_url: referrer }),
    ...(userAgent !== undefined && { user_agent: userAgent }),
  });
  return body.click_id;
}

async function buy(on: TestProgram, clickId: string, amount_cents = 10_000, currency = 'USD'): Promise<string> {
  const customer_key = newId('user');
  const transaction_id = newId('order');
  await service.lead({ click_id: clickId, customer_key }, { key: on.apiKey });
  const { status } = await service.sale({ transaction_id, customer_key, amount_cents, currency }, { key: on.apiKey });
  expect(status).toBe(200);
  return transaction_id;
}

/** Lets the jobs count everything that has happened. */
async function count(): Promise<void> {
  service.advance({ seconds: 120 });
  await rollUpCounts.run(service.ctx);
  await rollUpFacets.run(service.ctx);
}

const day = (offset = 0) => new Date(service.time.getTime() + offset * 86_400_000).toISOString().slice(0, 10);

async function breakdown(on: OwnedProgram, query: string, key = on.owner.token) {
  return (await service.call('GET', manage(on, `/breakdown?${query}`), { key })).body.data;
}

type Row = {
  kind: string;
  name: string;
  clicks: number;
  leads: number;
  sales: number;
  first_sales: number;
  money: Money[];
};
type Money = { currency: string; revenue_cents: number; refunded_cents: number; commission_cents: number };

/** Clicks, signups and sales by name. */
const named = (rows: Row[]) =>
  Object.fromEntries(rows.map(({ name, clicks, leads, sales }) => [name, [clicks, leads, sales]]));

const sumOf = (rows: Row[], currency: string, of: keyof Money) =>
  rows.reduce((sum, { money }) => sum + Number(money.find((each) => each.currency === currency)?.[of] ?? 0), 0);

/** Whatever the rows are, they add up to the totals. */
function expectExact({ rows, totals }: { rows: Row[]; totals: Row }): void {
  for (const of of ['clicks', 'leads', 'first_sales', 'sales'] as const) {
    expect(rows.reduce((sum, row) => sum + row[of], 0)).toBe(totals[of]);
  }
  for (const { currency, revenue_cents, refunded_cents, commission_cents } of totals.money) {
    expect(sumOf(rows, currency, 'revenue_cents')).toBe(revenue_cents);
    expect(sumOf(rows, currency, 'refunded_cents')).toBe(refunded_cents);
    expect(sumOf(rows, currency, 'commission_cents')).toBe(commission_cents);
  }
}

describe('a breakdown', () => {
  it('counts signups and sales where the first click of the customer does, and computes rates', async () => {
    const on = await ownedProgram(service);
    const fromBlog = await visit(on, { referrer: 'https://blog.example/best', page: '/pricing' });
    await visit(on, { referrer: 'https://blog.example/best' });
    await visit(on, {});
    await count();
    service.advance({ days: 2 });
    await buy(on, fromBlog);
    await count();
    const { rows, totals, by, available } = await breakdown(on, `by=referrer&from=${day(-3)}&to=${day(1)}`);
    expect([by, available]).toEqual(['referrer', BREAKDOWN_NAMES.filter((name) => name !== 'country')]);
    const usd = (cents: number, earned: number, perClick: number | null) => [
      {
        currency: 'USD',
        revenue_cents: cents,
        refunded_cents: 0,
        commission_cents: earned,
        earnings_per_click_cents: perClick,
      },
    ];
    const sold = { leads: 1, first_sales: 1, sales: 1 };
    expect(totals).toEqual({ clicks: 3, ...sold, conversion_rate: 0.3333, money: usd(10_000, 2_000, 666.67) });
    expect(rows).toEqual([
      {
        ...{ kind: 'value', id: null, value: 'blog.example', name: 'blog.example' },
        ...{ clicks: 2, ...sold, conversion_rate: 0.5, money: usd(10_000, 2_000, 1_000) },
      },
      {
        ...{ kind: 'none', id: null, value: null, name: 'Direct' },
        ...{ clicks: 1, leads: 0, first_sales: 0, sales: 0, conversion_rate: 0, money: [] },
      },
    ]);
  });

  it('adds up to the totals for every dimension, whatever is counted already and whatever changed since', async () => {
    const on = await ownedProgram(service);
    const other = { ...on, ...(await service.partner(on.program)) };
    const start = day();
    const orders: string[] = [];
    for (let index = 0; index < 12; index += 1) {
      const click = await visit(index % 3 === 0 ? other : on, {
        page: `/page-${index % 4}?utm_source=s${index % 2}`,
        referrer: `https://site-${index % 5}.example/`,
        userAgent: index % 2 === 0 ? PHONE : LAPTOP,
      });
      if (index % 2 === 0) orders.push(await buy(on, click, 10_000 + index, index % 4 === 0 ? 'EUR' : 'USD'));
      if (index === 5) await count();
      if (index === 7) service.advance({ days: 1 });
    }
    const scopes = ['', `&partner_id=${on.partnerId}`, '&limit=1&sort=clicks'];
    const all = async () => {
      for (const [index, by] of BREAKDOWN_NAMES.entries()) {
        expectExact(await breakdown(on, `by=${by}&from=${start}&to=${day(1)}${scopes[index % scopes.length]}`));
      }
    };
    await all();
    expect((await breakdown(on, `by=device&to=${day(1)}`)).rows.at(-1).kind).toBe('pending');
    await count();
    await all();
    expect((await breakdown(on, `by=device&to=${day(1)}`)).rows.map((row: Row) => row.kind)).toEqual([
      'value',
      'value',
    ]);
    for (const transaction_id of orders.slice(0, 3)) await service.refund({ transaction_id }, { key: on.apiKey });
    await all();
    await count();
    await all();
    expect((await breakdown(on, `by=landing_page&to=${day(1)}`)).rows.some((row: Row) => row.kind === 'pending')).toBe(
      false,
    );
  });

  it('counts clicks, signups and sales by sub-id', async () => {
    const on = await ownedProgram(service);
    await buy(on, await visit(on, { page: '/?sub=mail-42' }));
    await visit(on, { page: '/?sub=mail-42' });
    await visit(on, { page: '/?sub=video' });
    await visit(on);
    await count();
    const { rows } = await breakdown(on, `by=sub&to=${day(1)}`);
    expect(named(rows)).toEqual({ 'mail-42': [2, 1, 1], video: [1, 0, 0], 'No sub-ID': [1, 0, 0] });
  });

  it('has what is not listed in one row, in the order asked for', async () => {
    const on = await ownedProgram(service);
    for (const [page, clicks] of Object.entries({ '/a': 4, '/b': 3, '/c': 1 })) {
      for (let click = 0; click < clicks; click += 1) await visit(on, { page });
    }
    await buy(on, await visit(on, { page: '/c' }));
    await count();
    const rows = async (query: string) => (await breakdown(on, `by=landing_page&to=${day(1)}&${query}`)).rows;
    expect(named(await rows('limit=1'))).toEqual({ 'acme.test/c': [2, 1, 1], Other: [7, 0, 0] });
    const byClicks = await rows('sort=clicks');
    expect(byClicks.map((row: Row) => row.name)).toEqual(['acme.test/a', 'acme.test/b', 'acme.test/c']);
    expect(named(await rows('sort=clicks&limit=2'))).toMatchObject({ 'acme.test/b': [3, 0, 0], Other: [2, 1, 1] });
  });

  it('counts what is beyond the values of a day as other, and the day again once it is over', async () => {
    const on = await ownedProgram(service);
    const campaigns = Array.from({ length: MAX_VALUES_A_DAY + 5 }, (_, index) => `c${index}`);
    await Promise.all(campaigns.map((name) => visit(on, { page: `/?utm_campaign=${name}` })));
    await count();
    // Too late for a row of their own today, although they have the most clicks.
    for (let click = 0; click < 9; click += 1) await visit(on, { page: '/?utm_campaign=late' });
    await count();
    const other = async (from: string) => {
      const report = await breakdown(on, `by=utm_campaign&from=${from}&to=${day(1)}&limit=100&sort=clicks`);
      expectExact(report);
      return report.rows.at(-1);
    };
    expect(await other(day())).toMatchObject({ kind: 'other', clicks: 14 });
    const yesterday = day();
    await service.sql('update facets_rolled_up set compared_until = $1::date', [yesterday]);
    service.advance({ days: 1 });
    await count();
    expect(await other(yesterday)).toMatchObject({ kind: 'other', clicks: 6 });
  });

  it('includes a click that was written late once its day is over', async () => {
    const on = await ownedProgram(service);
    await visit(on, { page: '/early' });
    await count();
    const written = service.time;
    service.time = new Date(written.getTime() - 600_000);
    await visit(on, { page: '/late' });
    service.time = written;
    const rows = async () => named((await breakdown(on, `by=landing_page&from=${day(-2)}&to=${day(1)}`)).rows);
    await count();
    expect(await rows()).toEqual({ 'acme.test/early': [1, 0, 0], 'Still being counted': [1, 0, 0] });
    await service.sql('update facets_rolled_up set compared_until = $1::date', [day()]);
    service.advance({ days: 1 });
    await count();
    expect(await rows()).toEqual({ 'acme.test/early': [1, 0, 0], 'acme.test/late': [1, 0, 0] });
  });

  it('keeps where a customer came from after their clicks are retired', async () => {
    const on = await ownedProgram(service);
    const transaction_id = await buy(on, await visit(on, { referrer: 'https://blog.example/' }));
    await count();
    await service.sql('delete from clicks where program_id = $1', [on.program.id]);
    await service.refund({ transaction_id, refund_amount_cents: 1_000 }, { key: on.apiKey });
    await count();
    const { rows } = await breakdown(on, `by=referrer&to=${day(1)}`);
    expect(named(rows)).toEqual({ 'blog.example': [1, 1, 1] });
    expect(sumOf(rows, 'USD', 'refunded_cents')).toBe(1_000);
  });

  it('is the same after every day is rebuilt', async () => {
    const on = await ownedProgram(service);
    for (const page of ['/a', '/b', '/a']) await buy(on, await visit(on, { page, referrer: 'https://blog.example/' }));
    await count();
    const read = () => breakdown(on, `by=landing_page&to=${day(1)}`);
    const before = await read();
    const key = { programId: on.program.id, day: day() };
    for (const table of ['click_facet_days', 'result_facet_days']) {
      await service.sql(`update ${table} set landing_page = '[]' where program_id = $1`, [on.program.id]);
    }
    expect((await read()).rows.map((row: Row) => row.kind)).toEqual(['pending']);
    await rebuildClickFacetDay(service.ctx.db, key);
    const days = { programId: on.program.id, firstDay: day(-1), lastDay: day() };
    await countResultsByFacet(service.ctx.db, days, withoutRest);
    expect(await read()).toEqual(before);
  });

  it('leaves out test clicks, and what belongs to other programs', async () => {
    const [on, other] = [await ownedProgram(service), await ownedProgram(service)];
    await buy(other, await visit(other, { referrer: 'https://secret.example/' }));
    await service.click(
      {
        affiliate_url: `https://acme.test/?aff=${on.link}`,
        referrer_url: 'https://test.example/',
        additional_data: { test: true },
      },
      { key: on.apiKey, headers: { 'x-test-mode': 'true' } },
    );
    await visit(on, { referrer: 'https://own.example/' });
    await count();
    for (const by of BREAKDOWN_NAMES) {
      const { totals } = await breakdown(on, `by=${by}&to=${day(1)}&partner_id=${other.partnerId}`);
      expect(totals).toMatchObject({ clicks: 0, sales: 0, money: [] });
    }
    const { rows } = await breakdown(on, `by=referrer&to=${day(1)}`);
    expect(rows.map((row: Row) => row.name)).not.toContain('secret.example');
    expect((await service.call('GET', manage(other, '/breakdown?by=referrer'), { key: on.owner.token })).status).toBe(
      404,
    );
  });

  it('shows partners only their own, and no other partner', async () => {
    const on = await ownedProgram(service);
    const other = { ...on, ...(await service.partner(on.program)) };
    await buy(on, await visit(on, { referrer: 'https://mine.example/' }));
    await buy(on, await visit(other, { referrer: 'https://theirs.example/' }));
    await count();
    const { token } = await partnerAccount(service, on.partnerId);
    for (const query of ['', `&partner_id=${other.partnerId}`]) {
      const { rows, available } = await breakdown(on, `by=referrer&to=${day(1)}${query}`, token);
      expect(named(rows)).toEqual({ 'mine.example': [1, 1, 1] });
      expect(available).not.toContain('partner');
      expect(
        (await breakdown(on, `by=partner&to=${day(1)}${query}`, token)).rows.map(({ id }: { id: number }) => id),
      ).toEqual([on.partnerId]);
    }
  });

  it.each([
    ['', `by must be one of ${BREAKDOWN_NAMES.join(', ')}`],
    ['by=weather', `by must be one of ${BREAKDOWN_NAMES.join(', ')}`],
    ['by=device&sort=size', 'sort must be one of clicks, leads, sales, revenue, commission'],
    ['by=device&from=2026-03-02&to=2026-03-02', 'from must be before to'],
    ['by=device&from=2020-01-01&to=2026-03-02', 'The period must be at most 731 days long'],
  ])('400 for ?%s', async (query, message) => {
    const on = await unchangedProgram(service);
    const answer = await service.call('GET', manage(on, `/breakdown?${query}`), { key: on.owner.token });
    expect(answer).toMatchObject({ status: 400, body: badRequest(message) });
  });

  it('covers whole days, however the period is given', async () => {
    const on = await ownedProgram(service);
    const { from, to } = await breakdown(on, `by=device&from=${day(-1)}T13:00:00Z&to=${day()}T13:00:00Z`);
    expect([from, to]).toEqual([`${day(-1)}T00:00:00.000Z`, `${day(1)}T00:00:00.000Z`]);
    const last = await breakdown(on, 'by=device&from=9999-12-01&to=9999-12-31T23:59:59Z');
    expect(last.totals.clicks).toBe(0);
  });
});

describe('reports as files', () => {
  const linesOf = (text: string) => {
    // Without it, Excel on Windows takes the text for that of another alphabet.
    expect(text.startsWith('\uFEFF')).toBe(true);
    return text.slice(1).split('\r\n').slice(0, -1);
  };
  const file = (on: OwnedProgram, path: string) =>
    service.call('GET', manage(on, `/export/${path}`), { key: on.owner.token });

  it('have a line for each row of the breakdown, with columns for every currency', async () => {
    const on = await ownedProgram(service, { holdDays: 0 });
    await buy(on, await visit(on, { referrer: 'https://blog.example/' }), 1_234);
    await buy(on, await visit(on, { referrer: 'https://blog.example/' }), 500, 'JPY');
    await visit(on);
    await count();
    const { status, headers, text } = await file(on, `breakdown.csv?by=referrer&to=${day(1)}`);
    expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
      200,
      'text/csv; charset=utf-8',
      `attachment; filename="${on.program.slug}-referrers-${day()}.csv"`,
    ]);
    const money = (code: string) => `revenue_${code},refunded_${code},commission_${code},earnings_per_click_${code}`;
    expect(linesOf(text)).toEqual([
      `referrer,id,clicks,signups,new_customers,sales,conversion_rate,${money('JPY')},${money('USD')}`,
      'blog.example,,2,2,2,2,1,500,0,100,50,12.34,0,2.47,1.235',
      'Direct,,1,0,0,0,0,0,0,0,0,0,0,0,0',
    ]);
  });

  it('have a line for each day, week or month of the series', async () => {
    const on = await ownedProgram(service);
    await buy(on, await visit(on), 1_250);
    const { text, headers } = await file(on, `performance.csv?from=${day(-1)}&to=${day(1)}&interval=day`);
    expect(headers['content-disposition']).toContain(`${on.program.slug}-performance-by-day-`);
    expect(linesOf(text)).toEqual([
      'date,last_date,clicks,signups,sales,revenue_USD,refunded_USD,commission_USD',
      `${day(-1)},${day(-1)},0,0,0,0,0,0`,
      `${day()},${day()},1,1,1,12.5,0,2.5`,
    ]);
  });
});
