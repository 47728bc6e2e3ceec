import { platformError, useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const landing = (link: string) => `https://acme.test/?aff=${link}`;
const PLAIN = { 'content-type': 'text/plain;charset=UTF-8' };

const PAGE = {
  page_url: 'https://acme.test/pricing',
  page_title: 'Pricing – Acme ✓',
  referrer_url: 'https://blog.example/review?a=1',
  session_id: 'session-1',
  user_agent: 'Mozilla/5.0 (told by the page)',
  screen_resolution: '1920x1080',
  viewport_size: '1280x720',
  language: 'de-AT',
  timezone: 'Europe/Vienna',
};

const NO_PAGE = Object.fromEntries(Object.keys(PAGE).map((field) => [field, null]));

async function storedClick(programId: number) {
  const [row, ...more] = await service.sql('select * from clicks where program_id = $1', [programId]);
  expect(more).toEqual([]);
  return row;
}

describe('a click stores', () => {
  it('its link, partner, customer, time and everything that the page sent', async () => {
    const { program, partnerId, link } = await service.program();
    const { body } = await service.click({ affiliate_url: landing(link), ...PAGE });
    const [stored] = await service.sql<{ id: number }>('select id from links where short_link = $1', [link]);
    const [, customerId] = body.click_id.split('_');
    expect(await storedClick(program.id)).toEqual({
      id: expect.any(Number),
      program_id: program.id,
      link_id: stored?.id,
      partner_id: partnerId,
      customer_id: Number(customerId),
      clicked_at: service.time,
      is_test: false,
      affiliate_url: landing(link),
      country: null,
      sub: null,
      is_relayed: false,
      ...PAGE,
    });
  });

  it('a customer with the first link, partner and membership, and without a lead or conversion', async () => {
    const { program, partnerId, link } = await service.program();
    await service.clickId(link);
    const [customer] = await service.sql('select * from customers where program_id = $1', [program.id]);
    const [membership] = await service.sql<{ id: number }>('select id from memberships where program_id = $1', [
      program.id,
    ]);
    expect(customer).toMatchObject({
      partner_id: partnerId,
      membership_id: membership?.id,
      clicked_at: service.time,
      created_at: service.time,
      customer_key: null,
      status: 'click',
      lead_at: null,
      lead_state: null,
      converted_at: null,
      is_test: false,
    });
  });

  it('one count for its link and partner in the hour of the click', async () => {
    const { program, partnerId, link } = await service.program();
    await service.clickId(link);
    const [stored] = await service.sql<{ id: number }>('select id from links where short_link = $1', [link]);
    const hour = new Date(service.time);
    hour.setUTCMinutes(0, 0, 0);
    expect(await service.sql('select * from count_deltas where program_id = $1', [program.id])).toEqual([
      {
        ...{ program_id: program.id, link_id: stored?.id, partner_id: partnerId, hour, clicks: 1 },
        ...{ currency: null, leads: 0, first_sales: 0, sales: 0 },
        ...{ revenue_cents: '0', refunded_cents: '0', commission_cents: '0' },
      },
    ]);
  });

  it('one count even if many clicks arrive at once', async () => {
    const { program, link } = await service.program();
    const ids = await Promise.all(Array.from({ length: 20 }, () => service.clickId(link)));
    expect(new Set(ids).size).toBe(20);
    const [sum] = await service.sql('select sum(clicks)::int as clicks from count_deltas where program_id = $1', [
      program.id,
    ]);
    expect(sum).toEqual({ clicks: 20 });
    expect(await service.counts(program.id)).toMatchObject({ customers: 20, clicks: 20 });
  });

  it('its time in both the row and the click id', async () => {
    const { program, link } = await service.program();
    service.advance({ seconds: 7 });
    const clickId = await service.clickId(link);
    expect(clickId).toMatch(new RegExp(`^cust_\\d+_${service.time.getTime()}$`));
    expect(await storedClick(program.id)).toMatchObject({ clicked_at: service.time });
  });

  it.each([
    ['newsletter-42', 'newsletter-42'],
    ['%20Fr%C3%BChling+2026%20', 'Frühling 2026'],
    ['first&sub=second', 'first'],
    ['x'.repeat(64), 'x'.repeat(64)],
  ])('the sub-id of ?sub=%s with the click and with its customer', async (sent, sub) => {
    const { program, link } = await service.program();
    expect((await service.click({ affiliate_url: `${landing(link)}&sub=${sent}` })).status).toBe(200);
    expect(await storedClick(program.id)).toMatchObject({ sub });
    expect(await service.sql('select sub from customers where program_id = $1', [program.id])).toEqual([{ sub }]);
  });

  it.each(['', '%20', 'x'.repeat(65), 'a%00b'])('no sub-id, but the click, for ?sub=%s', async (sent) => {
    const { program, link } = await service.program();
    expect((await service.click({ affiliate_url: `${landing(link)}&sub=${sent}` })).status).toBe(200);
    expect(await storedClick(program.id)).toMatchObject({ sub: null });
    expect(await service.sql('select sub from customers where program_id = $1', [program.id])).toEqual([{ sub: null }]);
  });

  it('the sub-id of a later click, while the customer keeps the first', async () => {
    const { program, link } = await service.program();
    const existing_click_id = await service.clickId(link, { affiliate_url: `${landing(link)}&sub=first` });
    await service.click({ affiliate_url: `${landing(link)}&sub=second`, existing_click_id });
    const clicks = await service.sql('select sub from clicks where program_id = $1 order by id', [program.id]);
    expect(clicks).toEqual([{ sub: 'first' }, { sub: 'second' }]);
    expect(await service.sql('select sub from customers where program_id = $1', [program.id])).toEqual([
      { sub: 'first' },
    ]);
  });

  it('the User-Agent header if the page does not send user_agent', async () => {
    const { program, link } = await service.program();
    await service.click({ affiliate_url: landing(link) }, { headers: { 'user-agent': 'curl/8.5.0' } });
    expect(await storedClick(program.id)).toMatchObject({ ...NO_PAGE, user_agent: 'curl/8.5.0' });
  });

  it('the first 1,024 characters of a longer User-Agent header', async () => {
    const { program, link } = await service.program();
    const answer = await service.click(
      { affiliate_url: landing(link) },
      { headers: { 'user-agent': 'x'.repeat(3000) } },
    );
    expect(answer.status).toBe(200);
    expect(await storedClick(program.id)).toMatchObject({ user_agent: 'x'.repeat(1024) });
  });

  it('nothing for optional fields that are null, and no unknown fields', async () => {
    const { program, link } = await service.program();
    const answer = await service.click(
      { affiliate_url: landing(link), ...NO_PAGE, existing_click_id: null, additional_data: null, debug_mode: true },
      { headers: { 'user-agent': 'curl/8.5.0' } },
    );
    expect(answer.status).toBe(200);
    expect(await storedClick(program.id)).toMatchObject({ ...NO_PAGE, user_agent: 'curl/8.5.0' });
  });

  it('text of exactly the maximum length, in any script', async () => {
    const { program, link } = await service.program();
    const fits = {
      page_url: `https://acme.test/${'u'.repeat(2048 - 18)}`,
      page_title: 't'.repeat(1024),
      session_id: 's'.repeat(255),
      language: '日本語 🙂 \u{10FFFF} \u0001',
    };
    const affiliate_url = landing(link).padEnd(2048, '#');
    expect((await service.click({ affiliate_url, ...fits })).status).toBe(200);
    expect(await storedClick(program.id)).toMatchObject({ affiliate_url, ...fits });
  });
});

describe('a click sent as a beacon', () => {
  it('is accepted as JSON in text/plain', async () => {
    const { program, link } = await service.program();
    const body = JSON.stringify({ affiliate_url: landing(link), ...PAGE });
    const answer = await service.call('POST', '/api/v1/track/click', { body, headers: PLAIN });
    expect(answer.status).toBe(200);
    expect(answer.body.partner_code).toBe(link);
    expect(await storedClick(program.id)).toMatchObject(PAGE);
  });

  it.each([
    ['{"affiliate_url":', 'Invalid JSON body'],
    ['affiliate_url=x', 'Invalid JSON body'],
    ['"https://acme.test/?aff=x"', 'Request body must be a JSON object'],
    ['', 'affiliate_url is required'],
  ])('gets 400 for text/plain with %j: %s', async (body, message) => {
    const answer = await service.call('POST', '/api/v1/track/click', { body, headers: PLAIN });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(platformError(400, 'BadRequestError', message));
  });
});

describe('a click while the queue is full', () => {
  const full = useService({}, { maxWaiting: 0 });

  it('gets 503 with Retry-After and the request id, and is not stored', async () => {
    const { program, link } = await full.program();
    const answer = await full.click({ affiliate_url: landing(link) }, { headers: { 'x-request-id': 'busy' } });
    expect(answer.status).toBe(503);
    expect(answer.body).toEqual(
      platformError(503, 'ServiceUnavailableError', 'The service is busy. Try again in a moment.'),
    );
    expect(answer.headers).toMatchObject({ 'retry-after': '1', 'x-request-id': 'busy' });
    expect(await full.counts(program.id)).toMatchObject({ customers: 0, clicks: 0 });
  });
});
