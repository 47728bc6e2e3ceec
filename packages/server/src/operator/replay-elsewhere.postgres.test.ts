import { eventually } from '@svc/testkit/service/eventually.ts';
import { StripeEvents, send, settle, withBuyer } from '@svc/testkit/service/payments/stripe.ts';
import { runOperator } from '@svc/testkit/service/processes/operator.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { expect, it } from 'vitest';

const service = useService();

const stateOf = (eventId: string) => service.sql('select state from processor_events where event_id = $1', [eventId]);

// Postgres only: the embedded store belongs to a single process.
it('the service picks up events that an operator replayed in another process within seconds', async () => {
  const { id } = await withBuyer(service);
  const event = new StripeEvents('2026', service.time).event('customer.created', {});
  await send(service, id, event);
  await settle(service);
  await service.sql(`update processor_events set state = 'failed', due_at = null where event_id = $1`, [event.id]);
  expect(await runOperator(service, 'replay-processor-events')).toMatchObject({
    ok: true,
    text: 'Events queued again: 1.',
  });
  const [row] = await eventually(
    () => stateOf(event.id),
    ([found]) => found?.state === 'done',
  );
  expect(row).toMatchObject({ state: 'done' });
});
