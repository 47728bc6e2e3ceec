import { describe, expect, it } from 'vitest';
import { type TestProgram, useService } from '../../../test/service.ts';
import { badRequest, customerOf, decisionsOf } from '../../../test/tracking.ts';

const service = useService();

const NOT_FOUND = badRequest('Customer not found. Provide customer_key or click_id.');
const NOT_ATTRIBUTED = badRequest('No affiliate attribution found for this customer in this program');
const NO_RELATIONSHIP = badRequest('No partner-program relationship found for this customer');

function buy({ program, apiKey }: TestProgram, who: object, name = 'sale') {
  return service.sale({ transaction_id: `${name}-${program.id}`, amount_cents: 1000, ...who }, { key: apiKey });
}

async function expectNothingSold({ program }: TestProgram, reason: string) {
  expect(await service.counts(program.id)).toMatchObject({ sales: 0, commissions: 0 });
  const [decision] = await service.sql('select * from decisions where program_id = $1 order by id desc limit 1', [
    program.id,
  ]);
  expect(decision).toMatchObject({ kind: 'sale', outcome: 'refused', reason, sale_id: null });
}

describe('sale: which customer is meant', () => {
  it.each(['customer_key', 'click_id', 'both'])('finds the customer by %s', async (by) => {
    const acme = await service.program();
    const clickId = await service.customer(acme, 'user-1');
    const who = {
      ...(by !== 'click_id' && { customer_key: 'user-1' }),
      ...(by !== 'customer_key' && { click_id: clickId }),
    };
    const { status, body } = await buy(acme, who);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ attributed: true, commission_cents: 200 });
    expect(await customerOf(service, clickId)).toMatchObject({ status: 'conversion' });
  });

  it('finds someone by click_id who never signed up, and moves them from click to conversion', async () => {
    const acme = await service.program();
    const clickId = await service.clickId(acme.link);
    expect((await buy(acme, { click_id: clickId })).status).toBe(200);
    expect(await customerOf(service, clickId)).toMatchObject({ status: 'conversion', lead_at: null });
  });

  it('takes the holder of customer_key before the customer of click_id', async () => {
    const acme = await service.program();
    const rival = await service.partner(acme.program);
    const holder = await service.customer(acme, 'user-1');
    const clickId = await service.clickId(rival.link);
    await buy(acme, { customer_key: 'user-1', click_id: clickId });
    expect(await customerOf(service, holder)).toMatchObject({ status: 'conversion' });
    expect(await customerOf(service, clickId)).toMatchObject({ status: 'click' });
    expect(await service.sql('select partner_id from commissions where program_id = $1', [acme.program.id])).toEqual([
      { partner_id: acme.partnerId },
    ]);
  });

  it('takes the customer of click_id when nobody holds the customer_key', async () => {
    const acme = await service.program();
    const clickId = await service.clickId(acme.link);
    const { body } = await buy(acme, { customer_key: 'never-signed-up', click_id: clickId });
    expect(body.data).toMatchObject({ attributed: true });
  });

  it('finds an integer customer_key by its decimal string', async () => {
    const acme = await service.program();
    await service.customer(acme, '42');
    expect((await buy(acme, { customer_key: 42 })).status).toBe(200);
  });

  it('stays with the first partner after a click on another partner’s link', async () => {
    const acme = await service.program();
    const rival = await service.partner(acme.program);
    const clickId = await service.clickId(acme.link);
    expect(await service.clickId(rival.link, { existing_click_id: clickId })).toBe(clickId);
    await buy(acme, { click_id: clickId });
    expect(await service.sql('select partner_id from sales where program_id = $1', [acme.program.id])).toEqual([
      { partner_id: acme.partnerId },
    ]);
  });

  it('records the conversion at the first sale and leaves it there', async () => {
    const acme = await service.program();
    const clickId = await service.customer(acme, 'user-1');
    const firstAt = service.time;
    await buy(acme, { customer_key: 'user-1' }, 'first');
    service.advance({ days: 40 });
    await buy(acme, { customer_key: 'user-1' }, 'second');
    expect(await customerOf(service, clickId)).toMatchObject({ status: 'conversion', converted_at: firstAt });
    expect(await service.counts(acme.program.id)).toMatchObject({ sales: 2, commissions: 2 });
  });
});

describe('sale: Customer not found. Provide customer_key or click_id.', () => {
  it.each([
    ['neither sent', {}],
    ['both empty', { customer_key: '', click_id: '' }],
    ['a customer_key of nobody', { customer_key: 'nobody' }],
    ['a click_id of nobody', { click_id: 'cust_999999999_1773144000000' }],
    ['a click_id of another shape', { click_id: 'somebody' }],
  ])('no customer resolved: %s', async (_what, who) => {
    const acme = await service.program();
    const { status, body } = await buy(acme, who);
    expect(status).toBe(400);
    expect(body).toEqual(NOT_FOUND);
    await expectNothingSold(acme, 'customer_not_found');
  });

  it('no customer resolved: the click_id has the right number and the wrong time', async () => {
    const acme = await service.program();
    const clickId = await service.clickId(acme.link);
    const guessed = clickId.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));
    expect((await buy(acme, { click_id: guessed })).body).toEqual(NOT_FOUND);
    await expectNothingSold(acme, 'customer_not_found');
  });

  it('no customer resolved: the customer_key is one of another advertiser’s program', async () => {
    const acme = await service.program();
    const stranger = await service.program();
    await service.customer(stranger, 'user-1');
    expect((await buy(acme, { customer_key: 'user-1' })).body).toEqual(NOT_FOUND);
    await expectNothingSold(acme, 'customer_not_found');
  });

  it('leaves the transaction_id free', async () => {
    const acme = await service.program();
    await buy(acme, { customer_key: 'user-1' });
    await service.customer(acme, 'user-1');
    expect((await buy(acme, { customer_key: 'user-1' })).status).toBe(200);
  });
});

describe('sale: No affiliate attribution found for this customer in this program', () => {
  it('customer attributed elsewhere: found by click_id in any other program', async () => {
    const acme = await service.program();
    const stranger = await service.program();
    const clickId = await service.clickId(stranger.link);
    const { status, body } = await buy(acme, { click_id: clickId });
    expect(status).toBe(400);
    expect(body).toEqual(NOT_ATTRIBUTED);
    await expectNothingSold(acme, 'attributed_elsewhere');
    expect((await decisionsOf(service, acme)).at(-1)).toMatchObject({ customer_id: null, partner_id: null });
    expect(await customerOf(service, clickId)).toMatchObject({ status: 'click' });
  });

  it('customer attributed elsewhere: found by customer_key only in a sister program', async () => {
    const acme = await service.program();
    const sister = await service.program({ workspaceId: acme.workspaceId });
    const clickId = await service.customer(sister, 'user-1');
    const { status, body } = await buy(acme, { customer_key: 'user-1' });
    expect(status).toBe(400);
    expect(body).toEqual(NOT_ATTRIBUTED);
    await expectNothingSold(acme, 'attributed_elsewhere');
    expect(await customerOf(service, clickId)).toMatchObject({ status: 'lead' });
  });

  it('the customer of this program counts when a sister program knows the customer_key too', async () => {
    const acme = await service.program();
    const sister = await service.program({ workspaceId: acme.workspaceId });
    await service.customer(sister, 'user-1');
    await service.customer(acme, 'user-1');
    expect((await buy(acme, { customer_key: 'user-1' })).status).toBe(200);
    expect(await service.counts(sister.program.id)).toMatchObject({ sales: 0 });
  });

  it('customer without any partner: the signup came without a click', async () => {
    const acme = await service.program();
    await service.lead({ customer_key: 'user-1' }, { key: acme.apiKey });
    const { status, body } = await buy(acme, { customer_key: 'user-1' });
    expect(status).toBe(400);
    expect(body).toEqual(NOT_ATTRIBUTED);
    await expectNothingSold(acme, 'customer_unattributed');
  });
});

describe('sale: No partner-program relationship found for this customer', () => {
  it('junction missing', async () => {
    const acme = await service.program();
    const clickId = await service.customer(acme, 'user-1');
    await service.sql('delete from memberships where program_id = $1', [acme.program.id]);
    const { status, body } = await buy(acme, { customer_key: 'user-1' });
    expect(status).toBe(400);
    expect(body).toEqual(NO_RELATIONSHIP);
    await expectNothingSold(acme, 'membership_missing');
    expect(await customerOf(service, clickId)).toMatchObject({ status: 'lead', converted_at: null });
  });

  it.each(['blocked', 'removed'])(
    'the partner was %s; the same payment counts once they are active again',
    async (state) => {
      const acme = await service.program();
      await service.customer(acme, 'user-1');
      const setStatus = (status: string) =>
        service.sql('update memberships set status = $2 where program_id = $1', [acme.program.id, status]);
      await setStatus(state);
      const { status, body } = await buy(acme, { customer_key: 'user-1' });
      expect(status).toBe(400);
      expect(body).toEqual(NO_RELATIONSHIP);
      await expectNothingSold(acme, `partner_${state}`);
      await setStatus('active');
      expect((await buy(acme, { customer_key: 'user-1' })).status).toBe(200);
    },
  );

  it('another partner of the program is not held up', async () => {
    const acme = await service.program();
    const other = await service.partner(acme.program);
    await service.sql(`update memberships set status = 'blocked' where partner_id = $1`, [acme.partnerId]);
    const clickId = await service.clickId(other.link);
    expect((await buy(acme, { click_id: clickId })).status).toBe(200);
  });
});
