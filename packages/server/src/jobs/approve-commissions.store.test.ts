import { type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { newId, sold, soldOwing, storedSale } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';
import { repairCommission } from '../sales/repair/repair-commission.ts';
import { approveCommissions } from './approve-commissions.ts';

const service = useService();

const stageOf = async (saleId: number) => (await storedSale(service, saleId)).commission?.stage;

const refund = (on: TestProgram, transactionId: string, cents?: number) =>
  service.refund({ transaction_id: transactionId, refund_amount_cents: cents }, { key: on.apiKey });

describe('approve-commissions', () => {
  it('approves a pending commission when its hold ends, not a millisecond earlier', async () => {
    const on = await service.program({ holdDays: 14 });
    const { saleId } = await sold(service, on);
    service.advance({ days: 14, seconds: -0.001 });
    await approveCommissions.run(service.ctx);
    expect(await stageOf(saleId)).toBe('pending');
    service.advance({ seconds: 0.001 });
    expect(await approveCommissions.run(service.ctx)).toBe('approved 1 commissions whose hold has ended');
    expect(await service.sql('select stage, approved_at from commissions where sale_id = $1', [saleId])).toEqual([
      { stage: 'approved', approved_at: service.time },
    ]);
    expect(await approveCommissions.run(service.ctx)).toBeNull();
  });

  it('uses a default hold of 30 days of 24 hours', async () => {
    const on = await service.program();
    const { saleId } = await sold(service, on);
    const [row] = await service.sql<{ approve_after: Date }>(
      'select approve_after from commissions where sale_id = $1',
      [saleId],
    );
    expect(row?.approve_after.getTime()).toBe(service.time.getTime() + 30 * 86_400_000);
  });

  it('approves a commission at once if the hold is 0 days', async () => {
    const on = await service.program({ holdDays: 0 });
    const { saleId } = await sold(service, on);
    await approveCommissions.run(service.ctx);
    expect(await stageOf(saleId)).toBe('approved');
  });

  it('uses the hold at the time of the sale, not a later one', async () => {
    const on = await service.program({ holdDays: 10 });
    const { saleId } = await sold(service, on);
    await service.sql('update programs set hold_days = 100 where id = $1', [on.program.id]);
    service.advance({ days: 10 });
    await approveCommissions.run(service.ctx);
    expect(await stageOf(saleId)).toBe('approved');
  });

  it('does not approve the commission of a fully refunded sale', async () => {
    const on = await service.program();
    const { saleId, transactionId } = await sold(service, on);
    await refund(on, transactionId);
    service.advance({ days: 31 });
    await approveCommissions.run(service.ctx);
    expect((await storedSale(service, saleId)).commission).toMatchObject({ stage: 'pending', reversal: 'full' });
  });

  it('approves the rest of the commission of a partially refunded sale', async () => {
    const on = await service.program();
    const { saleId, transactionId } = await sold(service, on);
    await refund(on, transactionId, 4_000);
    service.advance({ days: 31 });
    await approveCommissions.run(service.ctx);
    expect((await storedSale(service, saleId)).commission).toMatchObject({
      stage: 'approved',
      reversal: 'partial',
      deducted_cents: 800,
    });
  });

  it.each(['approved', 'paid', 'rejected'])('does not change a commission that is %s', async (stage) => {
    const on = await service.program();
    const { saleId } = await sold(service, on);
    const before = service.time;
    await service.sql('update commissions set stage = $2, approved_at = $3 where sale_id = $1', [
      saleId,
      stage,
      before,
    ]);
    service.advance({ days: 31 });
    await approveCommissions.run(service.ctx);
    expect(await service.sql('select stage, approved_at from commissions where sale_id = $1', [saleId])).toEqual([
      { stage, approved_at: before },
    ]);
  });

  it('does nothing for a test sale, which has no commission', async () => {
    const on = await service.program({ holdDays: 0 });
    const body = { transaction_id: newId('test'), additional_data: { test_mode: true } };
    await service.sale(body, { key: on.apiKey });
    service.advance({ days: 1 });
    await approveCommissions.run(service.ctx);
    expect(await service.counts(on.program.id)).toMatchObject({ sales: 1, commissions: 0 });
  });

  it('counts the hold of a repaired commission from its sale', async () => {
    const on = await service.program({ holdDays: 30 });
    const { saleId } = await soldOwing(service, on);
    service.advance({ days: 30 });
    await repairCommission(service.ctx, saleId);
    await approveCommissions.run(service.ctx);
    expect(await stageOf(saleId)).toBe('approved');
  });

  it('approves more commissions than fit in one batch', async () => {
    const on = await service.program({ holdDays: 0 });
    const { saleId } = await sold(service, on);
    await service.sql(
      `with more as (
         insert into sales (processor_event_id, program_id, customer_id, partner_id, amount_cents, currency, sale_type,
           is_recurring, commission_state, created_at)
         select 'bulk_' || n, program_id, customer_id, partner_id, 100, 'USD', 'payment', false, 'created', created_at
         from sales, generate_series(1, 1500) n where sales.id = $1
         returning id, processor_event_id, program_id, partner_id, created_at
       ), claimed as (
         insert into transactions (processor_event_id, program_id, sale_id)
         select processor_event_id, program_id, id from more
       )
       insert into commissions (sale_id, program_id, partner_id, commission_type, commission_rate, commission_cents,
         currency, approve_after, created_at)
       select id, program_id, partner_id, 'percent', 20, 20, 'USD', created_at, created_at from more`,
      [saleId],
    );
    expect(await approveCommissions.run(service.ctx)).toBe('approved 1501 commissions whose hold has ended');
    const [left] = await service.sql(`select count(*) from commissions where program_id = $1 and stage = 'pending'`, [
      on.program.id,
    ]);
    expect(left).toEqual({ count: 0 });
  });
});
