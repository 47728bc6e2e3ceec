import { randomUUID } from 'node:crypto';
import type { Context } from '../context.ts';
import { type DueWorker, openDueWorker } from '../db/due-work.ts';
import type { Encryption } from '../encryption.ts';
import { CallFailed, type CallOut } from '../outbound/call-out.ts';
import { type Answer, type AttemptVerdict, judgeAttempt } from './attempt.ts';
import {
  type Attempted,
  type DueDelivery,
  deleteLease,
  findNextDueDelivery,
  leaseOrigins,
  listDueDeliveries,
  listDueOrigins,
  renewLease,
  updateAttempted,
} from './delivery-store.ts';
import { updateDisabled, updateHealth } from './endpoint-store.ts';
import { bodyFor, headersFor } from './message.ts';

export type DeliveryContext = Pick<Context, 'db' | 'now' | 'log'> & { encryption: Encryption; callOut: CallOut };

/** A call that is due. Its ids are those of its sender. */
export type DueCall = { id: number; endpointId: number; attempts: number };

/** What became of a call, and what follows from it. */
export type Attempt<Call extends DueCall> = { delivery: Call; answer: Answer; verdict: AttemptVerdict };

/** One kind of calls: what is due, how it is sent, and where the outcome is stored. */
export type Sender<Call extends DueCall = DueCall> = {
  /** The origins at which something is due. */
  listOrigins(now: Date): Promise<string[]>;
  /** The oldest few of each endpoint at the origin, without those that are being sent. */
  listDue(origin: string, now: Date, which: { perEndpoint: number; without: number[] }): Promise<Call[]>;
  /** One call. Whatever happens is an answer. */
  send(call: Call): Promise<Answer>;
  /** Stores what became of calls, and what that says about their endpoints. */
  store(attempts: Attempt<Call>[], now: Date): Promise<void>;
  /** When the next one is due; null when none waits. */
  findNextDue(): Promise<Date | null>;
};

/** Longer than a call may take: a node that is still calling has not lost the origin. */
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;
/** How many calls go to an origin at once, and how many of them to one endpoint while others have something due. */
const AT_ONCE = 8;
const PER_ENDPOINT = 4;
const MAX_KEPT_CHARS = 4_096;

/**
 * Sends what is due of all senders. All nodes share the work; an origin is called by one of them at a time, so that its limit of
 * connections holds for everything that is sent to it.
 */
export function openDeliveryWorker(ctx: DeliveryContext, senders: Sender[]): DueWorker {
  const node = randomUUID();
  const busy = new Map<string, Promise<void>>();
  let isStopped = false;

  async function process(isStopping: () => boolean): Promise<void> {
    const until = new Date(ctx.now().getTime() + LEASE_MS);
    const due = (await Promise.all(senders.map((sender) => sender.listOrigins(ctx.now())))).flat();
    for (const origin of await leaseOrigins(ctx.db, node, due, { now: ctx.now(), until })) {
      if (busy.has(origin)) continue;
      const sending = sendTo(ctx, senders, { origin, node }, () => isStopped || isStopping())
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
    findNextDue: async () => {
      const times = await Promise.all(senders.map((sender) => sender.findNextDue()));
      return times.reduce((one, other) => (one && other ? (one < other ? one : other) : (one ?? other)), null);
    },
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
async function sendTo(
  ctx: DeliveryContext,
  senders: Sender[],
  { origin, node }: { origin: string; node: string },
  isStopping: () => boolean,
): Promise<void> {
  const inFlight = new Map<DueOf, Promise<void>>();
  const perEndpoint = new Map<string, number>();
  let attempted: { due: DueOf; answer: Answer }[] = [];
  let renewedAt = performance.now();

  const start = (due: DueOf) => {
    perEndpoint.set(due.endpoint, (perEndpoint.get(due.endpoint) ?? 0) + 1);
    const call = due.sender.send(due.delivery).then((answer) => {
      attempted.push({ due, answer });
      inFlight.delete(due);
      perEndpoint.set(due.endpoint, (perEndpoint.get(due.endpoint) ?? 1) - 1);
    });
    inFlight.set(due, call);
  };

  try {
    let waiting: DueOf[] = [];
    for (;;) {
      if (waiting.length === 0 && !isStopping()) {
        const sent = [...inFlight.keys(), ...attempted.map(({ due }) => due)];
        waiting = await listDue(senders, origin, ctx.now(), sent);
      }
      if (isStopping()) waiting = [];
      const others = new Set(waiting.map(({ endpoint }) => endpoint)).size > 1;
      for (const due of [...waiting]) {
        if (inFlight.size >= AT_ONCE) break;
        if (others && (perEndpoint.get(due.endpoint) ?? 0) >= PER_ENDPOINT) continue;
        waiting.splice(waiting.indexOf(due), 1);
        start(due);
      }
      if (inFlight.size > 0) await Promise.race(inFlight.values());
      const done = attempted;
      attempted = [];
      if (done.length > 0) await store(ctx, senders, done);
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

/** A due call, and who sends it. Endpoints of different senders are different ones. */
type DueOf = { sender: Sender; delivery: DueCall; endpoint: string };

async function listDue(senders: Sender[], origin: string, now: Date, sent: DueOf[]): Promise<DueOf[]> {
  const lists = await Promise.all(
    senders.map(async (sender, index) => {
      const without = sent.filter((due) => due.sender === sender).map(({ delivery }) => delivery.id);
      const due = await sender.listDue(origin, now, { perEndpoint: 50, without });
      return due.map((delivery) => ({ sender, delivery, endpoint: `${index} ${delivery.endpointId}` }));
    }),
  );
  return lists.flat();
}

async function store(ctx: DeliveryContext, senders: Sender[], done: { due: DueOf; answer: Answer }[]): Promise<void> {
  const now = ctx.now();
  for (const sender of senders) {
    const attempts = done
      .filter(({ due }) => due.sender === sender)
      .map(({ due: { delivery }, answer }) => ({
        delivery,
        answer,
        verdict: judgeAttempt(answer, delivery.attempts + 1, now, Math.random()),
      }));
    if (attempts.length > 0) await sender.store(attempts, now);
  }
}

/** Sends deliveries to the endpoints of programs. */
export function webhookSender(ctx: DeliveryContext): Sender<DueDelivery> {
  return {
    listOrigins: (now) => listDueOrigins(ctx.db, now),
    listDue: (origin, now, which) => listDueDeliveries(ctx.db, origin, now, which),
    send: (delivery) => attempt(ctx, delivery),
    store: (attempts, now) => storeDeliveries(ctx, attempts, now),
    findNextDue: () => findNextDueDelivery(ctx.db),
  };
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
async function storeDeliveries(ctx: DeliveryContext, judged: Attempt<DueDelivery>[], now: Date): Promise<void> {
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
    if (gone.length > 0) await updateDisabled(tx, gone, 'gone');
  });
}
