import type { TermsRule } from '@svc/contract';
import { manage, type OwnedProgram, ownedProgram, partnerAccount } from '@svc/testkit/service/accounts.ts';
import { publish } from '@svc/testkit/service/published-terms.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId, sold, soldOwing } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';
import { deleteUnpaidCommissions } from '../../../commissions/commission-store.ts';
import { applyTiers } from '../../../partners/groups/apply-tiers.ts';
import { revokeDuplicateSale } from '../../../refunds/revoke-duplicate-sale.ts';
import { repairCommission } from '../../../sales/repair/repair-commission.ts';

const service = useService();

const call = (made: OwnedProgram, method: string, path: string, body?: object) =>
  service.call(method, manage(made, path), { key: made.owner.token, body });
const dataOf = async (made: OwnedProgram, method: string, path: string, body?: object) =>
  (await call(made, method, path, body)).body.data;
const percent = (rate: number, parts: Partial<TermsRule> = {}): TermsRule => ({
  on: 'sale',
  pays: { type: 'percent', rate },
  ...parts,
});

const commissionsOf = ({ program }: OwnedProgram) =>
  service.sql<{ kind: string; cents: number; partner: number; version: number; rule: number }>(
    `select kind, commission_cents as cents, partner_id as partner, terms_version as version, rule
     from commissions where program_id = $1 order by id`,
    [program.id],
  );

const PERIOD = { from: '2020-01-01', to: '2030-01-01' };
const simulate = (made: OwnedProgram, rules: TermsRule[]) =>
  dataOf(made, 'POST', '/terms/simulate', { rules, ...PERIOD });

/** A sale to a customer, new by default, and what it answered. */
async function buy(made: OwnedProgram, fields: object = {}, customerKey = newId('user')) {
  await service.customer(made, customerKey);
  const sent = { transaction_id: newId('order'), customer_key: customerKey, amount_cents: 10_000, ...fields };
  return (await service.sale(sent, { key: made.apiKey })).body.data;
}

describe('rules', () => {
  it('pay a group more, and both sides can read which rule paid', async () => {
    const made = await ownedProgram(service);
    const gold = await dataOf(made, 'POST', '/groups', { name: 'Gold' });
    expect(gold).toEqual({ id: gold.id, name: 'Gold', is_default: false, tier: null, partners: 0 });
    expect(await dataOf(made, 'PATCH', `/partners/${made.partnerId}`, { group_id: gold.id })).toMatchObject({
      group_id: gold.id,
      group_name: 'Gold',
      group_by: 'hand',
    });
    const rules = [percent(25, { for: { group_id: gold.id }, when: { product_id: 'Pro' } })];
    const published = await call(made, 'POST', '/terms', { rules, note: 'Gold earns more' });
    expect(published).toMatchObject({
      status: 201,
      body: {
        data: {
          version: 2,
          rules: [{ ...rules[0], description: 'group Gold earns 25% of each sale of product Pro, not of renewals' }],
          note: 'Gold earns more',
          made_by: 'Robin',
          commission: '20% per sale',
        },
      },
    });
    service.advance({ seconds: 60 });
    const { transactionId } = await sold(service, made, { product_id: 'Pro' });
    await sold(service, made, { product_id: 'Basic' });
    expect(await commissionsOf(made)).toEqual([
      { kind: 'sale', cents: 2500, partner: made.partnerId, version: 2, rule: 1 },
      { kind: 'sale', cents: 2000, partner: made.partnerId, version: 2, rule: 2 },
    ]);
    const [decision] = (await dataOf(made, 'GET', `/explain?transaction_id=${transactionId}`)).slice(-1);
    expect(decision.terms).toMatch(
      /^Rule 1 of version 2 of the commission rules: group Gold earns 25% of each sale of product Pro, not of renewals, in force since /,
    );
    const partner = await partnerAccount(service, made.partnerId);
    const seen = await service.call('GET', manage(made, '/commissions?sort=created_at'), { key: partner.token });
    expect(seen.body.data.map(({ terms }: { terms: string }) => terms)).toEqual([
      '25% of each sale of product Pro, not of renewals',
      '20% of each sale, not of renewals',
    ]);
    expect((await simulate(made, rules)).matches_actual).toBe(true);
  });

  it('stay when the commission settings change, which makes a new version', async () => {
    const made = await ownedProgram(service);
    await publish(service, made, [percent(50, { when: { product_id: 'Pro' } })]);
    await call(made, 'PATCH', '', { commission_rate: 10 });
    const [latest] = await dataOf(made, 'GET', '/terms');
    expect(latest).toMatchObject({
      version: 3,
      commission_rate: 10,
      note: null,
      rules: [{ when: { product_id: 'Pro' } }],
    });
    service.advance({ seconds: 60 });
    expect(await buy(made, { product_id: 'Pro' })).toMatchObject({ commission_cents: 5000 });
    expect(await buy(made)).toMatchObject({ commission_cents: 1000 });
  });

  it('cap what a sale, a customer and a month pay', async () => {
    const made = await ownedProgram(service);
    const caps = { per_sale_cents: 1500, per_customer_cents: 2500, per_partner_month_cents: 4000 };
    await publish(service, made, [percent(20, { caps })]);
    const paid: number[] = [];
    for (const key of ['a', 'a', 'a', 'b', 'c']) paid.push((await buy(made, {}, key)).commission_cents);
    expect(paid).toEqual([1500, 1000, 0, 1500, 0]);
    expect((await simulate(made, [percent(20, { caps })])).matches_actual).toBe(true);
    service.advance({ days: 31 });
    expect(await buy(made, {}, 'd')).toMatchObject({ commission_cents: 1500 });
  });

  it('never pay above a cap when sales arrive at once', async () => {
    const made = await ownedProgram(service);
    await publish(service, made, [percent(20, { caps: { per_partner_month_cents: 5000 } })]);
    const replies = await Promise.all(Array.from({ length: 12 }, () => buy(made)));
    const cents = replies.map(({ commission_cents }) => commission_cents);
    expect(cents.reduce((sum: number, each: number) => sum + each, 0)).toBe(5000);
    expect((await simulate(made, [])).matches_actual).toBe(true);
  });

  it('count the payments of a customer', async () => {
    const made = await ownedProgram(service);
    await publish(service, made, [
      percent(50, { when: { customer: 'new' }, credit: { amount_cents: 700 } }),
      percent(30, { pays: { type: 'percent', rate: 30, max_payments: 2 } }),
    ]);
    const [first, second, third] = [await buy(made, {}, 'a'), await buy(made, {}, 'a'), await buy(made, {}, 'a')];
    expect([first, second, third].map(({ commission_cents }) => commission_cents)).toEqual([5000, 3000, 2000]);
    expect(first.customer_credit).toEqual({ amount_cents: 700, currency: 'USD' });
    expect(second.customer_credit).toBeUndefined();
    expect((await simulate(made, [])).matches_actual).toBe(true);
  });

  it('take back a share of the credit with a refund, and restore it', async () => {
    const made = await ownedProgram(service);
    await publish(service, made, [percent(10, { credit: { amount_cents: 999 } })]);
    const { transactionId, saleId } = await sold(service, made);
    const reversed = async () =>
      (await service.sql('select amount_cents, reversed_cents from customer_credits where sale_id = $1', [saleId]))[0];
    await service.refund({ transaction_id: transactionId, refund_amount_cents: 2_500 }, { key: made.apiKey });
    expect(await reversed()).toEqual({ amount_cents: 999, reversed_cents: 250 });
    await service.refund({ transaction_id: transactionId }, { key: made.apiKey });
    expect(await reversed()).toEqual({ amount_cents: 999, reversed_cents: 999 });
  });

  it('take back a share of a credit that is granted after the refund', async () => {
    const made = await ownedProgram(service);
    await publish(service, made, [percent(10, { credit: { amount_cents: 999 } })]);
    const { transactionId, saleId } = await soldOwing(service, made);
    await service.refund({ transaction_id: transactionId, refund_amount_cents: 2_500 }, { key: made.apiKey });
    expect(await repairCommission(service.ctx, saleId)).toMatchObject({ is: 'repaired' });
    expect(
      await service.sql('select amount_cents, reversed_cents from customer_credits where sale_id = $1', [saleId]),
    ).toEqual([{ amount_cents: 999, reversed_cents: 250 }]);
  });

  it('grant one credit for a payment that was recorded twice', async () => {
    const made = await ownedProgram(service);
    await publish(service, made, [percent(10, { credit: { amount_cents: 999 } })]);
    const [twice, kept] = [newId('order'), newId('invoice')];
    expect(await buy(made, { transaction_id: twice }, 'user-1')).toMatchObject({
      customer_credit: { amount_cents: 999 },
    });
    const { sale_id: keptId, customer_credit } = await buy(made, { transaction_id: kept }, 'user-1');
    expect(customer_credit).toBeUndefined();
    await service.refund({ transaction_id: twice, refund_amount_cents: 2_500 }, { key: made.apiKey });
    await revokeDuplicateSale(service.ctx, made.program, twice, kept, []);
    // The shop gave it to the customer already, so the next sale grants no other one.
    expect((await buy(made, {}, 'user-1')).customer_credit).toBeUndefined();
    expect(
      await service.sql('select sale_id, amount_cents, reversed_cents from customer_credits where program_id = $1', [
        made.program.id,
      ]),
    ).toEqual([{ sale_id: keptId, amount_cents: 999, reversed_cents: 250 }]);
  });

  it('pay who recruited the partner, and a refund takes back both', async () => {
    const made = await ownedProgram(service);
    const { partnerId: recruiter } = await service.partner(made.program);
    await publish(service, made, [percent(5, { pays: { to: 'recruiter', type: 'percent', rate: 5 } })]);
    await sold(service, made);
    expect(await dataOf(made, 'PATCH', `/partners/${made.partnerId}`, { recruiter_id: recruiter })).toMatchObject({
      recruiter_id: recruiter,
    });
    const { transactionId } = await sold(service, made);
    expect((await commissionsOf(made)).map(({ kind, cents, partner }) => [kind, cents, partner])).toEqual([
      ['sale', 2000, made.partnerId],
      ['sale', 2000, made.partnerId],
      ['override', 500, recruiter],
    ]);
    await service.refund({ transaction_id: transactionId }, { key: made.apiKey });
    const left = await service.sql(
      'select commission_cents - deducted_cents as left from commissions where program_id = $1 order by id',
      [made.program.id],
    );
    expect(left).toEqual([{ left: 2000 }, { left: 0 }, { left: 0 }]);
    expect((await simulate(made, [])).matches_actual).toBe(true);
    for (const recruiter_id of [made.partnerId, 999_999_999]) {
      expect((await call(made, 'PATCH', `/partners/${made.partnerId}`, { recruiter_id })).status).toBe(400);
    }
  });

  it('pay for leads, once, with a credit for the customer', async () => {
    const made = await ownedProgram(service);
    await publish(service, made, [
      {
        on: 'lead',
        pays: { type: 'fixed', rate: 5 },
        caps: { per_partner_month_cents: 800 },
        credit: { amount_cents: 300 },
      },
    ]);
    const lead = async () => service.lead({ click_id: await service.clickId(made.link) }, { key: made.apiKey });
    expect((await lead()).body).toEqual({
      success: true,
      message: 'Lead tracked successfully',
      customer_credit: { amount_cents: 300, currency: 'USD' },
    });
    const named = { click_id: await service.clickId(made.link), customer_key: 'user-2', email: 'cleo@mail.test' };
    await service.lead(named, { key: made.apiKey });
    await lead();
    for (const q of ['user-2', 'cleo@mail.test']) {
      expect(await dataOf(made, 'GET', `/commissions?q=${q}`)).toMatchObject([
        { kind: 'lead', customer_key: 'user-2' },
      ]);
    }
    expect((await commissionsOf(made)).map(({ kind, cents, version, rule }) => [kind, cents, version, rule])).toEqual([
      ['lead', 500, 2, 1],
      ['lead', 300, 2, 1],
    ]);
    const [lastDecision] = await service.sql<{ facts: Record<string, unknown> }>(
      `select facts from decisions where program_id = $1 and kind = 'lead' order by id limit 1`,
      [made.program.id],
    );
    expect(lastDecision?.facts).toMatchObject({ terms_version: 2, rule: 1, commission_cents: '500' });
    expect(await simulate(made, [])).toMatchObject({ matches_actual: true, leads: 3 });
  });

  it('are followed by a commission that is created later', async () => {
    const made = await ownedProgram(service);
    await publish(service, made, [percent(30, { caps: { per_customer_cents: 2500 } })]);
    const { saleId } = await soldOwing(service, made);
    expect(await repairCommission(service.ctx, saleId)).toMatchObject({ is: 'repaired' });
    expect((await commissionsOf(made)).map(({ cents, rule }) => [cents, rule])).toEqual([[2500, 1]]);
    expect((await simulate(made, [])).matches_actual).toBe(true);
  });
});

describe('a commission that is revoked', () => {
  it.each([
    [
      'this release',
      (saleId: number) => service.ctx.db.transaction((tx) => deleteUnpaidCommissions(tx, saleId, service.time)),
    ],
    ['0.1.0', (saleId: number) => service.sql('delete from commissions where sale_id = $1', [saleId])],
  ])('by a node of %s no longer counts towards the caps of its rule, once', async (_release, revoke) => {
    const made = await ownedProgram(service);
    await publish(service, made, [
      percent(30, { caps: { per_customer_cents: 5000, per_partner_month_cents: 50_000 } }),
    ]);
    for (const amount of [1_000, 2_000]) await buy(made, { amount_cents: amount }, 'user-1');
    const counted = () =>
      service.sql('select scope, cents from cap_counts where program_id = $1 order by scope', [made.program.id]);
    expect(await counted()).toEqual([
      { scope: 'customer', cents: 900 },
      { scope: 'month', cents: 900 },
    ]);
    const [sale] = await service.sql<{ id: number }>('select min(id) as id from sales where program_id = $1', [
      made.program.id,
    ]);
    await revoke(sale?.id ?? 0);
    expect(await counted()).toEqual([
      { scope: 'customer', cents: 600 },
      { scope: 'month', cents: 600 },
    ]);
  });
});

describe('a node of an earlier release, or SQL by hand', () => {
  it('keeps the rules and the scheduled versions when it changes the settings', async () => {
    const made = await ownedProgram(service);
    await publish(service, made, [percent(30)]);
    await publish(service, made, [percent(40)], { since: new Date(service.time.getTime() + 86_400_000) });
    await service.sql(
      'update programs set commission_rate = 10, terms_version = terms_version + 1, terms_since = $2 where id = $1',
      [made.program.id, service.time],
    );
    const versions = await dataOf(made, 'GET', '/terms');
    expect(
      versions.map(({ version, rules }: { version: number; rules: TermsRule[] }) => [version, rules[0]?.pays.rate]),
    ).toEqual([
      [4, 30],
      [3, 40],
      [2, 30],
      [1, undefined],
    ]);
  });
});

describe('versions', () => {
  it('can begin later, and be withdrawn until then', async () => {
    const made = await ownedProgram(service);
    const tomorrow = new Date(service.time.getTime() + 86_400_000).toISOString();
    const later = { rules: [percent(40)], effective_from: tomorrow };
    expect(await call(made, 'POST', '/terms', later)).toMatchObject({ status: 201, body: { data: { version: 2 } } });
    expect(
      (await dataOf(made, 'GET', '/terms')).map(({ version, effective_until }: never) => [version, effective_until]),
    ).toEqual([
      [2, null],
      [1, tomorrow],
    ]);
    service.advance({ seconds: 60 });
    expect(await buy(made)).toMatchObject({ commission_cents: 2000 });
    const overlapping = await call(made, 'POST', '/terms', { rules: [] });
    expect([overlapping.status, overlapping.body.error.message]).toEqual([
      409,
      `effective_from must be after ${tomorrow}, when version 2 begins`,
    ]);
    expect((await call(made, 'PATCH', '', { commission_rate: 1 })).status).toBe(409);
    expect((await call(made, 'DELETE', '/terms/versions/2')).status).toBe(200);
    expect((await call(made, 'DELETE', '/terms/versions/1')).status).toBe(409);
    expect((await call(made, 'DELETE', '/terms/versions/2')).status).toBe(404);
    expect((await call(made, 'PATCH', '', { hold_days: 1 })).status).toBe(200);
  });

  it('come into force by themselves, before any job runs', async () => {
    const made = await ownedProgram(service);
    const since = new Date(service.time.getTime() + 86_400_000);
    await publish(service, made, [percent(40)], { since });
    expect(await buy(made)).toMatchObject({ commission_cents: 2000 });
    service.advance({ days: 1 });
    expect(await buy(made)).toMatchObject({ commission_cents: 4000 });
    expect((await call(made, 'PATCH', '', { commission_rate: 30 })).status).toBe(200);
    const [latest] = await dataOf(made, 'GET', '/terms');
    expect(latest).toMatchObject({ version: 3, commission_rate: 30, rules: [{ pays: { rate: 40 } }] });
  });

  it('begin in the past only with backdate, and never before another version', async () => {
    const made = await ownedProgram(service);
    service.advance({ days: 10 });
    const past = new Date(service.time.getTime() - 86_400_000).toISOString();
    const refused = await call(made, 'POST', '/terms', { rules: [], effective_from: past });
    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      'effective_from is in the past. Simulate the rules first, then send backdate: true to publish them.',
    ]);
    const backdated = { rules: [percent(30)], effective_from: past, backdate: true };
    expect((await call(made, 'POST', '/terms', backdated)).status).toBe(201);
    expect((await call(made, 'POST', '/terms', backdated)).status).toBe(409);
  });

  it.each<[string, unknown, number, string | RegExp]>([
    [
      'a group of another program',
      [percent(5, { for: { group_id: 1 } })],
      400,
      'rule 1: for.group_id 1 is not in this program',
    ],
    [
      'an unknown partner',
      [percent(5, { when: { product_id: 'a' } }), percent(5, { for: { partner_id: 999_999_999 } })],
      400,
      'rule 2: for.partner_id 999999999 is not in this program',
    ],
    ['more than 100 percent', [percent(101)], 400, 'rule 1: pays.rate must be at most 100 percent'],
    ['a rule that can never match', [percent(5), percent(6)], 400, 'rule 2: on can never match: rule 1 matches first'],
    [
      'too many rules',
      Array.from({ length: 1001 }, (_, index) => percent(5, { when: { product_id: `p${index}` } })),
      413,
      'rules must hold at most 1000 rules',
    ],
    [
      'too many bytes',
      [percent(5, { description: 'x'.repeat(1024 * 1024) })],
      413,
      'Request body is larger than 1 MiB',
    ],
  ])('refuse %s', async (_what, rules, status, message) => {
    const made = await ownedProgram(service);
    for (const [path, extra] of [
      ['/terms', {}],
      ['/terms/simulate', PERIOD],
    ] as const) {
      const answer = await call(made, 'POST', path, { rules, ...extra });
      expect([answer.status, answer.body.error.message]).toEqual([status, message]);
    }
    expect(await dataOf(made, 'GET', '/terms')).toHaveLength(1);
  });

  it('hold a thousand rules', async () => {
    const made = await ownedProgram(service);
    const rules = Array.from({ length: 1000 }, (_, index) => percent(5, { when: { product_id: `p${index}` } }));
    await publish(service, made, rules);
    expect(await buy(made, { product_id: 'p999' })).toMatchObject({ commission_cents: 500 });
  });
});

describe('groups', () => {
  it('are deleted only when nobody is in them and no terms name them', async () => {
    const made = await ownedProgram(service);
    const [byDefault] = await dataOf(made, 'GET', '/groups');
    expect(byDefault).toMatchObject({ name: 'Default', is_default: true, partners: 1 });
    const gold = await dataOf(made, 'POST', '/groups', { name: 'Gold' });
    expect((await call(made, 'POST', '/groups', { name: 'gold' })).status).toBe(409);
    const membersOf = async ({ id }: { id: number }) => {
      const { body } = await call(made, 'GET', `/partners?group_id=${id}&totals=true`);
      return [body.meta.count, ...body.data.map((partner: { id: number }) => partner.id)];
    };
    expect([await membersOf(byDefault), await membersOf(gold)]).toEqual([[1, made.partnerId], [0]]);
    await call(made, 'PATCH', `/partners/${made.partnerId}`, { group_id: gold.id });
    expect([await membersOf(byDefault), await membersOf(gold)]).toEqual([[0], [1, made.partnerId]]);
    const full = await call(made, 'DELETE', `/groups/${gold.id}`);
    expect([full.status, full.body.error.message]).toEqual([
      409,
      'This group has 1 partner. Move them to another group first.',
    ]);
    await call(made, 'PATCH', `/partners/${made.partnerId}`, { group_id: null });
    await publish(service, made, [percent(30, { for: { group_id: gold.id } })]);
    expect((await call(made, 'DELETE', `/groups/${gold.id}`)).body.error.message).toBe(
      'Rule 1 of version 2 of the commission rules is for this group. Publish other rules first.',
    );
    await publish(service, made, []);
    expect((await call(made, 'DELETE', `/groups/${gold.id}`)).status).toBe(200);
    expect((await call(made, 'DELETE', `/groups/${byDefault.id}`)).status).toBe(409);
    expect((await call(made, 'PATCH', `/partners/${made.partnerId}`, { group_id: gold.id })).body.error.message).toBe(
      'group_id is not a group of this program',
    );
  });

  it('are reached by tiers, counted to the day before', async () => {
    const made = await ownedProgram(service, { holdDays: 0 });
    const { partnerId } = made;
    const tier = { of: 'sales', in: 'month', at_least: 2 };
    const silver = await dataOf(made, 'POST', '/groups', { name: 'Silver', tier });
    const clash = await call(made, 'POST', '/groups', { name: 'Gold', tier: { ...tier, of: 'revenue', at_least: 9 } });
    expect(clash.status).toBe(409);
    const groupOf = async () => (await dataOf(made, 'GET', `/partners/${partnerId}`)).group_name;
    const nextDay = async () => {
      service.advance({ days: 1 });
      await applyTiers(service.ctx);
    };
    const confirmed = async () => {
      const { commissionId } = await sold(service, made);
      await call(made, 'POST', `/commissions/${commissionId}/approve`);
    };
    await applyTiers(service.ctx);
    await confirmed();
    await nextDay();
    await confirmed();
    expect(await groupOf()).toBe('Default');
    await nextDay();
    expect(await groupOf()).toBe('Silver');
    const [move] = await service.sql(
      'select group_id, tier_counted, since from partner_placements where partner_id = $1',
      [partnerId],
    );
    expect(move).toEqual({
      group_id: silver.id,
      tier_counted: 2,
      since: new Date(service.time.toISOString().slice(0, 10)),
    });
    // A person decides against the tiers, and gives the decision back.
    const [byDefault] = await dataOf(made, 'GET', '/groups');
    await call(made, 'PATCH', `/partners/${partnerId}`, { group_id: byDefault.id });
    await nextDay();
    expect(await groupOf()).toBe('Default');
    await call(made, 'PATCH', `/partners/${partnerId}`, { group_id: null });
    expect(await groupOf()).toBe('Silver');
    // The count starts over on the second day of a month, when the day before is in it.
    service.advance({ days: 40 });
    await applyTiers(service.ctx);
    expect(await groupOf()).toBe('Default');
  });
});

describe('tiers count what was sold', () => {
  const LIFETIME = { of: 'sales', in: 'lifetime', at_least: 2 };

  it.each([
    ['a cap left nothing', [percent(20, { caps: { per_partner_month_cents: 2_000 } })]],
    ['the rule pays nothing', [percent(0, { when: { min_amount_cents: 10_000, customer: 'new' } })]],
  ])('also where %s, once the hold would have ended', async (_why, rules) => {
    const made = await ownedProgram(service, { holdDays: 5 });
    await publish(service, made, rules);
    await dataOf(made, 'POST', '/groups', { name: 'Gold', tier: LIFETIME });
    const groupOf = async () => (await dataOf(made, 'GET', `/partners/${made.partnerId}`)).group_name;
    const first = await buy(made);
    if (first.commission_id) await call(made, 'POST', `/commissions/${first.commission_id}/approve`);
    const second = await buy(made);
    expect(second).toMatchObject({ commission_cents: 0, commission_id: null });
    service.advance({ days: 5 });
    await applyTiers(service.ctx);
    // The hold ended today, and the day before counts.
    expect(await groupOf()).toBe('Default');
    service.advance({ days: 1 });
    await applyTiers(service.ctx);
    expect(await groupOf()).toBe('Gold');
  });

  it('but not a sale whose commission was rejected, or that was refunded', async () => {
    const made = await ownedProgram(service, { holdDays: 0 });
    await publish(service, made, [percent(0, { when: { product_id: 'free' } })]);
    await dataOf(made, 'POST', '/groups', { name: 'Gold', tier: { ...LIFETIME, at_least: 1 } });
    const { commission_id: id } = await buy(made);
    await call(made, 'POST', `/commissions/${id}/reject`);
    const transaction_id = newId('order');
    await buy(made, { transaction_id, product_id: 'free' });
    await service.refund({ transaction_id }, { key: made.apiKey });
    service.advance({ days: 2 });
    await applyTiers(service.ctx);
    expect((await dataOf(made, 'GET', `/partners/${made.partnerId}`)).group_name).toBe('Default');
  });
});

it('the history of a partner, and their own terms, show moves by tiers and by hand', async () => {
  const made = await ownedProgram(service, { holdDays: 0 });
  const { partnerId } = made;
  const partner = await partnerAccount(service, partnerId);
  await dataOf(made, 'POST', '/groups', { name: 'Gold', tier: { of: 'sales', in: 'lifetime', at_least: 1 } });
  const vip = await dataOf(made, 'POST', '/groups', { name: 'VIP' });
  const { commission_id: id } = await buy(made);
  await call(made, 'POST', `/commissions/${id}/approve`);
  service.advance({ days: 1 });
  await applyTiers(service.ctx);
  const day = service.time.toISOString().slice(0, 10);
  const byTier = { at: `${day}T00:00:00.000Z`, group: 'Gold', tier: { day, counted: 1 } };
  service.advance({ days: 1 });
  await call(made, 'PATCH', `/partners/${partnerId}`, { group_id: vip.id });
  const byHand = { at: service.time.toISOString(), group: 'VIP', tier: null };
  // Who recruited them changes no group, and is no move.
  const { partnerId: recruiter_id } = await service.partner(made.program);
  await call(made, 'PATCH', `/partners/${partnerId}`, { recruiter_id });
  expect((await dataOf(made, 'GET', `/partners/${partnerId}/history`)).slice(0, 2)).toEqual([
    { event: 'moved', by: 'Robin', ...byHand },
    { event: 'moved', by: null, ...byTier },
  ]);
  const own = await service.call('GET', manage(made, '/partner-terms'), { key: partner.token });
  expect(own.body.data.moves).toEqual([byHand, byTier]);
});

it('refuses a rule for a coupon that the program does not have', async () => {
  const made = await ownedProgram(service);
  const other = await ownedProgram(service);
  await call(other, 'POST', '/coupons', { code: 'SPRING', partner_id: other.partnerId });
  const rules = [percent(10), percent(30, { when: { coupon: 'Spring' } })].reverse();
  for (const [path, body] of [
    ['/terms', { rules }],
    ['/terms/simulate', { rules, ...PERIOD }],
  ] as const) {
    const { status, body: answer } = await call(made, 'POST', path, body);
    expect([status, answer.error]).toEqual([
      400,
      {
        status: 400,
        name: 'BadRequestError',
        message: 'rule 1: when.coupon Spring is not in this program',
        details: { rule: 1, field: 'when.coupon' },
      },
    ]);
  }
  await call(made, 'POST', '/coupons', { code: 'SPRING', partner_id: made.partnerId });
  expect((await call(made, 'POST', '/terms', { rules })).status).toBe(201);
});

describe('a simulation', () => {
  it('follows time: caps that leads and sales share count both as they happened', async () => {
    const made = await ownedProgram(service);
    const rules: TermsRule[] = [
      { on: 'lead', pays: { type: 'fixed', rate: 5 }, caps: { per_partner_month_cents: 600 } },
      percent(10, { caps: { per_partner_month_cents: 100_000 } }),
    ];
    await publish(service, made, rules);
    await service.customer(made, 'user-1');
    service.advance({ seconds: 1 });
    const sale = { transaction_id: newId('order'), customer_key: 'user-1', amount_cents: 10_000 };
    await service.sale(sale, { key: made.apiKey });
    service.advance({ seconds: 1 });
    await service.customer(made, 'user-2');
    expect((await commissionsOf(made)).map(({ kind, cents }) => [kind, cents])).toEqual([
      ['lead', 500],
      ['sale', 1000],
    ]);
    expect(await simulate(made, rules)).toMatchObject({
      matches_actual: true,
      sales: 1,
      leads: 2,
      totals: [{ currency: 'USD', actual_cents: 1500, simulated_cents: 1500 }],
    });
  });

  it('says what other terms would have paid, and changes nothing', async () => {
    const made = await ownedProgram(service);
    const { partnerId, link } = await service.partner(made.program);
    const other = { ...made, partnerId, link };
    await sold(service, made);
    const { transactionId, saleId } = await sold(service, other, { amount_cents: 50_000 });
    await sold(service, made, { currency: 'EUR' });
    const before = await commissionsOf(made);
    const result = await simulate(made, [percent(30, { for: { partner_id: partnerId } })]);
    expect(result).toMatchObject({
      matches_actual: true,
      sales: 3,
      leads: 3,
      totals: [
        { currency: 'EUR', actual_cents: 2000, simulated_cents: 2000 },
        { currency: 'USD', actual_cents: 12_000, simulated_cents: 17_000 },
      ],
      largest: [
        {
          partner_id: partnerId,
          sale_id: saleId,
          transaction_id: transactionId,
          currency: 'USD',
          actual_cents: 10_000,
          simulated_cents: 15_000,
          actual_rule: 'rule 1 of version 1: the commission settings',
          simulated_rule: 'rule 1: Jane earns 30% of each sale, not of renewals',
        },
      ],
    });
    expect(result.partners[0]).toEqual({
      partner_id: partnerId,
      partner_name: 'Jane',
      currency: 'USD',
      actual_cents: 10_000,
      simulated_cents: 15_000,
    });
    expect(await commissionsOf(made)).toEqual(before);
    // Sales of an earlier release stored no facts. They are compared with the group of the time.
    const gold = await dataOf(made, 'POST', '/groups', { name: 'Gold' });
    await service.sql('update sales set terms_facts = null where program_id = $1', [made.program.id]);
    await service.sql(
      `insert into partner_placements (program_id, partner_id, group_id, since)
       select $1, $2, $3, min(created_at) from sales where program_id = $1`,
      [made.program.id, partnerId, gold.id],
    );
    const ofGold = await simulate(made, [percent(30, { for: { group_id: gold.id } })]);
    expect(ofGold).toMatchObject({ matches_actual: true, totals: result.totals, partners: result.partners });
  });

  it('does not match when a stored commission is not what the terms pay, unless the customer was erased', async () => {
    const made = await ownedProgram(service);
    const { commissionId, saleId } = await sold(service, made);
    await service.sql('update commissions set commission_cents = commission_cents + 1 where id = $1', [commissionId]);
    expect((await simulate(made, [])).matches_actual).toBe(false);
    await service.sql(
      'update customers set erased_at = now() where id = (select customer_id from sales where id = $1)',
      [saleId],
    );
    expect((await simulate(made, [])).matches_actual).toBe(true);
  });
});

describe('terms that can pay more than a sale brings', () => {
  const toRecruiter = (rate: number, parts: Partial<TermsRule> = {}): TermsRule => ({
    on: 'sale',
    pays: { to: 'recruiter', type: 'percent', rate },
    ...parts,
  });

  it('are published with a warning, which simulations and the list of versions repeat', async () => {
    const made = await ownedProgram(service);
    const rules = [percent(60), toRecruiter(40.5)];
    const warnings = [
      'Rules 1 and 2 can pay more than the sale brings: together 100.5%, 60% to the partner and 40.5% to the recruiter.',
    ];
    expect((await simulate(made, rules)).warnings).toEqual(warnings);
    expect(await dataOf(made, 'POST', '/terms', { rules })).toMatchObject({ version: 2, warnings });
    const versions = await dataOf(made, 'GET', '/terms');
    expect(versions.map((version: { warnings: string[] }) => version.warnings)).toEqual([warnings, []]);
  });

  it('are warned about when the commission settings are a part of them', async () => {
    const made = await ownedProgram(service, { commissionRate: '30' });
    const { warnings } = await dataOf(made, 'POST', '/terms', { rules: [toRecruiter(80)] });
    expect(warnings).toEqual([
      'The commission settings and rule 1 can pay more than the sale brings: together 110%, 30% to the partner and 80% to ' +
        'the recruiter.',
    ]);
    await call(made, 'PATCH', '', { commission_rate: 20 });
    expect((await dataOf(made, 'GET', '/terms'))[0].warnings).toEqual([]);
  });
});
