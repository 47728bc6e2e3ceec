import { useService } from '@svc/testkit/service/service.ts';
import { newId, sold, soldOwing, storedSale } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

describe('POST /api/v1/track/refund', () => {
  it('refunds the remaining amount if refund_amount_cents is absent, and reverses the commission', async () => {
    const program = await service.program({ commissionRate: '20' });
    const sale = await sold(service, program, { amount_cents: 4900, currency: 'EUR' });
    const { status, body, headers } = await service.refund(
      { transaction_id: sale.transactionId },
      { key: program.apiKey, headers: { 'x-request-id': 'refund-1' } },
    );
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        refund_id: expect.stringMatching(/^refund_\d+$/),
        sale_id: sale.saleId,
        commission_id: sale.commissionId,
        status: 'reversed',
        refunded_cents: 4900,
        deduction_cents: 980,
        currency: 'EUR',
      },
      success: true,
    });
    expect(headers['x-request-id']).toBe('refund-1');
    expect(await storedSale(service, sale.saleId)).toMatchObject({
      sale: { amount_cents: 4900, refunded_cents: 4900, commission_state: 'created' },
      commission: { commission_cents: 980, deducted_cents: 980, stage: 'pending', reversal: 'full' },
      refunds: [
        {
          amount_cents: 4900,
          deduction_cents: 980,
          status: 'reversed',
          reason: null,
          request_id: 'refund-1',
        },
      ],
    });
  });

  it('refunds the remaining amount if refund_amount_cents is 0', async () => {
    const program = await service.program();
    const sale = await sold(service, program);
    const send = (amount: number) =>
      service.refund({ transaction_id: sale.transactionId, refund_amount_cents: amount }, { key: program.apiKey });
    await send(4_000);
    const { status, body } = await send(0);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ status: 'reversed', refunded_cents: 6_000, deduction_cents: 1_200 });
    expect(await storedSale(service, sale.saleId)).toMatchObject({
      sale: { refunded_cents: 10_000 },
      commission: { deducted_cents: 2_000, reversal: 'full' },
    });
  });

  it('treats null as absent and ignores unknown fields', async () => {
    const program = await service.program();
    const sale = await sold(service, program);
    const { status, body } = await service.refund(
      {
        transaction_id: sale.transactionId,
        refund_amount_cents: null,
        refund_reason: null,
        refund_id: null,
        debug_mode: true,
      },
      { key: program.apiKey },
    );
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ status: 'reversed', refunded_cents: 10_000 });
  });

  it('reverses the commission in proportion to a partial refund, and stores refund_id and refund_reason', async () => {
    const program = await service.program({ commissionRate: '20' });
    const sale = await sold(service, program);
    const { status, body } = await service.refund(
      {
        transaction_id: sale.transactionId,
        refund_amount_cents: 2_500,
        refund_id: 're_1',
        refund_reason: 'damaged in transit',
      },
      { key: program.apiKey },
    );
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        refund_id: 're_1',
        sale_id: sale.saleId,
        commission_id: sale.commissionId,
        status: 'partially_reversed',
        refunded_cents: 2_500,
        deduction_cents: 500,
        currency: 'USD',
      },
      success: true,
    });
    expect(await storedSale(service, sale.saleId)).toMatchObject({
      sale: { refunded_cents: 2_500 },
      commission: { commission_cents: 2_000, deducted_cents: 500, stage: 'pending', reversal: 'partial' },
      refunds: [{ refund_key: 're_1', amount_cents: 2_500, deduction_cents: 500, reason: 'damaged in transit' }],
    });
  });

  it('is exact to the cent over a series of partial refunds, whatever their sizes', async () => {
    const program = await service.program({ commissionRate: '33.3333' });
    const sale = await sold(service, program, { amount_cents: 1_001 });
    const deductions: number[] = [];
    const statuses: string[] = [];
    for (const refund_amount_cents of [1, 1, 1, 333, 331, 334]) {
      const { body } = await service.refund(
        { transaction_id: sale.transactionId, refund_amount_cents },
        { key: program.apiKey },
      );
      deductions.push(body.data.deduction_cents);
      statuses.push(body.data.status);
    }
    // A commission of 334: after 1, 2, 3, 336, 667 and 1,001 of 1,001 its share is 0.33, 0.67, 1.00, 112.11, 222.56, 334.
    expect(deductions).toEqual([0, 1, 0, 111, 111, 111]);
    expect(statuses).toEqual([...Array(5).fill('partially_reversed'), 'reversed']);
    expect(await storedSale(service, sale.saleId)).toMatchObject({
      sale: { refunded_cents: 1_001 },
      commission: { commission_cents: 334, deducted_cents: 334, reversal: 'full' },
    });
  });

  it('reverses a fixed commission by the share of the sale that is refunded', async () => {
    const program = await service.program({ commissionType: 'fixed', commissionRate: '12.5' });
    const sale = await sold(service, program, { amount_cents: 3_000 });
    const { body } = await service.refund(
      { transaction_id: sale.transactionId, refund_amount_cents: 1_000 },
      { key: program.apiKey },
    );
    expect(body.data).toMatchObject({ status: 'partially_reversed', refunded_cents: 1_000, deduction_cents: 417 });
    expect((await storedSale(service, sale.saleId)).commission).toMatchObject({
      commission_cents: 1_250,
      deducted_cents: 417,
    });
  });

  it('is exact for the largest possible amount', async () => {
    const program = await service.program({ commissionRate: '100' });
    const amount = Number.MAX_SAFE_INTEGER;
    const sale = await sold(service, program, { amount_cents: amount });
    const first = await service.refund(
      { transaction_id: sale.transactionId, refund_amount_cents: amount - 1 },
      { key: program.apiKey },
    );
    expect(first.body.data).toMatchObject({ refunded_cents: amount - 1, deduction_cents: amount - 1 });
    const second = await service.refund({ transaction_id: sale.transactionId }, { key: program.apiKey });
    expect(second.body.data).toMatchObject({ status: 'reversed', refunded_cents: 1, deduction_cents: 1 });
  });

  it('keeps the stage of an approved or paid commission and records the deduction', async () => {
    const program = await service.program();
    for (const stage of ['approved', 'paid']) {
      const sale = await sold(service, program);
      await service.sql('update commissions set stage = $2 where sale_id = $1', [sale.saleId, stage]);
      const { body } = await service.refund({ transaction_id: sale.transactionId }, { key: program.apiKey });
      expect(body.data).toMatchObject({ status: 'reversed', deduction_cents: 2_000 });
      expect((await storedSale(service, sale.saleId)).commission).toMatchObject({
        stage,
        reversal: 'full',
        deducted_cents: 2_000,
      });
    }
  });

  it('does not change the status of the customer or any other sale', async () => {
    const program = await service.program();
    const other = await sold(service, program);
    const sale = await sold(service, program);
    await service.refund({ transaction_id: sale.transactionId }, { key: program.apiKey });
    expect(await storedSale(service, other.saleId)).toMatchObject({
      sale: { refunded_cents: 0 },
      commission: { deducted_cents: 0, reversal: 'none' },
      refunds: [],
    });
    const statuses = await service.sql('select status from customers where program_id = $1', [program.program.id]);
    expect(statuses).toEqual([{ status: 'conversion' }, { status: 'conversion' }]);
    expect(await service.counts(program.program.id)).toMatchObject({ sales: 2, commissions: 2, refunds: 1 });
  });

  it('adds warnings, Deprecation, Sunset and Link while the key is being rotated', async () => {
    const program = await service.program();
    const sale = await sold(service, program);
    const rotateBy = new Date(service.time.getTime() + 86_400_000);
    await service.sql('update program_keys set marked_at = $2, rotate_by = $3 where program_id = $1', [
      program.program.id,
      service.time,
      rotateBy,
    ]);
    service.advance({ seconds: 60 });
    const { status, body, headers } = await service.refund(
      { transaction_id: sale.transactionId },
      { key: program.apiKey },
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({
      data: { status: 'reversed' },
      success: true,
      warnings: [{ code: 'api_key_rotation_required', rotate_by: rotateBy.toISOString() }],
    });
    expect(headers).toMatchObject({
      deprecation: expect.stringMatching(/^@\d+$/),
      sunset: rotateBy.toUTCString(),
      link: '<https://track.test/docs/errors#api_key_rotation_required>; rel="deprecation"',
    });
  });
});

describe('status no_commission', () => {
  const noCommission = (saleId: number, cents: number) => ({
    data: {
      refund_id: expect.any(String),
      sale_id: saleId,
      commission_id: null,
      status: 'no_commission',
      refunded_cents: cents,
      deduction_cents: 0,
      currency: 'USD',
    },
    success: true,
  });

  it('is returned for a test sale', async () => {
    const { program, apiKey } = await service.program();
    const transactionId = newId('test');
    const sale = await service.sale(
      { transaction_id: transactionId, amount_cents: 700, additional_data: { test_mode: true } },
      { key: apiKey },
    );
    const { status, body } = await service.refund({ transaction_id: transactionId }, { key: apiKey });
    expect(status).toBe(200);
    expect(body).toEqual(noCommission(sale.body.data.sale_id, 700));
    const [decision] = await service.sql(`select is_test from decisions where program_id = $1 and kind = 'refund'`, [
      program.id,
    ]);
    expect(decision).toEqual({ is_test: true });
    expect(await service.counts(program.id)).toMatchObject({ commissions: 0, refunds: 1 });
  });

  it('is returned for a renewal without a commission', async () => {
    const program = await service.program({ commissionType: 'percent' });
    const sale = await sold(service, program, { is_recurring: true, sale_type: 'subscription' });
    const { status, body } = await service.refund(
      { transaction_id: sale.transactionId, refund_amount_cents: 10 },
      { key: program.apiKey },
    );
    expect(status).toBe(200);
    expect(body).toEqual(noCommission(sale.saleId, 10));
    expect((await storedSale(service, sale.saleId)).sale).toMatchObject({
      refunded_cents: 10,
      commission_state: 'none',
    });
  });

  it('is returned for a sale that still owes its commission', async () => {
    const program = await service.program();
    const sale = await soldOwing(service, program);
    const { status, body } = await service.refund(
      { transaction_id: sale.transactionId, refund_amount_cents: 2_500 },
      { key: program.apiKey },
    );
    expect(status).toBe(200);
    expect(body).toEqual(noCommission(sale.saleId, 2_500));
    expect(await storedSale(service, sale.saleId)).toMatchObject({
      sale: { refunded_cents: 2_500, commission_state: 'owed' },
      commission: undefined,
    });
  });

  it('is returned for a sale with a rejected commission, from which nothing is deducted', async () => {
    const program = await service.program();
    const sale = await sold(service, program);
    await service.sql(`update commissions set stage = 'rejected' where sale_id = $1`, [sale.saleId]);
    const { status, body } = await service.refund({ transaction_id: sale.transactionId }, { key: program.apiKey });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ status: 'no_commission', refunded_cents: 10_000, deduction_cents: 0 });
    expect(await storedSale(service, sale.saleId)).toMatchObject({
      sale: { refunded_cents: 10_000 },
      commission: { stage: 'rejected', deducted_cents: 0, reversal: 'none' },
    });
  });
});
