import { type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { asOwner } from '@svc/testkit/service/payments/paid.ts';
import { connectStripe, SECRET, settle, signed, stripeEvents } from '@svc/testkit/service/payments/stripe.ts';
import { useReceiver } from '@svc/testkit/service/receiver.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';
import { disableFailingWebhooks } from '../jobs/disable-failing-webhooks.ts';
import { watchPrograms } from '../jobs/watch-programs.ts';
import { insertEvent } from '../payments/events/event-store.ts';
import { processDueEvents } from '../payments/events/process-due-events.ts';

const service = useService({ SVC_OUTBOUND_ALLOW: '127.0.0.1' });
const receiver = useReceiver();
const events = stripeEvents(service);

const list = async (made: OwnedProgram) => (await asOwner(service, made, 'GET', '/alerts')).body.data;

/** The alert events of a program, in the order of their numbers. */
async function told(made: OwnedProgram) {
  await service.ctx.numbering.idle();
  const types = 'types=alert.opened,alert.closed';
  await expect.poll(() => service.sql('select id from outbox')).toEqual([]);
  const { body } = await service.call('GET', `/api/v1/events?${types}`, { key: made.apiKey });
  return (body.data as { type: string; data: object }[]).map(({ type, data }) => ({ type, data }));
}

/** Several nodes may run the job at the same time. */
const watch = async () => {
  await Promise.all([1, 2, 3].map(() => watchPrograms.run(service.ctx)));
};

async function endpoint(made: OwnedProgram, url = receiver.url(`/${newId('hook')}`)): Promise<number> {
  const { body } = await asOwner(service, made, 'POST', '/webhooks', { url, types: ['sale.created'] });
  return body.data.id;
}

/** As the deliveries of a day would leave it. */
const failFor = (id: number, days: number) =>
  service.sql(`update webhook_endpoints set failing_since = $2, last_failed_at = $3, failing_ms = $4 where id = $1`, [
    id,
    new Date(service.time.getTime() - days * 86_400_000),
    service.time,
    days * 86_400_000,
  ]);

describe('an alert about an endpoint', () => {
  it('is opened once when nothing has arrived for a day, and closed once when something arrives', async () => {
    const made = await ownedProgram(service);
    const id = await endpoint(made);
    await watch();
    expect(await list(made)).toEqual([]);
    await failFor(id, 1);
    await disableFailingWebhooks.run(service.ctx);
    await watch();
    await watch();
    const open = {
      id: expect.any(Number),
      kind: 'webhook_failing',
      subject_id: String(id),
      subject_name: new URL(receiver.url('/')).host,
      message: `Nothing arrives at the webhook endpoint ${new URL(receiver.url('/')).host}.`,
      opened_at: service.time.toISOString(),
      closed_at: null,
    };
    expect(await list(made)).toEqual([open]);
    expect(await told(made)).toEqual([{ type: 'alert.opened', data: { alert: open } }]);

    service.advance({ seconds: 60 });
    await asOwner(service, made, 'POST', `/webhooks/${id}/test`);
    await watch();
    const closed = { ...open, closed_at: service.time.toISOString() };
    expect(await list(made)).toEqual([closed]);
    expect(await told(made)).toEqual([
      { type: 'alert.opened', data: { alert: open } },
      { type: 'alert.closed', data: { alert: closed, previous: { closed_at: null } } },
    ]);
  });

  it('stays open while the service has disabled it, and is closed when it is enabled or deleted', async () => {
    const made = await ownedProgram(service);
    const [first, second] = [await endpoint(made), await endpoint(made)];
    await failFor(first, 5);
    await failFor(second, 5);
    await disableFailingWebhooks.run(service.ctx);
    await watch();
    const shown = async () =>
      (await list(made)).map(({ subject_id: id, closed_at: at }: Record<string, unknown>) => [id, at === null]);
    expect(await shown()).toEqual([
      [String(second), true],
      [String(first), true],
    ]);
    await asOwner(service, made, 'PATCH', `/webhooks/${second}`, { status: 'active' });
    await watch();
    // Open ones come first.
    expect(await shown()).toEqual([
      [String(first), true],
      [String(second), false],
    ]);
    await asOwner(service, made, 'DELETE', `/webhooks/${first}`);
    await watch();
    expect(await shown()).toEqual([
      [String(second), false],
      [String(first), false],
    ]);
    expect((await told(made)).map(({ type }) => type)).toEqual([
      'alert.opened',
      'alert.opened',
      'alert.closed',
      'alert.closed',
    ]);
    // The same endpoint can fail again.
    await failFor(second, 1);
    await disableFailingWebhooks.run(service.ctx);
    await watch();
    expect(await shown()).toEqual([
      [String(second), true],
      [String(second), false],
      [String(first), false],
    ]);
  });

  it('is listed for 30 days after it was closed', async () => {
    const made = await ownedProgram(service);
    const id = await endpoint(made);
    await failFor(id, 1);
    await disableFailingWebhooks.run(service.ctx);
    await watch();
    await asOwner(service, made, 'DELETE', `/webhooks/${id}`);
    await watch();
    service.advance({ days: 30 });
    expect(await list(made)).toHaveLength(1);
    service.advance({ seconds: 1 });
    expect(await list(made)).toEqual([]);
  });
});

describe('an alert about a payment processor', () => {
  it('is opened when an event fails for good, and closed when it is processed after all', async () => {
    const made = await ownedProgram(service);
    await connectStripe(service, made);
    const stripe = events();
    const paid = stripe.event('customer.created', { id: newId('cus'), object: 'customer' });
    const sealed = service.ctx.encryption.seal(JSON.stringify(paid));
    const stored = { provider: 'stripe', eventId: paid.id, type: paid.type, isLive: true } as const;
    const event = { ...stored, programIds: [made.program.id], happenedAt: service.time, payloadSealed: 'not readable' };
    await insertEvent(service.ctx.db, event, service.time);
    await processDueEvents(service.ctx);
    await watch();
    expect(await list(made)).toEqual([]);
    await service.sql('update processor_events set attempts = 9, due_at = $2 where program_id = $1', [
      made.program.id,
      service.time,
    ]);
    await processDueEvents(service.ctx);
    await watch();
    expect(await list(made)).toMatchObject([
      {
        kind: 'payment_events_failing',
        subject_id: 'stripe',
        subject_name: 'Stripe',
        message: 'Payment events from Stripe are not processed. Sales or refunds may be missing.',
        closed_at: null,
      },
    ]);
    await service.sql('update processor_events set payload_sealed = $2 where program_id = $1', [
      made.program.id,
      sealed,
    ]);
    const [row] = await service.sql<{ id: number }>('select id from processor_events where program_id = $1', [
      made.program.id,
    ]);
    const replayed = await asOwner(service, made, 'POST', `/processor/events/${row?.id}/replay`);
    expect(replayed.status).toBe(200);
    await processDueEvents(service.ctx);
    await watch();
    expect(await list(made)).toMatchObject([{ closed_at: service.time.toISOString() }]);
    expect((await told(made)).map(({ type }) => type)).toEqual(['alert.opened', 'alert.closed']);
  });

  it('is opened when nothing but refused signatures arrives for an hour, and closed by an accepted event', async () => {
    const made = await ownedProgram(service);
    await connectStripe(service, made);
    const stripe = events();
    const send = async (secret = SECRET) => {
      const body = JSON.stringify(stripe.event('customer.created', { id: newId('cus'), object: 'customer' }));
      const headers = signed(body, service.time, secret);
      await service.call('POST', `/api/v1/webhooks/stripe/${made.program.id}`, { body, headers });
      await settle(service);
    };
    await send();
    service.advance({ seconds: 60 });
    await send('whsec_another_secret');
    await watch();
    expect(await list(made)).toEqual([]);
    service.advance({ seconds: 3_600 });
    await send('whsec_another_secret');
    await watch();
    expect(await list(made)).toMatchObject([{ kind: 'payment_events_failing', subject_id: 'stripe', closed_at: null }]);
    service.advance({ seconds: 60 });
    await send();
    await watch();
    expect(await list(made)).toMatchObject([{ closed_at: service.time.toISOString() }]);
  });
});
