import type { TermsRule } from '@svc/contract';
import { manage, type OwnedProgram, ownedProgram, partnerAccount } from '@svc/testkit/service/accounts.ts';
import { csvCells } from '@svc/testkit/service/csv-cells.ts';
import { approvedSale, asOwner, paidOut } from '@svc/testkit/service/payments/paid.ts';
import { publish } from '@svc/testkit/service/published-terms.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { badRequest, whileMissing } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const exported = (made: OwnedProgram, file: string, key = made.owner.token) =>
  service.call('GET', manage(made, `/export/${file}`), { key });
const linesOf = (text: string) => {
  // Without it, Excel on Windows takes the text for that of another alphabet.
  expect(text.startsWith('\uFEFF')).toBe(true);
  return text.slice(1).split('\r\n').slice(0, -1);
};

const FILES = ['sales', 'commissions', 'customers', 'payouts'];

describe.each(FILES)('GET /api/v1/manage/programs/:id/export/%s.csv', (name) => {
  it('is a file with the rows of the list, under the names of its fields, with a decimal beside every amount', async () => {
    const made = await ownedProgram(service);
    await approvedSale(service, made);
    await paidOut(service, made);
    await service.call('PATCH', manage(made, ''), { key: made.owner.token, body: { name: 'Acme' } });
    const { status, headers, text } = await exported(made, `${name}.csv`);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${made.program.slug}-${name}-2026-03-10.csv"`,
      'cache-control': 'no-store',
    });
    const { data } = (await asOwner(service, made, 'GET', `/${name}`)).body;
    const decimal = (cell: unknown) => (cell === null ? '' : (Number(cell) / 100).toFixed(2));
    const isAmount = (field: string) => field.endsWith('_cents');
    const rows = data.map((row: object) =>
      Object.entries(row).flatMap(([field, cell]) => [...(isAmount(field) ? [decimal(cell)] : []), String(cell ?? '')]),
    );
    const titles = Object.keys(data[0]).flatMap((field) =>
      isAmount(field) ? [field.replace('_cents', ''), field] : [field],
    );
    expect(linesOf(text).map(csvCells)).toEqual([titles, ...rows]);
  });

  it('is only a header line when there are no rows', async () => {
    const { status, text } = await exported(await ownedProgram(service), `${name}.csv`);
    expect([status, linesOf(text).length]).toEqual([200, 1]);
  });

  it('accepts the filters of the list and refuses what the list refuses', async () => {
    const made = await ownedProgram(service);
    await approvedSale(service, made);
    await paidOut(service, made);
    expect(linesOf((await exported(made, `${name}.csv?partner_id=999999999`)).text)).toHaveLength(1);
    expect(await exported(made, `${name}.csv?partner_id=x`)).toMatchObject({
      status: 400,
      body: badRequest('partner_id must be a whole number'),
    });
  });

  it('500 in the platform envelope when the store fails before the first row', async () => {
    const made = await ownedProgram(service);
    const answer = await whileMissing(service, name, () => exported(made, `${name}.csv`));
    expect([answer.status, answer.headers['content-type']]).toEqual([500, 'application/json; charset=utf-8']);
  });

  it('a partner gets their own rows', async () => {
    const made = await ownedProgram(service);
    const other = { ...made, ...(await service.partner(made.program)) };
    for (const whose of [made, other]) await approvedSale(service, whose);
    await paidOut(service, made);
    const { token } = await partnerAccount(service, made.partnerId);
    expect(linesOf((await exported(made, `${name}.csv`)).text)).toHaveLength(3);
    for (const query of ['', `?partner_id=${other.partnerId}`]) {
      expect(linesOf((await exported(made, `${name}.csv${query}`, token)).text)).toHaveLength(2);
    }
  });
});

it('a file of many batches has every row once, in the order of the list', async () => {
  const made = await ownedProgram(service);
  await service.sql(
    `insert into customers (program_id, created_at, status)
     select $1, $2::timestamptz + (n / 7) * interval '1 second', 'click' from generate_series(1, 1203) n`,
    [made.program.id, service.time],
  );
  const ids = linesOf((await exported(made, 'customers.csv')).text)
    .slice(1)
    .map((line) => Number(line.split(',')[0]));
  const rows = await service.sql<{ id: number }>(
    'select id from customers where program_id = $1 order by created_at desc, id desc',
    [made.program.id],
  );
  expect(ids).toEqual(rows.map(({ id }) => id));
});

it('the file of commissions names the customer and the sale, and a file of a month has its last day', async () => {
  const made = await ownedProgram(service);
  const monthEnd = { ...made, at: '2026-03-31T23:59:59.999Z' };
  const { commissionId } = await sold(service, monthEnd, { amount_cents: 12_345, currency: 'KWD' });
  await service.sql('update commissions set created_at = $2 where id = $1', [commissionId, monthEnd.at]);
  const { text } = await exported(made, 'commissions.csv?from=2026-03-01&to=2026-04-01');
  const [titles = [], cells = []] = linesOf(text).map(csvCells);
  const row = Object.fromEntries(titles.map((title, index) => [title, cells[index]]));
  expect(row).toMatchObject({
    id: String(commissionId),
    customer_key: expect.stringContaining('user_'),
    partner_name: 'Jane',
    sale: '12.345',
    sale_currency: 'KWD',
    commission_rate: '20',
    commission: '2.469',
    currency: 'KWD',
    created_at: monthEnd.at,
  });
});

it('text from customers cannot become a formula', async () => {
  const made = await ownedProgram(service);
  const customer_key = '=HYPERLINK("https://evil.test","x")';
  await service.lead({ click_id: await service.clickId(made.link), customer_key }, { key: made.apiKey });
  const { text } = await exported(made, 'customers.csv');
  expect(text).toContain(`"'=HYPERLINK(""https://evil.test"",""x"")"`);
});

it('filters: sales of a period, by the beginning of their transaction id', async () => {
  const made = await ownedProgram(service);
  const transaction_id = newId('renewal');
  await sold(service, made);
  const from = service.time.toISOString();
  await sold(service, made, { transaction_id });
  const lines = linesOf((await exported(made, `sales.csv?q=renewal&from=${from}`)).text);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(transaction_id);
});

describe('files of what partners share', () => {
  it('the file of partners begins with what a message to them needs', async () => {
    const made = await ownedProgram(service);
    const asked = { key: made.owner.token };
    await service.call('POST', manage(made, '/coupons'), {
      ...asked,
      body: { code: 'JANE10', partner_id: made.partnerId },
    });
    await service.call('POST', manage(made, '/links'), {
      ...asked,
      body: { short_link: newId('second'), partner_id: made.partnerId },
    });
    const bob = { name: 'Bob, Jr.', email: `${newId('bob')}@partner.test` };
    await service.call('POST', manage(made, '/partners'), { ...asked, body: bob });
    await partnerAccount(service, made.partnerId);
    const [titles, first, second, ...rest] = linesOf((await exported(made, 'partners.csv')).text);
    expect(titles).toMatch(/^name,email,link,coupon,id,status,/);
    expect(first).toMatch(new RegExp(`^"Bob, Jr.",${bob.email},,,`));
    expect(second).toMatch(new RegExp(`^Jane,${made.link}@partner.test,https://acme.test/\\?aff=${made.link},JANE10,`));
    expect(rest).toEqual([]);
    // Those who have no account yet are invited.
    expect(linesOf((await exported(made, 'partners.csv?status=active&has_account=false')).text)).toEqual([
      titles,
      first,
    ]);
  });

  it('the file of partners says what each of them earns, by their group, themselves and whom they recruited', async () => {
    const made = await ownedProgram(service);
    const { body: group } = await service.call('POST', manage(made, '/groups'), {
      key: made.owner.token,
      body: { name: 'Gold' },
    });
    const [gold, own] = [await service.partner(made.program), await service.partner(made.program)];
    await service.sql('update memberships set group_id = $1, recruiter_id = $3 where partner_id = $2', [
      group.data.id,
      gold.partnerId,
      own.partnerId,
    ]);
    const rules: TermsRule[] = [
      { on: 'sale', for: { group_id: group.data.id }, pays: { type: 'percent', rate: 30, renewals: true } },
      { on: 'sale', for: { partner_id: own.partnerId }, pays: { type: 'fixed', rate: 5, renewals: false } },
      { on: 'sale', pays: { type: 'percent', rate: 4, renewals: false, to: 'recruiter' } },
    ];
    await publish(service, made, rules);
    const lines = linesOf((await exported(made, 'partners.csv')).text);
    expect(lines[0]).toMatch(/,earnings$/);
    const earnings = Object.fromEntries(
      lines.slice(1).map((line) => {
        const cells = csvCells(line);
        return [cells[1], cells.at(-1)];
      }),
    );
    const note = 'Tax and shipping do not count.';
    expect(earnings).toEqual({
      [`${made.link}@partner.test`]: `20% of each sale, not of renewals. ${note}`,
      [`${gold.link}@partner.test`]: `30% of each sale and renewal. ${note}`,
      [`${own.link}@partner.test`]: `$5.00 for each sale, not for renewals. 4% of each sale by a partner you recruited, not of renewals. ${note}`,
    });
  });

  it('partners do not get the file of partners, and their own links and coupons', async () => {
    const made = await ownedProgram(service);
    const rival = await service.partner(made.program);
    for (const partner_id of [made.partnerId, rival.partnerId]) {
      const body = { code: newId('code'), partner_id };
      await service.call('POST', manage(made, '/coupons'), { key: made.owner.token, body });
    }
    const { token } = await partnerAccount(service, made.partnerId);
    expect((await exported(made, 'partners.csv', token)).status).toBe(404);
    for (const file of ['links.csv', 'coupons.csv']) {
      expect(linesOf((await exported(made, file)).text), file).toHaveLength(3);
      expect(linesOf((await exported(made, file, token)).text), file).toHaveLength(2);
    }
  });

  it('a list is a workbook on request', async () => {
    const made = await ownedProgram(service);
    await approvedSale(service, made);
    const { status, headers, text } = await exported(made, 'sales.csv?format=xlsx');
    expect({ status, type: headers['content-type'], starts: text.slice(0, 2) }).toEqual({
      status: 200,
      type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      starts: 'PK',
    });
    expect(headers['content-disposition']).toMatch(/\.xlsx"$/);
    expect(await exported(made, 'sales.csv?format=pdf')).toMatchObject({
      status: 400,
      body: badRequest('format must be csv or xlsx'),
    });
  });
});
