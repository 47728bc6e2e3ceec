import type { CommissionType, TermsRule } from '@svc/contract';
import { deliver, newId, StripeEvents, settle, withBuyer } from '@svc/testkit/service/payments/stripe.ts';
import { publish } from '@svc/testkit/service/published-terms.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { whileRefused } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';
import { repairCommissions } from '../../../jobs/repair-commissions.ts';
import { findProgram } from '../../../programs/program-store.ts';
import { runSimulation } from '../../../terms/simulation/run-simulation.ts';

const service = useService();
const DAY = 86_400;

/** A subscription of the program's customer, and the events of its invoices in the order in which they were paid. */
async function subscribed(
  commissionType: CommissionType,
  recurringMonths: number | null = null,
  rules: TermsRule[] = [],
) {
  const { id } = await withBuyer(service, { commissionType, commissionRate: '10', recurringMonths });
  if (rules.length > 0) await publish(service, { program: { id } }, rules);
  const stripe = new StripeEvents('2026', service.time);
  const [customer, subscription] = [newId('cus'), newId('sub')];
  const invoice = (reason: string, cents: number) => {
    const paid = stripe.invoice({ metadata: { svc_customer_key: 'user-1' }, customer, subscription, reason, cents });
    const event = stripe.event('invoice.paid', paid);
    stripe.at += 31 * DAY;
    return event;
  };
  /** Amount, whether it is a renewal, and the commission of every sale, by the time of payment. */
  const sales = async () => {
    const rows = await service.sql(
      `select s.amount_cents, s.is_recurring, c.commission_cents from sales s
       left join commissions c on c.sale_id = s.id where s.program_id = $1 order by s.created_at`,
      [id],
    );
    return rows.map((row) => [row.amount_cents, row.is_recurring, row.commission_cents]);
  };
  /** Delivers the events after all of them have happened. */
  const receive = async (events: ReturnType<typeof invoice>[]) => {
    const begin = service.time;
    service.advance({ days: 400 });
    await deliver(service, id, ...events);
    service.time = begin;
  };
  return { id, invoice, sales, receive };
}

const [START, CYCLE, CHANGE] = ['subscription_create', 'subscription_cycle', 'subscription_update'];
const orders: [string, (events: never[]) => never[]][] = [
  ['in order', (events) => events],
  ['in reverse', (events) => [...events].reverse()],
  ['with the last one first', ([...events]) => [events.pop() as never, ...events]],
];

/** Every type is tried in one order, and one type in every order. The long form tries all. */
const inOrder = (name: string, rows: [CommissionType, (number | null)[]][]) =>
  rows.filter(([type]) => process.env.SVC_TEST_LONG || name === 'in reverse' || type === 'percent');

describe.each(orders)('events that arrive %s', (name, arrange) => {
  it('are paid by the rule that matches, also if a payment turns out to be a renewal', async () => {
    const { id, invoice, sales, receive } = await subscribed('percent', null, [
      { on: 'sale', pays: { type: 'percent', rate: 30 } },
      { on: 'sale', pays: { type: 'percent', rate: 5, renewals: true } },
    ]);
    const events = [invoice(START, 5_000), invoice(CYCLE, 5_000), invoice(CYCLE, 5_000)];
    await receive(arrange(events as never[]));
    await repairCommissions.run(service.ctx);
    expect(await sales()).toEqual([
      [5_000, false, 1_500],
      [5_000, true, 250],
      [5_000, true, 250],
    ]);
    const program = await findProgram(service.ctx.db, id);
    const ever = { from: new Date(0), to: new Date('2100-01-01') };
    expect(
      (await runSimulation(service.ctx, program!, { rules: [], isOwnClick: () => false }, ever)).matchesActual,
    ).toBe(true);
  });

  it.each(
    inOrder(name, [
      ['percent', [500, null]],
      ['fixed', [1_000, null]],
      ['recurring_percent', [500, 500]],
      ['recurring_fixed', [1_000, 1_000]],
    ]),
  )('after a free trial, the first money is the first payment: %s', async (type, [first, second]) => {
    const { invoice, sales, receive } = await subscribed(type);
    const events = [invoice(START, 0), invoice(CYCLE, 5_000), invoice(CYCLE, 5_000)];
    await receive(arrange(events as never[]));
    expect(await sales()).toEqual([
      [5_000, false, first],
      [5_000, true, second],
    ]);
  });

  it.each(
    inOrder(name, [
      ['percent', [500, 15, null]],
      ['fixed', [1_000, null, null]],
      ['recurring_percent', [500, 15, 515]],
      ['recurring_fixed', [1_000, null, 1_000]],
    ]),
  )('a change earns percent of what it brings, and no fixed amount: %s', async (type, [first, change, renewal]) => {
    const { invoice, sales, receive } = await subscribed(type);
    const events = [invoice(START, 5_000), invoice(CHANGE, 150), invoice(CYCLE, 5_150)];
    await receive(arrange(events as never[]));
    expect(await sales()).toEqual([
      [5_000, false, first],
      [150, false, change],
      [5_150, true, renewal],
    ]);
  });

  it('a change after the months of recurring terms earns nothing', async () => {
    const { invoice, sales, receive } = await subscribed('recurring_percent', 1);
    const events = [invoice(START, 5_000), invoice(CHANGE, 150), invoice(CHANGE, 150)];
    await receive(arrange(events as never[]));
    expect(await sales()).toEqual([
      [5_000, false, 500],
      [150, false, null],
      [150, false, null],
    ]);
  });
});

it('a review that was interrupted is repeated with the event', async () => {
  const { invoice, sales, receive } = await subscribed('percent');
  const [start, renewal] = [invoice(START, 5_000), invoice(CYCLE, 5_000)];
  await receive([renewal]);
  await whileRefused(service, 'decisions', () => receive([start]), `new.reason = 'renewal_without_commission'`);
  expect(await sales()).toEqual([
    [5_000, false, 500],
    [5_000, true, 500],
  ]);
  service.advance({ days: 401 });
  await settle(service);
  expect(await sales()).toEqual([
    [5_000, false, 500],
    [5_000, true, null],
  ]);
});
