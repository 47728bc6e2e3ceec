import { eventsOf, lives } from '@svc/testkit/service/payments/payment-lives.ts';
import { expectedSales, type Life, type Terms, WINDOW_DAYS } from '@svc/testkit/service/payments/payments-model.ts';
import { connectStripe, GENERATIONS, type StripeEvent, send, settle } from '@svc/testkit/service/payments/stripe.ts';
import { useTwoNodes } from '@svc/testkit/service/processes/two-nodes.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';

const nodes = useTwoNodes();
const [one] = nodes;

const RUNS = process.env.SVC_TEST_LONG ? 60 : 2;
/** The same lives every time; another seed tries others. */
const SEED = Number(process.env.SVC_TEST_SEED ?? 1_400);
const TERMS: Terms[] = [
  { type: 'percent', rate: '20', months: null },
  { type: 'fixed', rate: '7.5', months: null },
  { type: 'recurring_percent', rate: '12.3456', months: 2 },
  { type: 'recurring_fixed', rate: '3', months: null },
];
/** Events that are delivered at the same time, half of them to each node. */
const AT_ONCE = 12;

const worlds = fc.record({
  terms: fc.constantFrom(...TERMS),
  customers: fc.array(fc.record({ life: lives, generation: fc.constantFrom(...GENERATIONS) }), {
    minLength: 12,
    maxLength: 12,
  }),
  /** Orders the deliveries. */
  order: fc.infiniteStream(fc.nat()),
  /** Which events Stripe delivers a second time. */
  repeats: fc.infiniteStream(fc.boolean()),
});

it('random lives, in any order, repeated and on two nodes, end as the model says', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(worlds, async ({ terms, customers, order, repeats }) => {
      run += 1;
      const begin = one.time;
      const rules = { leadAuth: 'server_required', attributionWindowDays: WINDOW_DAYS } as const;
      const made = await one.program({ ...settingsOf(terms), ...rules });
      await connectStripe(one, made);
      const people = await Promise.all(customers.map(({ life }, index) => join(made, life, `person${index}`)));
      const events = customers.flatMap(({ life, generation }, index) => {
        const { metadata } = people[index]!;
        return eventsOf(life, { generation, clickedAt: begin, metadata, tag: `${run}x${index}` });
      });
      const repeated = events.filter(() => repeats.next().value);
      await deliverAll(made.program.id, shuffle([...events, ...repeated], order));

      const expected = customers.map(({ life }, index) =>
        expectedSales(life, terms, begin)
          .map((sale) => ({ ...sale, id: `${sale.id}_${run}x${index}` }))
          .sort((a, b) => (a.id < b.id ? -1 : 1)),
      );
      const stored = await Promise.all(people.map(({ customerId }) => salesOf(customerId)));
      expect(stored).toEqual(expected);
      for (const node of nodes) node.time = begin;
    }),
    { numRuns: RUNS, seed: SEED, endOnFailure: true },
  );
}, 900_000);

function settingsOf({ type, rate, months }: Terms) {
  return { commissionType: type, commissionRate: rate, recurringMonths: months };
}

/** A customer who clicked and perhaps signed up, with what the shop puts on their payments. */
async function join(made: Awaited<ReturnType<typeof one.program>>, { signup }: Life, name: string) {
  const clickId = await one.clickId(made.link);
  const customerId = Number(clickId.split('_')[1]);
  if (signup === 'none') return { customerId, metadata: { svc_click_id: clickId } };
  const lead = { click_id: clickId, customer_key: name };
  await one.lead(lead, signup === 'server' ? { key: made.apiKey } : {});
  return { customerId, metadata: { svc_customer_key: name } };
}

function shuffle(events: StripeEvent[], order: fc.Stream<number>): StripeEvent[] {
  return events
    .map((event) => ({ event, position: order.next().value as number }))
    .sort((a, b) => a.position - b.position)
    .map(({ event }) => event);
}

async function deliverAll(programId: number, events: StripeEvent[]): Promise<void> {
  for (const node of nodes) node.advance({ days: 400 });
  for (let from = 0; from < events.length; from += AT_ONCE) {
    const group = events.slice(from, from + AT_ONCE);
    const answers = await Promise.all(group.map((event, index) => send(nodes[index % 2]!, programId, event)));
    expect(answers.map(({ status }) => status)).toEqual(group.map(() => 200));
  }
  // Lets events that wait for another event become due again.
  for (let round = 0; round < 4; round += 1) {
    for (const node of nodes) await settle(node);
    for (const node of nodes) node.advance({ seconds: 400 });
  }
  const failed = await one.sql(
    `select event_id, last_error from processor_events where program_id = $1 and (state = 'failed' or outcome = 'failed')`,
    [programId],
  );
  expect(failed).toEqual([]);
}

function salesOf(customerId: number) {
  return one.sql(
    `select s.processor_event_id as id, s.amount_cents as cents, s.refunded_cents as refunded, s.is_recurring as recurring,
       c.commission_cents as commission, c.deducted_cents as deducted
     from sales s left join commissions c on c.sale_id = s.id
     where s.customer_id = $1 and not s.is_test order by 1`,
    [customerId],
  );
}
