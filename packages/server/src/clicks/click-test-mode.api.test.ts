import { platformError, useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const landing = (link: string) => `https://acme.test/?aff=${link}`;
const test = (extra: object = {}) => ({ additional_data: { test_mode: true, ...extra } });
const NOTHING = { customers: 0, clicks: 0, sales: 0, commissions: 0, refunds: 0, decisions: 0 };
const MISMATCH = platformError(403, 'ForbiddenError', 'program_id does not match the API key');
const INVALID_TOKEN = platformError(401, 'UnauthorizedError', 'Invalid API token');

describe('a click in test mode', () => {
  it('adds message and data to the usual response', async () => {
    const { program, link } = await service.program({ cookieWindowDays: 45 });
    const { status, body } = await service.click({ affiliate_url: landing(link), ...test() });
    expect(status).toBe(200);
    const [click] = await service.sql<{ id: number }>('select id from clicks where program_id = $1', [program.id]);
    expect(body).toEqual({
      success: true,
      click_id: expect.stringMatching(/^cust_\d+_\d+$/),
      partner_code: link,
      cookie_window_days: 45,
      message: 'Test click event tracked successfully',
      data: { eventId: click?.id, programId: program.id, test_mode: true },
    });
  });

  it('marks every row that it creates as is_test and is not counted', async () => {
    const { program, partnerId, link } = await service.program();
    await service.clickId(link, test());
    const where = 'where program_id = $1';
    expect(await service.sql(`select is_test, partner_id from customers ${where}`, [program.id])).toEqual([
      { is_test: true, partner_id: partnerId },
    ]);
    expect(await service.sql(`select is_test, partner_id from clicks ${where}`, [program.id])).toEqual([
      { is_test: true, partner_id: partnerId },
    ]);
    expect(await service.sql(`select * from count_deltas ${where}`, [program.id])).toEqual([]);
  });

  it('keeps the click id of a test customer who clicks again', async () => {
    const { program, link } = await service.program();
    const existing_click_id = await service.clickId(link, test());
    expect(await service.clickId(link, { existing_click_id, ...test() })).toBe(existing_click_id);
    expect(await service.counts(program.id)).toMatchObject({ customers: 1, clicks: 2 });
  });

  it.each([false, 'true', 1, null, { test_mode: true }])('is not requested by test_mode %j', async (test_mode) => {
    const { program, link } = await service.program();
    const { status, body } = await service.click({ affiliate_url: landing(link), additional_data: { test_mode } });
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['click_id', 'cookie_window_days', 'partner_code', 'success']);
    expect(await service.sql('select is_test from customers where program_id = $1', [program.id])).toEqual([
      { is_test: false },
    ]);
  });

  it('gets 410 link_disabled for an inactive link and is not recorded', async () => {
    const { program, link } = await service.program();
    await service.sql('update links set active = false where short_link = $1', [link]);
    const answer = await service.click({ affiliate_url: landing(link), ...test() });
    expect(answer.status).toBe(410);
    expect(answer.body.error.code).toBe('link_disabled');
    expect(await service.counts(program.id)).toEqual(NOTHING);
  });

  it.each([
    ['Invalid affiliate_url', { affiliate_url: 'acme.test' }],
    ['No aff parameter found in affiliate_url', { affiliate_url: 'https://acme.test/' }],
    ['Referral link not found', { affiliate_url: landing('nobody-has-this') }],
  ])('gets 400 %s for a wrong affiliate_url, even with a key', async (message, body) => {
    const { program, apiKey } = await service.program();
    const answer = await service.click({ ...body, ...test() }, { key: apiKey });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(platformError(400, 'BadRequestError', message));
    expect(await service.counts(program.id)).toEqual(NOTHING);
  });
});

describe('a test click without affiliate_url', () => {
  it.each([
    ['a key', (key: string) => [{}, { key }] as const],
    ['program_id', (_key: string, id: number) => [{ program_id: id }, {}] as const],
    ['program_id as a decimal string', (_key: string, id: number) => [{ program_id: String(id) }, {}] as const],
    ['both', (key: string, id: number) => [{ program_id: id }, { key }] as const],
  ])('is accepted if %s names the program', async (_evidence, parts) => {
    const { program, apiKey } = await service.program({ cookieWindowDays: 30 });
    const [extra, options] = parts(apiKey, program.id);
    const { status, body } = await service.click({ page_title: 'Home', ...test(extra) }, options);
    expect(status).toBe(200);
    const [click] = await service.sql<{ id: number }>('select * from clicks where program_id = $1', [program.id]);
    expect(click).toMatchObject({ is_test: true, link_id: null, partner_id: null, page_title: 'Home' });
    expect(body).toEqual({
      success: true,
      click_id: expect.stringMatching(/^cust_\d+_\d+$/),
      cookie_window_days: 30,
      message: 'Test click event tracked successfully',
      data: { eventId: click?.id, programId: program.id, test_mode: true },
    });
    expect(await service.counts(program.id)).toEqual({ ...NOTHING, customers: 1, clicks: 1 });
    expect(await service.sql('select * from count_deltas where program_id = $1', [program.id])).toEqual([]);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a program that does not exist', 999_999_999],
    ['a fraction', 1.5],
    ['text that is not a number', 'acme'],
    ['a list', [1]],
  ])('gets 400 affiliate_url is required if program_id is %s', async (_case, program_id) => {
    const answer = await service.click(test({ program_id }));
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(platformError(400, 'BadRequestError', 'affiliate_url is required'));
  });

  it('gets 400 affiliate_url is required outside test mode, whatever names the program', async () => {
    const { program, apiKey } = await service.program();
    const answer = await service.click({ additional_data: { program_id: program.id } }, { key: apiKey });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(platformError(400, 'BadRequestError', 'affiliate_url is required'));
    expect(await service.counts(program.id)).toEqual(NOTHING);
  });

  it('gets 403 from an origin that the program does not allow', async () => {
    const { program } = await service.program();
    const origin = 'https://elsewhere.example';
    const answer = await service.click(test({ program_id: program.id }), { headers: { origin } });
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual(platformError(403, 'ForbiddenError', 'Origin not allowed for this program'));
    expect(await service.counts(program.id)).toEqual(NOTHING);
  });
});

describe('403 program_id does not match the API key is returned', () => {
  it.each([
    ['a number', (id: number): unknown => id],
    ['a decimal string', (id: number) => String(id)],
  ])('for a test click with a key and the program_id of another program as %s', async (_form, named) => {
    const { program, link, apiKey } = await service.program();
    const other = await service.program({ workspaceId: program.workspaceId });
    const body = { affiliate_url: landing(link), ...test({ program_id: named(other.program.id) }) };
    const answer = await service.click(body, { key: apiKey });
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual(MISMATCH);
    expect(await service.counts(program.id)).toEqual(NOTHING);
    expect(await service.counts(other.program.id)).toEqual(NOTHING);
  });

  it.each([
    ['text that is not a number', 'acme'],
    ['an object that cannot be turned into text', { toString: 1, valueOf: 1 }],
    ['a list', []],
  ])('for a test click with a key if program_id is %s', async (_case, program_id) => {
    const { program, link, apiKey } = await service.program();
    const answer = await service.click({ affiliate_url: landing(link), ...test({ program_id }) }, { key: apiKey });
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual(MISMATCH);
    expect(await service.counts(program.id)).toEqual(NOTHING);
  });

  it.each([
    ['a number', (id: number): unknown => id],
    ['a decimal string', (id: number) => String(id)],
    ['null, which counts as absent', () => null],
  ])('but not if program_id is that of the key as %s', async (_form, named) => {
    const { program, link, apiKey } = await service.program();
    const body = { affiliate_url: landing(link), ...test({ program_id: named(program.id) }) };
    expect((await service.click(body, { key: apiKey })).status).toBe(200);
  });

  it('but not for a test click without a key', async () => {
    const { program, link } = await service.program();
    const other = await service.program();
    const body = { affiliate_url: landing(link), ...test({ program_id: other.program.id }) };
    const answer = await service.click(body);
    expect(answer.status).toBe(200);
    expect(answer.body.data.programId).toBe(program.id);
  });

  it('but not for a click outside test mode', async () => {
    const { program, link, apiKey } = await service.program();
    const other = await service.program();
    const body = { affiliate_url: landing(link), additional_data: { program_id: other.program.id } };
    expect((await service.click(body, { key: apiKey })).status).toBe(200);
    expect(await service.counts(program.id)).toMatchObject({ customers: 1, clicks: 1 });
  });
});

describe('401 Invalid API token is returned', () => {
  it('for a test click with a token that matches no program', async () => {
    const { program, link } = await service.program();
    const answer = await service.click({ affiliate_url: landing(link), ...test() }, { key: 'svc_key_unknown' });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual(INVALID_TOKEN);
    expect(await service.counts(program.id)).toEqual(NOTHING);
  });

  it.each(['Bearer', 'Basic abc'])('but not for the header %j, which contains no token', async (authorization) => {
    const { link } = await service.program();
    const answer = await service.click({ affiliate_url: landing(link), ...test() }, { headers: { authorization } });
    expect(answer.status).toBe(200);
  });
});
