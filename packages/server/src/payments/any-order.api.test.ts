import { PROCESSORS } from '@svc/contract';
import { Chance, drawOrders } from '@svc/testkit';
import { TELL_PURCHASE, type Told } from '@svc/testkit/service/payments/purchase-events.ts';
import {
  type Circumstances,
  creditedFor,
  newKeyFor,
  type People,
  type Purchase,
  type PurchaseWithTerms,
  purchasesWithTerms,
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
import type { Program } from '../programs/program.ts';

const service = useService();

const IS_LONG = Boolean(process.env.SVC_TEST_LONG);
const PURCHASES = IS_LONG ? 200 : 3;
/** Up to four steps happen in each of their 24 orders, more of them in as many of theirs. */
const ORDERS = IS_LONG ? 24 : 3;
/** Purchases whose events are sent next to each other. */
const AT_ONCE = IS_LONG ? 100 : 20;
const SEED = Number(process.env.SVC_TEST_SEED ?? 1_700);

/** Something that happens while the events of a purchase arrive. */
type Step = () => Promise<void>;
type Attempt = { number: number; purchase: PurchaseWithTerms; order: number[] };
type Shop = {
  program: Program;
  apiKey: string;
  janesLink: string;
  bobsLink: string;
  carolId: number;
  names: Map<number, string>;
};
type Underway = Attempt & { shop: Shop; met: People };

it.each(PROCESSORS)(
  'every order of the events of a purchase gives the same ledger: %s',
  async (processor) => {
    const chance = new Chance(SEED);
    const all: Attempt[] = fc
      .sample(purchasesWithTerms, { numRuns: PURCHASES, seed: SEED })
      .flatMap((purchase, number) =>
        drawOrders(chance, stepCount(purchase), ORDERS).map((order) => ({ number, purchase, order })),
      );
    const shops = new Map<string, Promise<Shop>>();
    const couponsOf = new Map<number, string>();
    const differences: unknown[] = [];
    for (let from = 0; from < all.length; from += AT_ONCE) {
      const group: Underway[] = [];
      for (const [index, attempt] of all.slice(from, from + AT_ONCE).entries()) {
        const shop = await shopFor(attempt.purchase);
        group.push({ ...attempt, shop, met: await meet(shop, `${processor}-${from + index}`, attempt.purchase) });
      }
      service.advance({ seconds: 60 });
      const begin = service.time;
      const told = group.map(({ purchase, met }) => TELL_PURCHASE[processor](purchase, met, begin));
      service.advance({ days: 40 });
      await perform(
        group.map((one, index) => {
          const steps = stepsOf(one, told[index]!);
          return one.order.map((position) => steps[position]!);
        }),
        () => chance.pick([0, 1, 10]),
      );
      for (const [index, one] of group.entries()) {
        const { number, purchase, order } = one;
        const expected = expectedBooks(purchase, told[index]!);
        const { coupons, ...found } = await booksOf(one, told[index]!);
        const usual = couponsOf.get(number) ?? coupons;
        couponsOf.set(number, usual);
        if (JSON.stringify(found) === JSON.stringify(expected) && coupons === usual) continue;
        differences.push({ seed: SEED, purchase, order, expected, found, coupons, usual });
      }
      if (differences.length > 0) break;
    }
    expect(differences).toEqual([]);

    /** How many steps a purchase takes, for every customer. */
    function stepCount(purchase: Purchase): number {
      const nobody = { email: 'nobody@people.test', key: 'nobody', janesClick: 'none', bobsClick: 'none' };
      const { events } = TELL_PURCHASE[processor](purchase, nobody, service.time);
      return events.length + Number(purchase.isSignupLate) + Number(purchase.isAssigned);
    }

    /** The program with the terms of a purchase. */
    function shopFor({ couponsWin, leadAuth }: Circumstances): Promise<Shop> {
      const terms = JSON.stringify({ couponsWin, leadAuth });
      const shop = shops.get(terms) ?? openShop({ couponsWin, leadAuth });
      shops.set(terms, shop);
      return shop;
    }

    async function openShop(terms: Partial<Program>): Promise<Shop> {
      const jane = await service.program({
        commissionType: 'percent',
        commissionRate: '20',
        attributionWindowDays: 20,
        ...terms,
      });
      const { program, apiKey } = jane;
      await SHOPS[processor](service).connect(jane);
      const [bob, carol] = [await service.partner(program), await service.partner(program)];
      await addCoupon(service.ctx, program, { code: 'BOB20', partnerId: bob.partnerId }, OPERATOR);
      const names = new Map([
        [jane.partnerId, 'Jane'],
        [bob.partnerId, 'Bob'],
        [carol.partnerId, 'Carol'],
      ]);
      return { program, apiKey, janesLink: jane.link, bobsLink: bob.link, carolId: carol.partnerId, names };
    }

    /** Jane's customer clicked, and signed up unless that comes later; then somebody clicked Bob's link, and may claim a key. */
    async function meet(shop: Shop, name: string, { isSignupLate, claims }: PurchaseWithTerms): Promise<People> {
      const janesClick = await service.clickId(shop.janesLink);
      const met = { email: `${name}@people.test`, key: `user-${name}`, janesClick };
      if (!isSignupLate) await signUp(shop, met);
      const bobsClick = await service.clickId(shop.bobsLink);
      const claimed = claims === 'new key' ? newKeyFor(met.key) : met.key;
      if (claims) await service.lead({ click_id: bobsClick, customer_key: claimed });
      return { ...met, bobsClick };
    }

    async function signUp({ apiKey }: Shop, { janesClick, key, email }: Omit<People, 'bobsClick'>): Promise<void> {
      await service.lead({ click_id: janesClick, customer_key: key, email }, { key: apiKey });
    }

    function stepsOf({ purchase: { isSignupLate, isAssigned }, shop, met }: Underway, { events }: Told): Step[] {
      const { program, carolId } = shop;
      const sent = events.map((send) => async () => expect((await send(service, program.id)).status).toBe(200));
      const assignment = { partnerId: carolId, reason: 'They met at a fair', actor: OPERATOR };
      const assign = () => changeAttribution(service.ctx, program, idOf(met.janesClick), assignment);
      return [...sent, ...(isSignupLate ? [() => signUp(shop, met)] : []), ...(isAssigned ? [assign] : [])];
    }

    function expectedBooks(purchase: PurchaseWithTerms, { start, renewal }: Told) {
      const { who, buyer, hold } = creditedFor(purchase, processor);
      const refunded = refundedOf(purchase);
      const reversal = refunded === 0 ? 'none' : refunded === START_CENTS ? 'full' : 'partial';
      const earned = { commission: 1_000, deducted: refunded / 5, stage: 'pending', reversal };
      // Under these terms a renewal earns nothing, so there is nothing to hold.
      const nothing = { commission: null, deducted: null, stage: null, reversal: null };
      const common = { partner: who };
      const first = { id: start, ...common, hold, cents: START_CENTS, refunded, recurring: false, ...earned };
      const second = {
        id: renewal,
        ...common,
        hold: null,
        cents: RENEWAL_CENTS,
        refunded: 0,
        recurring: true,
        ...nothing,
      };
      const sales = who === null ? [] : purchase.hasRenewal ? [first, second] : [first];
      // A coupon that wins takes the customer along, unless they are Carol's since.
      const janesCustomer = purchase.isAssigned ? 'Carol' : buyer === 'Jane’s' && who === 'Bob' ? 'Bob' : 'Jane';
      return {
        sales: sales.sort((one, other) => (one.id < other.id ? -1 : 1)),
        customers: [
          { partner: janesCustomer, hasBought: buyer === 'Jane’s' },
          { partner: 'Bob', hasBought: buyer === 'Bob’s' },
        ],
      };
    }

    async function booksOf(
      { met: { janesClick, bobsClick }, shop: { names } }: Underway,
      { start, renewal, alias }: Told,
    ) {
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
    async function perform(sequences: Step[][], pause: () => number): Promise<void> {
      const longest = Math.max(...sequences.map(({ length }) => length));
      for (let index = 0; index < longest; index += 1) {
        await Promise.all(sequences.map((steps) => steps[index]?.()));
        await settle(service);
        const seconds = pause();
        service.advance({ seconds });
        if (seconds > 0) await settle(service);
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
