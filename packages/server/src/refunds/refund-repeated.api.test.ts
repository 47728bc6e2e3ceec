import { useService } from '@svc/testkit/service/service.ts';
import { newId, sold, storedSale } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

describe('a refund with a refund_id', () => {
  it('counts once and gets the same response if it is resent', async () => {
    const program = await service.program();
    const sale = await sold(service, program);
    const body = { transaction_id: sale.transactionId, refund_amount_cents: 3_000, refund_id: 're_1' };
    const first = await service.refund(body, { key: program.apiKey });
    const again = await service.refund(body, { key: program.apiKey });
    expect(first.status).toBe(200);
    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);
    expect(await storedSale(service, sale.saleId)).toMatchObject({
      sale: { refunded_cents: 3_000 },
      commission: { deducted_cents: 600, reversal: 'partial' },
      refunds: [{ refund_key: 're_1', amount_cents: 3_000 }],
    });
  });

  it('gets the same response if it is resent after the rest of the sale was refunded', async () => {
    const program = await service.program();
    const sale = await sold(service, program);
    const body = { transaction_id: sale.transactionId, refund_amount_cents: 3_000, refund_id: 're_1' };
    const first = await service.refund(body, { key: program.apiKey });
    await service.refund({ transaction_id: sale.transactionId }, { key: program.apiKey });
    const again = await service.refund(body, { key: program.apiKey });
    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);
    expect((await storedSale(service, sale.saleId)).sale).toMatchObject({ refunded_cents: 10_000 });
  });

  it('is different from a refund with another refund_id', async () => {
    const program = await service.program();
    const sale = await sold(service, program);
    for (const refund_id of ['re_1', 're_2']) {
      const { body } = await service.refund(
        { transaction_id: sale.transactionId, refund_amount_cents: 1_000, refund_id },
        { key: program.apiKey },
      );
      expect(body.data).toMatchObject({ refund_id, status: 'partially_reversed', refunded_cents: 1_000 });
    }
    expect((await storedSale(service, sale.saleId)).sale).toMatchObject({ refunded_cents: 2_000 });
  });

  it('may have the same refund_id as a refund of another sale', async () => {
    const program = await service.program();
    const [one, two] = [await sold(service, program), await sold(service, program)];
    for (const sale of [one, two]) {
      const { body } = await service.refund(
        { transaction_id: sale.transactionId, refund_amount_cents: 1_000, refund_id: 're_1' },
        { key: program.apiKey },
      );
      expect(body.data).toMatchObject({ sale_id: sale.saleId, refunded_cents: 1_000, deduction_cents: 200 });
    }
    expect(await service.counts(program.program.id)).toMatchObject({ refunds: 2 });
  });

  it('never collides with the ids that the service generates for refunds without one', async () => {
    const program = await service.program();
    const sale = await sold(service, program, { amount_cents: 10_000 });
    const send = (fields: object) =>
      service.refund(
        { transaction_id: sale.transactionId, refund_amount_cents: 1_000, ...fields },
        { key: program.apiKey },
      );
    const generated = Number((await send({})).body.data.refund_id.replace('refund_', ''));
    expect((await send({ refund_id: `refund_${generated + 2}` })).status).toBe(200);
    const { status, body } = await send({});
    expect(status).toBe(200);
    expect(body.data.refunded_cents).toBe(1_000);
    expect((await storedSale(service, sale.saleId)).sale).toMatchObject({ refunded_cents: 3_000 });
  });
});

describe('status already_refunded', () => {
  it('is returned if a full refund is repeated, and nothing more is deducted', async () => {
    const program = await service.program();
    const sale = await sold(service, program);
    const first = await service.refund({ transaction_id: sale.transactionId }, { key: program.apiKey });
    const again = await service.refund({ transaction_id: sale.transactionId }, { key: program.apiKey });
    expect(again.status).toBe(200);
    expect(again.body).toEqual({
      data: { ...first.body.data, status: 'already_refunded', refunded_cents: 0, deduction_cents: 0 },
      success: true,
    });
    expect(await storedSale(service, sale.saleId)).toMatchObject({
      sale: { refunded_cents: 10_000 },
      commission: { deducted_cents: 2_000, reversal: 'full' },
      refunds: [{ amount_cents: 10_000 }],
    });
  });

  it('is returned with the amounts of the refund if a full refund with a refund_id is resent', async () => {
    const program = await service.program();
    const sale = await sold(service, program);
    const body = { transaction_id: sale.transactionId, refund_id: 're_all' };
    const first = await service.refund(body, { key: program.apiKey });
    expect(first.body.data).toMatchObject({ refund_id: 're_all', status: 'reversed', refunded_cents: 10_000 });
    const again = await service.refund(body, { key: program.apiKey });
    expect(again.status).toBe(200);
    expect(again.body).toEqual({ data: { ...first.body.data, status: 'already_refunded' }, success: true });
    expect(await service.counts(program.program.id)).toMatchObject({ refunds: 1 });
  });

  it('is returned if a full refund with an explicit amount is repeated', async () => {
    const program = await service.program();
    const sale = await sold(service, program);
    const body = { transaction_id: sale.transactionId, refund_amount_cents: 10_000 };
    const first = await service.refund(body, { key: program.apiKey });
    expect(first.body.data).toMatchObject({ status: 'reversed', refunded_cents: 10_000 });
    const again = await service.refund(body, { key: program.apiKey });
    expect(again.status).toBe(200);
    expect(again.body.data).toMatchObject({
      refund_id: first.body.data.refund_id,
      status: 'already_refunded',
      refunded_cents: 0,
      deduction_cents: 0,
    });
    expect((await storedSale(service, sale.saleId)).commission).toMatchObject({ deducted_cents: 2_000 });
  });

  it('is returned for a full refund after partial refunds of the whole sale', async () => {
    const program = await service.program();
    const sale = await sold(service, program);
    for (const refund_id of ['re_1', 're_2']) {
      await service.refund(
        { transaction_id: sale.transactionId, refund_amount_cents: 5_000, refund_id },
        { key: program.apiKey },
      );
    }
    const { status, body } = await service.refund({ transaction_id: sale.transactionId }, { key: program.apiKey });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      refund_id: 're_2',
      sale_id: sale.saleId,
      commission_id: sale.commissionId,
      status: 'already_refunded',
      refunded_cents: 0,
      deduction_cents: 0,
      currency: 'USD',
    });
    expect(await service.counts(program.program.id)).toMatchObject({ refunds: 2 });
  });

  it('is returned if the full refund of a sale without a commission is repeated', async () => {
    const { program, apiKey } = await service.program();
    const transactionId = newId('test');
    const testMode = { additional_data: { test_mode: true } };
    await service.sale({ transaction_id: transactionId, amount_cents: 700, ...testMode }, { key: apiKey });
    const first = await service.refund({ transaction_id: transactionId }, { key: apiKey });
    const again = await service.refund({ transaction_id: transactionId }, { key: apiKey });
    expect(again.status).toBe(200);
    expect(again.body).toEqual({
      data: { ...first.body.data, status: 'already_refunded', refunded_cents: 0 },
      success: true,
    });
    expect(await service.counts(program.id)).toMatchObject({ refunds: 1 });
  });
});
