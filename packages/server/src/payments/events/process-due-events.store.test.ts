import {
  deliver,
  ledger,
  newId,
  type StripeEvent,
  StripeEvents,
  send,
  settle,
  withBuyer,
} from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { whileMissing, whileRefused } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';
import { OPERATOR } from '../../audit/audit-store.ts';
import { purgeEventContents } from '../../jobs/purge-event-contents.ts';
import { runJob } from '../../jobs/run-jobs.ts';
import { processDueEvents } from './process-due-events.ts';
import { replayFailedEvents } from './receive-event.ts';

const service = useService();

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** The delay before the retry that follows each failed attempt. */
const DELAYS = [10, 30, 2 * MINUTE, 10 * MINUTE, HOUR, HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR];

async function payment() {
  const made = await withBuyer(service);
  const stripe = new StripeEvents('2026', service.time);
  const session = stripe.session({ metadata: { svc_customer_key: 'user-1' } });
  return { made, stripe, id: made.id, event: stripe.event('checkout.session.completed', session) };
}

async function rowOf({ id }: StripeEvent) {
  const [row] = await service.sql<Record<string, unknown> & { due_at: Date | null }>(
    'select state, outcome, attempts, due_at, last_error from processor_events where event_id = $1',
    [id],
  );
  return { ...row, due_at: row?.due_at ? (row.due_at.getTime() - service.time.getTime()) / 1000 : null };
}

describe('an event that fails', () => {
  it('keeps its error, is retried with exponential backoff, finally fails, and is processed when replayed', async () => {
    const { id, event } = await payment();
    const last_error = expect.stringContaining('processor_identities');
    await whileMissing(service, 'processor_identities', async () => {
      await deliver(service, id, event);
      for (const [index, delay] of DELAYS.entries()) {
        const attempts = index + 1;
        expect(await rowOf(event)).toEqual({
          state: 'waiting',
          outcome: 'failed',
          attempts,
          due_at: delay,
          last_error,
        });
        service.advance({ seconds: delay - 1 });
        await settle(service);
        expect(await rowOf(event)).toMatchObject({ attempts });
        service.advance({ seconds: 1 });
        await settle(service);
      }
      expect(await rowOf(event)).toEqual({
        state: 'failed',
        outcome: 'failed',
        attempts: 10,
        due_at: null,
        last_error,
      });
      service.advance({ days: 10 });
      await settle(service);
      expect(await rowOf(event)).toMatchObject({ attempts: 10 });
    });
    expect(await ledger(service, id)).toEqual([]);
    expect(await replayFailedEvents(service.ctx, OPERATOR)).toBe(1);
    await settle(service);
    expect(await rowOf(event)).toEqual({
      state: 'done',
      outcome: 'recorded',
      attempts: 1,
      due_at: null,
      last_error: null,
    });
    expect(await ledger(service, id)).toHaveLength(1);
  });

  it('is logged with its id and program, without its content', async () => {
    const { id, event } = await payment();
    const before = service.logLines.length;
    await whileMissing(service, 'processor_identities', () => deliver(service, id, event));
    const lines = service.logLines.slice(before).filter((line) => line.includes(event.id));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({
      level: 50,
      event: event.id,
      programId: id,
      msg: 'Processing a payment event failed',
    });
    expect(lines[0]).not.toMatch(/user-1|customer_details/);
    service.advance({ seconds: 10 });
    await settle(service);
  });

  it('does not delay other events', async () => {
    const { id, event, stripe, made } = await payment();
    await service.customer(made, 'user-2');
    const other = stripe.session({ metadata: { svc_customer_key: 'user-2' }, cents: 777 });
    await whileRefused(
      service,
      'sales',
      async () => {
        await send(service, id, event);
        await send(service, id, stripe.event('checkout.session.completed', other));
        await settle(service);
        expect(await rowOf(event)).toMatchObject({ state: 'waiting', outcome: 'failed' });
        expect(await ledger(service, id)).toMatchObject([{ cents: 777 }]);
      },
      'new.amount_cents = 5000',
    );
    service.advance({ seconds: 10 });
    await settle(service);
    expect(await ledger(service, id)).toHaveLength(2);
  });

  it('after its sale was recorded is retried without recording it twice', async () => {
    const { id, event } = await payment();
    // The sale is recorded before the failure.
    await whileMissing(service, 'processor_charges', () => deliver(service, id, event));
    expect(await rowOf(event)).toMatchObject({ outcome: 'failed' });
    expect(await ledger(service, id)).toHaveLength(1);
    service.advance({ seconds: 10 });
    await settle(service);
    expect(await rowOf(event)).toMatchObject({ state: 'done', outcome: 'duplicate' });
    expect(await ledger(service, id)).toMatchObject([{ commission: 1_000 }]);
  });
});

describe('a process that dies while it processes an event', () => {
  it('loses its claim after a minute', async () => {
    const { id, event } = await payment();
    await deliver(service, id, event);
    // The state that the claim of a dead process leaves behind.
    await service.sql(
      `update processor_events set state = 'waiting', outcome = null, attempts = 1, due_at = $2 where event_id = $1`,
      [event.id, new Date(service.time.getTime() + 60_000)],
    );
    service.advance({ seconds: 59 });
    await settle(service);
    expect(await rowOf(event)).toMatchObject({ state: 'waiting', outcome: null });
    service.advance({ seconds: 1 });
    await settle(service);
    expect(await rowOf(event)).toMatchObject({ state: 'done', outcome: 'duplicate', attempts: 2 });
    expect(await ledger(service, id)).toHaveLength(1);
  });
});

describe('the job purge-event-contents', () => {
  const contents = async (programId: number) => {
    const rows = await service.sql<{ kept: boolean }>(
      'select payload_sealed is not null as kept from processor_events where program_id = $1 order by id',
      [programId],
    );
    return rows.map(({ kept }) => kept);
  };

  it('deletes the content of events finished more than 30 days ago, and of no others', async () => {
    const { id, event, stripe } = await payment();
    const unknown = stripe.event('checkout.session.completed', stripe.session({ customer: newId('cus') }));
    await deliver(service, id, event, unknown);
    service.advance({ days: 30 });
    await runJob(service.ctx, purgeEventContents(30));
    expect(await contents(id)).toEqual([true, true]);
    service.advance({ seconds: 1 });
    await runJob(service.ctx, purgeEventContents(30));
    // The other one is still waiting for its customer.
    expect(await contents(id)).toEqual([false, true]);
    expect(service.logLines.at(-1)).toMatch(/purged the contents of \d+ payment events/);
    // The event itself is still known.
    expect((await send(service, id, event)).body).toEqual({ received: true, duplicate: true });
    expect(await ledger(service, id)).toHaveLength(1);
  });

  it('keeps the content of a failed event', async () => {
    const { id, event } = await payment();
    await deliver(service, id, event);
    await service.sql(`update processor_events set state = 'failed', outcome = 'failed' where event_id = $1`, [
      event.id,
    ]);
    service.advance({ days: 365 });
    await runJob(service.ctx, purgeEventContents(30));
    expect(await contents(id)).toEqual([true]);
  });
});

it('when the service stops, processing ends between two events, and the rest is due at once', async () => {
  const { id, stripe } = await payment();
  const events = Array.from({ length: 20 }, () =>
    stripe.event('checkout.session.completed', stripe.session({ metadata: { svc_customer_key: 'user-1' } })),
  );
  for (const event of events) await send(service, id, event);
  await settle(service);
  await service.sql(
    `update processor_events set state = 'waiting', outcome = null, attempts = 0, due_at = $2 where program_id = $1`,
    [id, service.time],
  );
  let processed = 0;
  const onEventProcessed = () => {
    processed += 1;
  };
  const ctx = { ...service.service.ctx, onEventProcessed };
  expect(await processDueEvents(ctx, () => processed > 0)).toBe(processed);
  // Those that were being processed at the same time are finished.
  expect(processed).toBeGreaterThan(0);
  expect(processed).toBeLessThanOrEqual(8);
  const left = await service.sql(
    `select attempts, due_at from processor_events where program_id = $1 and state = 'waiting'`,
    [id],
  );
  expect(left).toHaveLength(events.length - processed);
  expect(left).toEqual(left.map(() => ({ attempts: 0, due_at: service.time })));
  await settle(service);
  expect(await service.sql(`select 1 from processor_events where program_id = $1 and state <> 'done'`, [id])).toEqual(
    [],
  );
});
