import { type CallOptions, platformError, type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { badRequest, customerOf, decisionsOf } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';
import { OPERATOR } from '../../audit/audit-store.ts';
import { requireRotation } from '../../programs/require-rotation.ts';

const service = useService();

const NO_TRANSACTION = 'transaction_id is required and must be a string';
const NO_AMOUNT = 'amount_cents is required and must be a positive integer';
const MALFORMED = 'Missing or malformed Authorization header. Expected: Bearer <token>';
const DUPLICATE = platformError(409, 'ConflictError', 'Duplicate transaction_id. This sale has already been recorded.');

function buy({ program, apiKey }: TestProgram, sent: object = {}, options: CallOptions = {}) {
  const sale = { transaction_id: `sale-${program.id}`, amount_cents: 4900, customer_key: 'user-1', ...sent };
  return service.sale(sale, { key: apiKey, ...options });
}

async function programWithCustomer(settings = {}): Promise<TestProgram & { clickId: string }> {
  const acme = await service.program(settings);
  return { ...acme, clickId: await service.customer(acme, 'user-1') };
}

const salesOf = ({ program }: TestProgram) =>
  service.sql('select * from sales where program_id = $1 order by id', [program.id]);

describe('POST /api/v1/track/sale', () => {
  it('records the sale, creates its commission and records the conversion', async () => {
    const acme = await programWithCustomer();
    service.advance({ days: 3 });
    const { status, body, headers } = await buy(acme, {}, { headers: { 'x-request-id': 'sale-1' } });
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        sale_id: expect.any(Number),
        commission_id: expect.any(Number),
        attributed: true,
        commission_cents: 980,
        currency: 'USD',
        message: 'Sale tracked successfully',
      },
      success: true,
    });
    expect(headers['x-request-id']).toBe('sale-1');
    expect(headers).not.toHaveProperty('access-control-allow-origin');

    const customer = await customerOf(service, acme.clickId);
    expect(customer).toMatchObject({ status: 'conversion', converted_at: service.time });
    expect(await salesOf(acme)).toMatchObject([
      {
        id: body.data.sale_id,
        processor_event_id: `sale-${acme.program.id}`,
        customer_id: customer.id,
        partner_id: acme.partnerId,
        link_id: customer.link_id,
        amount_cents: 4900,
        currency: 'USD',
        sale_type: 'payment',
        is_recurring: false,
        commission_state: 'created',
        refunded_cents: 0,
        is_test: false,
        request_id: 'sale-1',
        created_at: service.time,
      },
    ]);
    expect(await service.sql('select * from commissions where program_id = $1', [acme.program.id])).toMatchObject([
      {
        id: body.data.commission_id,
        sale_id: body.data.sale_id,
        partner_id: acme.partnerId,
        commission_type: 'percent',
        commission_rate: '20.0000',
        commission_cents: 980,
        deducted_cents: 0,
        currency: 'USD',
        stage: 'pending',
        approve_after: new Date(service.time.getTime() + 30 * 86_400_000),
      },
    ]);
    expect((await decisionsOf(service, acme)).at(-1)).toMatchObject({
      kind: 'sale',
      outcome: 'recorded',
      reason: 'sale_attributed',
      sale_id: body.data.sale_id,
      transaction_id: `sale-${acme.program.id}`,
      request_id: 'sale-1',
    });
  });

  it('stores the optional fields that were sent', async () => {
    const acme = await programWithCustomer();
    const sent = {
      currency: 'eur',
      sale_type: 'subscription',
      subscription_id: 'sub-1',
      subscription_interval: 'annual',
      product_id: 'pro',
      line_items: [{ sku: 'a', quantity: 2 }],
      additional_data: { coupon: 'SPRING', program_id: 999_999 },
    };
    const { status, body } = await buy(acme, sent);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ currency: 'EUR', commission_cents: 980 });
    const { additional_data, ...stored } = sent;
    expect(await salesOf(acme)).toMatchObject([{ ...stored, currency: 'EUR', is_recurring: false }]);
    expect((await decisionsOf(service, acme)).at(-1)).toMatchObject({ additional_data });
  });

  it('returns top-level warnings while the key is being rotated', async () => {
    const acme = await programWithCustomer();
    await requireRotation(service.ctx, acme.program, new Date(service.time.getTime() + 86_400_000), OPERATOR);
    service.advance({ seconds: 60 });
    for (const sent of [{}, { amount_cents: 0 }]) {
      const { body } = await buy(acme, sent);
      expect(body.warnings).toMatchObject([{ code: 'api_key_rotation_required' }]);
    }
  });
});

describe('a sale gets 401', () => {
  it.each([
    [MALFORMED, 'header absent', undefined],
    [MALFORMED, 'not Bearer', 'Basic dXNlcjpwYXNz'],
    ['Missing API token', 'empty token after trimming', 'Bearer    '],
    ['Missing API token', 'nothing after Bearer', 'Bearer'],
    ['Invalid API token', 'token matches no program', 'Bearer svc_key_of_nobody'],
  ])('%s: %s', async (message, _condition, authorization) => {
    const acme = await programWithCustomer();
    const before = await service.counts(acme.program.id);
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    for (const sent of [{}, { transaction_id: 7, amount_cents: 0 }]) {
      const { status, body, headers: answered } = await buy(acme, sent, { key: undefined, headers });
      expect(status).toBe(401);
      expect(body).toEqual(platformError(401, 'UnauthorizedError', message));
      expect(answered['x-request-id']).toBeTruthy();
    }
    expect(await service.counts(acme.program.id)).toEqual(before);
  });
});

describe('a sale gets 400', () => {
  it.each([
    [NO_TRANSACTION, { transaction_id: undefined }],
    [NO_TRANSACTION, { transaction_id: null }],
    [NO_TRANSACTION, { transaction_id: '' }],
    [NO_TRANSACTION, { transaction_id: '  ' }],
    [NO_TRANSACTION, { transaction_id: 12_345 }],
    [NO_TRANSACTION, { transaction_id: ['sale'] }],
    [NO_TRANSACTION, { transaction_id: 'a\0b' }],
    [NO_TRANSACTION, { transaction_id: '\udc00' }],
    [NO_TRANSACTION, { transaction_id: 'x'.repeat(256) }],
    [NO_AMOUNT, { amount_cents: undefined }],
    [NO_AMOUNT, { amount_cents: null }],
    [NO_AMOUNT, { amount_cents: 0 }],
    [NO_AMOUNT, { amount_cents: -1 }],
    [NO_AMOUNT, { amount_cents: 49.5 }],
    [NO_AMOUNT, { amount_cents: '4900' }],
    [NO_AMOUNT, { amount_cents: true }],
    [NO_AMOUNT, { amount_cents: 2 ** 53 }],
    ['customer_key must be a string', { customer_key: { id: 1 } }],
    ['customer_key must be at most 255 characters', { customer_key: 'x'.repeat(256) }],
    ['click_id must be a string', { click_id: 7 }],
    ['currency must be an ISO 4217 code', { currency: 'DOLLARS' }],
    ['currency must be an ISO 4217 code', { currency: 'ABC' }],
    ['currency must be an ISO 4217 code', { currency: '' }],
    ['currency must be an ISO 4217 code', { currency: 840 }],
    ['sale_type must be payment or subscription', { sale_type: 'gift' }],
    ['is_recurring must be a boolean', { is_recurring: 'yes' }],
    ['subscription_id must be a string', { subscription_id: 7 }],
    ['subscription_interval must be monthly, quarterly or annual', { subscription_interval: 'weekly' }],
    ['product_id must be at most 255 characters', { product_id: 'x'.repeat(256) }],
    ['line_items must be an array', { line_items: { sku: 'a' } }],
    ['line_items contains characters that cannot be stored', { line_items: ['\0'] }],
    ['additional_data must be an object', { additional_data: [] }],
    ['additional_data contains characters that cannot be stored', { additional_data: { '\ud800': 1 } }],
  ])('%s: %j', async (message, sent) => {
    const acme = await programWithCustomer();
    const before = await service.counts(acme.program.id);
    const { status, body, headers } = await buy(acme, sent);
    expect(status).toBe(400);
    expect(body).toEqual(badRequest(message));
    expect(headers['x-request-id']).toBeTruthy();
    expect(await service.counts(acme.program.id)).toEqual({ ...before, decisions: Number(before.decisions) + 1 });
    expect((await decisionsOf(service, acme)).at(-1)).toMatchObject({ kind: 'sale', reason: 'invalid_request' });
  });

  it.each(['customer_key', 'click_id'])('but not for fields that are null, including %s', async (field) => {
    const acme = await programWithCustomer();
    const nulls = { currency: null, sale_type: null, is_recurring: null, line_items: null, additional_data: null };
    const who = field === 'click_id' ? {} : { click_id: acme.clickId };
    const { status, body } = await buy(acme, { ...nulls, ...who, [field]: null });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ attributed: true, currency: 'USD' });
  });
});

describe('409 Duplicate transaction_id', () => {
  it('is returned for a transaction_id of the same program, and the recorded sale is unchanged', async () => {
    const acme = await programWithCustomer();
    const first = await buy(acme);
    const before = await service.counts(acme.program.id);
    const { status, body, headers } = await buy(acme, { amount_cents: 9900 });
    expect(status).toBe(409);
    expect(body).toEqual(DUPLICATE);
    expect(headers['x-request-id']).toBeTruthy();
    expect(await service.counts(acme.program.id)).toEqual({ ...before, decisions: Number(before.decisions) + 1 });
    expect(await salesOf(acme)).toMatchObject([{ id: first.body.data.sale_id, amount_cents: 4900 }]);
    expect((await decisionsOf(service, acme)).at(-1)).toMatchObject({
      outcome: 'refused',
      reason: 'duplicate_transaction',
      sale_id: null,
    });
  });

  it.each(['the same workspace', 'another workspace'])(
    'is returned for a transaction_id of another program of %s',
    async (whose) => {
      const acme = await programWithCustomer();
      const other = await programWithCustomer(whose === 'the same workspace' ? { workspaceId: acme.workspaceId } : {});
      await buy(acme);
      const { status, body } = await buy(other, { transaction_id: `sale-${acme.program.id}` });
      expect(status).toBe(409);
      expect(body).toEqual(DUPLICATE);
      expect(await service.counts(other.program.id)).toMatchObject({ sales: 0, commissions: 0 });
      expect(await customerOf(service, other.clickId)).toMatchObject({ status: 'lead', converted_at: null });
    },
  );

  it('is not returned for a transaction_id that differs in case', async () => {
    const acme = await programWithCustomer();
    await buy(acme, { transaction_id: `Case-${acme.program.id}` });
    expect((await buy(acme, { transaction_id: `case-${acme.program.id}` })).status).toBe(200);
  });

  it('is returned for a refunded sale too', async () => {
    const acme = await programWithCustomer();
    await buy(acme);
    await service.refund({ transaction_id: `sale-${acme.program.id}` }, { key: acme.apiKey });
    expect((await buy(acme)).body).toEqual(DUPLICATE);
  });
});

describe('the checks of a sale run in the order', () => {
  it('fields, customer, attribution, relationship, duplicate guard', async () => {
    const acme = await programWithCustomer();
    await service.lead({ customer_key: 'unattributed' }, { key: acme.apiKey });
    await buy(acme);
    const taken = { transaction_id: `sale-${acme.program.id}` };
    const nobody = { customer_key: 'nobody', currency: 'ABC' };

    const refusal = async (sent: object) => (await buy(acme, sent)).body;
    expect(await refusal({ transaction_id: 7, amount_cents: 0, ...nobody })).toEqual(badRequest(NO_TRANSACTION));
    expect(await refusal({ ...taken, amount_cents: 0, ...nobody })).toEqual(badRequest(NO_AMOUNT));
    expect(await refusal({ ...taken, ...nobody })).toEqual(badRequest('currency must be an ISO 4217 code'));
    expect(await refusal({ ...taken, customer_key: 'nobody' })).toEqual(
      badRequest('Customer not found. Provide customer_key or click_id.'),
    );
    expect(await refusal({ ...taken, customer_key: 'unattributed' })).toEqual(
      badRequest('No affiliate attribution found for this customer in this program'),
    );
    expect(await refusal(taken)).toEqual(DUPLICATE);
    await service.sql(`update memberships set status = 'removed' where program_id = $1`, [acme.program.id]);
    expect(await refusal(taken)).toEqual(badRequest('No partner-program relationship found for this customer'));
    expect(await salesOf(acme)).toHaveLength(1);
  });
});
