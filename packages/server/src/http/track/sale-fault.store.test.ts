import { describe, expect, it } from 'vitest';
import { expectResultsToAgree } from '../../../test/results.ts';
import { platformError, type TestProgram, useService } from '../../../test/service.ts';
import { badRequest, customerOf, decisionsOf, whileMissing, whileRefused } from '../../../test/tracking.ts';
import { repairCommissions } from '../../jobs/repair-commissions.ts';
import { rollUpCounts } from '../../jobs/roll-up-counts.ts';
import { runJob } from '../../jobs/run-jobs.ts';

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

const takePartnerAway = ({ program }: TestProgram) =>
  service.sql('update customers set partner_id = null where program_id = $1', [program.id]);

describe('sale: 400 partnerId required to create commission', () => {
  it('customer has no partner relation: the sale is stored and owes its commission, a resend answers 409', async () => {
    const acme = await programWithCustomer();
    await takePartnerAway(acme);
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

  it('a resend answers 409 also once the click is older than the window', async () => {
    const acme = await service.program();
    const click_id = await service.clickId(acme.link);
    await takePartnerAway(acme);
    expect((await buy(acme, { click_id })).body).toEqual(PARTNER_MISSING);
    service.advance({ days: 61 });
    expect((await buy(acme, { click_id })).body).toEqual(DUPLICATE);
  });

  it('owes nothing for a renewal that earns nothing', async () => {
    const acme = await programWithCustomer({ commissionType: 'percent' });
    await takePartnerAway(acme);
    expect((await buy(acme, { is_recurring: true })).body).toEqual(PARTNER_MISSING);
    expect(await salesOf(acme)).toMatchObject([{ commission_state: 'none' }]);
  });

  it('the owed commission is created once the partner is restored', async () => {
    const acme = await programWithCustomer();
    await takePartnerAway(acme);
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

describe('sale: commission creation fails after the event is written', () => {
  it('500 Failed to create commission: recorded, no commission, transaction_id stays consumed', async () => {
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

  it('the repair job creates the owed commission later, on the terms of the sale, exactly once', async () => {
    const acme = await programWithCustomer({ commissionRate: '20' });
    await whileRefused(service, 'commissions', () => buy(acme));
    await service.sql('update programs set commission_rate = 50 where id = $1', [acme.program.id]);
    service.advance({ seconds: 60 });
    await repairCommissions.run(service.ctx);
    await repairCommissions.run(service.ctx);
    expect(await commissionsOf(acme)).toMatchObject([{ commission_cents: 200, commission_rate: '20.0000' }]);
    expect((await buy(acme)).body).toEqual(DUPLICATE);
  });

  it('harms no other sale that is written with it', async () => {
    const failing = await programWithCustomer();
    const sound = await programWithCustomer();
    const answers = await whileRefused(
      service,
      'commissions',
      () => Promise.all([buy(sound, {}, 'a'), buy(failing, {}, 'b'), buy(sound, {}, 'c'), buy(failing, {}, 'd')]),
      `new.program_id = ${failing.program.id}`,
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 500, 200, 500]);
    expect(answers[1]?.body).toEqual(COMMISSION_FAILED);
    expect(await service.counts(sound.program.id)).toMatchObject({ sales: 2, commissions: 2 });
    expect(await service.counts(failing.program.id)).toMatchObject({ sales: 2, commissions: 0 });
  });

  it('does not matter to a sale that earns no commission', async () => {
    const acme = await programWithCustomer({ commissionType: 'percent' });
    const { status } = await whileRefused(service, 'commissions', () => buy(acme, { is_recurring: true }));
    expect(status).toBe(200);
  });
});

describe('sale: 500 Sale tracking failed', () => {
  it.each(['sales', 'transactions', 'decisions'])(
    'nothing is recorded when %s cannot be written, and a retry with the same transaction_id is',
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

  it('says nothing of the cause in the body, only in the log', async () => {
    const acme = await programWithCustomer();
    const { text } = await whileRefused(service, 'sales', () => buy(acme));
    expect(text).not.toContain('refused by a test');
    expect(service.logLines.join('')).toContain('refused by a test');
  });
});

describe('metric update failures never fail the request', () => {
  it('a sale and a click are recorded while the hourly counts cannot be written', async () => {
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

  it('a sale is recorded while no count at all can be written', async () => {
    const acme = await programWithCustomer();
    const { status } = await whileMissing(service, 'click_hours', () =>
      whileMissing(service, 'click_deltas', () => whileMissing(service, 'result_deltas', () => buy(acme))),
    );
    expect(status).toBe(200);
  });

  it('what could not be counted is logged, and counted by the next run of the job', async () => {
    const acme = await programWithCustomer();
    await whileMissing(service, 'result_deltas', () => buy(acme));
    await runJob(service.ctx, rollUpCounts);
    expect(service.logLines.join('')).toContain('Some leads or sales were not counted; rebuilding each day');
    await expectResultsToAgree(service.ctx.db);
    expect(
      await service.sql('select sum(sales)::int as sales from result_days where program_id = $1', [acme.program.id]),
    ).toEqual([{ sales: 1 }]);
  });
});
