import { platformError, type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { newId, sold, storedSale } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const unchanged = {
  sale: { refunded_cents: 0 },
  commission: { deducted_cents: 0, stage: 'pending', reversal: 'none' },
  refunds: [],
};

describe('a refund gets 401', () => {
  const MALFORMED = 'Missing or malformed Authorization header. Expected: Bearer <token>';

  it.each<[string, string, Record<string, string>]>([
    [MALFORMED, 'header absent', {}],
    [MALFORMED, 'not Bearer', { authorization: 'Basic dXNlcjpwYXNz' }],
    [MALFORMED, 'the bare key', { authorization: 'svc_key_without_a_scheme' }],
    ['Invalid API token', 'empty token after trimming', { authorization: 'Bearer    ' }],
    ['Invalid API token', 'Bearer with nothing after it', { authorization: 'Bearer' }],
    ['Invalid API token', 'token matches no program', { authorization: `Bearer svc_key_${'A'.repeat(32)}` }],
    ['Invalid API token', 'token that cannot be a key', { authorization: 'Bearer of-bad-news' }],
  ])('%s: %s', async (message, _condition, headers) => {
    const program = await service.program();
    const sale = await sold(service, program);
    const before = await service.counts(program.program.id);
    const answer = await service.refund({ transaction_id: sale.transactionId }, { headers });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual(platformError(401, 'UnauthorizedError', message));
    expect(answer.headers['x-request-id']).toEqual(expect.any(String));
    expect(answer.headers['x-ratelimit-limit']).toBeDefined();
    expect(await service.counts(program.program.id)).toEqual(before);
    expect(await storedSale(service, sale.saleId)).toMatchObject(unchanged);
  });

  it('api_key_rotation_required: retired key', async () => {
    const program = await service.program();
    const sale = await sold(service, program);
    await service.sql('update program_keys set marked_at = $2, rotate_by = $2 where program_id = $1', [
      program.program.id,
      service.time,
    ]);
    service.advance({ seconds: 60 });
    const { status, body } = await service.refund({ transaction_id: sale.transactionId }, { key: program.apiKey });
    expect(status).toBe(401);
    expect(body).toEqual({
      error: {
        code: 'api_key_rotation_required',
        message: expect.any(String),
        hint: expect.any(String),
        docs_url: 'https://track.test/docs/errors#api_key_rotation_required',
      },
    });
    expect(await storedSale(service, sale.saleId)).toMatchObject(unchanged);
  });

  it('but not for the scheme Bearer in another case', async () => {
    const program = await service.program();
    const sale = await sold(service, program);
    const { status } = await service.refund(
      { transaction_id: sale.transactionId },
      { headers: { authorization: `bearer ${program.apiKey}` } },
    );
    expect(status).toBe(200);
  });
});

describe('a refund gets 400', () => {
  const REQUIRED = 'transaction_id is required';
  const AMOUNT = 'refund_amount_cents must be a whole number of cents, 0 or more';

  async function expectRefused(program: TestProgram, saleId: number, sent: object, message: string) {
    const before = await service.counts(program.program.id);
    const { status, body, headers } = await service.refund(sent, { key: program.apiKey });
    expect(status).toBe(400);
    expect(body).toEqual(platformError(400, 'BadRequestError', message));
    expect(headers['x-request-id']).toEqual(expect.any(String));
    expect(await service.counts(program.program.id)).toEqual({
      ...before,
      decisions: (before.decisions ?? 0) + 1,
    });
    expect(await storedSale(service, saleId)).toMatchObject(unchanged);
  }

  it.each<[string, object]>([
    ['field absent', {}],
    ['null', { transaction_id: null }],
    ['empty', { transaction_id: '' }],
    ['blank', { transaction_id: '   ' }],
    ['a number', { transaction_id: 42 }],
    ['an object', { transaction_id: { $ne: null } }],
    ['longer than 255 characters', { transaction_id: 'x'.repeat(256) }],
    ['containing NUL', { transaction_id: 'order\u0000' }],
    ['containing half of a surrogate pair', { transaction_id: 'order\ud800' }],
  ])('transaction_id is required: %s', async (_condition, sent) => {
    const program = await service.program();
    const { saleId } = await sold(service, program);
    await expectRefused(program, saleId, sent, REQUIRED);
  });

  it.each<[string, object, string]>([
    ['negative', { refund_amount_cents: -1 }, AMOUNT],
    ['a fraction', { refund_amount_cents: 10.5 }, AMOUNT],
    ['a string', { refund_amount_cents: '100' }, AMOUNT],
    ['above 9,007,199,254,740,991', { refund_amount_cents: 9_007_199_254_740_992 }, AMOUNT],
    ['an array', { refund_amount_cents: [100] }, AMOUNT],
    ['refund_reason not a string', { refund_reason: 7 }, 'refund_reason must be a string'],
    ['refund_reason too long', { refund_reason: 'x'.repeat(1_025) }, 'refund_reason must be at most 1024 characters'],
    [
      'refund_reason with a NUL',
      { refund_reason: '\u0000' },
      'refund_reason contains characters that cannot be stored',
    ],
    ['refund_id not a string', { refund_id: 7 }, 'refund_id must be a string'],
    ['refund_id too long', { refund_id: 'x'.repeat(256) }, 'refund_id must be at most 255 characters'],
    [
      'refund_id with half of a surrogate pair',
      { refund_id: '\udfff' },
      'refund_id contains characters that cannot be stored',
    ],
    ['additional_data not an object', { additional_data: 'x' }, 'additional_data must be an object'],
  ])('that names the wrong field: %s', async (_condition, fields, message) => {
    const program = await service.program();
    const { saleId, transactionId } = await sold(service, program);
    await expectRefused(program, saleId, { transaction_id: transactionId, ...fields }, message);
  });

  it('with the amount left if refund_amount_cents exceeds the sale', async () => {
    const program = await service.program();
    const { saleId, transactionId } = await sold(service, program, { amount_cents: 1_000 });
    const message = 'refund_amount_cents is more than what is left to refund (1000)';
    await expectRefused(program, saleId, { transaction_id: transactionId, refund_amount_cents: 1_001 }, message);
  });

  it('with the amount left if refund_amount_cents exceeds what a partial refund left', async () => {
    const program = await service.program();
    const { saleId, transactionId } = await sold(service, program, { amount_cents: 1_000 });
    const send = (cents: number) =>
      service.refund({ transaction_id: transactionId, refund_amount_cents: cents }, { key: program.apiKey });
    await send(600);
    const { status, body } = await send(401);
    expect(status).toBe(400);
    expect(body).toEqual(
      platformError(400, 'BadRequestError', 'refund_amount_cents is more than what is left to refund (400)'),
    );
    expect(await storedSale(service, saleId)).toMatchObject({
      sale: { refunded_cents: 600 },
      commission: { deducted_cents: 120, reversal: 'partial' },
      refunds: [{ amount_cents: 600 }],
    });
    expect((await send(400)).body.data).toMatchObject({ status: 'reversed', deduction_cents: 80 });
  });

  it.each([
    ['Invalid JSON body', '{"transaction_id": '],
    ['Request body must be a JSON object', '["order_1"]'],
    ['Request body must be a JSON object', '"order_1"'],
    ['transaction_id is required', ''],
  ])('%s', async (message, payload) => {
    const { apiKey } = await service.program();
    const { status, body } = await service.call('POST', '/api/v1/track/refund', {
      body: payload,
      key: apiKey,
      headers: { 'content-type': 'application/json' },
    });
    expect(status).toBe(400);
    expect(body).toEqual(platformError(400, 'BadRequestError', message));
  });

  it('or 415 for text/plain, which only clicks and leads may use', async () => {
    const program = await service.program();
    const { transactionId, saleId } = await sold(service, program);
    const { status, body } = await service.call('POST', '/api/v1/track/refund', {
      body: JSON.stringify({ transaction_id: transactionId }),
      key: program.apiKey,
      headers: { 'content-type': 'text/plain' },
    });
    expect(status).toBe(415);
    expect(body.error).toMatchObject({ status: 415, name: 'UnsupportedMediaTypeError' });
    expect(await storedSale(service, saleId)).toMatchObject(unchanged);
  });
});

describe('a refund gets 404 Sale not found for transaction_id', () => {
  const notFound = platformError(404, 'NotFoundError', 'Sale not found for transaction_id');

  it('if the transaction_id is unknown', async () => {
    const { program, apiKey } = await service.program();
    const { status, body } = await service.refund({ transaction_id: newId('order') }, { key: apiKey });
    expect(status).toBe(404);
    expect(body).toEqual(notFound);
    expect(await service.counts(program.id)).toMatchObject({ refunds: 0, decisions: 1 });
  });

  it('if the sale belongs to another program', async () => {
    const owner = await service.program();
    const { transactionId, saleId } = await sold(service, owner);
    const stranger = await service.program();
    const sibling = await service.program({ workspaceId: owner.workspaceId });
    for (const { apiKey } of [stranger, sibling]) {
      const { status, body } = await service.refund({ transaction_id: transactionId }, { key: apiKey });
      expect(status).toBe(404);
      expect(body).toEqual(notFound);
    }
    expect(await storedSale(service, saleId)).toMatchObject(unchanged);
  });

  it('if the sale was outside the attribution window and is not stored', async () => {
    const program = await service.program({ attributionWindowDays: 1 });
    const clickId = await service.clickId(program.link);
    service.advance({ days: 2 });
    const transactionId = newId('order');
    const sale = await service.sale(
      { transaction_id: transactionId, click_id: clickId, amount_cents: 100 },
      { key: program.apiKey },
    );
    expect(sale.body.data.attributed).toBe(false);
    const { status, body } = await service.refund({ transaction_id: transactionId }, { key: program.apiKey });
    expect(status).toBe(404);
    expect(body).toEqual(notFound);
  });
});
