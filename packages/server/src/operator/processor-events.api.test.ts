import { deliver, StripeEvents, settle, withBuyer } from '@svc/testkit/service/payments/stripe.ts';
import { runOperator } from '@svc/testkit/service/processes/operator.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { whileMissing } from '@svc/testkit/service/tracking.ts';
import { expect, it } from 'vitest';

const service = useService();

const list = () => runOperator(service, 'list-processor-events');
const replay = (...args: string[]) => runOperator(service, 'replay-processor-events', ...args);

const stateOf = (eventId: string) =>
  service.sql('select state, outcome from processor_events where event_id = $1', [eventId]);

it('failed events are listed and replayed; replaying a processed one counts as a duplicate', async () => {
  const { id } = await withBuyer(service);
  expect(await list()).toEqual({ ok: true, data: [], text: 'No events are waiting.' });
  expect(await replay()).toEqual({ ok: true, data: { events: 0 }, text: 'Events queued again: 0.' });

  const stripe = new StripeEvents('2026', service.time);
  const session = stripe.session({ metadata: { svc_customer_key: 'user-1' } });
  const event = stripe.event('checkout.session.completed', session);
  await whileMissing(service, 'processor_identities', () => deliver(service, id, event));
  const failed = {
    id: expect.any(Number),
    programId: id,
    eventId: event.id,
    type: 'checkout.session.completed',
    state: 'waiting',
    outcome: 'failed',
    attempts: 1,
    error: expect.stringContaining('processor_identities'),
  };
  expect(await list()).toMatchObject({ ok: true, data: [failed] });

  await service.sql(`update processor_events set state = 'failed', due_at = null, attempts = 10 where event_id = $1`, [
    event.id,
  ]);
  const failures = await list();
  expect(failures).toMatchObject({ ok: true, data: [{ state: 'failed', attempts: 10 }] });
  const [{ id: eventId }] = (failures as { data: [{ id: number }] }).data;
  expect(failures.text).toContain(`${eventId}  program ${id}  ${event.id}  checkout.session.completed  failed`);
  expect(await replay('--program', '999999', '--event', String(eventId))).toMatchObject({
    ok: false,
    text: expect.stringContaining(`has no event ${eventId}`),
  });

  expect(await replay()).toMatchObject({ ok: true, text: 'Events queued again: 1.' });
  await settle(service);
  expect(await list()).toMatchObject({ ok: true, data: [] });
  expect(await stateOf(event.id)).toEqual([{ state: 'done', outcome: 'recorded' }]);
  expect(await replay('--program', String(id), '--event', String(eventId))).toMatchObject({
    ok: true,
    text: `Event ${eventId} is queued again.`,
  });
  await settle(service);
  expect(await stateOf(event.id)).toEqual([{ state: 'done', outcome: 'duplicate' }]);
  const sales = await service.sql('select processor_event_id from sales where program_id = $1', [id]);
  expect(sales).toEqual([{ processor_event_id: session.payment_intent }]);
});
