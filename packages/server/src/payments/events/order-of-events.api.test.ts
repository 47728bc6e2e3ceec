import { PROCESSORS, type ProcessorName } from '@svc/contract';
import { Chance, drawOrders } from '@svc/testkit';
import { type Payment, type Sent, SHOPS, type Shop, WITH_DISPUTES } from '@svc/testkit/service/payments/shops.ts';
import { ledger, newId, settle } from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { expect, it } from 'vitest';

const service = useService();

const IS_LONG = Boolean(process.env.SVC_TEST_LONG);
const PURCHASES = IS_LONG ? 200 : 3;
const MAX_EVENTS = 6;
/** Up to four events arrive in each of their 24 orders, more of them in as many of theirs. */
const ORDERS = IS_LONG ? 24 : 3;
/** Purchases whose events are sent next to each other. */
const AT_ONCE = 20;
/** The long form takes minutes for each processor. */
const LIMIT_MS = IS_LONG ? 3_600_000 : undefined;

/** What happens to a payment. */
type Life = { cents: number; refunds: number[]; failed: number; disputed: 'never' | 'open' | 'won' };
/** One payment, or those of a subscription. */
type Plan = { isSubscription: boolean; lives: Life[] };

/** Draws what customers do. Of what is refunded, nothing is more than was paid. */
function drawPlan(chance: Chance, processor: ProcessorName): Plan {
  const isSubscription = chance.happens(0.5);
  const lives = Array.from({ length: isSubscription && chance.happens(0.5) ? 2 : 1 }, (): Life => {
    const cents = 100 + chance.below(10_000);
    const refunds = chance.happens(0.5) ? [1 + chance.below(Math.floor(cents / 3))] : [];
    if (refunds.length > 0 && chance.happens(0.3)) refunds.push(1 + chance.below(Math.floor(cents / 3)));
    const failed = chance.happens(0.3) ? 1 + chance.below(Math.floor(cents / 4)) : 0;
    const isDisputed = WITH_DISPUTES.includes(processor) && refunds.length === 0 && chance.happens(0.4);
    return { cents, refunds, failed, disputed: isDisputed ? chance.pick(['open', 'won'] as const) : 'never' };
  });
  return { isSubscription, lives };
}

/** The events of a purchase as they happen, and what is left of each payment in the end: 20 % of it is the partner's. */
function happen(shop: Shop, plan: Plan, key: string): { events: Sent[]; expected: object[] } {
  const subscription = newId('sub');
  const events: Sent[] = [];
  const expected = plan.lives.map(({ cents, refunds, failed, disputed }, index) => {
    service.advance({ seconds: 60 });
    const stage = index === 0 ? 'start' : 'cycle';
    const payment: Payment = plan.isSubscription
      ? shop.payFor(subscription, stage, { key, cents })
      : shop.pay({ key, cents });
    events.push(...payment.events);
    for (const refund of refunds) events.push(...later(() => shop.refund(payment, refund)));
    if (failed > 0) events.push(...later(() => shop.failedRefund(payment, failed)));
    if (disputed !== 'never') {
      const { opened, won } = later(() => shop.dispute(payment, cents));
      events.push(...opened, ...(disputed === 'won' ? won : []));
    }
    const refunded = disputed === 'open' ? cents : refunds.reduce((sum, part) => sum + part, 0);
    const commission = Math.round(cents / 5);
    const deducted = Number((2n * BigInt(commission) * BigInt(refunded) + BigInt(cents)) / (2n * BigInt(cents)));
    return { id: payment.id, cents, refunded, recurring: index > 0, commission, deducted };
  });
  return { events, expected };
}

function later<Made>(make: () => Made): Made {
  service.advance({ seconds: 60 });
  return make();
}

/** Sends the first event of every purchase, then the second of each, and so on. */
async function deliver(programId: number, sequences: Sent[][]): Promise<void> {
  for (let step = 0; step < MAX_EVENTS; step += 1) {
    const answers = await Promise.all(
      sequences.flatMap((events) => events[step] ?? []).map(({ send }) => send(programId)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    await settle(service);
  }
  // What waits for another event is tried again soon.
  service.advance({ seconds: 600 });
  await settle(service);
}

it.each(PROCESSORS)(
  'the books are the same whatever the order of the events: %s',
  async (processor) => {
    const chance = new Chance(20_261_117);
    const drawn: { plan: Plan; orders: number[][] }[] = [];
    while (drawn.length < PURCHASES) {
      const plan = drawPlan(chance, processor);
      const { length } = happen(SHOPS[processor](service), plan, 'nobody').events;
      if (length <= MAX_EVENTS) drawn.push({ plan, orders: drawOrders(chance, length, ORDERS) });
    }
    for (let attempt = 0; attempt < ORDERS; attempt += 1) {
      const made = await service.program({ commissionType: 'recurring_percent', commissionRate: '20' });
      const shop = SHOPS[processor](service);
      await shop.connect(made);
      const expected: { id: string }[] = [];
      const sequences: Sent[][] = [];
      for (const [index, { plan, orders }] of drawn.entries()) {
        const order = orders[attempt];
        if (!order) continue;
        await service.customer(made, `user-${index}`);
        const purchase = happen(shop, plan, `user-${index}`);
        expected.push(...(purchase.expected as { id: string }[]));
        sequences.push(order.map((position) => purchase.events[position] as Sent));
      }
      for (let from = 0; from < sequences.length; from += AT_ONCE) {
        await deliver(made.program.id, sequences.slice(from, from + AT_ONCE));
      }
      const rows = (await ledger(service, made.program.id)) as { id: string }[];
      const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
      expect({ attempt, rows: rows.sort(byId) }).toMatchObject({ attempt, rows: expected.sort(byId) });
    }
  },
  LIMIT_MS,
);
