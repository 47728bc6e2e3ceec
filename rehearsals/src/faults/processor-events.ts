import { setTimeout as sleep } from 'node:timers/promises';
import type { StoreKind } from '@svc/bench/options';
import type { Db } from '@svc/server/db/db';
import type { Chance } from '@svc/testkit';
import type { Sale } from '../shop/model.ts';
import { connectAccount } from '../shop/processing.ts';
import type { Program } from '../shop/programs.ts';
import { paymentEvent, refundEvent, type StripeEvent } from '../shop/stripe-events.ts';
import { type RunOptions, scaled } from './run-options.ts';
import { type Outcome, type Scene, stage } from './scene.ts';

const CUSTOMERS = 60;
const LANES = 12;
const KILLS = 4;
const DELIVERED_TWICE = 0.2;
const MAX_REFUNDS = 3;
const MAX_CENTS = 20_000;
/** Longer than a node that was killed keeps the events that it had claimed, and longer than one waits for its sale. */
const PROCESSED_MS = 240_000;
/** As many as the operator command lists. */
const MAX_LISTED = 100;

/** Delivers payments and their refunds in any order, some of them twice, while the service is killed. */
export function shuffleEvents(store: StoreKind, count: number, options: RunOptions): Promise<Outcome> {
  return stage({ ...options, store, isShopOpen: false, prepare: connectAll }, async (scene) => {
    const events = await createEvents(scene, scaled(count, options));
    shuffle(events, scene.chance);
    const kills = scaled(KILLS, options);
    await deliverAll(scene, events, kills);
    scene.endLoad();
    const from = performance.now();
    await untilProcessed(scene);
    const seconds = Math.round((performance.now() - from) / 1000);
    return `${events.length} events, shuffled; ${kills} × kill -9; processed ${seconds} s after the last one`;
  });
}

function connectAll(db: Db, programs: Program[]): Promise<Program[]> {
  return Promise.all(programs.map((program) => connectAccount(db, program)));
}

/** What the processor reports about payments of known customers. The model is told as if all of it was acknowledged. */
async function createEvents(scene: Scene, count: number): Promise<StripeEvent[]> {
  const { chance, programs, shop } = scene;
  const customers: { program: Program; key: string }[] = [];
  while (customers.length < CUSTOMERS) {
    const program = chance.pick(programs);
    const key = await shop.signUp(program);
    if (key !== null) customers.push({ program, key });
  }
  const at = Math.floor(Date.now() / 1000);
  const events: StripeEvent[] = [];
  while (events.length < count) {
    const { program, key } = chance.pick(customers);
    const payment = {
      account: program.account as string,
      intent: `pi_${shop.sales.length}`,
      cents: 1 + chance.below(MAX_CENTS),
      at,
    };
    const made = [paymentEvent(payment, key)];
    let refunded = 0;
    for (let left = chance.below(MAX_REFUNDS + 1); left > 0 && refunded < payment.cents; left -= 1) {
      refunded += 1 + chance.below(payment.cents - refunded);
      made.push(refundEvent({ ...payment, at: at + made.length }, refunded));
      shop.refunds += 1;
    }
    shop.sales.push(saleOf(program, payment, refunded));
    events.push(...made, ...made.filter(() => chance.happens(DELIVERED_TWICE)));
  }
  return events;
}

function saleOf({ id: programId, terms }: Program, payment: { intent: string; cents: number }, refunded: number): Sale {
  return { id: payment.intent, programId, terms, cents: payment.cents, refunds: [], processorRefunded: refunded };
}

function shuffle(events: StripeEvent[], chance: Chance): void {
  for (let last = events.length - 1; last > 0; last -= 1) {
    const other = chance.below(last + 1);
    [events[last], events[other]] = [events[other] as StripeEvent, events[last] as StripeEvent];
  }
}

/** Delivers the events, several at a time, and kills the service at regular points of the way. */
async function deliverAll(scene: Scene, events: StripeEvent[], kills: number): Promise<void> {
  let next = 0;
  const deliverInTurn = async () => {
    for (let event = events[next++]; event !== undefined; event = events[next++]) await scene.shop.deliver(event);
  };
  const delivered = Promise.all(Array.from({ length: LANES }, deliverInTurn));
  for (let kill = 1; kill <= kills; kill += 1) {
    while (next < (events.length * kill) / (kills + 1)) await sleep(5);
    const from = performance.now();
    await scene.kill();
    await scene.recover(from);
  }
  await delivered;
}

/**
 * Waits until every event has been processed. Refunds that came long before their payment stay on the list: they are in the
 * sale since the payment came, and are looked at once more an hour later.
 */
async function untilProcessed(scene: Scene): Promise<void> {
  const deadline = performance.now() + PROCESSED_MS;
  for (;;) {
    const listed = await scene.operate<{ eventId: string; outcome: string | null }[]>('list-processor-events');
    const unfinished = listed.filter(({ outcome }) => outcome !== 'no_sale_yet');
    if (unfinished.length === 0 && listed.length < MAX_LISTED) return;
    if (performance.now() > deadline) throw new Error(`Events are not processed: ${JSON.stringify(listed[0])}`);
    await sleep(1_000);
  }
}
