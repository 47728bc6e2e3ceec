import { platformError, type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { expectResultsToAgree } from '@svc/testkit/service/stores/results.ts';
import { badRequest, customerOf, decisionsOf, whileMissing, whileRefused } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';
import { repairCommissions } from '../jobs/repair-commissions.ts';
import { rollUpCounts } from '../jobs/roll-up-counts.ts';
import { runJob } from '../jobs/run-jobs.ts';

const service = useService();

const PARTNER_MISSING = badRequest('partnerId required to create commission');
const COMMISSION_FAILED = platformError(500, 'InternalServerError', 'Failed to create commission');
const SALE_FAILED = platformError(500, 'InternalServerError', 'Sale tracking failed');
const DUPLICATE = platformError(409, 'ConflictError', 'Duplicate transaction_id. This sale has already been recorded.');

async function programWithCustomer(settings = {}): Promise<TestProgram & { clickId: string }> {
  const acme = await service.program(settings);
  return { ...acme, clickId: await service.customer(acme, 'user-1') };
}

function buy({ program, apiKey }: TestProgram, sent: object = {}, name = 'sale') {
  const sale = { transaction_id: `${name}-${program.id}`, amount_cents: 1000, customer_key: 'user-1', ...sent };
  return service.sale(sale, { key: apiKey });
}

const salesOf = ({ program }: TestProgram) =>
  service.sql('select * from sales where program_id = $1 order by id', [program.id]);

const commissionsOf = ({ program }: TestProgram) =>
  service.sql('select * from commissions where program_id = $1 order by id', [program.id]);

const removePartner = ({ program }: TestProgram) =>
  service.sql('update customers set partner_id = null where program_id = $1', [program.id]);

describe('a sale whose customer lost its partner', () => {
  it('gets 400, is stored and owes its commission, and gets 409 if it is resent', async () => {
    const acme = await programWithCustomer();
    await removePartner(acme);
    const { status, body } = await buy(acme);
    expect(status).toBe(400);
    expect(body).toEqual(PARTNER_MISSING);
    expect(await salesOf(acme)).toMatchObject([
      { processor_event_id: `sale-${acme.program.id}`, amount_cents: 1000, commission_state: 'owed', partner_id: null },
    ]);
    expect(await commissionsOf(acme)).toEqual([]);
    expect((await decisionsOf(service, acme)).at(-1)).toMatchObject({ outcome: 'failed', reason: 'partner_missing' });

    const resent = await buy(acme);
    expect(resent.status).toBe(409);
    expect(resent.body).toEqual(DUPLICATE);
    expect(await salesOf(acme)).toHaveLength(1);
  });

  it('gets 409 if it is resent after the attribution window has ended', async () => {
    const acme = await service.program();
    const click_id = await service.clickId(acme.link);
    await removePartner(acme);
    expect((await buy(acme, { click_id })).body).toEqual(PARTNER_MISSING);
    service.advance({ days: 61 });
    expect((await buy(acme, { click_id })).body).toEqual(DUPLICATE);
  });

  it('owes no commission for a renewal that earns nothing', async () => {
    const acme = await programWithCustomer({ commissionType: 'percent' });
    await removePartner(acme);
    expect((await buy(acme, { is_recurring: true })).body).toEqual(PARTNER_MISSING);
    expect(await salesOf(acme)).toMatchObject([{ commission_state: 'none' }]);
  });

  it('gets its owed commission once the partner is restored', async () => {
    const acme = await programWithCustomer();
    await removePartner(acme);
    await buy(acme);
    await repairCommissions.run(service.ctx);
    expect(await commissionsOf(acme)).toEqual([]);
    await service.sql('update customers set partner_id = $2 where program_id = $1', [acme.program.id, acme.partnerId]);
    service.advance({ seconds: 60 });
    await repairCommissions.run(service.ctx);
    await repairCommissions.run(service.ctx);
    expect(await commissionsOf(acme)).toMatchObject([{ partner_id: acme.partnerId, commission_cents: 200 }]);
    expect(await salesOf(acme)).toMatchObject([{ commission_state: 'created', partner_id: acme.partnerId }]);
  });
});

describe('a sale whose commission cannot be created', () => {
  it('gets 500 Failed to create commission, but is recorded under its transaction_id', async () => {
    const acme = await programWithCustomer();
    const { status, body, headers } = await whileRefused(service, 'commissions', () => buy(acme));
    expect(status).toBe(500);
    expect(body).toEqual(COMMISSION_FAILED);
    expect(headers['x-request-id']).toBeTruthy();
    expect(await salesOf(acme)).toMatchObject([
      { amount_cents: 1000, commission_state: 'owed', partner_id: acme.partnerId },
    ]);
    expect(await commissionsOf(acme)).toEqual([]);
    expect(await customerOf(service, acme.clickId)).toMatchObject({ status: 'conversion' });
    expect((await decisionsOf(service, acme)).at(-1)).toMatchObject({ outcome: 'failed', reason: 'commission_failed' });

    const resent = await buy(acme);
    expect(resent.status).toBe(409);
    expect(resent.body).toEqual(DUPLICATE);
    expect(await commissionsOf(acme)).toEqual([]);
  });

  it('gets its owed commission from the repair job, on the terms of the sale and exactly once', async () => {
    const acme = await programWithCustomer({ commissionRate: '20' });
    await whileRefused(service, 'commissions', () => buy(acme));
    await service.sql('update programs set commission_rate = 50 where id = $1', [acme.program.id]);
    service.advance({ seconds: 60 });
    await repairCommissions.run(service.ctx);
    await repairCommissions.run(service.ctx);
    expect(await commissionsOf(acme)).toMatchObject([{ commission_cents: 200, commission_rate: '20.0000' }]);
    expect((await buy(acme)).body).toEqual(DUPLICATE);
  });

  it('does not affect other sales in the same group commit', async () => {
    const failing = await programWithCustomer();
    const working = await programWithCustomer();
    const answers = await whileRefused(
      service,
      'commissions',
      () => Promise.all([buy(working, {}, 'a'), buy(failing, {}, 'b'), buy(working, {}, 'c'), buy(failing, {}, 'd')]),
      `new.program_id = ${failing.program.id}`,
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 500, 200, 500]);
    expect(answers[1]?.body).toEqual(COMMISSION_FAILED);
    expect(await service.counts(working.program.id)).toMatchObject({ sales: 2, commissions: 2 });
    expect(await service.counts(failing.program.id)).toMatchObject({ sales: 2, commissions: 0 });
  });

  it('gets 200 if it earns no commission', async () => {
    const acme = await programWithCustomer({ commissionType: 'percent' });
    const { status } = await whileRefused(service, 'commissions', () => buy(acme, { is_recurring: true }));
    expect(status).toBe(200);
  });
});

describe('500 Sale tracking failed', () => {
  it.each(['sales', 'transactions', 'decisions'])(
    'is returned if %s cannot be written, and a retry with the same transaction_id is recorded',
    async (table) => {
      const acme = await programWithCustomer();
      const before = await service.counts(acme.program.id);
      const { status, body, headers } = await whileRefused(service, table, () => buy(acme));
      expect(status).toBe(500);
      expect(body).toEqual(SALE_FAILED);
      expect(headers['x-request-id']).toBeTruthy();
      expect(await service.counts(acme.program.id)).toEqual(before);
      expect(await customerOf(service, acme.clickId)).toMatchObject({ status: 'lead', converted_at: null });
      expect((await buy(acme)).status).toBe(200);
      expect((await buy(acme)).body).toEqual(DUPLICATE);
    },
  );

  it('hides the cause, which is only in the log', async () => {
    const acme = await programWithCustomer();
    const { text } = await whileRefused(service, 'sales', () => buy(acme));
    expect(text).not.toContain('refused by a test');
    expect(service.logLines.join('')).toContain('refused by a test');
  });
});

describe('a failure to update counts', () => {
  it('does not fail a sale or a click if the hourly counts cannot be written', async () => {
    const acme = await programWithCustomer();
    await whileMissing(service, 'click_hours', async () => {
      await runJob(service.ctx, rollUpCounts);
      expect((await buy(acme)).status).toBe(200);
      expect(await service.clickId(acme.link)).toMatch(/^cust_/);
    });
    expect(service.logLines.join('')).toContain('A background job failed');
    await runJob(service.ctx, rollUpCounts);
    expect(
      await service.sql('select sum(clicks)::int as clicks from click_hours where program_id = $1', [acme.program.id]),
    ).toEqual([{ clicks: 2 }]);
  });

  it('does not fail a sale if no counts can be written', async () => {
    const acme = await programWithCustomer();
    const { status } = await whileMissing(service, 'counts', () =>
      whileMissing(service, 'click_hours', () => whileMissing(service, 'count_deltas', () => buy(acme))),
    );
    expect(status).toBe(200);
  });

  it('does not fail a lead, a sale or a refund, and is logged and corrected by the next run of the job', async () => {
    const acme = await programWithCustomer();
    const click_id = await service.clickId(acme.link);
    await whileMissing(service, 'count_deltas', async () => {
      expect((await service.lead({ click_id, customer_key: 'user-2' }, { key: acme.apiKey })).status).toBe(200);
      expect((await buy(acme)).status).toBe(200);
      const transaction_id = `sale-${acme.program.id}`;
      const refund = { transaction_id, refund_amount_cents: 250 };
      expect((await service.refund(refund, { key: acme.apiKey })).status).toBe(200);
      await runJob(service.ctx, rollUpCounts);
    });
    expect(service.logLines.join('')).toContain('A background job failed');

    await runJob(service.ctx, rollUpCounts);
    expect(service.logLines.join('')).toContain('Some leads or sales were not counted; counting their days again');
    await expectResultsToAgree(service.ctx.db);
    const [total] = await service.sql(
      `select sum(clicks)::int as clicks, sum(leads)::int as leads, sum(first_sales)::int as first_sales,
         sum(sales)::int as sales, sum(revenue_cents)::int as revenue, sum(refunded_cents)::int as refunded,
         sum(commission_cents)::int as commission
       from counts where program_id = $1 and span = 'link'`,
      [acme.program.id],
    );
    const money = { revenue: 1000, refunded: 250, commission: 150 };
    expect(total).toEqual({ clicks: 2, leads: 2, first_sales: 1, sales: 1, ...money });
  });

  it('is corrected once', async () => {
    const acme = await programWithCustomer();
    await whileMissing(service, 'count_deltas', () => Promise.all([buy(acme, {}, 'a'), buy(acme, {}, 'b')]));
    await runJob(service.ctx, rollUpCounts);
    await runJob(service.ctx, rollUpCounts);
    expect(await service.sql('select * from recounts_due')).toEqual([]);
    expect(
      await service.sql(`select sum(sales)::int as sales from counts where program_id = $1 and span = 'link_day'`, [
        acme.program.id,
      ]),
    ).toEqual([{ sales: 2 }]);
  });
});
