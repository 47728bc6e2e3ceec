import { connectStripe, ledger, newId, StripeEvents, send, settle } from '@svc/testkit/service/payments/stripe.ts';
import { atOnce, statusCounts, useTwoNodes } from '@svc/testkit/service/processes/two-nodes.ts';
import type { Answer, TestService } from '@svc/testkit/service/service.ts';
import { expect, it } from 'vitest';
import { processDueEvents } from './events/process-due-events.ts';

/** Few enough that none is refused because it waited too long for a connection. */
const AT_ONCE = 40;
const EVENTS = process.env.SVC_TEST_LONG ? 100 : 40;

type Sent = Parameters<typeof send>[2];

const nodes = useTwoNodes();
const [one, other] = nodes;

it('two nodes share the events and process each one once', async () => {
  const made = await one.program();
  await connectStripe(one, made);
  await one.customer(made, 'user-1');
  const stripe = new StripeEvents('2026', one.time);
  const events = Array.from({ length: EVENTS }, (_, index) =>
    stripe.event(
      'checkout.session.completed',
      stripe.session({ metadata: { svc_customer_key: 'user-1' }, cents: 1_000 + index }),
    ),
  );
  const id = made.program.id;
  const answers: Answer[] = [];
  // Each event is delivered twice, once to each node.
  for (let first = 0; first < 2 * EVENTS; first += AT_ONCE) {
    const deliver = (node: TestService, index: number) => send(node, id, events[(first + index) >> 1] as Sent);
    answers.push(...(await atOnce(nodes, AT_ONCE, deliver)));
  }
  expect(statusCounts(answers)).toEqual({ 200: 2 * EVENTS });
  expect(answers.filter(({ body }) => body.duplicate)).toHaveLength(EVENTS);
  await Promise.all(nodes.map((node) => node.ctx.eventWorker.idle()));
  await Promise.all(nodes.map((node) => processDueEvents(node.ctx)));

  const rows = await one.sql(
    'select state, outcome, attempts, count(*) as events from processor_events where program_id = $1 group by 1, 2, 3',
    [id],
  );
  expect(rows).toEqual([{ state: 'done', outcome: 'recorded', attempts: 1, events: EVENTS }]);
  const sales = await ledger(one, id);
  expect(sales.map(({ cents }) => cents).sort()).toEqual(events.map((_, index) => 1_000 + index));
});

it('an event claimed by one node is not claimed by another', async () => {
  const made = await one.program();
  await connectStripe(one, made);
  const stripe = new StripeEvents('2026', one.time);
  const sent = Array.from({ length: 30 }, () => stripe.event('customer.created', { id: 'cus_1' }));
  for (const event of sent) await send(one, made.program.id, event);
  await Promise.all(nodes.map((node) => node.ctx.eventWorker.idle()));
  await one.sql(`update processor_events set state = 'waiting', due_at = $2, attempts = 0 where program_id = $1`, [
    made.program.id,
    one.time,
  ]);
  const counts = await Promise.all([
    processDueEvents(one.ctx),
    processDueEvents(other.ctx),
    processDueEvents(one.ctx),
    processDueEvents(other.ctx),
  ]);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(30);
});

it('a payment intent, its invoice, the link and the shop’s own report are one sale, all at once on two nodes', async () => {
  const made = await one.program();
  await connectStripe(one, made);
  await one.customer(made, 'user-1');
  const stripe = new StripeEvents('2026', one.time);
  const metadata = { svc_customer_key: 'user-1' };
  const payments = Array.from({ length: 25 }, () => ({
    paymentIntent: newId('pi'),
    invoice: stripe.invoice({ metadata, subscription: newId('sub') }),
  }));
  const calls = payments.flatMap(({ paymentIntent, invoice }) => [
    (node: TestService) =>
      send(
        node,
        made.program.id,
        stripe.event('checkout.session.completed', stripe.session({ metadata, paymentIntent })),
      ),
    (node: TestService) => send(node, made.program.id, stripe.event('invoice.paid', invoice)),
    (node: TestService) =>
      send(
        node,
        made.program.id,
        stripe.event('invoice_payment.paid', stripe.invoicePayment(invoice.id, paymentIntent)),
      ),
    (node: TestService) =>
      node.sale({ transaction_id: paymentIntent, amount_cents: 5_000, customer_key: 'user-1' }, { key: made.apiKey }),
  ]);
  await atOnce(nodes, calls.length, (node, index) => calls[(index * 37) % calls.length]!(node));
  for (const node of nodes) await settle(node);
  const sales = await ledger(one, made.program.id);
  expect(sales.map(({ id }) => id)).toEqual(payments.map(({ invoice }) => invoice.id).sort());
  expect(new Set(sales.map(({ commission, refunded }) => `${commission} ${refunded}`))).toEqual(new Set(['1000 0']));
});
