import type { Context } from '../context.ts';
import { CALL_MS, type CallOut, CONNECTIONS_PER_HOST, KEPT_MS } from '../outbound/call-out.ts';
import type { Attempt, CallKind, DueCall } from './call-kind.ts';
import { deleteLease, renewLease } from './host-store.ts';

export type SenderContext = Pick<Context, 'db' | 'now'> & {
  callOut: CallOut;
  node: string;
  /** What is sent. All kinds share the connections, and their endpoints take turns. */
  kinds: CallKind[];
  /** Stores what became of an attempt. */
  store: (kind: CallKind, attempt: Attempt) => Promise<void>;
  isStopping: () => boolean;
  /** Nobody waits for the calls in progress: they are made again by another node. */
  isAbandoned: () => boolean;
};

/** A due call, and what kind it is of. Endpoints of different kinds are different ones. */
type Due = { kind: CallKind; call: DueCall; endpoint: string };

export const LEASE_MS = 30_000;
const RENEW_MS = 5_000;
/** A call that begins now is over by then, and so is the connection that it leaves behind. */
const CALL_TAKES_MS = CALL_MS + KEPT_MS + 1_000;
/** How long what was read may wait: meanwhile an endpoint can be changed, and another node can add to it. */
const STALE_MS = 1_000;
const READ_PER_ENDPOINT = 100;
/** How many calls of a host wait for being stored. */
const MAX_OPEN = 200;
const GONE = 410;

export type HostSender = {
  /** Looks for more that is due. The lease was taken again at this time of `performance.now()`. */
  wake(leasedAt: number): void;
  /** Resolves when nothing is due and the host is free for other nodes. */
  ended: Promise<void>;
};

/**
 * Sends what is due to a host for as long as there is something. An endpoint gets at most as many connections as it leaves to the
 * others, and one while it fails, so that one that hangs does not keep its neighbors waiting.
 */
export function openHostSender(ctx: SenderContext, host: string, leasedAt: number): HostSender {
  const queues = new Map<string, Due[]>();
  /** Endpoints with more than what was read. */
  const withMore = new Set<string>();
  const callsOf = new Map<string, number>();
  /** Calls whose outcome is not stored yet. */
  const open = new Map<Due, Promise<void>>();
  /** Endpoints that want no more, at least until that is stored. */
  const gone = new Set<string>();
  let calls = 0;
  let lease = { takenAt: leasedAt, isLost: false };
  let read = { at: 0, isNeeded: true };
  let failure: unknown = null;
  const changes = createSignal();

  const age = (since: number) => performance.now() - since;

  async function keepLease(): Promise<void> {
    if (age(lease.takenAt) < RENEW_MS) return;
    const takenAt = performance.now();
    const isKept = await renewLease(ctx.db, host, ctx.node, LEASE_MS);
    lease = { takenAt, isLost: !isKept };
  }

  async function readDue(): Promise<void> {
    if (!read.isNeeded && age(read.at) < STALE_MS) return;
    read = { at: performance.now(), isNeeded: false };
    const unstored = new Set([...open.keys()].map(({ endpoint }) => endpoint));
    for (const endpoint of gone) if (!unstored.has(endpoint)) gone.delete(endpoint);
    const now = ctx.now();
    const due = (await Promise.all(ctx.kinds.map((kind) => readKind(kind, now)))).flat();
    queues.clear();
    const wanted = due.filter(({ endpoint }) => !gone.has(endpoint)).sort(byTime);
    for (const one of wanted) queues.set(one.endpoint, [...(queues.get(one.endpoint) ?? []), one]);
    withMore.clear();
    for (const [endpoint, queue] of queues) if (queue.length === READ_PER_ENDPOINT) withMore.add(endpoint);
  }

  async function readKind(kind: CallKind, now: Date): Promise<Due[]> {
    const without = [...open.keys()].filter((due) => due.kind === kind).map(({ call }) => call.id);
    const calls = await kind.listDue(host, now, { perEndpoint: READ_PER_ENDPOINT, without });
    return calls.map((call) => ({ kind, call, endpoint: `${kind.name} ${call.endpointId}` }));
  }

  function mayCall({ endpoint, call: { isFailing } }: Due): boolean {
    // A node that was stopped for a while may have lost the host without noticing.
    if (age(lease.takenAt) > LEASE_MS - CALL_TAKES_MS || open.size >= MAX_OPEN) return false;
    const own = callsOf.get(endpoint) ?? 0;
    const free = CONNECTIONS_PER_HOST - calls;
    return free > 0 && own < (isFailing ? 1 : free);
  }

  /** Starts a call for each endpoint in turn until nothing fits. */
  function startCalls(): void {
    let isStarted = true;
    while (isStarted) {
      isStarted = false;
      for (const [endpoint, queue] of queues) {
        const [next] = queue;
        if (!next || !mayCall(next)) continue;
        isStarted = true;
        queue.shift();
        if (queue.length === 0) queues.delete(endpoint);
        if (queue.length === 0 && withMore.has(endpoint)) read.isNeeded = true;
        open.set(next, send(next));
      }
    }
  }

  function countCall(endpoint: string, change: 1 | -1): void {
    calls += change;
    callsOf.set(endpoint, (callsOf.get(endpoint) ?? 0) + change);
  }

  async function send(due: Due): Promise<void> {
    const { kind, call, endpoint } = due;
    countCall(endpoint, 1);
    const answer = await kind.send(call);
    countCall(endpoint, -1);
    if (answer.status === GONE) {
      gone.add(endpoint);
      queues.delete(endpoint);
    }
    changes.notify();
    try {
      if (!ctx.isAbandoned()) await ctx.store(kind, { call, answer });
    } catch (error) {
      failure = error;
    }
    open.delete(due);
    changes.notify();
  }

  async function sendAll(): Promise<void> {
    for (;;) {
      await keepLease();
      if (lease.isLost || ctx.isStopping()) return;
      await readDue();
      startCalls();
      if (failure) throw failure;
      if (open.size === 0 && queues.size === 0 && !read.isNeeded) return;
      await changes.next(STALE_MS);
    }
  }

  async function run(): Promise<void> {
    try {
      await sendAll();
    } finally {
      await Promise.all(open.values());
      await ctx.callOut.closeIdle(host);
      await deleteLease(ctx.db, host, ctx.node);
    }
  }

  return {
    wake(takenAt) {
      lease = { ...lease, takenAt };
      read.isNeeded = true;
      changes.notify();
    },
    ended: run(),
  };
}

const byTime = (one: Due, other: Due) => one.call.dueAt.getTime() - other.call.dueAt.getTime();

/** Tells a loop that something has changed since it last looked. */
function createSignal() {
  let isChanged = false;
  let resume = () => {};
  return {
    notify() {
      isChanged = true;
      resume();
    },
    /** Resolves at the next change, at once if there was one already, or after a while. */
    async next(withinMs: number): Promise<void> {
      if (!isChanged) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, withinMs);
          resume = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      isChanged = false;
    },
  };
}
