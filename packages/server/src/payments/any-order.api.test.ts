import { PROCESSORS } from '@svc/contract';
import { TELL_PURCHASE, type Told } from '@svc/testkit/service/payments/purchase-events.ts';
import {
  creditedFor,
  type People,
  type Purchase,
  purchases,
  RENEWAL_CENTS,
  refundedOf,
  START_CENTS,
} from '@svc/testkit/service/payments/purchases.ts';
import { SHOPS } from '@svc/testkit/service/payments/shops.ts';
import { settle } from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OPERATOR } from '../audit/audit-store.ts';
import { addCoupon } from '../coupons/add-coupon.ts';
import { changeAttribution } from '../customers/change-attribution.ts';
import { parseClickId } from '../customers/click-id.ts';

const service = useService();

const IS_LONG = Boolean(process.env.SVC_TEST_LONG);
const PURCHASES = IS_LONG ? 200 : 3;
/** How many orders of the events of each purchase are tried. */
const ORDERS = IS_LONG ? 24 : 3;
/** The most that happens in a purchase: what the processor tells, a signup and an assignment. */
const MAX_STEPS = 9;
/** Purchases whose events are sent next to each other. */
const AT_ONCE = 20;
const SEED = Number(process.env.SVC_TEST_SEED ?? 1_700);

/** Something that happens while the events of a purchase arrive. */
type Step = () => Promise<void>;

it.each(PROCESSORS)(
  'every order of the events of a purchase gives the same ledger: %s',
  async (processor) => {
    const jane = await service.program({ commissionType: 'percent', commissionRate: '20', attributionWindowDays: 20 });
    const { program, apiKey } = jane;
    await SHOPS[processor](service).connect(jane);
    const [bob, carol] = [await service.partner(program), await service.partner(program)];
    await addCoupon(service.ctx, program, { code: 'BOB20', partnerId: bob.partnerId }, OPERATOR);
    const names = new Map([
      [jane.partnerId, 'Jane'],
      [bob.partnerId, 'Bob'],
      [carol.partnerId, 'Carol'],
    ]);

    const random = fc.sample(fc.tuple(purchases, fc.infiniteStream(fc.nat())), { numRuns: PURCHASES, seed: SEED });
    const all = random.flatMap(([purchase, numbers], number) =>
      Array.from({ length: ORDERS }, () => ({
        number,
        purchase,
        order: take(numbers, MAX_STEPS),
        pauses: take(numbers, MAX_STEPS),
      })),
    );
    const couponsOf = new Map<number, string>();
    const differences: unknown[] = [];
    for (let from = 0; from < all.length; from += AT_ONCE) {
      const group = all.slice(from, from + AT_ONCE);
      const people: People[] = [];
      for (const [index, { purchase }] of group.entries()) {
        people.push(await meet(`${processor}-${from + index}`, purchase));
      }
      service.advance({ seconds: 60 });
      const begin = service.time;
      const told = group.map(({ purchase }, index) => TELL_PURCHASE[processor](purchase, people[index]!, begin));
      service.advance({ days: 40 });
      await perform(
        group.map(({ purchase, order }, index) => inOrder(stepsOf(purchase, people[index]!, told[index]!), order)),
        group[0]!.pauses,
      );
      for (const [index, { number, purchase, order }] of group.entries()) {
        const expected = expectedBooks(purchase, told[index]!);
        const { coupons, ...found } = await booksOf(people[index]!, told[index]!);
        const usual = couponsOf.get(number) ?? coupons;
        couponsOf.set(number, usual);
        if (JSON.stringify(found) === JSON.stringify(expected) && coupons === usual) continue;
        differences.push({ seed: SEED, purchase, order, expected, found, coupons, usual });
      }
      if (differences.length > 0) break;
    }
    expect(differences).toEqual([]);

    /** Jane's customer clicked, and signed up unless that comes later; then somebody clicked Bob's link. */
    async function meet(name: string, { isSignupLate }: Purchase): Promise<People> {
      const janesClick = await service.clickId(jane.link);
      const met = { email: `${name}@people.test`, key: `user-${name}`, janesClick };
      if (!isSignupLate) await signUp(met);
      return { ...met, bobsClick: await service.clickId(bob.link) };
    }

    async function signUp({ janesClick, key, email }: Omit<People, 'bobsClick'>): Promise<void> {
      await service.lead({ click_id: janesClick, customer_key: key, email }, { key: apiKey });
    }

    function stepsOf({ isSignupLate, isAssigned }: Purchase, met: People, { events }: Told): Step[] {
      const sent = events.map((send) => async () => expect((await send(service, program.id)).status).toBe(200));
      const assignment = { partnerId: carol.partnerId, reason: 'They met at a fair', actor: OPERATOR };
      const assign = () => changeAttribution(service.ctx, program, idOf(met.janesClick), assignment);
      return [...sent, ...(isSignupLate ? [() => signUp(met)] : []), ...(isAssigned ? [assign] : [])];
    }

    function expectedBooks(purchase: Purchase, { start, renewal }: Told) {
      const { who, buyer } = creditedFor(purchase, processor);
      const refunded = refundedOf(purchase);
      const reversal = refunded === 0 ? 'none' : refunded === START_CENTS ? 'full' : 'partial';
      const earned = { commission: 1_000, deducted: refunded / 5, stage: 'pending', reversal };
      // Under these terms a renewal earns nothing.
      const nothing = { commission: null, deducted: null, stage: null, reversal: null };
      const common = { partner: who, hold: null };
      const first = { id: start, ...common, cents: START_CENTS, refunded, recurring: false, ...earned };
      const second = { id: renewal, ...common, cents: RENEWAL_CENTS, refunded: 0, recurring: true, ...nothing };
      const sales = who === null ? [] : purchase.hasRenewal ? [first, second] : [first];
      return {
        sales: sales.sort((one, other) => (one.id < other.id ? -1 : 1)),
        customers: [
          { partner: purchase.isAssigned ? 'Carol' : 'Jane', hasBought: buyer === 'Jane’s' },
          { partner: 'Bob', hasBought: buyer === 'Bob’s' },
        ],
      };
    }

    async function booksOf({ janesClick, bobsClick }: People, { start, renewal, alias }: Told) {
      const sales = await service.sql<{ id: string; partner: number; coupon: string | null }>(
        `select s.processor_event_id as id, s.partner_id as partner, s.hold_reason as hold, s.amount_cents as cents,
           s.refunded_cents as refunded, s.is_recurring as recurring, c.commission_cents as commission,
           c.deducted_cents as deducted, c.stage, c.reversal, s.coupon_code as coupon
         from sales s left join commissions c on c.sale_id = s.id and c.partner_id = s.partner_id
         where s.processor_event_id = any ($1::text[]) order by s.processor_event_id collate "C"`,
        [[start, renewal, alias]],
      );
      const customers = await service.sql<{ partner: number }>(
        `select partner_id as partner, converted_at is not null as "hasBought" from customers
         where id = any ($1::bigint[]) order by id`,
        [[idOf(janesClick), idOf(bobsClick)]],
      );
      const named = <Row extends { partner: number }>(row: Row) => ({ ...row, partner: names.get(row.partner) });
      const couponOf = (sold: string) => sales.find(({ id }) => id === sold)?.coupon ?? 'none';
      const coupons = `${couponOf(start)}, ${couponOf(renewal)}`;
      return { sales: sales.map(({ coupon, ...sale }) => named(sale)), customers: customers.map(named), coupons };
    }

    /** Lets the first step of every purchase happen, then the second of each, and so on, with or without pauses in between. */
    async function perform(sequences: Step[][], pauses: number[]): Promise<void> {
      for (let index = 0; index < MAX_STEPS; index += 1) {
        await Promise.all(sequences.map((steps) => steps[index]?.()));
        await settle(service);
        service.advance({ seconds: [0, 1, 10][pauses[index]! % 3]! });
        await settle(service);
      }
      // Lets events that wait for another event become due again.
      for (let round = 0; round < 4; round += 1) {
        service.advance({ seconds: 400 });
        await settle(service);
      }
    }
  },
  IS_LONG ? 3_600_000 : 900_000,
);

const idOf = (clickId: string) => parseClickId(clickId)!.customerId;

function take(stream: fc.Stream<number>, count: number): number[] {
  return Array.from({ length: count }, () => stream.next().value as number);
}

function inOrder(steps: Step[], order: number[]): Step[] {
  return steps
    .map((step, index) => ({ step, position: order[index]! }))
    .sort((one, other) => one.position - other.position)
    .map(({ step }) => step);
}
