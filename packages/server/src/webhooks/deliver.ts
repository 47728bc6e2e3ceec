import { randomUUID } from 'node:crypto';
import type { Context } from '../context.ts';
import { type DueWorker, openDueWorker } from '../db/due-work.ts';
import type { Encryption } from '../encryption.ts';
import { CallFailed, type CallOut } from '../outbound/call-out.ts';
import { type Answer, judgeAttempt } from './attempt.ts';
import {
  type Attempted,
  type DueDelivery,
  deleteLease,
  findNextDueDelivery,
  leaseOrigins,
  listDueDeliveries,
  renewLease,
  updateAttempted,
} from './delivery-store.ts';
import { updateDisabled, updateHealth } from './endpoint-store.ts';
import { bodyFor, headersFor } from './message.ts';
import { tellDisabled } from './tell-owners.ts';

export type DeliveryContext = Pick<Context, 'db' | 'now' | 'log' | 'mail'> & {
  encryption: Encryption;
  callOut: CallOut;
};

/** Longer than a call may take: a node that is still calling has not lost the origin. */
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;
/** How many calls go to an origin at once, and how many of them to one endpoint while others have something due. */
const AT_ONCE = 8;
const PER_ENDPOINT = 4;
const MAX_KEPT_CHARS = 4_096;

/** Sends due deliveries. All nodes share the work; an origin is called by one of them at a time. */
export function openDeliveryWorker(ctx: DeliveryContext): DueWorker {
  const node = randomUUID();
  const busy = new Map<string, Promise<void>>();
  let isStopped = false;

  async function process(isStopping: () => boolean): Promise<void> {
    const until = new Date(ctx.now().getTime() + LEASE_MS);
    for (const origin of await leaseOrigins(ctx.db, node, ctx.now(), until)) {
      if (busy.has(origin)) continue;
      const sending = sendTo(ctx, origin, node, () => isStopped || isStopping())
        .catch((err: Error) => ctx.log.error({ err }, 'Sending webhooks failed; retrying'))
        .finally(() => {
          busy.delete(origin);
          worker.wake();
        });
      busy.set(origin, sending);
    }
  }

  const worker = openDueWorker(ctx, {
    failure: 'Looking for webhooks to send failed',
    process,
    findNextDue: () => findNextDueDelivery(ctx.db),
  });
  return {
    ...worker,
    async close() {
      isStopped = true;
      await worker.close();
      await Promise.all(busy.values());
    },
  };
}

/** Sends what is due to an origin until nothing is left, and then lets go of it. */
async function sendTo(ctx: DeliveryContext, origin: string, node: string, isStopping: () => boolean): Promise<void> {
  const inFlight = new Map<number, Promise<void>>();
  const perEndpoint = new Map<number, number>();
  let attempted: { delivery: DueDelivery; answer: Answer }[] = [];
  let renewedAt = performance.now();

  const start = (delivery: DueDelivery) => {
    perEndpoint.set(delivery.endpointId, (perEndpoint.get(delivery.endpointId) ?? 0) + 1);
    const call = attempt(ctx, delivery).then((answer) => {
      attempted.push({ delivery, answer });
      inFlight.delete(delivery.id);
      perEndpoint.set(delivery.endpointId, (perEndpoint.get(delivery.endpointId) ?? 1) - 1);
    });
    inFlight.set(delivery.id, call);
  };

  try {
    let waiting: DueDelivery[] = [];
    for (;;) {
      if (waiting.length === 0 && !isStopping()) {
        const without = [...inFlight.keys(), ...attempted.map(({ delivery }) => delivery.id)];
        waiting = await listDueDeliveries(ctx.db, origin, ctx.now(), { perEndpoint: 50, without });
      }
      if (isStopping()) waiting = [];
      const others = new Set(waiting.map(({ endpointId }) => endpointId)).size > 1;
      for (const delivery of [...waiting]) {
        if (inFlight.size >= AT_ONCE) break;
        if (others && (perEndpoint.get(delivery.endpointId) ?? 0) >= PER_ENDPOINT) continue;
        waiting.splice(waiting.indexOf(delivery), 1);
        start(delivery);
      }
      if (inFlight.size > 0) await Promise.race(inFlight.values());
      const done = attempted;
      attempted = [];
      if (done.length > 0) await store(ctx, done);
      else if (inFlight.size === 0 && waiting.length === 0) return;
      if (performance.now() - renewedAt > RENEW_MS) {
        renewedAt = performance.now();
        if (!(await renewLease(ctx.db, origin, node, new Date(ctx.now().getTime() + LEASE_MS)))) waiting = [];
      }
    }
  } finally {
    await Promise.allSettled(inFlight.values());
    await deleteLease(ctx.db, origin, node);
  }
}

/** One call. Whatever happens is an answer. */
export async function attempt(ctx: DeliveryContext, delivery: DueDelivery): Promise<Answer> {
  const { event, format, url, secretSealed, oldSecretSealed, oldSecretUntil } = delivery;
  if (!event) return { status: null, headers: null, body: null, error: 'The event is no longer kept.' };
  const now = ctx.now();
  const sealed =
    oldSecretSealed && oldSecretUntil && oldSecretUntil > now ? [secretSealed, oldSecretSealed] : [secretSealed];
  const body = bodyFor(format, event);
  const headers = headersFor(event.id, body, sealed.map(ctx.encryption.open), now);
  try {
    const answer = await ctx.callOut.call({ method: 'POST', url, headers, body });
    return { status: answer.status, headers: answer.headers, body: answer.body.slice(0, MAX_KEPT_CHARS), error: null };
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    return { status: null, headers: null, body: null, error: error.message };
  }
}

/** Stores what became of attempts, and what that says about their endpoints. */
async function store(ctx: DeliveryContext, done: { delivery: DueDelivery; answer: Answer }[]): Promise<void> {
  const now = ctx.now();
  const judged = done.map(({ delivery, answer }) => ({
    delivery,
    answer,
    verdict: judgeAttempt(answer, delivery.attempts + 1, now, Math.random()),
  }));
  const attempted = judged.map(({ delivery: { id }, answer, verdict }): Attempted => {
    if (verdict.is === 'delivered') return { id, status: 'delivered', dueAt: null, answer };
    const failed = { ...answer, error: verdict.error };
    if (verdict.is === 'retried') return { id, status: 'pending', dueAt: verdict.at, answer: failed };
    return { id, status: 'failed', dueAt: null, answer: failed };
  });
  const endpointsOf = (is: (verdict: string) => boolean) => [
    ...new Set(judged.filter(({ verdict }) => is(verdict.is)).map(({ delivery }) => delivery.endpointId)),
  ];
  const arrived = endpointsOf((is) => is === 'delivered');
  const failed = endpointsOf((is) => is !== 'delivered').filter((id) => !arrived.includes(id));
  const gone = endpointsOf((is) => is === 'gone');
  await ctx.db.transaction(async (tx) => {
    await updateAttempted(tx, attempted);
    await updateHealth(tx, arrived, failed, now);
    if (gone.length > 0) await tellDisabled(ctx, tx, await updateDisabled(tx, gone, 'gone'), 'gone');
  });
}
