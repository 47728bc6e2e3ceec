import { describe, expect, it } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import { installations, onStore } from '../../../test/installations.ts';
import { operator, setUp, startService } from '../../../test/processes.ts';
import { type StripeEvent, StripeEvents } from '../../../test/stripe.ts';
import { connectStopped, sendTo, signUpBuyer } from '../../../test/stripe-processes.ts';

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

/** Sends them all, so many at once, until nobody answers any more; `onAnswer` hears of each that was taken. */
async function burst(url: string, programId: number, events: StripeEvent[], onAnswer: (event: StripeEvent) => void) {
  const left = [...events];
  const sender = async () => {
    for (let event = left.shift(); event; event = left.shift()) {
      const status = await sendTo(url, programId, event);
      if (status === null) return;
      expect(status).toBe(200);
      onAnswer(event);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sender));
}

/** How long the oldest event has been due; 0 when none is. */
async function secondsBehind(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^svc_processor_inbox_age_seconds (.+)$/m.exec(metrics)?.[1]);
}

describe.each(installations)('on %s', (_what, install) => {
  it('kill -9 in the middle of a burst: every event that was answered 200 is processed exactly once', async () => {
    const installation = await install();
    const { env } = installation;
    const first = await setUp(env);
    await connectStopped(installation, first);
    const service = await startService(env);
    await signUpBuyer(service.url, first, 'buyer');

    const events = payments();
    const taken: StripeEvent[] = [];
    await burst(service.url, first.program_id, events, (event) => {
      taken.push(event);
      if (taken.length === EVENTS / 3) service.child.kill('SIGKILL');
    });
    await service.untilEnded();
    expect(taken.length).toBeGreaterThanOrEqual(EVENTS / 3);
    expect(taken.length).toBeLessThan(EVENTS);
    // What the dead process was at is let go of after a minute; here the minute passes at once.
    await onStore(installation, (db) =>
      db.query(`update processor_events set due_at = due_at - interval '1 minute' where state = 'waiting'`),
    );

    const again = await startService(env);
    const unanswered = events.filter((event) => !taken.includes(event));
    const sentAgain = [...unanswered, ...taken.slice(0, 20)];
    await burst(again.url, first.program_id, sentAgain, () => {});
    // Cheap to ask until nothing is due; what is being processed just then is only in the list.
    await eventually(
      () => secondsBehind(again.url),
      (seconds) => seconds === 0,
      60_000,
    );
    const waiting = await eventually(
      async () => JSON.parse((await operator(env, 'list-processor-events', '--json')).stdout) as unknown[],
      (list) => list.length === 0,
      60_000,
    );
    expect(waiting).toEqual([]);
    expect((await again.end()).code).toBe(0);

    const stored = await onStore(installation, (db) =>
      db.query(
        `select s.processor_event_id as id, s.amount_cents as cents, count(c.id) as commissions
         from sales s left join commissions c on c.sale_id = s.id group by 1, 2 order by 2`,
      ),
    );
    const paid = events.map(({ data: { object } }) => ({
      id: object.payment_intent,
      cents: object.amount_total,
      commissions: 1,
    }));
    expect(stored).toEqual(paid);
    const inbox = await onStore(installation, (db) =>
      db.query(`select outcome, count(*) from processor_events where state = 'done' group by 1 order by 1`),
    );
    const count = inbox.reduce((sum, row) => sum + Number((row as { count: number }).count), 0);
    expect(count).toBe(EVENTS);
  }, 300_000);
});
