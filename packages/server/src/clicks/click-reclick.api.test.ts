import { platformError, useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const landing = (link: string) => `https://acme.test/?aff=${link}`;
const customerNumber = (clickId: string) => Number(clickId.split('_')[1]);
const customers = (programId: number) =>
  service.sql('select * from customers where program_id = $1 order by id', [programId]);
const clicks = (programId: number) =>
  service.sql(
    `select c.partner_id, customer_id, clicked_at, short_link from clicks c join links l on l.id = c.link_id
     where c.program_id = $1 order by c.id`,
    [programId],
  );

describe('a click with the existing_click_id of a customer of the same program', () => {
  it('is recorded for the new partner, while the customer keeps the first partner and the click id', async () => {
    const { program, partnerId, link } = await service.program({ cookieWindowDays: 30 });
    const second = await service.partner(program);
    const existing_click_id = await service.clickId(link);
    const [before] = await customers(program.id);
    const firstAt = service.time;
    service.advance({ days: 1 });

    const answer = await service.click({ affiliate_url: landing(second.link), existing_click_id });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: true,
      click_id: existing_click_id,
      partner_code: second.link,
      cookie_window_days: 30,
    });
    expect(await customers(program.id)).toEqual([before]);
    const customer_id = customerNumber(existing_click_id);
    expect(await clicks(program.id)).toEqual([
      { partner_id: partnerId, customer_id, clicked_at: firstAt, short_link: link },
      { partner_id: second.partnerId, customer_id, clicked_at: service.time, short_link: second.link },
    ]);
  });

  it('is counted for the new link', async () => {
    const { program, partnerId, link } = await service.program();
    const second = await service.partner(program);
    await service.clickId(second.link, { existing_click_id: await service.clickId(link) });
    const counted = await service.sql(
      'select partner_id, clicks from count_deltas where program_id = $1 order by link_id',
      [program.id],
    );
    expect(counted).toEqual([
      { partner_id: partnerId, clicks: 1 },
      { partner_id: second.partnerId, clicks: 1 },
    ]);
  });

  it('keeps the click id through any number of further clicks, including on the first link', async () => {
    const { program, link } = await service.program();
    const second = await service.partner(program);
    const third = await service.partner(program);
    const existing_click_id = await service.clickId(link);
    for (const next of [second.link, third.link, link]) {
      service.advance({ seconds: 1 });
      expect(await service.clickId(next, { existing_click_id })).toBe(existing_click_id);
    }
    expect(await service.counts(program.id)).toMatchObject({ customers: 1, clicks: 4 });
  });

  it('keeps the click id when many clicks arrive at once', async () => {
    const { program, link } = await service.program();
    const second = await service.partner(program);
    const existing_click_id = await service.clickId(link);
    const ids = await Promise.all(
      Array.from({ length: 20 }, () => service.clickId(second.link, { existing_click_id })),
    );
    expect(new Set(ids)).toEqual(new Set([existing_click_id]));
    expect(await service.counts(program.id)).toMatchObject({ customers: 1, clicks: 21 });
  });

  it('changes nothing about a customer who has signed up', async () => {
    const created = await service.program();
    const second = await service.partner(created.program);
    const existing_click_id = await service.customer(created, 'user-1');
    const before = await customers(created.program.id);
    expect(await service.clickId(second.link, { existing_click_id })).toBe(existing_click_id);
    expect(await customers(created.program.id)).toEqual(before);
    expect(before).toMatchObject([{ status: 'lead', customer_key: 'user-1', partner_id: created.partnerId }]);
  });

  it('gets 410 link_disabled for a disabled link and changes nothing', async () => {
    const { program, link } = await service.program();
    const second = await service.partner(program);
    const existing_click_id = await service.clickId(link);
    await service.sql('update links set active = false where short_link = $1', [second.link]);
    const answer = await service.click({ affiliate_url: landing(second.link), existing_click_id });
    expect(answer.status).toBe(410);
    expect(await service.counts(program.id)).toMatchObject({ customers: 1, clicks: 1 });
  });
});

describe('a relay reports the click of a redirect with its own id as the existing_click_id, and it stays one click', () => {
  const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Safari/537.36';

  /** Opens a short address, and returns what a relay passes on from the page that it led to. */
  async function openShortAddress(link: string) {
    const { headers } = await service.call('GET', `/r/${link}`, { headers: { 'user-agent': CHROME } });
    const affiliate_url = String(headers.location);
    return { affiliate_url, existing_click_id: new URL(affiliate_url).searchParams.get('svc_click_id') };
  }
  const relayed = { headers: { 'svc-relay-cookie': 'host' } };

  it('at once, again, and days later', async () => {
    const { program, link } = await service.program({ cookieWindowDays: 30 });
    const report = await openShortAddress(link);
    for (const days of [0, 1, 9]) {
      service.advance({ days });
      const { status, body, headers } = await service.click(report, relayed);
      expect([status, body.click_id]).toEqual([200, report.existing_click_id]);
      expect(headers['set-cookie']).toBe(
        `svc_click_id=${report.existing_click_id}; Max-Age=${(30 - (days === 9 ? 10 : days)) * 86_400}; Path=/; SameSite=Lax; Secure`,
      );
    }
    expect(await clicks(program.id)).toHaveLength(1);
    expect(await customers(program.id)).toHaveLength(1);
  });

  it('also of the test link', async () => {
    const { program, apiKey } = await service.program();
    const chain = { key: apiKey, body: { type: 'chain' } };
    expect((await service.call('POST', '/api/v1/cli/test-event', chain)).status).toBe(200);
    const before = (await clicks(program.id)).length;
    const report = await openShortAddress(`svc-test-${program.id}`);
    expect((await service.click(report, relayed)).body.click_id).toBe(report.existing_click_id);
    expect(await clicks(program.id)).toHaveLength(before + 1);
  });
});

describe('a click is a first click with a new id if its existing_click_id is', () => {
  it.each([
    ['of an unknown customer', () => 'cust_999999999999999_1770000000000'],
    ['off by a millisecond', (id: string) => id.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10))],
    ['one with a wrong number', (id: string) => id.replace(/^cust_\d+/, 'cust_999999999')],
    ['not a click id', () => 'abc'],
    ['one with too many digits', () => `cust_${'9'.repeat(100)}_${'9'.repeat(100)}`],
    ['padded with a space', (id: string) => ` ${id}`],
    ['SQL', (id: string) => `${id}' or '1'='1`],
    ['empty', () => ''],
  ])('%s', async (_case, changed) => {
    const { program, link } = await service.program();
    const second = await service.partner(program);
    const first = await service.clickId(link);
    service.advance({ seconds: 1 });
    const answer = await service.click({ affiliate_url: landing(second.link), existing_click_id: changed(first) });
    expect(answer.status).toBe(200);
    expect(answer.body.click_id).toMatch(new RegExp(`^cust_\\d+_${service.time.getTime()}$`));
    expect(customerNumber(answer.body.click_id)).not.toBe(customerNumber(first));
    const stored = await customers(program.id);
    expect(stored).toHaveLength(2);
    expect(stored[1]).toMatchObject({ id: customerNumber(answer.body.click_id), partner_id: second.partnerId });
  });

  it('of a customer of another program, even in the same workspace', async () => {
    const first = await service.program();
    const other = await service.program({ workspaceId: first.workspaceId });
    const existing_click_id = await service.clickId(first.link);
    const answer = await service.click({ affiliate_url: landing(other.link), existing_click_id });
    expect(answer.status).toBe(200);
    expect(answer.body.click_id).not.toBe(existing_click_id);
    expect(await customers(other.program.id)).toMatchObject([{ partner_id: other.partnerId }]);
    expect(await service.counts(first.program.id)).toMatchObject({ customers: 1, clicks: 1 });
    expect(await service.counts(other.program.id)).toMatchObject({ customers: 1, clicks: 1 });
  });

  it('of a test customer, for a real click', async () => {
    const { program, link } = await service.program();
    const existing_click_id = await service.clickId(link, { additional_data: { test_mode: true } });
    expect(await service.clickId(link, { existing_click_id })).not.toBe(existing_click_id);
    expect(await customers(program.id)).toMatchObject([{ is_test: true }, { is_test: false }]);
  });

  it('of a real customer, for a test click', async () => {
    const { program, link } = await service.program();
    const existing_click_id = await service.clickId(link);
    const additional_data = { test_mode: true };
    expect(await service.clickId(link, { existing_click_id, additional_data })).not.toBe(existing_click_id);
    expect(await customers(program.id)).toMatchObject([{ is_test: false }, { is_test: true }]);
  });
});

describe('an existing_click_id that is not an identifier', () => {
  it.each([
    ['existing_click_id must be a string', 7],
    ['existing_click_id must be at most 255 characters', 'x'.repeat(256)],
    ['existing_click_id contains characters that cannot be stored', 'cust_1_\0'],
  ])('gets 400 %s', async (message, existing_click_id) => {
    const { program, link } = await service.program();
    const answer = await service.click({ affiliate_url: landing(link), existing_click_id });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(platformError(400, 'BadRequestError', message));
    expect(await service.counts(program.id)).toMatchObject({ customers: 0, clicks: 0 });
  });
});
