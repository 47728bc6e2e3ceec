import { connectStripe, deliver, ledger, newId, StripeEvents, settle } from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { expect, it } from 'vitest';
import { recordNotes } from '../record-notes.ts';
import { claimDueEvents, requeueWaitingFor, updateProcessed } from './event-store.ts';
import { applyEvent, openEvent } from './process-event.ts';

const service = useService();

const BATCH = 50;
const QUIET = 19;

it('programs take turns: a burst of one does not hold up the others', async () => {
  const ids: number[] = [];
  for (let count = 0; count < QUIET + 1; count += 1) ids.push((await service.program()).program.id);
  const [busy, ...quiet] = ids;
  // They are not due yet by the clock of the service, so its own worker leaves them alone.
  const dueAt = (seconds: number) => new Date(service.time.getTime() + 3_600_000 + seconds * 1000);
  const queue = (programIds: number[], events: number, at: Date) =>
    service.sql(
      `insert into processor_events
         (program_id, provider, event_id, type, is_live, happened_at, received_at, payload_sealed, due_at)
       select id, 'stripe', 'evt_' || number, 'ping', true, $3, $3, 'sealed', $3
       from unnest($1::bigint[]) id, generate_series(1, $2::int) number`,
      [programIds, events, at],
    );
  // The busy program was first, and its events are the oldest.
  await queue([busy!], 4_050, dueAt(0));
  await queue(quiet, 50, dueAt(1));
  const claim = () => claimDueEvents(service.ctx.db, BATCH, dueAt(2));

  const claimed = new Map<number, number>();
  let claims = 0;
  while (quiet.some((id) => (claimed.get(id) ?? 0) < 50)) {
    const events = await claim();
    expect(events.length).toBeGreaterThan(0);
    for (const { programId } of events) claimed.set(programId, (claimed.get(programId) ?? 0) + 1);
    claims += 1;
    // Nobody is more than one turn ahead of anybody who still has events.
    const turns = quiet.map((id) => claimed.get(id) ?? 0);
    expect(Math.max(...turns) - Math.min(...turns)).toBeLessThanOrEqual(3);
  }
  expect(claims).toBeLessThanOrEqual(20);
  expect(claimed.get(busy!)).toBeLessThan(200);

  // Then the busy one has all turns for itself, and everything is claimed once.
  for (;;) {
    const events = await claim();
    if (events.length === 0) break;
    for (const { programId } of events) claimed.set(programId, (claimed.get(programId) ?? 0) + 1);
  }
  expect([...claimed].sort(([a], [b]) => a - b)).toEqual(ids.map((id) => [id, id === busy ? 4_050 : 50]));
  await service.sql(`update processor_events set state = 'done', due_at = null where program_id = any ($1::bigint[])`, [
    ids,
  ]);
});

it('an event stays due if what it waits for became known while it was processed', async () => {
  const made = await service.program();
  await connectStripe(service, made);
  await service.customer(made, 'user-1');
  const stripe = new StripeEvents('2026', service.time);
  const customer = newId('cus');
  const payment = stripe.event('checkout.session.completed', stripe.session({ customer }));
  expect(await deliver(service, made.program.id, payment)).toBe('no_customer');
  service.advance({ seconds: 5 });
  // A node claims it and finds nobody. Before it can say so, another one learns who the customer is, and records the payment.
  const [claim] = await claimDueEvents(service.ctx.db, BATCH, service.time);
  const opened = await openEvent(service.ctx, claim!);
  await recordNotes(service.ctx, [opened!]);
  const processed = await applyEvent(service.ctx, claim!.provider, opened!);
  expect(processed.outcome).toBe('no_customer');
  const known = stripe.customer({ id: customer, metadata: { svc_customer_key: 'user-1' } });
  await deliver(service, made.program.id, stripe.event('customer.updated', known));
  const later = new Date(service.time.getTime() + 3_600_000);
  await updateProcessed(service.ctx.db, claim!, { ...processed, dueAt: later }, service.time);
  await settle(service);
  expect(await ledger(service, made.program.id)).toMatchObject([{ cents: 5_000, commission: 1_000 }]);
  const [row] = await service.sql('select state, outcome, due_at from processor_events where event_id = $1', [
    payment.id,
  ]);
  expect(row).toEqual({ state: 'done', outcome: 'recorded', due_at: null });
});

it('an event that is due again, and was not processed again yet, is not put off by the attempt before', async () => {
  const made = await service.program();
  await connectStripe(service, made);
  const stripe = new StripeEvents('2026', service.time);
  const customer = newId('cus');
  const payment = stripe.event('checkout.session.completed', stripe.session({ customer }));
  expect(await deliver(service, made.program.id, payment)).toBe('no_customer');
  service.advance({ seconds: 5 });
  const [claim] = await claimDueEvents(service.ctx.db, BATCH, service.time);
  // By the clock of the service, its own worker leaves the event alone.
  const dueAgain = new Date(service.time.getTime() + 3_600_000);
  await requeueWaitingFor(service.ctx.db, made.program.id, [customer], { id: 0, notBegun: new Set() }, dueAgain);
  const later = new Date(dueAgain.getTime() + 3_600_000);
  await updateProcessed(service.ctx.db, claim!, { outcome: 'no_customer', dueAt: later }, service.time);
  const [row] = await service.sql('select state, attempts, due_at from processor_events where event_id = $1', [
    payment.id,
  ]);
  expect(row).toEqual({ state: 'waiting', attempts: 0, due_at: dueAgain });
});
