import { manage, type OwnedProgram, ownedProgram, partnerAccount } from '@svc/testkit/service/accounts.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const call = (made: OwnedProgram, method: string, path: string, body?: object, key = made.owner.token) =>
  service.call(method, manage(made, path), { key, body });
const publish = async (made: OwnedProgram, body: object) => {
  const answer = await call(made, 'POST', '/terms', { rules: [], ...body });
  service.advance({ seconds: 60 });
  return answer;
};
const simulate = async (made: OwnedProgram, body: object = {}) =>
  (await call(made, 'POST', '/terms/simulate', { rules: [], from: '2020-01-01', to: '2040-01-01', ...body })).body.data;

let sales = 0;

/** A visitor who clicks the first link, then the second, and buys for 100.00. */
async function buyAfter(made: OwnedProgram, first: string, second: string): Promise<string> {
  const clickId = await service.clickId(first);
  service.advance({ days: 1 });
  await service.clickId(second, { existing_click_id: clickId });
  service.advance({ days: 1 });
  sales += 1;
  const sale = { transaction_id: `what-if-${sales}`, click_id: clickId, amount_cents: 10_000 };
  await service.sale(sale, { key: made.apiKey });
  return clickId;
}

describe('publishing which click is credited', () => {
  it('is part of the version, told to partners, kept by later versions, audited and announced', async () => {
    const made = await ownedProgram(service);
    const { token } = await partnerAccount(service, made.partnerId);
    const { status, body } = await publish(made, { attribution: 'last', note: 'As we promised' });
    expect([status, body.data.attribution]).toEqual([201, 'last']);
    const later = await publish(made, { rules: [{ on: 'sale', pays: { type: 'percent', rate: 30 } }] });
    expect(later.body.data).toMatchObject({ version: 3, attribution: 'last' });

    const versions = (await call(made, 'GET', '/terms')).body.data;
    expect(versions.map(({ attribution }: { attribution: string }) => attribution)).toEqual(['last', 'last', 'first']);
    expect((await call(made, 'GET', '')).body.data.attribution).toBe('last');
    const own = await call(made, 'GET', '/partner-terms', undefined, token);
    expect(own.body.data).toMatchObject({ version: 3, attribution: 'last' });
    const me = await service.call('GET', '/api/v1/manage/me', { key: token });
    expect(me.body.data.partner_of[0].attribution).toBe('last');
    const audited = await service.sql(
      `select after ->> 'attribution' as attribution from audit_events
       where program_id = $1 and action = 'terms.published' order by id`,
      [made.program.id],
    );
    expect(audited).toEqual([{ attribution: 'last' }, { attribution: 'last' }]);
  });

  it('can be scheduled, and takes effect with its version', async () => {
    const made = await ownedProgram(service);
    const begins = new Date(service.time.getTime() + 86_400_000);
    await publish(made, { attribution: 'last', effective_from: begins.toISOString() });
    const ben = await service.partner(made.program);
    const click = async () => {
      const clickId = await service.clickId(made.link);
      service.advance({ seconds: 60 });
      await service.clickId(ben.link, { existing_click_id: clickId });
      return clickId;
    };
    const [before, after] = [await click(), await click()];
    const signUp = (click_id: string) => service.lead({ click_id, customer_key: click_id }, { key: made.apiKey });
    await signUp(before);
    service.time = new Date(begins.getTime() + 60_000);
    await signUp(after);
    const holders = await service.sql('select partner_id from customers where program_id = $1 order by id', [
      made.program.id,
    ]);
    expect(holders).toEqual([{ partner_id: made.partnerId }, { partner_id: ben.partnerId }]);
  });
});

describe('what if another click were credited', () => {
  it('shows by partner what the last click would have changed, and nothing for the rule that was in force', async () => {
    const made = await ownedProgram(service);
    const ben = await service.partner(made.program);
    await buyAfter(made, made.link, ben.link);
    await buyAfter(made, made.link, made.link);
    const last = await simulate(made, { attribution: 'last' });
    expect(last).toMatchObject({
      matches_actual: true,
      sales: 2,
      totals: [{ currency: 'USD', actual_cents: 4_000, simulated_cents: 4_000 }],
    });
    const byPartner = Object.fromEntries(
      last.partners.map((row: { partner_id: number; actual_cents: number; simulated_cents: number }) => [
        row.partner_id,
        [row.actual_cents, row.simulated_cents],
      ]),
    );
    expect(byPartner).toEqual({ [made.partnerId]: [4_000, 2_000], [ben.partnerId]: [0, 2_000] });
    for (const parts of [{}, { attribution: 'first' }]) {
      expect(await simulate(made, parts)).toMatchObject({ matches_actual: true, largest: [] });
    }
  });

  it('shows what the first click would have changed where the last one was credited', async () => {
    const made = await ownedProgram(service);
    const ben = await service.partner(made.program);
    await publish(made, { attribution: 'last' });
    await buyAfter(made, made.link, ben.link);
    const first = await simulate(made, { attribution: 'first' });
    expect(first.matches_actual).toBe(true);
    expect(first.largest).toMatchObject([
      { actual_cents: expect.any(Number), simulated_cents: expect.any(Number) },
      { actual_cents: expect.any(Number), simulated_cents: expect.any(Number) },
    ]);
    const change = new Map(
      first.largest.map((row: { partner_id: number; actual_cents: number; simulated_cents: number }) => [
        row.partner_id,
        row.simulated_cents - row.actual_cents,
      ]),
    );
    expect(change).toEqual(
      new Map([
        [made.partnerId, 2_000],
        [ben.partnerId, -2_000],
      ]),
    );
    expect(await simulate(made, { attribution: 'last' })).toMatchObject({ matches_actual: true, largest: [] });
  });

  it('leaves alone whom a person has assigned', async () => {
    const made = await ownedProgram(service);
    const ben = await service.partner(made.program);
    const clickId = await service.clickId(made.link);
    service.advance({ days: 1 });
    await service.clickId(ben.link, { existing_click_id: clickId });
    const assignment = { partner_id: made.partnerId, reason: 'They are hers' };
    await call(made, 'POST', `/customers/${clickId.split('_')[1]}/assign`, assignment);
    service.advance({ days: 1 });
    const sale = { transaction_id: `assigned-${clickId}`, click_id: clickId, amount_cents: 10_000 };
    await service.sale(sale, { key: made.apiKey });
    expect(await simulate(made, { attribution: 'last' })).toMatchObject({ sales: 1, largest: [] });
  });
});

describe('what partners see of visitors', () => {
  const seen = async (made: OwnedProgram, token: string, customerId: string) => {
    const [list, events, journey, file] = await Promise.all([
      call(made, 'GET', '/customers', undefined, token),
      call(made, 'GET', '/events', undefined, token),
      call(made, 'GET', `/customers/${customerId}`, undefined, token),
      call(made, 'GET', '/export/customers.csv', undefined, token),
    ]);
    return {
      customers: list.body.data.length,
      clicks: events.body.data.filter(({ type }: { type: string }) => type === 'click').length,
      journey: journey.status,
      inFile: file.text.includes(`cust_${customerId}_`),
    };
  };

  it('is nobody before the first conversion, where the last click is credited', async () => {
    const made = await ownedProgram(service);
    const { token } = await partnerAccount(service, made.partnerId);
    const clickId = await service.clickId(made.link);
    const customerId = clickId.split('_')[1]!;
    expect(await seen(made, token, customerId)).toEqual({ customers: 1, clicks: 1, journey: 200, inFile: true });
    await publish(made, { attribution: 'last' });
    expect(await seen(made, token, customerId)).toEqual({ customers: 0, clicks: 0, journey: 404, inFile: false });
    expect(await seen(made, made.owner.token, customerId)).toMatchObject({ customers: 1, clicks: 1, journey: 200 });
    await service.lead({ click_id: clickId, customer_key: 'user-1' }, { key: made.apiKey });
    expect(await seen(made, token, customerId)).toEqual({ customers: 1, clicks: 0, journey: 200, inFile: true });
  });
});
