import { customerIdOf, decisionsDuring } from '@svc/testkit/service/decisions.ts';
import { platformError, type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { newId, refuseCommissions, soldOwing, storedSale } from '@svc/testkit/service/sold.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { repairCommission } from '../sales/repair/repair-commission.ts';
import { repairCommissions } from './repair-commissions.ts';

const service = useService();

// A commission still owed after one test would be repaired in the next.
afterEach(() => service.sql(`update sales set commission_state = 'none' where commission_state = 'owed'`));

async function soldWithoutPartner(on: TestProgram, fields: object = {}) {
  const clickId = await service.customer(on, newId('user'));
  await service.sql('update customers set partner_id = null where id = $1', [customerIdOf(clickId)]);
  const transactionId = newId('order');
  const sent = { transaction_id: transactionId, click_id: clickId, amount_cents: 10_000, ...fields };
  const answer = await service.sale(sent, { key: on.apiKey });
  const [sale] = await service.sql<{ id: number }>('select id from sales where processor_event_id = $1', [
    transactionId,
  ]);
  return { answer, sent, transactionId, saleId: sale?.id ?? 0, customerId: customerIdOf(clickId) };
}

describe('a sale whose commission could not be created', () => {
  it('gets 500 Failed to create commission, but is recorded and owes the commission', async () => {
    const on = await service.program();
    await service.customer(on, 'user_1');
    const sent = { transaction_id: newId('order'), customer_key: 'user_1', amount_cents: 10_000 };
    const restore = await refuseCommissions(service);
    const { status, body, headers } = await service.sale(sent, { key: on.apiKey }).finally(restore);
    expect(status).toBe(500);
    expect(body).toEqual(platformError(500, 'InternalServerError', 'Failed to create commission'));
    expect(headers['x-request-id']).toEqual(expect.any(String));
    const again = await service.sale(sent, { key: on.apiKey });
    expect(again.status).toBe(409);
    expect(await service.sql('select commission_state from sales where program_id = $1', [on.program.id])).toEqual([
      { commission_state: 'owed' },
    ]);
    expect(await service.counts(on.program.id)).toMatchObject({ sales: 1, commissions: 0 });
  });

  it('does not affect other sales in the same group commit', async () => {
    const [on, other] = [await service.program(), await service.program({ commissionRate: '10' })];
    for (const each of [on, other]) await service.customer(each, 'user_1');
    // Only one of the two commissions can be stored.
    await service.sql(
      `alter table commissions add constraint only_one check (program_id <> ${on.program.id}) not valid`,
    );
    const sent = { transaction_id: newId('order'), customer_key: 'user_1', amount_cents: 100 };
    const [failed, fine] = await Promise.all([
      service.sale(sent, { key: on.apiKey }),
      service.sale(
        { transaction_id: newId('order'), customer_key: 'user_1', amount_cents: 100 },
        { key: other.apiKey },
      ),
    ]).finally(() => service.sql('alter table commissions drop constraint only_one'));
    expect(failed.body).toEqual(platformError(500, 'InternalServerError', 'Failed to create commission'));
    expect(fine.status).toBe(200);
    expect(fine.body.data).toMatchObject({ commission_cents: 10, attributed: true });
  });

  it('gets its commission from the job, exactly once and on the terms at the time of the sale', async () => {
    const on = await service.program({ commissionType: 'percent', commissionRate: '12.5', holdDays: 14 });
    const { saleId } = await soldOwing(service, on, { amount_cents: 9_999 });
    const soldAt = service.time;
    await service.sql(
      `update programs set commission_type = 'fixed', commission_rate = 1, hold_days = 99, currency = 'EUR'
       where id = $1`,
      [on.program.id],
    );
    service.advance({ days: 2 });
    const decisions = await decisionsDuring(service, async () => {
      expect(await repairCommissions.run(service.ctx)).toBe('created 1 owed commissions');
      expect(await repairCommissions.run(service.ctx)).toBeNull();
    });
    expect(decisions).toMatchObject([{ reason: 'commission_repaired', sale_id: saleId }]);
    const rows = await service.sql('select * from commissions where sale_id = $1', [saleId]);
    expect(rows).toMatchObject([
      {
        program_id: on.program.id,
        partner_id: on.partnerId,
        commission_type: 'percent',
        commission_rate: '12.5000',
        commission_cents: 1_250,
        deducted_cents: 0,
        currency: 'USD',
        stage: 'pending',
        reversal: 'none',
        approve_after: new Date(soldAt.getTime() + 14 * 86_400_000),
        created_at: service.time,
      },
    ]);
    expect((await storedSale(service, saleId)).sale).toMatchObject({ commission_state: 'created' });
  });

  it('gets a fixed commission in the program’s currency at the time of the sale', async () => {
    const on = await service.program({ commissionType: 'fixed', commissionRate: '1.5', currency: 'KWD' });
    const { saleId } = await soldOwing(service, on);
    await service.sql(`update programs set currency = 'JPY' where id = $1`, [on.program.id]);
    await repairCommissions.run(service.ctx);
    expect(
      await service.sql('select commission_cents, currency from commissions where sale_id = $1', [saleId]),
    ).toEqual([{ commission_cents: 1_500, currency: 'KWD' }]);
  });

  it.each([
    [2_500, 500, 'partial'],
    [10_000, 2_000, 'full'],
  ])('gets its commission minus refunds in the meantime: %i of 10,000', async (refunded, deducted, reversal) => {
    const on = await service.program();
    const { saleId, transactionId } = await soldOwing(service, on);
    await service.refund({ transaction_id: transactionId, refund_amount_cents: refunded }, { key: on.apiKey });
    await repairCommissions.run(service.ctx);
    expect((await storedSale(service, saleId)).commission).toMatchObject({
      commission_cents: 2_000,
      deducted_cents: deducted,
      reversal,
    });
  });

  it('gets its commission once, and later refunds deduct only the rest', async () => {
    const on = await service.program();
    const { saleId, transactionId } = await soldOwing(service, on);
    const refund = (cents?: number) =>
      service.refund({ transaction_id: transactionId, refund_amount_cents: cents }, { key: on.apiKey });
    await refund(2_500);
    await repairCommissions.run(service.ctx);
    expect((await refund(5_000)).body.data).toMatchObject({ status: 'partially_reversed', deduction_cents: 1_000 });
    expect((await refund()).body.data).toMatchObject({ status: 'reversed', deduction_cents: 500 });
    expect((await storedSale(service, saleId)).commission).toMatchObject({ deducted_cents: 2_000, reversal: 'full' });
  });

  it('is only repaired if it exists and owes a commission', async () => {
    expect(await repairCommission(service.ctx, 999_999_999)).toEqual({ is: 'not_owing' });
  });
});

describe('a sale without a partner', () => {
  it('gets 400 partnerId required to create commission, is stored, and gets 409 if it is resent', async () => {
    const on = await service.program();
    const { answer, sent, saleId } = await soldWithoutPartner(on);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(platformError(400, 'BadRequestError', 'partnerId required to create commission'));
    const again = await service.sale(sent, { key: on.apiKey });
    expect(again.status).toBe(409);
    expect(await storedSale(service, saleId)).toMatchObject({
      sale: { commission_state: 'owed', partner_id: null },
      commission: undefined,
    });
  });

  it('owes its commission until the partner is restored', async () => {
    const on = await service.program();
    const { saleId, customerId } = await soldWithoutPartner(on);
    expect(await repairCommission(service.ctx, saleId)).toEqual({ is: 'partner_missing' });
    expect(await repairCommissions.run(service.ctx)).toBeNull();
    expect((await storedSale(service, saleId)).sale).toMatchObject({ commission_state: 'owed' });
    service.advance({ seconds: 60 });

    expect(await service.sql('select status from customers where id = $1', [customerId])).toEqual([
      { status: 'conversion' },
    ]);
    await service.sql('update customers set partner_id = $2 where id = $1', [customerId, on.partnerId]);
    expect(await repairCommissions.run(service.ctx)).toBe('created 1 owed commissions');
    expect(await storedSale(service, saleId)).toMatchObject({
      sale: { commission_state: 'created', partner_id: on.partnerId },
      commission: { commission_cents: 2_000, partner_id: on.partnerId },
    });
  });

  it('owes no commission for a renewal that the terms do not pay for', async () => {
    const on = await service.program({ commissionType: 'percent' });
    const { answer, saleId } = await soldWithoutPartner(on, { is_recurring: true });
    expect(answer.status).toBe(400);
    expect((await storedSale(service, saleId)).sale).toMatchObject({ commission_state: 'none' });
  });
});
