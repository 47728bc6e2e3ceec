import { customerIdOf } from '@svc/testkit/service/decisions.ts';
import { type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { newId, soldOwing } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';
import { reasons } from '../decisions/reasons.ts';
import { repairCommission } from '../sales/repair/repair-commission.ts';
import { explain, type Subject } from './explain.ts';

const service = useService();

const reasonsFor = async ({ program }: TestProgram, subject: Subject) =>
  (await explain(service.ctx, program.id, subject)).map(({ reason }) => reason);

/** A click, a signup, a sale, its duplicate, a partial and a full refund. */
async function recordEverything(on: TestProgram, customerKey: string) {
  const clickId = await service.clickId(on.link);
  const transactionId = newId('order');
  const key = { key: on.apiKey };
  await service.lead({ click_id: clickId, customer_key: customerKey }, key);
  const sale = { transaction_id: transactionId, customer_key: customerKey, amount_cents: 10_000 };
  await service.sale(sale, key);
  await service.sale(sale, key);
  await service.refund({ transaction_id: transactionId, refund_amount_cents: 1_000 }, key);
  await service.refund({ transaction_id: transactionId }, key);
  return { clickId, transactionId };
}

const SALE_REASONS = [
  'sale_attributed',
  'duplicate_transaction',
  'commission_partially_reversed',
  'commission_reversed',
];

describe('explain returns decisions, oldest first', () => {
  it('for a transaction id, with everything that happened to the sale', async () => {
    const on = await service.program();
    const { transactionId } = await recordEverything(on, 'user_1');
    expect(await reasonsFor(on, { transactionId })).toEqual(SALE_REASONS);
  });

  it('for a customer key, including the signup and refunds that did not name the customer', async () => {
    const on = await service.program();
    await recordEverything(on, 'user_1');
    expect(await reasonsFor(on, { customerKey: 'user_1' })).toEqual(['lead_recorded', ...SALE_REASONS]);
  });

  it('for a click id, including sales that named only the customer key', async () => {
    const on = await service.program();
    const { clickId } = await recordEverything(on, 'user_1');
    expect(await reasonsFor(on, { clickId })).toEqual(['lead_recorded', ...SALE_REASONS]);
  });

  it('with outcome, sentence, facts, request id and all related ids', async () => {
    const on = await service.program();
    const clickId = await service.customer(on, 'user_1');
    const transactionId = newId('order');
    const { body } = await service.sale(
      { transaction_id: transactionId, customer_key: 'user_1', amount_cents: 10_000 },
      { key: on.apiKey, headers: { 'x-request-id': 'the-request' } },
    );
    const [decision, ...others] = await explain(service.ctx, on.program.id, { transactionId });
    expect(others).toEqual([]);
    expect(decision).toEqual({
      id: expect.any(Number),
      kind: 'sale',
      attribution: null,
      outcome: 'recorded',
      reason: 'sale_attributed',
      sentence: reasons.sale_attributed,
      terms: 'Version 1 of the commission rules: 20% of each sale, not of renewals, in force since Mar 10, 2026.',
      facts: expect.objectContaining({ amount_cents: 10_000, window_days: 60, commission_type: 'percent' }),
      source: 'api',
      customerId: customerIdOf(clickId),
      partnerId: on.partnerId,
      saleId: body.data.sale_id,
      transactionId,
      customerKey: 'user_1',
      clickId: null,
      requestId: 'the-request',
      isTest: false,
      createdAt: service.time,
    });
    expect(Number(decision?.facts.commission_cents)).toBe(2_000);
  });

  it('with the commission rules where they decided, and without for a sale that was refused', async () => {
    const on = await service.program();
    const key = { key: on.apiKey };
    const refused = { transaction_id: newId('order'), customer_key: 'user_unknown', amount_cents: 10_000 };
    await service.sale(refused, key);
    expect(await explain(service.ctx, on.program.id, { transactionId: refused.transaction_id })).toMatchObject([
      { outcome: 'refused', reason: 'customer_not_found', terms: null },
    ]);
    await service.customer(on, 'user_known');
    const twice = { ...refused, transaction_id: newId('order'), customer_key: 'user_known' };
    await service.sale(twice, key);
    await service.sale(twice, key);
    expect(await explain(service.ctx, on.program.id, { transactionId: twice.transaction_id })).toMatchObject([
      { outcome: 'recorded', terms: expect.stringMatching(/^Version 1 of the commission rules: /) },
      { outcome: 'refused', reason: 'duplicate_transaction', terms: null },
    ]);
  });

  it('with the click age, both for a recorded sale and for one outside the window', async () => {
    const on = await service.program({ attributionWindowDays: 30 });
    const clickId = await service.clickId(on.link);
    const sell = async () => {
      const transactionId = newId('order');
      await service.sale({ transaction_id: transactionId, click_id: clickId, amount_cents: 100 }, { key: on.apiKey });
      return (await explain(service.ctx, on.program.id, { transactionId }))[0];
    };
    service.advance({ days: 31 });
    expect(await sell()).toMatchObject({
      outcome: 'not_attributed',
      reason: 'attribution_window_expired',
      terms: null,
      facts: { click_age_days: 31, window_days: 30 },
    });
    await service.lead({ click_id: clickId }, { key: on.apiKey });
    await service.sql('update programs set attribution_window_days = 31 where id = $1', [on.program.id]);
    service.advance({ seconds: 60 });
    expect(await sell()).toMatchObject({
      outcome: 'recorded',
      reason: 'sale_attributed',
      facts: { click_age_days: 31, window_days: 31 },
    });
  });

  it('for a sale whose commission failed and was repaired', async () => {
    const on = await service.program();
    const { transactionId, saleId } = await soldOwing(service, on);
    expect(await reasonsFor(on, { transactionId })).toEqual(['commission_failed']);
    await repairCommission(service.ctx, saleId);
    expect(await reasonsFor(on, { transactionId })).toEqual(['commission_failed', 'commission_repaired']);
  });

  it('for a customer key that was unknown when a sale named it', async () => {
    const on = await service.program();
    const sale = { transaction_id: newId('order'), customer_key: 'user_9', amount_cents: 100 };
    await service.sale(sale, { key: on.apiKey });
    await service.customer(on, 'user_9');
    await service.sale(sale, { key: on.apiKey });
    expect(await reasonsFor(on, { customerKey: 'user_9' })).toEqual([
      'customer_not_found',
      'lead_recorded',
      'sale_attributed',
    ]);
  });

  it('for a second click of an existing customer', async () => {
    const on = await service.program();
    await service.customer(on, 'user_1');
    const second = await service.clickId(on.link);
    await service.lead({ click_id: second, customer_key: 'user_1' }, { key: on.apiKey });
    expect(await reasonsFor(on, { clickId: second })).toEqual(['lead_status_refused']);
    expect(await reasonsFor(on, { customerKey: 'user_1' })).toEqual(['lead_recorded', 'lead_status_refused']);
  });

  it('for a lead that a page reported and the server confirmed', async () => {
    const on = await service.program({ leadAuth: 'server_required' });
    const clickId = await service.clickId(on.link);
    await service.lead({ click_id: clickId, customer_key: 'user_1' });
    await service.lead({ customer_key: 'user_1' }, { key: on.apiKey });
    for (const subject of [{ clickId }, { customerKey: 'user_1' }]) {
      expect(await reasonsFor(on, subject)).toEqual(['lead_provisional', 'lead_settled']);
    }
  });

  it('for a sale with an invalid field', async () => {
    const on = await service.program();
    const transactionId = newId('order');
    await service.sale({ transaction_id: transactionId, amount_cents: '100' }, { key: on.apiKey });
    expect(await explain(service.ctx, on.program.id, { transactionId })).toMatchObject([
      {
        reason: 'invalid_request',
        sentence: reasons.invalid_request,
        facts: { message: 'amount_cents is required and must be a positive integer' },
      },
    ]);
  });

  it('for a sale that was refused because its key was retired', async () => {
    const on = await service.program();
    const transactionId = newId('order');
    await service.sql('update program_keys set marked_at = $2, rotate_by = $2 where program_id = $1', [
      on.program.id,
      service.time,
    ]);
    service.advance({ seconds: 60 });
    const body = { transaction_id: transactionId, amount_cents: 100, customer_key: 'user_1' };
    expect((await service.sale(body, { key: on.apiKey })).status).toBe(401);
    expect(await reasonsFor(on, { transactionId })).toEqual(['key_retired']);
  });

  it('but none for ids that the program has never received', async () => {
    const on = await service.program();
    await recordEverything(on, 'user_1');
    expect(await reasonsFor(on, { transactionId: newId('order') })).toEqual([]);
    expect(await reasonsFor(on, { customerKey: 'user_2' })).toEqual([]);
    expect(await reasonsFor(on, { clickId: 'cust_999999999_1' })).toEqual([]);
    expect(await reasonsFor(on, {})).toEqual([]);
  });

  it('only if both parts of a click id match, because the number alone can be guessed', async () => {
    const on = await service.program();
    const { clickId } = await recordEverything(on, 'user_1');
    expect(await reasonsFor(on, { clickId: `cust_${customerIdOf(clickId)}_1` })).toEqual([]);
  });

  it('but only the newest 200', async () => {
    const on = await service.program();
    await service.sql(
      `insert into decisions (program_id, kind, outcome, reason, facts, source, transaction_id, request_id, created_at)
       select $1, 'sale', 'refused', 'customer_not_found', '{}', 'api', 'order_x', n::text, $2
       from generate_series(1, 203) n`,
      [on.program.id, service.time],
    );
    const decisions = await explain(service.ctx, on.program.id, { transactionId: 'order_x' });
    expect(decisions).toHaveLength(200);
    expect([decisions[0]?.requestId, decisions.at(-1)?.requestId]).toEqual(['4', '203']);
  });
});

describe('the decisions of another program are never visible', () => {
  it('by transaction id, customer key or click id', async () => {
    const [on, other] = [await service.program(), await service.program()];
    const { clickId, transactionId } = await recordEverything(other, 'user_1');
    for (const subject of [{ transactionId }, { customerKey: 'user_1' }, { clickId }]) {
      expect(await reasonsFor(on, subject)).toEqual([]);
    }
  });

  it('even to another program of the same workspace', async () => {
    const other = await service.program();
    const on = await service.program({ workspaceId: other.workspaceId });
    const { clickId, transactionId } = await recordEverything(other, 'user_1');
    for (const subject of [{ transactionId }, { customerKey: 'user_1' }, { clickId }]) {
      expect(await reasonsFor(on, subject)).toEqual([]);
    }
  });

  it('even if both use the same ids: each sees its own attempts', async () => {
    const [on, other] = [await service.program(), await service.program()];
    const { clickId, transactionId } = await recordEverything(other, 'user_1');
    await service.customer(on, 'user_1');
    const key = { key: on.apiKey };
    await service.lead({ click_id: clickId }, key);
    await service.sale({ transaction_id: transactionId, customer_key: 'user_1', amount_cents: 100 }, key);
    await service.refund({ transaction_id: transactionId }, key);
    expect(await reasonsFor(on, { clickId })).toEqual(['other_program']);
    expect(await reasonsFor(on, { transactionId })).toEqual(['transaction_of_other_program', 'sale_not_found']);
    expect(await reasonsFor(on, { customerKey: 'user_1' })).toEqual(['lead_recorded', 'transaction_of_other_program']);
    expect(await reasonsFor(other, { transactionId })).toEqual(SALE_REASONS);
    expect(await reasonsFor(other, { customerKey: 'user_1' })).toEqual(['lead_recorded', ...SALE_REASONS]);
  });
});
