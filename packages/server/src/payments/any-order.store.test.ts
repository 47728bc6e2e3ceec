import { connectCustom } from '@svc/testkit/service/payments/custom-shop.ts';
import { connectPaddle } from '@svc/testkit/service/payments/paddle.ts';
import {
  creditedFor,
  customPurchase,
  type People,
  type Purchase,
  paddlePurchase,
  purchases,
  RENEWAL_CENTS,
  START_CENTS,
  stripePurchase,
  type Told,
} from '@svc/testkit/service/payments/purchases.ts';
import { connectStripe, settle } from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OPERATOR } from '../audit/audit-store.ts';
import { addCoupon } from '../coupons/add-coupon.ts';

const service = useService();

const IS_LONG = Boolean(process.env.SVC_TEST_LONG);
const PURCHASES = IS_LONG ? 200 : 8;
/** How many orders of the events of each purchase are tried. There are at most 720. */
const ORDERS = IS_LONG ? 24 : 4;
/** Purchases whose events are sent next to each other. */
const AT_ONCE = 20;
const SEED = Number(process.env.SVC_TEST_SEED ?? 1_700);

const SHOPS = {
  stripe: { connect: connectStripe, tell: stripePurchase },
  paddle: { connect: connectPaddle, tell: paddlePurchase },
  custom: { connect: connectCustom, tell: customPurchase },
} as const;

it.each(['stripe', 'paddle', 'custom'] as const)(
  'every order of the events of a purchase gives the same ledger: %s',
  async (processor) => {
    const { connect, tell } = SHOPS[processor];
    const jane = await service.program({ commissionType: 'percent', commissionRate: '20', attributionWindowDays: 365 });
    await connect(service, jane);
    const bob = await service.partner(jane.program);
    await addCoupon(service.ctx, jane.program, { code: 'BOB20', partnerId: bob.partnerId }, OPERATOR);
    const names = new Map([
      [jane.partnerId, 'Jane'],
      [bob.partnerId, 'Bob'],
    ]);

    const random = fc.sample(fc.tuple(purchases, fc.infiniteStream(fc.nat())), { numRuns: PURCHASES, seed: SEED });
    const all = random.flatMap(([purchase, order]) =>
      Array.from({ length: ORDERS }, () => ({ purchase, order: take(order, 6), pauses: take(order, 6) })),
    );
    const differences: unknown[] = [];
    for (let from = 0; from < all.length; from += AT_ONCE) {
      const group = all.slice(from, from + AT_ONCE);
      const people: People[] = [];
      for (const [index] of group.entries()) people.push(await join(`${processor}-${from + index}`));
      service.advance({ seconds: 60 });
      const begin = service.time;
      const told = group.map(({ purchase }, index) => tell(purchase, people[index]!, begin));
      service.advance({ days: 40 });
      await deliver(
        group.map(({ order }, index) => inOrder(told[index]!, order)),
        group[0]!.pauses,
      );
      for (const [index, { purchase, order }] of group.entries()) {
        const expected = expectedLedger(purchase, told[index]!);
        const found = await ledgerOf(told[index]!);
        if (JSON.stringify(found) === JSON.stringify(expected)) continue;
        differences.push({ seed: SEED, purchase, order, expected, found });
      }
      if (differences.length > 0) break;
    }
    expect(differences).toEqual([]);

    /** Jane's customer clicked and signed up; then somebody clicked Bob's link. */
    async function join(name: string): Promise<People> {
      const janesClick = await service.clickId(jane.link);
      const [key, email] = [`user-${name}`, `${name}@people.test`];
      await service.lead({ click_id: janesClick, customer_key: key, email }, { key: jane.apiKey });
      return { email, key, janesClick, bobsClick: await service.clickId(bob.link) };
    }

    function expectedLedger(purchase: Purchase, { start, renewal }: Told) {
      const credited = creditedFor(purchase, processor);
      const sold = [
        { id: start, partner: credited.start, cents: START_CENTS, refunded: purchase.refundCents, commission: 1_000 },
        { id: renewal, partner: credited.renewal, cents: RENEWAL_CENTS, refunded: 0, commission: null },
      ];
      return sold
        .filter(({ partner }) => partner !== undefined)
        .map((sale) => ({ ...sale, deducted: sale.commission && sale.refunded / 5 }))
        .sort((one, other) => (one.id < other.id ? -1 : 1));
    }

    async function ledgerOf({ start, renewal }: Told) {
      const rows = await service.sql<{ partner: number }>(
        `select s.processor_event_id as id, s.partner_id as partner, s.amount_cents as cents, s.refunded_cents as refunded,
           c.commission_cents as commission, c.deducted_cents as deducted
         from sales s left join commissions c on c.sale_id = s.id and c.partner_id = s.partner_id
         where s.processor_event_id = any ($1::text[]) order by s.processor_event_id collate "C"`,
        [[start, renewal]],
      );
      return rows.map((row) => ({ ...row, partner: names.get(row.partner) }));
    }

    /** Sends the first event of every purchase, then the second of each, and so on, with or without pauses in between. */
    async function deliver(sequences: Told['events'][], pauses: number[]): Promise<void> {
      for (let step = 0; step < 6; step += 1) {
        const sent = sequences.flatMap((events) => events[step] ?? []);
        const answers = await Promise.all(sent.map((send) => send(service, jane.program.id)));
        expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
        await settle(service);
        service.advance({ seconds: [0, 1, 10][pauses[step]! % 3]! });
        await settle(service);
      }
      // Lets events that wait for another event become due again.
      for (let round = 0; round < 4; round += 1) {
        service.advance({ seconds: 400 });
        await settle(service);
      }
    }
  },
  900_000,
);

function take(stream: fc.Stream<number>, count: number): number[] {
  return Array.from({ length: count }, () => stream.next().value as number);
}

function inOrder({ events }: Told, order: number[]): Told['events'] {
  return events
    .map((event, index) => ({ event, position: order[index]! }))
    .sort((one, other) => one.position - other.position)
    .map(({ event }) => event);
}
