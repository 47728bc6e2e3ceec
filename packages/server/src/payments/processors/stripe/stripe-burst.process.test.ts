import { eventually } from '@svc/testkit/service/eventually.ts';
import { type StripeEvent, StripeEvents } from '@svc/testkit/service/payments/stripe.ts';
import { setUp } from '@svc/testkit/service/processes/first-program.ts';
import { installations, onStore } from '@svc/testkit/service/processes/installations.ts';
import { runOnStoreOf } from '@svc/testkit/service/processes/operator.ts';
import { startService } from '@svc/testkit/service/processes/processes.ts';
import { connectStopped, sendTo, signUpBuyer } from '@svc/testkit/service/processes/stripe-processes.ts';
import { describe, expect, it } from 'vitest';

const EVENTS = 120;
const AT_ONCE = 16;

function payments(): StripeEvent[] {
  const stripe = new StripeEvents('2026', new Date());
  return Array.from({ length: EVENTS }, (_, index) =>
    stripe.event(
      'checkout.session.completed',
      stripe.session({ metadata: { svc_customer_key: 'buyer' }, cents: 1_000 + index }),
    ),
  );
}

/** Sends the events, `AT_ONCE` at a time, until the service stops answering; reports each one that was accepted. */
async function burst(url: string, programId: number, events: StripeEvent[], onAccepted: (event: StripeEvent) => void) {
  const remaining = [...events];
  const sender = async () => {
    for (let event = remaining.shift(); event; event = remaining.shift()) {
      const status = await sendTo(url, programId, event);
      if (status === null) return;
      expect(status).toBe(200);
      onAccepted(event);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sender));
}

/** How long the oldest event has been due; 0 when none is. */
async function secondsBehind(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^svc_processor_inbox_age_seconds (.+)$/m.exec(metrics)?.[1]);
}

/** Transactions decide what survives, and both stores have them. The long version of the suite runs both. */
const stores = process.env.SVC_TEST_LONG ? installations : installations.slice(-1);

describe.each(stores)('on %s', (_name, install) => {
  it('processes every event that was answered 200 exactly once after a kill -9 in the middle of a burst', async () => {
    const installation = await install();
    const { env } = installation;
    const first = await setUp(env);
    await connectStopped(installation, first);
    const service = await startService(env);
    await signUpBuyer(service.url, first, 'buyer');

    const events = payments();
    const accepted: StripeEvent[] = [];
    await burst(service.url, first.program_id, events, (event) => {
      accepted.push(event);
      if (accepted.length === EVENTS / 3) service.child.kill('SIGKILL');
    });
    await service.untilEnded();
    expect(accepted.length).toBeGreaterThanOrEqual(EVENTS / 3);
    expect(accepted.length).toBeLessThan(EVENTS);
    // Events that the dead process had claimed are released after a minute; here that minute passes at once.
    await onStore(installation, (db) =>
      db.query(`update processor_events set due_at = due_at - interval '1 minute' where state = 'waiting'`),
    );

    const restarted = await startService(env);
    const unanswered = events.filter((event) => !accepted.includes(event));
    const resent = [...unanswered, ...accepted.slice(0, 20)];
    await burst(restarted.url, first.program_id, resent, () => {});
    // The metric is cheap to poll until nothing is due; only the list includes events that are being processed.
    await eventually(
      () => secondsBehind(restarted.url),
      (seconds) => seconds === 0,
    );
    const waiting = await eventually(
      async () => (await runOnStoreOf(env, 'list-processor-events')).data as unknown[],
      (list) => list.length === 0,
    );
    expect(waiting).toEqual([]);
    expect((await restarted.end()).code).toBe(0);

    // The embedded store is opened once for both questions, because opening it takes seconds.
    const [stored, inbox] = await onStore(installation, async (db) => [
      await db.query(
        `select s.processor_event_id as id, s.amount_cents as cents, count(c.id) as commissions
         from sales s left join commissions c on c.sale_id = s.id group by 1, 2 order by 2`,
      ),
      await db.query<{ count: number }>(`select count(*) from processor_events where state = 'done'`),
    ]);
    const paid = events.map(({ data: { object } }) => ({
      id: object.payment_intent,
      cents: object.amount_total,
      commissions: 1,
    }));
    expect(stored).toEqual(paid);
    expect(inbox).toEqual([{ count: EVENTS }]);
  }, 300_000);
});
