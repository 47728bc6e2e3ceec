import { PROCESSORS, type ProcessorName } from '@svc/contract';
import { type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { asOwner } from '@svc/testkit/service/payments/paid.ts';
import { type Sent, SHOPS } from '@svc/testkit/service/payments/shops.ts';
import { settle } from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';
import { deletePayloads } from '../../../payments/events/event-store.ts';

const service = useService();

/** How many of fifty payments arrive. The others are only counted, because processing them takes seconds. */
const ARRIVING = process.env.SVC_TEST_LONG ? 50 : 2;

/** The events that report a one-off payment. */
const TYPES: Record<ProcessorName, string[]> = {
  stripe: ['checkout.session.completed'],
  paddle: ['transaction.completed', 'transaction.paid'],
  polar: ['order.paid'],
  lemonsqueezy: ['order_created'],
  custom: ['payment'],
};

type Health = Pick<Record<string, unknown>, 'events_seen' | 'only_tests' | 'missing_events'> & {
  events_seen: { type: string }[];
};

async function healthOf(made: OwnedProgram, provider: ProcessorName): Promise<Health> {
  const { body } = await asOwner(service, made, 'GET', `/processor?provider=${provider}`);
  const { events_seen, only_tests, missing_events } = body.data;
  events_seen.sort((one: { type: string }, other: { type: string }) => (one.type < other.type ? -1 : 1));
  return { events_seen, only_tests, missing_events };
}

async function deliver(programId: number, events: Sent[]): Promise<void> {
  const answers = await Promise.all(events.map(({ send }) => send(programId)));
  expect(answers.map(({ status }) => status)).toEqual(events.map(() => 200));
  await settle(service);
}

describe.each(PROCESSORS)('GET processor: %s', (provider) => {
  it('lists the types that have arrived, and says while all of them are tests', async () => {
    const [made, shop] = [await ownedProgram(service), SHOPS[provider](service)];
    const seen = (events: number, tests: number, last_at: Date) =>
      TYPES[provider].map((type) => ({ type, events, tests, last_at: last_at.toISOString() }));
    await shop.connect(made);
    expect(await healthOf(made, provider)).toEqual({ events_seen: [], only_tests: false, missing_events: [] });

    const tested = service.time;
    await deliver(made.program.id, shop.pay({ isTest: true }).events);
    expect(await healthOf(made, provider)).toMatchObject({ events_seen: seen(1, 1, tested), only_tests: true });

    service.advance({ days: 1 });
    const paid = service.time;
    const { events } = shop.pay({});
    await deliver(made.program.id, events);
    const both = { events_seen: seen(2, 1, paid), only_tests: false, missing_events: [] };
    expect(await healthOf(made, provider)).toEqual(both);

    // One that is sent or processed again is not another one, and nothing is forgotten with the contents.
    service.advance({ days: 40 });
    await deliver(made.program.id, events);
    const [{ id } = { id: 0 }] = await service.sql<{ id: number }>(
      'select max(id) as id from processor_events where program_id = $1',
      [made.program.id],
    );
    expect((await asOwner(service, made, 'POST', `/processor/events/${id}/replay`)).status).toBe(200);
    await settle(service);
    expect(await healthOf(made, provider)).toEqual(both);
    await service.sql('update processor_events set state = $2, due_at = null where program_id = $1', [
      made.program.id,
      'done',
    ]);
    service.advance({ days: 31 });
    expect(await deletePayloads(service.ctx.db, service.time)).toBeGreaterThan(0);
    expect(await healthOf(made, provider)).toEqual(both);
  });

  it('asks whether refunds are reported after fifty payments without one', async () => {
    const [made, shop] = [await ownedProgram(service), SHOPS[provider](service)];
    await shop.connect(made);
    const payments = Array.from({ length: ARRIVING }, () => shop.pay({}));
    const [last, ...others] = payments as [(typeof payments)[0], ...typeof payments];
    await deliver(
      made.program.id,
      others.flatMap(({ events }) => events),
    );
    await service.sql('update processor_event_types set events = events + $2 where program_id = $1', [
      made.program.id,
      50 - ARRIVING,
    ]);
    expect((await healthOf(made, provider)).missing_events).toEqual([]);
    await deliver(made.program.id, last.events);
    expect((await healthOf(made, provider)).missing_events).toMatchObject([
      {
        count: 50,
        message: expect.stringMatching(/^Payments have arrived, but never a refund\. If you have refunded any/),
      },
    ]);
    await deliver(made.program.id, shop.refund(last, 100));
    expect((await healthOf(made, provider)).missing_events).toEqual([]);
  });

  it('starts again with a new connection', async () => {
    const [made, shop] = [await ownedProgram(service), SHOPS[provider](service)];
    await shop.connect(made);
    await deliver(made.program.id, shop.pay({}).events);
    const { body } = await asOwner(service, made, 'DELETE', `/processor?provider=${provider}`);
    expect(body.data).toMatchObject({ status: 'not_connected', events_seen: [] });
  });
});

it('Paddle: says that transaction.completed is missing when only transaction.paid arrives', async () => {
  const [made, shop] = [await ownedProgram(service), SHOPS.paddle(service)];
  await shop.connect(made);
  const paid = Array.from({ length: 3 }, () => shop.pay({}).events[0] as Sent);
  await deliver(made.program.id, paid);
  expect((await healthOf(made, 'paddle')).missing_events).toEqual([
    {
      events: ['transaction.completed'],
      after: ['transaction.paid'],
      count: 3,
      message:
        'transaction.paid has arrived, but never transaction.completed, which records the payment. Add it to the destination’s events.',
    },
  ]);
});
