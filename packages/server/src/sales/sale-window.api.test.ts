import { type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { customerOf, decisionsOf } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const MILLISECOND = { seconds: 0.001 };

function buy({ program, apiKey }: TestProgram, who: object, name = 'sale') {
  return service.sale({ transaction_id: `${name}-${program.id}`, amount_cents: 1000, ...who }, { key: apiKey });
}

const outside = (click_age_days: number, window_days = 60) => ({
  data: {
    attributed: false,
    reason: 'attribution_window_expired',
    click_age_days,
    window_days,
    sale_id: null,
    commission_id: null,
  },
  success: true,
});

const ATTRIBUTED = { success: true, data: { attributed: true, commission_cents: 200 } };

describe('the attribution window without a signup', () => {
  it('includes a payment exactly attribution_window_days after the click', async () => {
    const acme = await service.program();
    const clickId = await service.clickId(acme.link);
    service.advance({ days: 60 });
    expect((await buy(acme, { click_id: clickId })).body).toMatchObject(ATTRIBUTED);
  });

  it('excludes a payment one millisecond later, which stores no sale, commission or conversion', async () => {
    const acme = await service.program();
    const clickId = await service.clickId(acme.link);
    const before = await customerOf(service, clickId);
    service.advance({ days: 60 });
    service.advance(MILLISECOND);
    const { status, body } = await buy(acme, { click_id: clickId });
    expect(status).toBe(200);
    expect(body).toEqual(outside(60.01));
    expect(await customerOf(service, clickId)).toEqual(before);
    expect(await service.counts(acme.program.id)).toMatchObject({ sales: 0, commissions: 0, decisions: 1 });
    expect(await service.sql('select 1 from transactions where program_id = $1', [acme.program.id])).toEqual([]);
    expect(await decisionsOf(service, acme)).toMatchObject([
      {
        kind: 'sale',
        outcome: 'not_attributed',
        reason: 'attribution_window_expired',
        facts: { click_age_days: 60.01, window_days: 60 },
      },
    ]);
  });

  it('is that of the program', async () => {
    const acme = await service.program({ attributionWindowDays: 7 });
    const clickId = await service.clickId(acme.link);
    service.advance({ days: 8 });
    expect((await buy(acme, { click_id: clickId })).body).toEqual(outside(8, 7));
  });

  it('is independent of the cookie window', async () => {
    const acme = await service.program({ cookieWindowDays: 1 });
    const clickId = await service.clickId(acme.link);
    service.advance({ days: 30 });
    expect((await buy(acme, { click_id: clickId })).body).toMatchObject(ATTRIBUTED);
  });
});

describe('the attribution window with a signup', () => {
  it('includes any later payment if the signup was exactly attribution_window_days after the click', async () => {
    const acme = await service.program();
    const clickId = await service.clickId(acme.link);
    service.advance({ days: 60 });
    await service.lead({ click_id: clickId, customer_key: 'user-1' }, { key: acme.apiKey });
    service.advance({ days: 300 });
    expect((await buy(acme, { customer_key: 'user-1' })).body).toMatchObject(ATTRIBUTED);
  });

  it('excludes any payment if the signup was one millisecond too late', async () => {
    const acme = await service.program();
    const clickId = await service.clickId(acme.link);
    service.advance({ days: 60 });
    service.advance(MILLISECOND);
    await service.lead({ click_id: clickId, customer_key: 'user-1' }, { key: acme.apiKey });
    service.advance({ days: 10 });
    expect((await buy(acme, { customer_key: 'user-1' })).body).toEqual(outside(60.01));
    expect(await service.counts(acme.program.id)).toMatchObject({ sales: 0, commissions: 0 });
  });

  it('applies to the payment if the signup is provisional', async () => {
    const acme = await service.program({ leadAuth: 'server_required' });
    const clickId = await service.clickId(acme.link);
    service.advance({ days: 1 });
    await service.lead({ click_id: clickId, customer_key: 'user-1' });
    service.advance({ days: 60 });
    expect((await buy(acme, { click_id: clickId })).body).toEqual(outside(61));
  });

  it('applies to the day on which a settled signup was first reported', async () => {
    const acme = await service.program({ leadAuth: 'server_required' });
    const clickId = await service.clickId(acme.link);
    service.advance({ days: 1 });
    await service.lead({ click_id: clickId, customer_key: 'user-1' });
    service.advance({ days: 70 });
    await service.lead({ click_id: clickId, customer_key: 'user-1' }, { key: acme.apiKey });
    expect((await buy(acme, { customer_key: 'user-1' })).body).toMatchObject(ATTRIBUTED);
  });
});

describe('the attribution window', () => {
  it('is not checked again after a conversion', async () => {
    const acme = await service.program();
    const clickId = await service.clickId(acme.link);
    service.advance({ days: 59 });
    await buy(acme, { click_id: clickId }, 'first');
    service.advance({ days: 400 });
    expect((await buy(acme, { click_id: clickId }, 'second')).body).toMatchObject(ATTRIBUTED);
    expect(await service.counts(acme.program.id)).toMatchObject({ sales: 2, commissions: 2 });
  });

  it('is checked again at the next payment, which may reuse the transaction_id', async () => {
    const acme = await service.program();
    const clickId = await service.clickId(acme.link);
    service.advance({ days: 61 });
    expect((await buy(acme, { click_id: clickId })).body).toEqual(outside(61));
    service.advance({ days: 1 });
    expect((await buy(acme, { click_id: clickId })).body).toEqual(outside(62));
    expect((await buy(acme, { click_id: clickId }, 'other')).body).toEqual(outside(62));

    await service.sql('update programs set attribution_window_days = 90 where id = $1', [acme.program.id]);
    service.advance({ seconds: 60 });
    expect((await buy(acme, { click_id: clickId })).body).toMatchObject(ATTRIBUTED);
    expect(await customerOf(service, clickId)).toMatchObject({ status: 'conversion', converted_at: service.time });
  });

  it('is checked after the relationship of partner and program', async () => {
    const acme = await service.program();
    const clickId = await service.clickId(acme.link);
    service.advance({ days: 61 });
    await service.sql('delete from memberships where program_id = $1', [acme.program.id]);
    const { status, body } = await buy(acme, { click_id: clickId });
    expect(status).toBe(400);
    expect(body.error.message).toBe('No partner-program relationship found for this customer');
  });
});
