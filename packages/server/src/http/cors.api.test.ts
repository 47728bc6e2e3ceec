import { routes } from '@svc/contract';
import { unchangedProgram } from '@svc/testkit/service/accounts.ts';
import { type Answer, platformError, useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();
const limited = useService({ SVC_RATE_LIMITS: 'click=1,lead=1' });

const CLICK = '/api/v1/track/click';
const LEAD = '/api/v1/track/lead';
const FOREIGN = 'https://elsewhere.example';
const ORIGIN_NOT_ALLOWED = platformError(403, 'ForbiddenError', 'Origin not allowed for this program');
const EXPOSED = ['Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-Request-ID'];

const landing = (link: string) => `https://acme.test/?aff=${link}`;
const from = (origin: string) => ({ headers: { origin } });
const listed = (header: string | undefined) => (header ?? '').split(',').map((name) => name.trim());
const corsHeaders = ({ headers }: Answer) => Object.keys(headers).filter((name) => name.startsWith('access-control-'));

function expectReadableByPages(answer: Answer) {
  expect(answer.headers['access-control-allow-origin']).toBe('*');
  expect(listed(answer.headers['access-control-expose-headers']).sort()).toEqual(EXPOSED);
  expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
}

describe('a click or browser-mode lead from an origin', () => {
  const ALLOWED = [
    ['https on the program’s domain', 'https://acme.test'],
    ['https on a subdomain', 'https://shop.acme.test'],
    ['https on a subdomain of a subdomain', 'https://eu.shop.acme.test'],
    ['an origin from the settings', 'http://localhost:3000'],
    ['another origin from the settings, with its port', 'https://partner.example:8443'],
  ];
  const REFUSED = [
    ['another domain', FOREIGN],
    ['http on the program’s domain', 'http://acme.test'],
    ['http on a subdomain', 'http://shop.acme.test'],
    ['another port of the program’s domain', 'https://acme.test:8443'],
    ['another port of a subdomain', 'https://shop.acme.test:8443'],
    ['a domain with the same ending', 'https://notacme.test'],
    ['a domain with the same beginning', 'https://acme.test.elsewhere.example'],
    ['a page without an origin', 'null'],
    ['127.0.0.1 where localhost is allowed', 'http://127.0.0.1:3000'],
    ['another port of an origin from the settings', 'http://localhost:3001'],
    ['no port where the settings have one', 'http://localhost'],
    ['a different scheme than in the settings', 'https://localhost:3000'],
    ['a subdomain of an origin from the settings', 'https://a.partner.example:8443'],
  ];
  const allowedOrigins = ['http://localhost:3000', 'https://partner.example:8443'];

  it.each(ALLOWED)('is accepted: %s (%s)', async (_what, origin) => {
    const { program, link } = await service.program({ allowedOrigins });
    const click = await service.click({ affiliate_url: landing(link) }, from(origin));
    expect(click.status).toBe(200);
    expectReadableByPages(click);
    const lead = await service.lead({ click_id: click.body.click_id, customer_key: 'user-1' }, from(origin));
    expect(lead.status).toBe(200);
    expectReadableByPages(lead);
    expect(await service.sql('select status from customers where program_id = $1', [program.id])).toEqual([
      { status: 'lead' },
    ]);
  });

  it.each(REFUSED)('is 403 Origin not allowed for this program: %s (%s)', async (_what, origin) => {
    const { program, link } = await service.program({ allowedOrigins });
    const click = await service.click({ affiliate_url: landing(link) }, from(origin));
    expect(click.status).toBe(403);
    expect(click.body).toEqual(ORIGIN_NOT_ALLOWED);
    expectReadableByPages(click);
    expect(await service.counts(program.id)).toMatchObject({ customers: 0, clicks: 0 });

    const click_id = await service.clickId(link);
    const lead = await service.lead({ click_id, customer_key: 'user-1' }, from(origin));
    expect(lead.status).toBe(403);
    expect(lead.body).toEqual(ORIGIN_NOT_ALLOWED);
    expectReadableByPages(lead);
    expect(await service.sql('select status, customer_key from customers where program_id = $1', [program.id])).toEqual(
      [{ status: 'click', customer_key: null }],
    );
  });

  it('is accepted from an origin that was just added to the settings', async () => {
    const { program, link } = await service.program();
    const status = async () => (await service.click({ affiliate_url: landing(link) }, from(FOREIGN))).status;
    expect(await status()).toBe(403);
    await service.sql('update programs set allowed_origins = $2 where id = $1', [program.id, [FOREIGN]]);
    await expect.poll(status).toBe(200);
  });

  it('is checked against the whole origin', async () => {
    const { program, link } = await service.program();
    const trusted = `https://${'a'.repeat(237)}.acme.test`;
    const click_id = await service.clickId(link);
    for (const send of [service.click, service.lead]) {
      const answer = await send({ affiliate_url: landing(link), click_id }, from(`${trusted}.evil.io`));
      expect(answer.status).toBe(403);
      expect(answer.body).toEqual(ORIGIN_NOT_ALLOWED);
    }
    expect(await service.sql('select status from customers where program_id = $1', [program.id])).toEqual([
      { status: 'click' },
    ]);
  });

  it('passes without an Origin header, as servers and curl send it', async () => {
    const { program, link } = await service.program();
    const click = await service.click({ affiliate_url: landing(link) });
    expect(click.status).toBe(200);
    expect((await service.lead({ click_id: click.body.click_id })).status).toBe(200);
    expect(await service.counts(program.id)).toMatchObject({ customers: 1, clicks: 1 });
  });

  it('is checked for a lead that names its program and has no click', async () => {
    const { program } = await service.program();
    const body = { customer_key: 'user-1', program_id: program.id };
    const refused = await service.lead(body, from(FOREIGN));
    expect(refused.status).toBe(403);
    expect(refused.body).toEqual(ORIGIN_NOT_ALLOWED);
    expect(await service.counts(program.id)).toMatchObject({ customers: 0 });
    expect((await service.lead(body, from('https://acme.test'))).status).toBe(200);
  });

  it('is checked for a lead whose token is empty, which is browser mode', async () => {
    const { link } = await service.program();
    const headers = { origin: FOREIGN, authorization: 'Bearer ' };
    const answer = await service.lead({ click_id: await service.clickId(link) }, { headers });
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual(ORIGIN_NOT_ALLOWED);
  });

  it('is not checked for a server-mode lead', async () => {
    const { link, apiKey } = await service.program();
    const answer = await service.lead({ click_id: await service.clickId(link) }, { key: apiKey, ...from(FOREIGN) });
    expect(answer.status).toBe(200);
  });

  it('is not checked on a sale', async () => {
    const created = await service.program();
    await service.customer(created, 'user-1');
    const sale = { transaction_id: `t-${created.link}`, amount_cents: 4900, customer_key: 'user-1' };
    expect((await service.sale(sale, { key: created.apiKey, ...from(FOREIGN) })).status).toBe(200);
  });
});

describe('a preflight', () => {
  it.each([
    [CLICK, 'https://acme.test'],
    [CLICK, FOREIGN],
    [CLICK, 'null'],
    [LEAD, 'https://acme.test'],
    [LEAD, FOREIGN],
  ])('of %s from %s is answered 204, without credentials', async (path, origin) => {
    const answer = await service.call('OPTIONS', path, {
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,x-request-id',
      },
    });
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(listed(answer.headers['access-control-allow-methods'])).toContain('POST');
    expect(listed(answer.headers['access-control-allow-headers']?.toLowerCase()).sort()).toEqual([
      'authorization',
      'content-type',
      'x-request-id',
    ]);
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
    expect(answer.headers['x-request-id']).toBeTruthy();
  });

  it('is not counted against the limit of the clicks', async () => {
    const ip = '10.0.0.1';
    for (let sent = 0; sent < 3; sent += 1) {
      expect((await limited.call('OPTIONS', CLICK, { ip, ...from(FOREIGN) })).status).toBe(204);
    }
    expect((await limited.click({}, { ip })).status).toBe(400);
  });
});

describe('CORS headers are on every click and lead answer', () => {
  const answers: [string, number, (path: string) => Promise<Answer>][] = [
    ['fields refused', 400, (path) => service.call('POST', path, { body: {} })],
    ['malformed JSON', 400, (path) => call(path, '{', 'application/json')],
    ['body too large', 413, (path) => call(path, `{"a":"${'x'.repeat(70_000)}"}`, 'application/json')],
    ['unsupported media type', 415, (path) => call(path, '<a/>', 'application/xml')],
    ['method not allowed', 405, (path) => service.call('GET', path, from(FOREIGN))],
    ['over the limit', 429, overTheLimit],
  ];

  it.each(answers.flatMap((row) => [CLICK, LEAD].map((path) => [path, ...row] as const)))(
    '%s: %s, %i',
    async (path, _what, status, send) => {
      const answer = await send(path);
      expect(answer.status).toBe(status);
      expectReadableByPages(answer);
    },
  );

  it('401 on a lead', async () => {
    const answer = await service.lead({ customer_key: 'user-1' }, { key: 'svc_key_unknown', ...from(FOREIGN) });
    expect(answer.status).toBe(401);
    expectReadableByPages(answer);
  });

  it('410 on a click', async () => {
    const { link } = await service.program();
    await service.sql('update links set active = false where short_link = $1', [link]);
    const answer = await service.click({ affiliate_url: landing(link) }, from('https://acme.test'));
    expect(answer.status).toBe(410);
    expectReadableByPages(answer);
  });

  it('200 without an Origin header', async () => {
    const { link } = await service.program();
    expectReadableByPages(await service.click({ affiliate_url: landing(link) }));
  });

  const call = (path: string, body: string, type: string) =>
    service.call('POST', path, { body, headers: { origin: FOREIGN, 'content-type': type } });

  async function overTheLimit(path: string) {
    const options = { body: {}, ip: '10.0.0.2', ...from(FOREIGN) };
    await limited.call('POST', path, options);
    const answer = await limited.call('POST', path, options);
    expect(answer.headers['retry-after']).toBeTruthy();
    return answer;
  }
});

describe('sale, refund and key routes send no CORS headers', () => {
  const others = routes.filter(({ path }) => path !== CLICK && path !== LEAD);

  it('covers all of them', () => {
    expect(others.map(({ id }) => id)).toEqual(expect.arrayContaining(['trackSale', 'trackRefund', 'readiness']));
  });

  it.each(others)('$method $path', async ({ method, path }) => {
    const { apiKey } = await unchangedProgram(service);
    for (const key of [apiKey, undefined]) {
      const answer = await service.call(method, path, {
        key,
        ...(method === 'POST' && { body: {} }),
        ...from(FOREIGN),
      });
      expect(answer.status).toBeLessThan(500);
      expect(corsHeaders(answer)).toEqual([]);
    }
  });

  it.each(others)('OPTIONS $path is 405, not a preflight', async ({ path }) => {
    const answer = await service.call('OPTIONS', path, from(FOREIGN));
    expect(answer.status).toBe(405);
    expect(corsHeaders(answer)).toEqual([]);
  });
});
