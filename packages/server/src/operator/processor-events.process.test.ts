import { expect, it } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import { type Installation, installations, onStore } from '../../test/installations.ts';
import { buildIfMissing, operator, setUp, startService } from '../../test/processes.ts';
import { StripeEvents } from '../../test/stripe.ts';
import { connectStopped, sendTo, signUpBuyer } from '../../test/stripe-processes.ts';

async function run({ env }: Installation, ...args: string[]) {
  const { code, stdout, stderr } = await operator(env, ...args);
  return { code, stdout, stderr };
}

async function unfinished(installation: Installation) {
  return JSON.parse((await run(installation, 'list-processor-events', '--json')).stdout);
}

it.each(installations)(
  'on %s: events that were given up are listed and replayed',
  async (_what, install) => {
    buildIfMissing();
    const installation = await install();
    const first = await setUp(installation.env);
    await connectStopped(installation, first);
    expect((await run(installation, 'list-processor-events')).stdout).toBe('No events are waiting.\n');
    expect((await run(installation, 'replay-processor-events')).stdout).toBe('Events queued again: 0.\n');

    const service = await startService(installation.env);
    await signUpBuyer(service.url, first, 'buyer');
    await service.end();
    const away = 'alter table processor_payment_links rename to processor_payment_links_away';
    await onStore(installation, (db) => db.query(away));
    const broken = await startService(installation.env);
    const stripe = new StripeEvents('2026', new Date());
    const session = stripe.session({ metadata: { svc_customer_key: 'buyer' } });
    const event = stripe.event('checkout.session.completed', session);
    expect(await sendTo(broken.url, first.program_id, event)).toBe(200);
    const failing = await eventually(
      () => unfinished(installation),
      ([listed]) => listed?.outcome === 'failed',
    );
    expect(failing).toEqual([
      {
        id: expect.any(Number),
        programId: first.program_id,
        eventId: event.id,
        type: 'checkout.session.completed',
        state: 'waiting',
        outcome: 'failed',
        attempts: 1,
        error: expect.stringContaining('processor_payment_links'),
      },
    ]);
    await broken.end();

    await onStore(installation, async (db) => {
      await db.query('alter table processor_payment_links_away rename to processor_payment_links');
      await db.query(`update processor_events set state = 'failed', due_at = null, attempts = 10`);
    });
    const [given] = await unfinished(installation);
    expect(given).toMatchObject({ state: 'failed', attempts: 10 });
    const { stdout: words } = await run(installation, 'list-processor-events');
    expect(words).toContain(
      `${given.id}  program ${first.program_id}  ${event.id}  checkout.session.completed  failed`,
    );

    const repaired = await startService(installation.env);
    const wrong = await run(
      installation,
      'replay-processor-events',
      '--program',
      '999999',
      '--event',
      String(given.id),
    );
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining(`has no event ${given.id}`) });
    expect((await run(installation, 'replay-processor-events')).stdout).toBe('Events queued again: 1.\n');
    // The service looks for what others have made due every ten seconds.
    expect(
      await eventually(
        () => unfinished(installation),
        (list) => list.length === 0,
        40_000,
      ),
    ).toEqual([]);
    const one = ['--program', String(first.program_id), '--event', String(given.id)];
    expect((await run(installation, 'replay-processor-events', ...one)).stdout).toBe(
      `Event ${given.id} is queued again.\n`,
    );
    expect(
      await eventually(
        () => unfinished(installation),
        (list) => list.length === 0,
        40_000,
      ),
    ).toEqual([]);
    await repaired.end();
    const stored = await onStore(installation, (db) =>
      db.query('select s.processor_event_id as id, e.outcome, e.state from sales s, processor_events e'),
    );
    expect(stored).toEqual([{ id: session.payment_intent, outcome: 'duplicate', state: 'done' }]);
  },
  300_000,
);
