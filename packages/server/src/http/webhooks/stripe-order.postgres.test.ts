import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TestProgram, useService } from '../../../test/service.ts';
import {
  connectStripe,
  GENERATIONS,
  ledger,
  type StripeEvent,
  StripeEvents,
  send,
  settle,
} from '../../../test/stripe.ts';

const service = useService();

const DAY = 86_400;
/** More than 10,000 events in the long version of the suite, more than 700 otherwise. */
const CUSTOMERS = process.env.SVC_TEST_LONG ? 700 : 50;
const TERMS = [
  { commissionType: 'percent', commissionRate: '20' },
  { commissionType: 'fixed', commissionRate: '7.5' },
  { commissionType: 'recurring_percent', commissionRate: '12.5', recurringMonths: 2 },
  { commissionType: 'recurring_fixed', commissionRate: '3', recurringMonths: null },
] as const;
type Terms = (typeof TERMS)[number];

/** A number generator that gives the same numbers for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state >>> 0) % 1_000_003) % below;
  };
}

function shuffled<Item>(items: Item[], random: (below: number) => number): Item[] {
  const list = [...items];
  for (let index = list.length - 1; index > 0; index -= 1) {
    const other = random(index + 1);
    [list[index], list[other]] = [list[other] as Item, list[index] as Item];
  }
  return list;
}

/** All events of a customer at Stripe, each with the second in which it happens. Ids do not depend on the program. */
function eventsOf(name: string, random: (below: number) => number, start: Date): StripeEvent[] {
  const stripe = new StripeEvents(GENERATIONS[random(2)] ?? '2026', start);
  const events: StripeEvent[] = [];
  const emit = (type: string, object: object, secondsLater = 1) => {
    stripe.at += secondsLater;
    events.push({ ...stripe.event(type, object), id: `evt_${name}_${events.length}` });
  };
  const payments: { pi: string; cents: number }[] = [];
  const metadata = { svc_customer_key: name };
  const customer = `cus_${name}`;
  const subscription = `sub_${name}`;
  stripe.at += random(70) * DAY;

  if (random(3) === 0) {
    const pi = `pi_${name}`;
    const cents = 900 + random(5_000);
    const session = { ...stripe.session({ metadata, paymentIntent: pi, cents }), id: `cs_${name}` };
    emit('checkout.session.completed', session);
    payments.push({ pi, cents });
  } else {
    emit('checkout.session.completed', { ...stripe.session({ metadata, customer, subscription }), id: `cs_${name}` });
    const months = 1 + random(7);
    const onInvoice = random(2) === 0 ? metadata : {};
    for (let month = 0; month < months; month += 1) {
      const pi = `pi_${name}_${month}`;
      const reason = month === 0 ? 'subscription_create' : 'subscription_cycle';
      const cents = random(8) === 0 ? 0 : 500 + random(5_000);
      const paid = { metadata: onInvoice, customer, subscription, paymentIntent: pi, reason, cents };
      const invoice = { ...stripe.invoice(paid), id: `in_${name}_${month}` };
      emit('invoice.paid', invoice);
      emit('invoice.payment_succeeded', invoice, 0);
      emit('invoice_payment.paid', stripe.invoicePayment(invoice.id, pi), 0);
      if (cents > 0) payments.push({ pi, cents });
      stripe.at += 30 * DAY;
    }
  }
  for (const { pi, cents } of payments) {
    const id = `ch_${pi}`;
    const of = { charge: id, paymentIntent: pi };
    if (random(3) === 0) {
      const part = 1 + random(cents);
      const refund = `re_${pi}`;
      emit('refund.created', stripe.refund({ ...of, id: refund, cents: part, status: 'pending' }));
      emit('charge.refunded', stripe.charge({ id, paymentIntent: pi, cents, refunded: part }));
      const fails = random(4) === 0;
      emit(
        'refund.updated',
        stripe.refund({ ...of, id: refund, cents: part, status: fails ? 'failed' : 'succeeded' }),
        60,
      );
      if (!fails && part < cents)
        emit('charge.refunded', stripe.charge({ id, paymentIntent: pi, cents, refunded: cents }));
    }
    if (random(4) === 0) {
      const disputed = { ...of, id: `dp_${pi}`, cents: 1 + random(cents) };
      emit('charge.dispute.created', stripe.dispute(disputed));
      const status = ['won', 'lost', 'warning_closed'][random(4)];
      if (status) emit('charge.dispute.closed', stripe.dispute({ ...disputed, status }), 5 * DAY);
    }
  }
  return events;
}

/** A new program with these customers: all of them clicked, and most of them signed up. */
async function programWith(names: string[], terms: Terms): Promise<TestProgram> {
  const made = await service.program({ ...terms, leadAuth: 'server_required', attributionWindowDays: 30 });
  await connectStripe(service, made);
  await Promise.all(
    names.map(async (name, index) => {
      const clickId = await service.clickId(made.link);
      const key = index % 5 === 0 ? {} : { key: made.apiKey };
      await service.lead({ click_id: clickId, customer_key: name }, key);
      // A settled lead keeps the window open forever; without one, the payments themselves must be within it.
      if (index % 3 === 0) {
        await service.sql(
          `update customers set lead_state = null, lead_at = null, status = 'click', customer_key = $2
          where program_id = $1 and coalesce(customer_key, claimed_customer_key) = $2`,
          [made.program.id, name],
        );
      }
    }),
  );
  return made;
}

async function ledgerAfter(names: string[], terms: Terms, events: StripeEvent[], tag: string, atOnce: number) {
  const begin = service.time;
  const { program } = await programWith(names, terms);
  service.advance({ days: 400 });
  // Transaction ids are unique across all programs, so each program gets its own.
  const own = (event: StripeEvent): StripeEvent =>
    JSON.parse(JSON.stringify(event).replaceAll(/"((?:pi|in|cs|ch)_[^"]*)"/g, `"$1~${tag}"`));
  for (let from = 0; from < events.length; from += atOnce) {
    const group = events.slice(from, from + atOnce);
    const answers = await Promise.all(group.map((event) => send(service, program.id, own(event))));
    expect(answers.map(({ status }) => status)).toEqual(group.map(() => 200));
    if (atOnce === 1) await service.ctx.eventWorker.idle();
  }
  // Lets events that wait for another event become due again.
  for (let round = 0; round < 4; round += 1) {
    await settle(service);
    service.advance({ seconds: 400 });
  }
  const failed = await service.sql(
    `select event_id, last_error from processor_events where program_id = $1 and (state = 'failed' or outcome = 'failed')`,
    [program.id],
  );
  expect(failed).toEqual([]);
  const rows = await ledger(service, program.id);
  service.time = begin;
  return rows.map((row) => ({ ...row, id: String(row.id).replace(/~.*/, '') }));
}

function deliveriesOf(names: string[], seed: number) {
  const random = numbers(seed);
  const inOrder = names.flatMap((name) => eventsOf(name, random, service.time)).sort((a, b) => a.created - b.created);
  const repeated = inOrder.filter(() => random(4) === 0);
  return { inOrder, shuffledEvents: shuffled([...inOrder, ...repeated], random) };
}

describe('the ledger', () => {
  it('does not depend on the order and number of deliveries, for a few customers and many orders', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1e9 }), fc.constantFrom(...TERMS), async (seed, terms) => {
        const names = ['ada', 'ben', 'cleo'].map((name) => `${name}${seed}`);
        const { inOrder, shuffledEvents } = deliveriesOf(names, seed);
        const expected = await ledgerAfter(names, terms, inOrder, `${seed}a`, 1);
        expect(await ledgerAfter(names, terms, shuffledEvents, `${seed}b`, 1)).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  }, 300_000);

  it(`does not depend on the order and number of deliveries, for ${CUSTOMERS} customers and one order`, async () => {
    const names = Array.from({ length: CUSTOMERS }, (_, index) => `person${index}`);
    const { inOrder, shuffledEvents } = deliveriesOf(names, 42);
    expect(shuffledEvents.length).toBeGreaterThan(14 * CUSTOMERS);
    const expected = await ledgerAfter(names, TERMS[2], inOrder, 'x', 1);
    const sums = (rows: Record<string, unknown>[]) => rows.reduce((sum, row) => sum + Number(row.refunded), 0);
    expect(expected.length).toBeGreaterThan(1.5 * CUSTOMERS);
    expect(sums(expected)).toBeGreaterThan(0);
    expect(await ledgerAfter(names, TERMS[2], shuffledEvents, 'y', 100)).toEqual(expected);
  }, 900_000);
});
