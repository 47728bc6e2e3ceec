import { type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { badRequest, customerOf, decisionsOf } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';

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

describe('a sale', () => {
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

  it('finds a customer who never signed up by click_id, and changes them from click to conversion', async () => {
    const acme = await service.program();
    const clickId = await service.clickId(acme.link);
    expect((await buy(acme, { click_id: clickId })).status).toBe(200);
    expect(await customerOf(service, clickId)).toMatchObject({ status: 'conversion', lead_at: null });
  });

  it('prefers the customer with the customer_key to the customer of the click_id', async () => {
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

  it('finds the customer by click_id if nobody has the customer_key', async () => {
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

  it('is attributed to the first partner after a click on another partner’s link', async () => {
    const acme = await service.program();
    const rival = await service.partner(acme.program);
    const clickId = await service.clickId(acme.link);
    expect(await service.clickId(rival.link, { existing_click_id: clickId })).toBe(clickId);
    await buy(acme, { click_id: clickId });
    expect(await service.sql('select partner_id from sales where program_id = $1', [acme.program.id])).toEqual([
      { partner_id: acme.partnerId },
    ]);
  });

  it('does not move the conversion, which is the first one', async () => {
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

describe('a sale gets 400 Customer not found', () => {
  it.each([
    ['without customer_key and click_id', {}],
    ['with both empty', { customer_key: '', click_id: '' }],
    ['with an unknown customer_key', { customer_key: 'nobody' }],
    ['with an unknown click_id', { click_id: 'cust_999999999_1773144000000' }],
    ['with a malformed click_id', { click_id: 'somebody' }],
  ])('%s', async (_case, who) => {
    const acme = await service.program();
    const { status, body } = await buy(acme, who);
    expect(status).toBe(400);
    expect(body).toEqual(NOT_FOUND);
    await expectNothingSold(acme, 'customer_not_found');
  });

  it('with a click_id that has the right number and a wrong time', async () => {
    const acme = await service.program();
    const clickId = await service.clickId(acme.link);
    const guessed = clickId.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));
    expect((await buy(acme, { click_id: guessed })).body).toEqual(NOT_FOUND);
    await expectNothingSold(acme, 'customer_not_found');
  });

  it('with a customer_key of another workspace’s program', async () => {
    const acme = await service.program();
    const stranger = await service.program();
    await service.customer(stranger, 'user-1');
    expect((await buy(acme, { customer_key: 'user-1' })).body).toEqual(NOT_FOUND);
    await expectNothingSold(acme, 'customer_not_found');
  });

  it('and its transaction_id can be used again', async () => {
    const acme = await service.program();
    await buy(acme, { customer_key: 'user-1' });
    await service.customer(acme, 'user-1');
    expect((await buy(acme, { customer_key: 'user-1' })).status).toBe(200);
  });
});

describe('a sale gets 400 No affiliate attribution found', () => {
  it('for the click_id of another program', async () => {
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

  it('for a customer_key that only a sibling program knows', async () => {
    const acme = await service.program();
    const sibling = await service.program({ workspaceId: acme.workspaceId });
    const clickId = await service.customer(sibling, 'user-1');
    const { status, body } = await buy(acme, { customer_key: 'user-1' });
    expect(status).toBe(400);
    expect(body).toEqual(NOT_ATTRIBUTED);
    await expectNothingSold(acme, 'attributed_elsewhere');
    expect(await customerOf(service, clickId)).toMatchObject({ status: 'lead' });
  });

  it('but not if this program knows the customer_key too', async () => {
    const acme = await service.program();
    const sibling = await service.program({ workspaceId: acme.workspaceId });
    await service.customer(sibling, 'user-1');
    await service.customer(acme, 'user-1');
    expect((await buy(acme, { customer_key: 'user-1' })).status).toBe(200);
    expect(await service.counts(sibling.program.id)).toMatchObject({ sales: 0 });
  });

  it('for a customer who signed up without a click', async () => {
    const acme = await service.program();
    await service.lead({ customer_key: 'user-1' }, { key: acme.apiKey });
    const { status, body } = await buy(acme, { customer_key: 'user-1' });
    expect(status).toBe(400);
    expect(body).toEqual(NOT_ATTRIBUTED);
    await expectNothingSold(acme, 'customer_unattributed');
  });
});

describe('a sale gets 400 No partner-program relationship found', () => {
  it('if the membership is missing', async () => {
    const acme = await service.program();
    const clickId = await service.customer(acme, 'user-1');
    await service.sql('delete from memberships where program_id = $1', [acme.program.id]);
    const { status, body } = await buy(acme, { customer_key: 'user-1' });
    expect(status).toBe(400);
    expect(body).toEqual(NO_RELATIONSHIP);
    await expectNothingSold(acme, 'membership_missing');
    expect(await customerOf(service, clickId)).toMatchObject({ status: 'lead', converted_at: null });
  });

  it.each(['blocked', 'removed'])('if the partner is %s, but not once they are active again', async (state) => {
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
  });

  it('but not for another partner of the program', async () => {
    const acme = await service.program();
    const other = await service.partner(acme.program);
    await service.sql(`update memberships set status = 'blocked' where partner_id = $1`, [acme.partnerId]);
    const clickId = await service.clickId(other.link);
    expect((await buy(acme, { click_id: clickId })).status).toBe(200);
  });
});
