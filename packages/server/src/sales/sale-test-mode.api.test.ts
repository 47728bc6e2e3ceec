import { platformError, type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { badRequest, customerOf, decisionsOf } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const TEST = { additional_data: { test_mode: true } };

const sell = ({ apiKey }: TestProgram, sent: object = {}) => service.sale({ ...TEST, ...sent }, { key: apiKey });

const salesOf = ({ program }: TestProgram) =>
  service.sql('select * from sales where program_id = $1 order by id', [program.id]);

async function testCustomer({ link, apiKey }: TestProgram, customerKey: string): Promise<string> {
  const clickId = await service.clickId(link, TEST);
  await service.lead({ click_id: clickId, customer_key: customerKey, ...TEST }, { key: apiKey });
  return clickId;
}

const testSale = ({ program }: TestProgram, attributed: boolean) => ({
  data: {
    sale_id: expect.any(Number),
    commission_id: null,
    attributed,
    commission_cents: 0,
    currency: 'USD',
    message: 'Test sale event tracked successfully',
    eventId: expect.any(Number),
    programId: program.id,
    test_mode: true,
  },
  message: 'Test sale event tracked successfully',
  success: true,
});

describe('a test sale', () => {
  it('is recorded as a test for a test customer and creates no commission', async () => {
    const acme = await service.program();
    const clickId = await testCustomer(acme, 'user-1');
    const sent = { transaction_id: `test-${acme.program.id}`, amount_cents: 4900, customer_key: 'user-1' };
    const { status, body } = await sell(acme, sent);
    expect(status).toBe(200);
    expect(body).toEqual(testSale(acme, true));
    expect(await salesOf(acme)).toMatchObject([
      { id: body.data.sale_id, amount_cents: 4900, is_test: true, commission_state: 'none' },
    ]);
    expect(await service.counts(acme.program.id)).toMatchObject({ sales: 1, commissions: 0 });
    expect(await customerOf(service, clickId)).toMatchObject({ status: 'conversion', is_test: true });
    expect((await decisionsOf(service, acme)).at(-1)).toMatchObject({ id: body.data.eventId, is_test: true });
  });

  it('needs no transaction_id, amount_cents or customer', async () => {
    const acme = await service.program();
    const { status, body } = await sell(acme);
    expect(status).toBe(200);
    expect(body).toEqual(testSale(acme, false));
    expect(await salesOf(acme)).toMatchObject([
      {
        processor_event_id: expect.stringMatching(/^test_txn_\d+$/),
        customer_id: null,
        partner_id: null,
        is_test: true,
      },
    ]);
    expect(await service.counts(acme.program.id)).toMatchObject({ customers: 0, commissions: 0 });
  });

  it('is accepted for an unknown customer', async () => {
    const acme = await service.program();
    const { status, body } = await sell(acme, { customer_key: 'nobody', click_id: 'cust_1_1' });
    expect(status).toBe(200);
    expect(body).toEqual(testSale(acme, false));
  });

  it('gets a generated test_txn_<timestamp> that is unique even within a millisecond', async () => {
    const acme = await service.program();
    const other = await service.program();
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => sell(index % 2 === 0 ? acme : other)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const ids = [...(await salesOf(acme)), ...(await salesOf(other))].map((sale) => sale.processor_event_id);
    expect(new Set(ids).size).toBe(40);
    for (const id of ids) expect(id).toMatch(/^test_txn_\d{13}$/);
  });

  it('does not change a real customer, nor a real sale a test customer', async () => {
    const acme = await service.program();
    const real = await service.customer(acme, 'real');
    await testCustomer(acme, 'test');
    expect((await sell(acme, { customer_key: 'real', click_id: real })).body).toEqual(testSale(acme, false));
    expect(await customerOf(service, real)).toMatchObject({ status: 'lead', converted_at: null });

    const paid = { transaction_id: `real-${acme.program.id}`, amount_cents: 4900, customer_key: 'test' };
    const { status, body } = await service.sale(paid, { key: acme.apiKey });
    expect(status).toBe(400);
    expect(body).toEqual(badRequest('Customer not found. Provide customer_key or click_id.'));
  });

  it('gets 403 if program_id does not match the API key', async () => {
    const acme = await service.program();
    const other = await service.program();
    for (const program_id of [other.program.id, String(other.program.id)]) {
      const { status, body } = await sell(acme, { additional_data: { test_mode: true, program_id } });
      expect(status).toBe(403);
      expect(body).toEqual(platformError(403, 'ForbiddenError', 'program_id does not match the API key'));
    }
    for (const { program } of [acme, other]) expect(await service.counts(program.id)).toMatchObject({ sales: 0 });
  });

  it.each([
    ['a number', Number],
    ['its decimal string', String],
  ])('may name the program of the key, as %s', async (_form, form) => {
    const acme = await service.program();
    const { body } = await sell(acme, { additional_data: { test_mode: true, program_id: form(acme.program.id) } });
    expect(body).toEqual(testSale(acme, false));
  });

  it.each([
    ['transaction_id is required and must be a string', { transaction_id: 7 }],
    ['amount_cents is required and must be a positive integer', { amount_cents: 0 }],
    ['currency must be an ISO 4217 code', { currency: 'ABC' }],
  ])('gets 400 for wrong fields: %s', async (message, sent) => {
    const acme = await service.program();
    const { status, body } = await sell(acme, sent);
    expect(status).toBe(400);
    expect(body).toEqual(badRequest(message));
    expect(await service.counts(acme.program.id)).toMatchObject({ sales: 0, decisions: 1 });
  });

  it('leaves a decision with is_test if it is refused', async () => {
    const acme = await service.program();
    await sell(acme, { amount_cents: 0 });
    await sell(acme, { additional_data: { test_mode: true, program_id: 999_999_999 } });
    expect(await decisionsOf(service, acme)).toMatchObject([
      { outcome: 'refused', reason: 'invalid_request', is_test: true },
      { outcome: 'refused', reason: 'program_mismatch', is_test: true },
    ]);
  });

  it.each([false, 'true', 1, null])('is not requested by test_mode %j', async (test_mode) => {
    const acme = await service.program();
    const { status, body } = await sell(acme, { additional_data: { test_mode } });
    expect(status).toBe(400);
    expect(body).toEqual(badRequest('transaction_id is required and must be a string'));
  });

  it.each([
    ['Missing or malformed Authorization header. Expected: Bearer <token>', {}],
    ['Missing API token', { authorization: 'Bearer ' }],
    ['Invalid API token', { authorization: 'Bearer svc_key_of_nobody' }],
  ])('gets 401 without a valid key: %s', async (message, headers) => {
    const { status, body } = await service.sale(TEST, { headers: headers as Record<string, string> });
    expect(status).toBe(401);
    expect(body).toEqual(platformError(401, 'UnauthorizedError', message));
  });

  it('can be refunded without changing any commission', async () => {
    const acme = await service.program();
    await testCustomer(acme, 'user-1');
    const transaction_id = `refunded-${acme.program.id}`;
    await sell(acme, { transaction_id, amount_cents: 4900, customer_key: 'user-1' });
    const { status, body } = await service.refund({ transaction_id }, { key: acme.apiKey });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ status: 'no_commission', refunded_cents: 4900, deduction_cents: 0 });
  });
});
