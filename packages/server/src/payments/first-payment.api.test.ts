import { PROCESSORS } from '@svc/contract';
import { type Payment, type Sent, SHOPS } from '@svc/testkit/service/payments/shops.ts';
import { ledger, newId, settle } from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

// Which payment of a subscription is its first, and so a sale under terms that pay once.
const service = useService();

/** Every processor tries this in two orders, so even one attempt each is several. */
const ATTEMPTS = process.env.SVC_TEST_LONG ? 4 : 1;

type Settings = Parameters<typeof service.program>[0];
/** Whether a payment is a renewal does not depend on what it earns. The long form tries both. */
const ONE_TIME: [string, Settings][] = [
  ['percent', { commissionType: 'percent', commissionRate: '20' }],
  ...(process.env.SVC_TEST_LONG
    ? [['fixed', { commissionType: 'fixed', commissionRate: '7.5' }] as [string, Settings]]
    : []),
];

async function deliver(programId: number, ...events: Sent[]): Promise<void> {
  for (const event of events) {
    expect((await event.send(programId)).status).toBe(200);
    await settle(service);
  }
}

const sold = async (programId: number) =>
  (await ledger(service, programId)).map(({ id, recurring, commission }) => ({ id, recurring, commission }));

describe.each(PROCESSORS)('%s: somebody who subscribed before they clicked', (processor) => {
  /** A subscription that somebody unknown paid for, and its renewal after they signed up through a partner's link. */
  async function renewal(settings: Settings) {
    const shop = SHOPS[processor](service);
    const made = await service.program(settings);
    await shop.connect(made);
    const [subscription, customer] = [newId('sub'), newId('customer')];
    const start = shop.payFor(subscription, 'start', { customer });
    service.advance({ days: 29 });
    await service.customer(made, 'user-1');
    service.advance({ days: 1 });
    const cycle = shop.payFor(subscription, 'cycle', { customer, key: 'user-1' });
    return { id: made.program.id, start, cycle };
  }

  it.each(ONE_TIME)('earns nothing for renewals under %s', async (_type, settings) => {
    const { id, start, cycle } = await renewal(settings);
    await deliver(id, ...start.events, ...cycle.events);
    expect(await sold(id)).toEqual([{ id: cycle.id, recurring: true, commission: null }]);
  });

  it.each(ONE_TIME)('earns nothing under %s when the first payment is reported last', async (_type, settings) => {
    const { id, start, cycle } = await renewal(settings);
    await deliver(id, ...cycle.events);
    expect(await sold(id)).toMatchObject([{ id: cycle.id, recurring: false }]);
    await deliver(id, ...start.events);
    expect(await sold(id)).toEqual([{ id: cycle.id, recurring: true, commission: null }]);
  });

  it('earns for renewals under recurring terms', async () => {
    const { id, start, cycle } = await renewal({ commissionType: 'recurring_percent', commissionRate: '20' });
    await deliver(id, ...start.events, ...cycle.events);
    expect(await sold(id)).toEqual([{ id: cycle.id, recurring: true, commission: 1_000 }]);
  });
});

describe.each(PROCESSORS)('%s: two payments of a subscription in the same second', (processor) => {
  it.each([
    ['the start first', (start: Payment, cycle: Payment) => [start, cycle]],
    ['the start last', (start: Payment, cycle: Payment) => [cycle, start]],
  ])('the start is the first one: %s', async (_order, arrange) => {
    // Whatever the ids are: they are random, so one of several has the start after the renewal.
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const shop = SHOPS[processor](service);
      const made = await service.program({ commissionType: 'percent', commissionRate: '20' });
      await shop.connect(made);
      await service.customer(made, 'user-1');
      const subscription = newId('sub');
      const start = shop.payFor(subscription, 'start', { key: 'user-1' });
      const cycle = shop.payFor(subscription, 'cycle', { key: 'user-1' });
      await deliver(made.program.id, ...arrange(start, cycle).flatMap(({ events }) => events));
      const rows = await sold(made.program.id);
      expect(rows.find(({ id }) => id === start.id)).toEqual({ id: start.id, recurring: false, commission: 1_000 });
      expect(rows.find(({ id }) => id === cycle.id)).toEqual({ id: cycle.id, recurring: true, commission: null });
    }
  });
});
