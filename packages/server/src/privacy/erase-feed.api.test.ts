import { everythingStored, manage, memberOf, OWN_ORIGIN, PASSWORD, signUp } from '@svc/testkit/service/accounts.ts';
import { newAddress } from '@svc/testkit/service/addresses.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';
import { numberCommitted } from '../feed/number-events.ts';

const service = useService();

/** From here on, events wait until `number` is called. */
const stopNumbering = () => service.ctx.numbering.close();
const number = () => numberCommitted({ ...service.ctx, deliver: async () => undefined });

type Told = { sequence: number; type: string; data: Record<string, Record<string, unknown>> };

async function feedOf(apiKey: string): Promise<Told[]> {
  const { body } = await service.call('GET', '/api/v1/events?limit=200', { key: apiKey });
  return body.data;
}

async function program() {
  const made = await service.program();
  return { ...made, owner: await memberOf(service, made.workspaceId) };
}

type Made = Awaited<ReturnType<typeof program>>;

async function buy(made: Made, customer: { customer_key: string; email: string }): Promise<string> {
  const clickId = await service.clickId(made.link);
  service.advance({ seconds: 1 });
  const key = { key: made.apiKey };
  expect((await service.lead({ click_id: clickId, ...customer }, key)).status).toBe(200);
  const sale = { transaction_id: newId('order'), amount_cents: 1_000, customer_key: customer.customer_key };
  expect((await service.sale(sale, key)).status).toBe(200);
  return clickId;
}

async function erase(made: Made, customerKey: string): Promise<void> {
  const [row] = await service.sql<{ id: number }>('select id from customers where customer_key = $1', [customerKey]);
  const path = manage(made, `/customers/${row?.id}/erase`);
  expect((await service.call('POST', path, { key: made.owner.token, body: {} })).status).toBe(200);
}

describe('events about an erased customer', () => {
  it('that wait for their numbers lose what identifies the customer, and get their numbers', async () => {
    await stopNumbering();
    const made = await program();
    const domain = `${newId('shop').replaceAll('_', '-')}.example`;
    const [key, other] = [newId('customer'), newId('customer')];
    const clickId = await buy(made, { customer_key: key, email: `ann@${domain}` });
    // Masked, both addresses look the same.
    await buy(made, { customer_key: other, email: `ada@${domain}` });
    const waiting = async () => JSON.stringify(await service.sql('select facts from outbox order by id'));
    expect(await waiting()).toContain(key);
    const identifiers = [key, clickId, `ann@${domain}`];
    await erase(made, key);
    const stored = await everythingStored(service);
    expect(identifiers.filter((one) => stored.includes(one))).toEqual([]);
    await number();
    const told = await feedOf(made.apiKey);
    expect(told.map(({ sequence, type }) => [sequence, type])).toEqual([
      [1, 'partner.joined'],
      [2, 'lead.created'],
      [3, 'sale.created'],
      [4, 'commission.created'],
      [5, 'lead.created'],
      [6, 'sale.created'],
      [7, 'commission.created'],
    ]);
    expect(identifiers.filter((one) => JSON.stringify(told).includes(one))).toEqual([]);
    expect(told[1]?.data.customer).toMatchObject({ customer_key: null, click_id: null, email_masked: null });
    expect(told[4]?.data.customer).toMatchObject({ customer_key: other, click_id: expect.any(String) });
  });

  it('that have their numbers leave the events of others as they are', async () => {
    const made = await program();
    const domain = `${newId('shop').replaceAll('_', '-')}.example`;
    const [key, other] = [`ann@${domain}`, newId('customer')];
    await buy(made, { customer_key: key, email: key });
    await buy(made, { customer_key: other, email: `ada@${domain}` });
    await number();
    const before = await feedOf(made.apiKey);
    expect(before[1]?.data.customer).toMatchObject({ customer_key: `a***@${domain}`, email_masked: `a***@${domain}` });
    await erase(made, key);
    const after = await feedOf(made.apiKey);
    expect(after.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(JSON.stringify(after.slice(1, 4))).not.toContain(domain);
    expect(after.slice(4)).toEqual(before.slice(4));
    expect(after[0]).toEqual(before[0]);
    expect(after[2]).toEqual({
      ...before[2],
      data: { ...before[2]?.data, sale: { ...before[2]?.data.sale, customer_key: null } },
    });
  });
});

describe('events about a partner who deleted their account', () => {
  it('call them a deleted partner, whether or not they have their numbers', async () => {
    const made = await program();
    const name = newId('Joan Vale');
    const account = await signUp(service, `joan@${newId('joan').replaceAll('_', '-')}.test`);
    await service.sql('update users set name = $2, payout_details = $3 where id = $1', [
      account.userId,
      name,
      `IBAN ${name}`,
    ]);
    await service.sql('update partners set user_id = $2, name = $3, email = $4 where id = $1', [
      made.partnerId,
      account.userId,
      name,
      account.email,
    ]);
    const post = async (path: string, body: object) => {
      const answer = await service.call('POST', manage(made, path), { key: made.owner.token, body });
      expect(answer.status).toBe(201);
      return answer.body.data;
    };
    const customer = { customer_key: newId('customer'), email: `${newId('ann')}@shop.example` };
    const act = async () => {
      await post('/links', { partner_id: made.partnerId, label: `For ${name}` });
      await post('/adjustments', {
        partner_id: made.partnerId,
        amount_cents: 100,
        currency: 'USD',
        reason: `To ${name}`,
      });
      await post('/payouts', {});
    };
    await buy(made, customer);
    await act();
    const { partnerId: other } = await service.partner(made.program);
    const [row] = await service.sql<{ id: number }>('select id from customers where customer_key = $1', [
      customer.customer_key,
    ]);
    const assign = manage(made, `/customers/${row?.id}/assign`);
    const assigned = await service.call('POST', assign, {
      key: made.owner.token,
      body: { partner_id: other, reason: 'Asked' },
    });
    expect(assigned.status).toBe(200);
    await number();
    await act();
    const masked = `j***@${account.email.split('@')[1]}`;
    expect(JSON.stringify(await feedOf(made.apiKey))).toContain(name);
    const gone = await service.call('POST', '/api/auth/delete-user', {
      body: { password: PASSWORD },
      headers: { cookie: account.cookie, origin: OWN_ORIGIN },
      ip: newAddress(),
    });
    expect(gone.status).toBe(200);
    const stored = JSON.stringify([
      await service.sql('select facts, gone, more from feed_events where program_id = $1', [made.program.id]),
      await service.sql('select facts, gone, more from outbox'),
    ]);
    expect([name, account.email, masked].filter((one) => stored.includes(one))).toEqual([]);
    await number();
    const told = await feedOf(made.apiKey);
    expect(told.map(({ sequence }) => sequence)).toEqual(told.map((_event, index) => index + 1));
    expect(JSON.stringify(told)).not.toContain(name);
    const rows = told.flatMap(({ data }) => [data.sale, data.commission, data.payout, data.link].filter(Boolean));
    expect(rows.length).toBeGreaterThan(6);
    for (const one of rows) expect(one).toMatchObject({ partner_id: made.partnerId, partner_name: 'Deleted partner' });
    const moved = told.find(({ type }) => type === 'customer.assigned');
    expect(moved?.data).toMatchObject({
      customer: { partner_id: other, partner_name: 'Jane' },
      previous: { partner_id: made.partnerId },
    });
  });
});
