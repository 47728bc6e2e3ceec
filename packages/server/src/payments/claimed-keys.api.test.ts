import {
  type CustomShop,
  customPayment,
  customShop,
  earningsOf,
  sendCustom,
  signUpThrough,
} from '@svc/testkit/service/payments/custom-shop.ts';
import { newId, settle } from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';
import { OPERATOR } from '../audit/audit-store.ts';
import { reviewCommission } from '../commissions/review-commissions.ts';
import { purgeDecisions } from '../jobs/purge-decisions.ts';
import { requeueEvent } from './events/event-store.ts';

const service = useService();

const openShop = () => customShop(service, { leadAuth: 'server_required' });

/** Ben's page claims a key with a click of its own, which is returned. Anybody can claim the key of a stranger. */
async function claim({ ben }: CustomShop, customer_key: string): Promise<string> {
  const click_id = await service.clickId(ben.link);
  expect((await service.lead({ click_id, customer_key })).body).toMatchObject({ provisional: true });
  service.advance({ seconds: 60 });
  return click_id;
}

/** Judges everything that the shop has sent again. */
async function replay({ id: programId }: CustomShop): Promise<void> {
  const events = await service.sql<{ id: number }>('select id from processor_events where program_id = $1', [
    programId,
  ]);
  for (const { id } of events) await requeueEvent(service.ctx.db, programId, id, service.time);
  await settle(service);
}

it('a claim that a payment of zero settled still holds the first commission', async () => {
  const shop = await openShop();
  await claim(shop, '42');
  const id = newId('sub');
  const trial = { amount_cents: 0, subscription: { id, stage: 'start' } };
  await sendCustom(service, shop, customPayment(newId('order'), { customer_key: '42' }, trial));
  const paid = { subscription: { id, stage: 'renewal' } };
  await sendCustom(service, shop, customPayment(newId('order'), { customer_key: '42' }, paid));
  expect(await earningsOf(service, shop)).toEqual([['Ben', 1_000, 'claimed_key']]);
});

describe('a claimed key', () => {
  const ORDERS = [
    ['the click', [0, 1]],
    ['the key', [1, 0]],
  ] as const;

  it.each(ORDERS)('gives way to a click of the same purchase, if %s is reported first', async (_first, order) => {
    const shop = await openShop();
    await claim(shop, '42');
    const click_id = await service.clickId(shop.link);
    service.advance({ seconds: 60 });
    const events = [
      { type: 'identity', payer: { customer_id: 'c-1', click_id } },
      customPayment(newId('order'), { customer_id: 'c-1', customer_key: '42' }, { at: service.time.toISOString() }),
    ];
    for (const index of order) await sendCustom(service, shop, events[index]!);
    await settle(service);
    expect(await earningsOf(service, shop)).toEqual([['Jane', 1_000]]);
    // The key is the customer's now, whatever the page says.
    await sendCustom(service, shop, customPayment(newId('order'), { customer_key: '42' }));
    expect(await earningsOf(service, shop)).toEqual([
      ['Jane', 1_000],
      ['Jane', 1_000],
    ]);
  });

  it.each(ORDERS)(
    'is not held if a click of the same purchase agrees, if %s is reported first',
    async (_first, order) => {
      const shop = await openShop();
      const click_id = await claim(shop, '42');
      const at = service.time.toISOString();
      const events = [
        { type: 'identity', at, payer: { customer_id: 'c-1', click_id } },
        customPayment(newId('order'), { customer_id: 'c-1', customer_key: '42' }, { at }),
      ];
      for (const index of order) await sendCustom(service, shop, events[index]!);
      expect(await earningsOf(service, shop)).toEqual([['Ben', 1_000]]);
    },
  );

  it.each(ORDERS)(
    'is no surer for a purchase of whoever claimed it, if %s is reported first',
    async (_first, order) => {
      const shop = await openShop();
      const click_id = await claim(shop, '42');
      const events = [
        customPayment(newId('order'), { customer_id: 'bens', click_id }, { amount_cents: 100 }),
        customPayment(newId('order'), { customer_id: 'strangers', customer_key: '42' }),
      ];
      for (const index of order) await sendCustom(service, shop, events[index]!);
      const earned = await earningsOf(service, shop);
      expect(earned.sort((one, other) => Number(one[1]) - Number(other[1]))).toEqual([
        ['Ben', 20],
        ['Ben', 1_000, 'claimed_key'],
      ]);
    },
  );

  it('does not come before a click for a purchase of whoever claimed it before that click', async () => {
    const shop = await openShop();
    const bens = await claim(shop, '42');
    await sendCustom(service, shop, customPayment(newId('order'), { click_id: bens }, { amount_cents: 100 }));
    service.advance({ days: 1 });
    const click_id = await service.clickId(shop.link);
    service.advance({ seconds: 60 });
    await sendCustom(service, shop, customPayment(newId('order'), { click_id, customer_key: '42' }));
    await sendCustom(service, shop, customPayment(newId('order'), { customer_key: '42' }));
    expect(await earningsOf(service, shop)).toEqual([
      ['Ben', 20],
      ['Jane', 1_000],
      ['Jane', 1_000],
    ]);
  });

  it('takes nothing from a customer who has it by a coupon', async () => {
    const shop = await openShop();
    await sendCustom(service, shop, customPayment(newId('order'), { customer_key: '42' }, { coupon_code: 'BEN20' }));
    const click_id = await service.clickId(shop.link);
    expect((await service.lead({ click_id, customer_key: '42' })).body).toMatchObject({ provisional: true });
    await sendCustom(service, shop, customPayment(newId('order'), { customer_key: '42' }));
    expect(await earningsOf(service, shop)).toEqual([
      ['Ben', 1_000],
      ['Ben', 1_000],
    ]);
  });

  it('that is reported after the payment happens then: a coupon that held the key keeps it', async () => {
    const shop = await openShop();
    const paid = () => customPayment(newId('order'), { customer_key: '42' }, { coupon_code: 'BEN20' });
    await sendCustom(service, shop, paid());
    await claim(shop, '42');
    await sendCustom(service, shop, paid());
    const claimedFirst = await openShop();
    await claim(claimedFirst, '42');
    await sendCustom(service, claimedFirst, paid());
    expect(await earningsOf(service, shop)).toEqual([
      ['Ben', 1_000],
      ['Ben', 1_000],
    ]);
    expect(await earningsOf(service, claimedFirst)).toEqual([['Ben', 1_000, 'claimed_key']]);
  });

  it('keeps a payment whose address belongs to a signup that is reported after it: the signup happens then', async () => {
    const email = 'jo@people.test';
    const paid = () => customPayment(newId('order'), { customer_key: '42', email }, { at: service.time.toISOString() });
    const shop = await openShop();
    await claim(shop, '42');
    const click_id = await service.clickId(shop.link);
    await sendCustom(service, shop, paid());
    await service.lead({ click_id, customer_key: 'jo', email }, { key: shop.apiKey });
    const signedUpFirst = await openShop();
    await claim(signedUpFirst, '42');
    await signUpThrough(service, signedUpFirst, signedUpFirst.link, { customer_key: 'jo', email });
    await sendCustom(service, signedUpFirst, paid());
    expect(await earningsOf(service, shop)).toEqual([['Ben', 1_000, 'claimed_key']]);
    expect(await earningsOf(service, signedUpFirst)).toEqual([['Jane', 1_000]]);
    // Where it is judged again, an address that a server vouches for comes before a claim.
    await replay(shop);
    expect(await earningsOf(service, shop)).toEqual([['Jane', 1_000]]);
  });

  it('credits nobody for what its holder paid before their click', async () => {
    const shop = await openShop();
    await claim(shop, '42');
    const paid = customPayment(newId('order'), { customer_key: '42' }, { at: service.time.toISOString() });
    service.advance({ days: 1 });
    await signUpThrough(service, shop, shop.link, { customer_key: '42' });
    await sendCustom(service, shop, paid);
    expect(await earningsOf(service, shop)).toEqual([]);
  });
});

it('a key that nobody holds, next to the clicks of two people, goes to the payment that is processed first', async () => {
  for (const first of ['Jane', 'Ben']) {
    const shop = await openShop();
    const clicks = [await service.clickId(shop.link), await service.clickId(shop.ben.link)];
    service.advance({ seconds: 60 });
    const at = service.time.toISOString();
    const payments = clicks.map((click_id) => customPayment(newId('order'), { click_id, customer_key: '42' }, { at }));
    for (const paid of first === 'Jane' ? payments : payments.toReversed()) await sendCustom(service, shop, paid);
    await sendCustom(service, shop, customPayment(newId('order'), { customer_key: '42' }));
    expect(await earningsOf(service, shop)).toEqual([
      [first, 1_000],
      [first, 1_000],
      [first, 1_000],
    ]);
  }
});

describe('a sale that the backend reports with a claimed key', () => {
  const report = ({ apiKey }: CustomShop, of: object) =>
    service.sale({ transaction_id: newId('order'), amount_cents: 5_000, ...of }, { key: apiKey });

  it('is held if the claim was settled by a purchase of whoever claimed it', async () => {
    const shop = await openShop();
    const click_id = await claim(shop, '42');
    await sendCustom(service, shop, customPayment(newId('order'), { click_id }, { amount_cents: 100 }));
    expect(await report(shop, { customer_key: '42' })).toMatchObject({
      status: 200,
      body: { data: { attributed: true, commission_cents: 1_000 } },
    });
    expect(await earningsOf(service, shop)).toEqual([
      ['Ben', 20],
      ['Ben', 1_000, 'claimed_key'],
    ]);
  });

  it('is held long after the claim was settled, when its decision is deleted', async () => {
    const shop = await openShop();
    const click_id = await claim(shop, '42');
    await sendCustom(service, shop, customPayment(newId('order'), { click_id }, { amount_cents: 100 }));
    service.advance({ days: 31 });
    await purgeDecisions(30).run(service.ctx);
    await report(shop, { customer_key: '42' });
    await sendCustom(service, shop, customPayment(newId('order'), { customer_key: '42' }));
    expect(await earningsOf(service, shop)).toEqual([
      ['Ben', 20],
      ['Ben', 1_000, 'claimed_key'],
      ['Ben', 1_000, 'claimed_key'],
    ]);
  });

  it('is held if the claim was settled by a payment with nothing but the key, until one is approved', async () => {
    const shop = await openShop();
    await claim(shop, '42');
    await sendCustom(service, shop, customPayment(newId('order'), { customer_key: '42' }));
    await report(shop, { customer_key: '42' });
    const held = [
      ['Ben', 1_000, 'claimed_key'],
      ['Ben', 1_000, 'claimed_key'],
    ];
    expect(await earningsOf(service, shop)).toEqual(held);
    const [commission] = await service.sql<{ id: number }>(
      'select id from commissions where program_id = $1 order by id desc limit 1',
      [shop.id],
    );
    await reviewCommission(service.ctx, shop.program, commission!.id, { action: 'approve', actor: OPERATOR });
    service.advance({ seconds: 60 });
    await report(shop, { customer_key: '42' });
    expect((await earningsOf(service, shop)).at(-1)).toEqual(['Ben', 1_000]);
  });

  it('is not held if it names the click of the claim, too', async () => {
    const shop = await openShop();
    const click_id = await claim(shop, '42');
    await sendCustom(service, shop, customPayment(newId('order'), { click_id }, { amount_cents: 100 }));
    await report(shop, { customer_key: '42', click_id });
    await report(shop, { click_id });
    expect(await earningsOf(service, shop)).toEqual([
      ['Ben', 20],
      ['Ben', 1_000],
      ['Ben', 1_000],
    ]);
  });

  it('is not held if the server has confirmed the signup', async () => {
    const shop = await openShop();
    const click_id = await claim(shop, '42');
    await service.lead({ click_id, customer_key: '42' }, { key: shop.apiKey });
    await report(shop, { customer_key: '42' });
    expect(await earningsOf(service, shop)).toEqual([['Ben', 1_000]]);
  });
});
