import { eventually } from '@svc/testkit/service/eventually.ts';
import { customSigned } from '@svc/testkit/service/payments/custom.ts';
import { type CustomShop, customPayment, customShop, earningsOf } from '@svc/testkit/service/payments/custom-shop.ts';
import { newId } from '@svc/testkit/service/payments/stripe.ts';
import { useTwoNodes } from '@svc/testkit/service/processes/two-nodes.ts';
import type { TestService } from '@svc/testkit/service/service.ts';
import { beforeAll, expect, it } from 'vitest';
import { createGroupCommit } from '../db/group-commit.ts';
import type { Program } from '../programs/program.ts';
import { recordSales } from '../sales/record-sales.ts';
import type { SaleAttempt } from '../sales/sale.ts';
import { upsertProcessorCodes } from './coupons/processor-code-store.ts';
import { requeueEvent } from './events/event-store.ts';
import { processDueEvents } from './events/process-due-events.ts';

// The payments of a customer are judged on two nodes at the same time, as may happen when a batch ends between them.
const nodes = useTwoNodes();
const [one, other] = nodes;

const DAY_MS = 86_400_000;

beforeAll(async () => {
  // The tests say which node processes what.
  for (const node of nodes) await node.ctx.eventWorker.close();
  // A sale that was judged waits for the test before it is written.
  await one.sql(
    `create function wait_for_test() returns trigger language plpgsql as $$ begin
       perform pg_advisory_xact_lock_shared(hashtext(new.processor_event_id));
       return new;
     end $$`,
  );
  await one.sql(
    'create trigger wait_for_test before insert on transactions for each row execute function wait_for_test()',
  );
});

/** Processes what is due on a node, however long the test holds it up. */
function processOn(node: TestService): Promise<number> {
  const ctx = { ...node.ctx, db: node.ctx.db.untimed };
  const write = (attempts: SaleAttempt[]) => recordSales(ctx, attempts);
  return processDueEvents({ ...ctx, sales: createGroupCommit({ write, maxWriteMs: null }) });
}

/** Does not let the sale be written until the work is done. */
const whileHeld = (transactionId: string, work: () => Promise<void>) =>
  one.ctx.db.untimed.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock(hashtext($1))', [transactionId]);
    await work();
  });

/** Does not let the sale be taken back until the work is done. */
const whileLocked = (transactionId: string, work: () => Promise<void>) =>
  one.ctx.db.untimed.transaction(async (tx) => {
    await tx.query('select from sales where processor_event_id = $1 for update', [transactionId]);
    await work();
  });

/** Until so many transactions wait for another one. */
async function untilWaiting(count: number): Promise<void> {
  const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  const rows = await eventually(
    () => one.sql(waiting),
    ({ length }) => length === count,
  );
  expect(rows).toHaveLength(count);
}

/** A customer who followed Jane's link a minute before the first day, and pays for a subscription. */
async function shopWithPayments(settings: Partial<Program>, lastDay: number) {
  const shop = await customShop(one, settings);
  const click_id = await one.clickId(shop.link);
  const begin = one.time.getTime() + 60_000;
  for (const node of nodes) node.advance({ days: lastDay + 1 });
  const id = newId('sub');
  const payment = (day: number, stage: string) => ({
    at: new Date(begin + day * DAY_MS).toISOString(),
    ...customPayment(newId('order'), { click_id }, { subscription: { id, stage } }),
  });
  const learnCode = () => upsertProcessorCodes(one.ctx.db, shop.id, [id], 'BEN20', one.time);
  return { shop, start: payment(0, 'start'), renewal: payment(lastDay, 'renewal'), learnCode };
}

async function send(node: TestService, { id }: CustomShop, event: object): Promise<void> {
  const body = JSON.stringify(event);
  const headers = customSigned(body, node.time);
  expect((await node.call('POST', `/api/v1/webhooks/custom/${id}`, { body, headers })).status).toBe(200);
}

async function sendAndProcess(shop: CustomShop, ...events: object[]): Promise<void> {
  for (const event of events) {
    await send(one, shop, event);
    await processOn(one);
  }
}

/** Judges a payment again on a node. */
async function judgeAgain(node: TestService, { id }: CustomShop, transactionId: string): Promise<void> {
  const [event] = await node.sql<{ id: number }>(
    'select id from processor_events where program_id = $1 and transaction_id = $2',
    [id, transactionId],
  );
  await requeueEvent(node.ctx.db, id, event!.id, node.time);
  await processOn(node);
}

const salesOf = ({ id }: CustomShop) =>
  one.sql(
    `select partner_id as partner, is_recurring as recurring, coupon_code as code from sales where program_id = $1 order by created_at`,
    [id],
  );

it('a code takes nobody while the first payment is judged again on another node', async () => {
  const { shop, start, renewal, learnCode } = await shopWithPayments({ attributionWindowDays: 20 }, 30);
  await sendAndProcess(shop, start, renewal);
  await learnCode();
  let first = Promise.resolve();
  await whileHeld(start.transaction_id, async () => {
    first = judgeAgain(other, shop, start.transaction_id);
    await untilWaiting(1);
    await judgeAgain(one, shop, renewal.transaction_id);
    // By now, the customer has bought nothing before.
    expect(await salesOf(shop)).toEqual([{ partner: shop.ben.partnerId, recurring: true, code: 'BEN20' }]);
  });
  await first;
  await processOn(one);
  expect(await salesOf(shop)).toEqual([
    { partner: shop.partnerId, recurring: false, code: 'BEN20' },
    { partner: shop.partnerId, recurring: true, code: 'BEN20' },
  ]);
});

it('a code takes nobody whose first payment is recorded on another node at the same time', async () => {
  const { shop, start, renewal, learnCode } = await shopWithPayments({ attributionWindowDays: 20 }, 30);
  await learnCode();
  await send(one, shop, renewal);
  let second: Promise<unknown> = Promise.resolve();
  await whileHeld(renewal.transaction_id, async () => {
    second = processOn(one);
    await untilWaiting(1);
    await send(other, shop, start);
    await processOn(other);
  });
  await second;
  expect(await salesOf(shop)).toEqual([
    { partner: shop.partnerId, recurring: false, code: 'BEN20' },
    { partner: shop.partnerId, recurring: true, code: 'BEN20' },
  ]);
});

it('a renewal past the months earns nothing, though its first payment is judged again meanwhile on another node', async () => {
  const terms = { commissionType: 'recurring_percent', recurringMonths: 1, attributionWindowDays: 90 } as const;
  const { shop, start, renewal, learnCode } = await shopWithPayments(terms, 60);
  await sendAndProcess(shop, start, renewal);
  const earned = [
    ['Jane', 1_000],
    [null, null],
  ];
  expect(await earningsOf(one, shop)).toEqual(earned);
  await learnCode();
  let [first, second] = [Promise.resolve(), Promise.resolve()];
  await whileHeld(renewal.transaction_id, async () => {
    await whileHeld(start.transaction_id, async () => {
      await whileLocked(renewal.transaction_id, async () => {
        second = judgeAgain(one, shop, renewal.transaction_id);
        await untilWaiting(1);
        first = judgeAgain(other, shop, start.transaction_id);
        await untilWaiting(2);
      });
      // The renewal is taken back and judged while nothing else of its customer is recorded.
      await eventually(
        () => salesOf(shop),
        ({ length }) => length === 0,
      );
      await untilWaiting(2);
    });
    await first;
  });
  await second;
  expect(await earningsOf(one, shop)).toEqual(earned);
});
