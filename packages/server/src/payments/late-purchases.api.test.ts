import type { TermsRule } from '@svc/contract';
import { Chance, drawOrders } from '@svc/testkit';
import { customSigned } from '@svc/testkit/service/payments/custom.ts';
import { customPayment, customShop } from '@svc/testkit/service/payments/custom-shop.ts';
import { newId, settle } from '@svc/testkit/service/payments/stripe.ts';
import { publish } from '@svc/testkit/service/published-terms.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';
import { OPERATOR } from '../audit/audit-store.ts';
import { addCoupon } from '../coupons/add-coupon.ts';
import type { Program } from '../programs/program.ts';
import { requeueEvent } from './events/event-store.ts';

const service = useService();

const DAY_MS = 86_400_000;

type Paid = { day: number; coupon?: 'BEN20' | 'CLEO'; stage?: 'start' | 'renewal' | 'change' };

type Credited = [partner: string, cents: number | null];

/** Payments of somebody who followed Jane’s link on the first day, in the order of their days, and whom each credits and pays. */
type Case = [what: string, settings: Partial<Program>, payments: Paid[], credited: Credited[]];

const ONE_MONTH: Partial<Program> = { commissionType: 'recurring_percent', recurringMonths: 1 };

const CASES: Case[] = [
  [
    'a code takes whoever had not bought while the window was open, and keeps them',
    {},
    [{ day: 5, coupon: 'BEN20' }, { day: 6 }, { day: 40, coupon: 'BEN20' }],
    [
      ['Ben', 1_000],
      ['Ben', 1_000],
      ['Ben', 1_000],
    ],
  ],
  [
    'no code takes whoever had bought while the window was open',
    {},
    [{ day: 2 }, { day: 4, coupon: 'BEN20' }, { day: 40, coupon: 'BEN20' }],
    [
      ['Jane', 1_000],
      ['Jane', 1_000],
      ['Jane', 1_000],
    ],
  ],
  [
    'the first code keeps the customer, and another one takes nobody',
    {},
    [{ day: 5, coupon: 'BEN20' }, { day: 20, coupon: 'CLEO' }, { day: 36 }],
    [
      ['Ben', 1_000],
      ['Ben', 1_000],
      ['Ben', 1_000],
    ],
  ],
  [
    'a code on a renewal takes nobody, even if codes win',
    { couponsWin: true },
    [{ day: 1 }, { day: 2, stage: 'start' }, { day: 6, coupon: 'BEN20', stage: 'renewal' }, { day: 42 }],
    [
      ['Jane', 1_000],
      ['Jane', 1_000],
      ['Jane', null],
      ['Jane', 1_000],
    ],
  ],
  [
    'a code on a change of plan takes nobody, even if codes win',
    { couponsWin: true },
    [{ day: 1 }, { day: 2, stage: 'start' }, { day: 6, coupon: 'BEN20', stage: 'change' }, { day: 42 }],
    [
      ['Jane', 1_000],
      ['Jane', 1_000],
      ['Jane', 1_000],
      ['Jane', 1_000],
    ],
  ],
  [
    'a renewal past the months earns nothing',
    ONE_MONTH,
    [{ day: 2 }, { day: 7, stage: 'start' }, { day: 36, stage: 'renewal' }],
    [
      ['Jane', 1_000],
      ['Jane', 1_000],
      ['Jane', null],
    ],
  ],
  [
    'a change of plan past the months earns nothing',
    ONE_MONTH,
    [{ day: 2 }, { day: 7, stage: 'start' }, { day: 36, stage: 'change' }],
    [
      ['Jane', 1_000],
      ['Jane', 1_000],
      ['Jane', null],
    ],
  ],
  [
    'a code on a renewal past the months takes nobody',
    ONE_MONTH,
    [{ day: 2, stage: 'start' }, { day: 40, coupon: 'BEN20', stage: 'renewal' }, { day: 42 }],
    [
      ['Jane', 1_000],
      ['Jane', null],
      ['Jane', 1_000],
    ],
  ],
];

async function openShop(settings: Partial<Program>, rules: TermsRule[] = []) {
  const shop = await customShop(service, { attributionWindowDays: 3, ...settings });
  const cleo = await service.partner(shop.program);
  await addCoupon(service.ctx, shop.program, { code: 'CLEO', partnerId: cleo.partnerId }, OPERATOR);
  if (rules.length > 0) await publish(service, shop, rules);
  const names = new Map([
    [shop.partnerId, 'Jane'],
    [shop.ben.partnerId, 'Ben'],
    [cleo.partnerId, 'Cleo'],
  ]);
  return { ...shop, names };
}

type Shop = Awaited<ReturnType<typeof openShop>>;

/** Reports payments in an order, long after the last of them. Returns whom each credits and what it pays, and whose customer it is. */
async function reportIn(shop: Shop, payments: Paid[], order: number[]) {
  const click_id = await service.clickId(shop.link);
  const begin = service.time.getTime();
  service.advance({ days: 50 });
  const id = newId('sub');
  const events = payments.map(({ day, coupon, stage }) => {
    const at = new Date(begin + day * DAY_MS).toISOString();
    const more = { coupon_code: coupon, ...(stage && { subscription: { id, stage } }) };
    return { at, ...customPayment(newId('order'), { click_id }, more) };
  });
  for (const index of order) {
    const body = JSON.stringify(events[index]);
    const headers = customSigned(body, service.time);
    await service.call('POST', `/api/v1/webhooks/custom/${shop.id}`, { body, headers });
    await settle(service);
  }
  // What was outside the window is tried again.
  service.advance({ seconds: 600 });
  await settle(service);
  const rows = await service.sql<{ partner: number; cents: number; holder: number }>(
    `select s.partner_id as partner, c.commission_cents as cents, h.partner_id as holder
     from sales s join customers h on h.id = s.customer_id left join commissions c on c.sale_id = s.id
     where s.processor_event_id = any ($1::text[]) order by s.created_at`,
    [events.map(({ transaction_id }) => transaction_id)],
  );
  const credited = rows.map(({ partner, cents }) => [shop.names.get(partner), cents]);
  return { credited, holder: shop.names.get(rows[0]!.holder) };
}

/** Judges all payments of a shop again. */
async function replay({ id: programId }: Shop): Promise<void> {
  const ids = await service.sql<{ id: number }>('select id from processor_events where program_id = $1', [programId]);
  for (const { id } of ids) await requeueEvent(service.ctx.db, programId, id, service.time);
  await settle(service);
}

const salesOf = ({ id }: Shop) => service.sql('select * from sales where program_id = $1 order by id', [id]);

/** The last payment credits whose customer they are in the end. Judging all of them once more changes nothing. */
async function expectInEveryOrder(shop: Shop, payments: Paid[], expected: Credited[]): Promise<void> {
  for (const order of drawOrders(new Chance(1), payments.length, 24)) {
    const { credited, holder } = await reportIn(shop, payments, order);
    expect({ order, credited, holder }).toEqual({
      order,
      credited: expected,
      holder: expected.at(-1)?.[0],
    });
  }
  const before = await salesOf(shop);
  await replay(shop);
  expect(await salesOf(shop)).toEqual(before);
}

describe('whatever the order in which payments are reported', () => {
  it.each(CASES)('%s', async (_what, settings, payments, expected) => {
    await expectInEveryOrder(await openShop(settings), payments, expected);
  });

  it('a code takes nobody by a purchase past the months that a rule pays for', async () => {
    const rule: TermsRule = { on: 'sale', pays: { type: 'percent', rate: 20, months: 1 } };
    const shop = await openShop({ commissionType: 'percent', commissionRate: '10' }, [rule]);
    const payments: Paid[] = [{ day: 2 }, { day: 40, coupon: 'BEN20' }, { day: 42 }];
    await expectInEveryOrder(shop, payments, [
      ['Jane', 1_000],
      ['Jane', 500],
      ['Jane', 500],
    ]);
  });
});
