import { createHash } from 'node:crypto';
import { type Answer, platformError, type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';
import { OPERATOR } from '../../audit/audit-store.ts';
import { hashApiKey, maskApiKey } from '../../programs/api-key.ts';
import { regenerateKey } from '../../programs/regenerate-key.ts';

const service = useService();

const MALFORMED = 'Missing or malformed Authorization header. Expected: Bearer <token>';
const MISSING = 'Missing API token';
const INVALID = 'Invalid API token';

const unauthorized = (message: string) => platformError(401, 'UnauthorizedError', message);
const invalidKey = (message: string) => ({ error: { code: 'invalid_key', message } });
const withHeader = (authorization: string | undefined): Record<string, string> =>
  authorization === undefined ? {} : { authorization };

/** A sale that is recorded if the key is valid. */
async function saleOf({ link }: TestProgram, transactionId: string) {
  return { transaction_id: transactionId, amount_cents: 1000, click_id: await service.clickId(link) };
}

describe('Authentication errors (401)', () => {
  const rows: [what: string, header: string | undefined, sale: string, refund: string][] = [
    ['header absent', undefined, MALFORMED, MALFORMED],
    ['header empty', '', MALFORMED, MALFORMED],
    ['header not Bearer', 'Basic YWxpY2U6c2VjcmV0', MALFORMED, MALFORMED],
    ['no space after Bearer', 'Bearersvc_key_a', MALFORMED, MALFORMED],
    ['Bearer alone', 'Bearer', MISSING, INVALID],
    ['empty token after trimming', 'Bearer    ', MISSING, INVALID],
    ['empty token, scheme in lower case', 'bearer ', MISSING, INVALID],
    ['token matches no program', 'Bearer svc_key_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', INVALID, INVALID],
    ['two tokens', 'Bearer svc_key_a svc_key_b', INVALID, INVALID],
    ['a token of 5,000 characters', `Bearer ${'a'.repeat(5000)}`, INVALID, INVALID],
    ['a non-ASCII token', 'Bearer schlüssel', INVALID, INVALID],
  ];

  it.each(rows)('sale, %s', async (_what, header, message) => {
    const made = await service.program();
    const sale = await saleOf(made, 'order-unauthorized');
    const before = await service.counts(made.program.id);
    const { status, body, headers } = await service.sale(sale, { headers: withHeader(header) });
    expect({ status, body }).toEqual({ status: 401, body: unauthorized(message) });
    expect(headers['x-request-id']).toMatch(/./);
    expect(await service.counts(made.program.id)).toEqual(before);
  });

  it.each(rows)('refund, %s', async (_what, header, _sale, message) => {
    const { status, body } = await service.refund({ transaction_id: 'order-1' }, { headers: withHeader(header) });
    expect({ status, body }).toEqual({ status: 401, body: unauthorized(message) });
  });

  it.each(rows)(
    'readiness, %s: the same message with a period, in the typed envelope as invalid_key',
    async (_what, header, message) => {
      const { status, body } = await service.call('GET', '/api/v1/programs/me/readiness', {
        headers: withHeader(header),
      });
      expect({ status, body }).toEqual({ status: 401, body: invalidKey(`${message}.`) });
    },
  );

  it.each(rows.filter(([, header]) => header?.match(/^bearer\s*$/i) || header === undefined))(
    'lead, %s: no 401, browser mode',
    async (_what, header) => {
      const { link, program } = await service.program({ leadAuth: 'server_required' });
      const lead = { click_id: await service.clickId(link), customer_key: 'user-1' };
      const { status, body } = await service.lead(lead, { headers: withHeader(header) });
      expect({ status, body }).toMatchObject({ status: 200, body: { success: true, provisional: true } });
      expect(await service.counts(program.id)).toMatchObject({ decisions: 1 });
    },
  );

  it.each(rows.filter(([, header]) => header !== undefined && !header.match(/^bearer\s*$/i)))(
    'lead, %s',
    async (_what, header, message) => {
      const { link, program } = await service.program();
      const lead = { click_id: await service.clickId(link), customer_key: 'user-1' };
      const { status, body } = await service.lead(lead, { headers: withHeader(header) });
      expect({ status, body }).toEqual({ status: 401, body: unauthorized(message) });
      expect(await service.counts(program.id)).toMatchObject({ decisions: 0 });
    },
  );

  it.each(rows)('click, %s: a click needs no key, the header is ignored', async (_what, header) => {
    const { link } = await service.program();
    const answer = await service.click(
      { affiliate_url: `https://acme.test/?aff=${link}` },
      { headers: withHeader(header) },
    );
    expect(answer).toMatchObject({ status: 200, body: { success: true, partner_code: link } });
  });

  it('click in test mode: a token that matches no program is 401 Invalid API token', async () => {
    const { link, program } = await service.program();
    const click = { affiliate_url: `https://acme.test/?aff=${link}`, additional_data: { test_mode: true } };
    const { status, body } = await service.click(click, { key: 'svc_key_unknown' });
    expect({ status, body }).toEqual({ status: 401, body: unauthorized(INVALID) });
    expect(await service.counts(program.id)).toMatchObject({ clicks: 0, customers: 0 });
  });
});

describe('Authorization: Bearer <API_KEY>', () => {
  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('the scheme is case-insensitive: %s', async (scheme) => {
    const made = await service.program();
    const headers = { authorization: `${scheme} ${made.apiKey}` };
    const sale = await service.sale(await saleOf(made, `order-${scheme}`), { headers });
    expect(sale.status).toBe(200);
    expect((await service.call('GET', '/api/v1/programs/me/readiness', { headers })).status).toBe(200);
    expect((await service.refund({ transaction_id: `order-${scheme}` }, { headers })).status).toBe(200);
    expect((await service.lead({ customer_key: 'user-1' }, { headers })).status).toBe(200);
  });

  it('spaces around the token are ignored', async () => {
    const { apiKey, program } = await service.program();
    const { status, body } = await service.call('GET', '/api/v1/programs/me/readiness', {
      headers: { authorization: `  Bearer \t ${apiKey}  ` },
    });
    expect({ status, program: body.program_id }).toEqual({ status: 200, program: program.id });
  });

  it('neither what is stored of a key nor the key in another case works as one', async () => {
    const { apiKey } = await service.program();
    for (const token of [hashApiKey(apiKey), maskApiKey(apiKey), apiKey.toUpperCase(), apiKey.slice(0, -1)]) {
      expect(await service.readiness(token)).toMatchObject({ status: 401, body: invalidKey(`${INVALID}.`) });
    }
  });
});

describe('403 program_id does not match the API key', () => {
  const event = (programId: unknown) => ({ additional_data: { test_mode: true, program_id: programId } });
  const forbidden = platformError(403, 'ForbiddenError', 'program_id does not match the API key');

  it.each([
    ['click', (body: object, key?: string) => service.click(body, { key })],
    ['lead', (body: object, key?: string) => service.lead({ customer_key: 'user-1', ...body }, { key })],
  ] satisfies [string, (body: object, key?: string) => Promise<Answer>][])('test-mode %s', async (_what, send) => {
    const [made, other] = [await service.program(), await service.program()];
    for (const named of [other.program.id, String(other.program.id)]) {
      const { status, body } = await send(event(named), made.apiKey);
      expect({ status, body }).toEqual({ status: 403, body: forbidden });
    }
    expect(await service.counts(other.program.id)).toMatchObject({ clicks: 0, customers: 0, decisions: 0 });
    expect((await send(event(made.program.id), made.apiKey)).status).toBe(200);
    expect((await send(event(String(made.program.id)), made.apiKey)).status).toBe(200);
    expect((await send(event(other.program.id))).status).toBe(200);
  });
});

describe('a program key', () => {
  it('starts with svc_key_ and is masked as its first 12 characters, **** and its last 4', async () => {
    const { apiKey, program } = await service.program();
    expect(apiKey).toMatch(/^svc_key_[A-Za-z0-9_-]{32}$/);
    const [key] = await service.sql('select key_masked from program_keys where program_id = $1', [program.id]);
    expect(key?.key_masked).toBe(`${apiKey.substring(0, 12)}****${apiKey.substring(apiKey.length - 4)}`);
  });

  it('is hashed at rest: after every kind of request its text is in no table', async () => {
    const made = await service.program();
    const { apiKey } = made;
    const clickId = await service.customer(made, 'buyer');
    const sale = { transaction_id: 'order-at-rest', amount_cents: 1000, customer_key: 'buyer' };
    await service.click({ affiliate_url: `https://acme.test/?aff=${made.link}` }, { key: apiKey });
    await service.sale(sale, { key: apiKey });
    await service.sale(sale, { key: apiKey });
    await service.refund({ transaction_id: 'order-at-rest' }, { key: apiKey });
    await service.lead({ click_id: clickId }, { key: apiKey });
    await service.lead({}, { key: apiKey });
    const stored = await everythingStored();
    expect(stored).toContain(createHash('sha256').update(apiKey).digest('hex'));
    expect(stored).not.toContain(apiKey);
    expect(stored).not.toContain(apiKey.slice(8));
  });

  it('stops immediately when it is regenerated; the new one works', async () => {
    const made = await service.program();
    expect((await service.readiness(made.apiKey)).status).toBe(200);
    service.advance({ seconds: 10 });
    const { apiKey, masked } = await regenerateKey(service.ctx, made.program, OPERATOR);
    expect(masked).toBe(maskApiKey(apiKey));
    expect(apiKey).not.toBe(made.apiKey);
    expect((await service.readiness(apiKey)).body).toMatchObject({ key_rotated_at: service.time.toISOString() });
    await expect.poll(async () => (await service.readiness(made.apiKey)).status).toBe(401);
    const sale = await service.sale(await saleOf(made, 'order-old-key'), { key: made.apiKey });
    expect(sale).toMatchObject({ status: 401, body: unauthorized(INVALID) });
    expect(await service.sql('select 1 from program_keys where program_id = $1', [made.program.id])).toHaveLength(2);
  });

  it('is the only active one: after several concurrent regenerations, one works', async () => {
    const { program } = await service.program();
    const made = await Promise.all(
      Array.from({ length: 5 }, () => regenerateKey(service.ctx, program, OPERATOR).catch(() => null)),
    );
    const answers = await Promise.all(made.map((key) => service.readiness(key?.apiKey ?? 'none')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

/** All rows of all tables, as text. */
async function everythingStored(): Promise<string> {
  const tables = await service.sql<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  );
  const rows = await Promise.all(tables.map(({ name }) => service.sql(`select to_jsonb(t) as row from ${name} t`)));
  return JSON.stringify(rows);
}
