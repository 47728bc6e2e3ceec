import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { type DueWorker, openDueWorker } from '../db/due-work.ts';
import { createGroupCommit } from '../db/group-commit.ts';
import type { CallOut } from '../outbound/call-out.ts';
import type { Attempt, CallKind, DueHost } from './call-kind.ts';
import { deleteLeases, leaseHosts } from './host-store.ts';
import { type HostSender, LEASE_MS, openHostSender } from './send-to-host.ts';

export type DeliveryContext = Pick<Context, 'db' | 'now' | 'log'> & { callOut: CallOut };

/** How long a stopping node waits for its last calls. What is cut off is sent again, under the same id. */
const LAST_CALLS_MS = 3_000;
/** How many hosts a node calls at once, each with a few connections. */
const MAX_HOSTS = 250;
/** How long a host is left alone after the store has failed. */
const PAUSE_MS = 10_000;

/**
 * Sends what is due of all kinds. All nodes share the work; a host is called by one of them at a time, so that its number of
 * connections holds for all kinds together.
 */
export async function openDeliveryWorker(
  ctx: DeliveryContext,
  kinds: CallKind[],
  { maxHosts = MAX_HOSTS }: { maxHosts?: number } = {},
): Promise<DueWorker> {
  const senders = new Map<string, HostSender>();
  const stopping = new AbortController();
  let isAbandoned = false;

  const attempts = new Map(kinds.map((kind) => [kind, groupAttempts(kind)]));
  const senderContext = {
    ...ctx,
    kinds,
    node: randomUUID(),
    store: (kind: CallKind, attempt: Attempt) => attempts.get(kind)!.submit(attempt),
    isStopping: () => stopping.signal.aborted,
    isAbandoned: () => isAbandoned,
  };

  function send(host: string, leasedAt: number): void {
    const sender = openHostSender(senderContext, host, leasedAt);
    const ended = sender.ended
      .catch(async (err: Error) => {
        if (isAbandoned) return;
        ctx.log.error({ err }, 'Sending webhooks and postbacks failed; retrying');
        await sleep(PAUSE_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
      })
      .finally(() => {
        senders.delete(host);
        worker.wake();
      });
    senders.set(host, { ...sender, ended });
  }

  const worker = openDueWorker(ctx, {
    failure: 'Looking for webhooks and postbacks to send failed',
    async process(isStopping) {
      if (isStopping()) return;
      const now = ctx.now();
      const due = (await Promise.all(kinds.map((kind) => kind.listDueHosts(now)))).flat();
      const called = due.filter(({ host }) => senders.has(host));
      // Those that work come first, so that others cannot keep them waiting by hanging.
      const others = due.filter(({ host }) => !senders.has(host)).sort(byFailing);
      const hosts = [...called, ...others.slice(0, maxHosts - senders.size)].map(({ host }) => host);
      const leasedAt = performance.now();
      for (const host of await leaseHosts(ctx.db, senderContext.node, hosts, LEASE_MS)) {
        const sender = senders.get(host);
        if (sender) sender.wake(leasedAt);
        else send(host, leasedAt);
      }
    },
    async findNextDue() {
      // The next host that has been called makes room, and wakes the worker.
      if (senders.size >= maxHosts) return null;
      const times = await Promise.all(kinds.map((kind) => kind.findNextDue()));
      const [first = null] = times.filter((time) => time !== null).sort((one, other) => Number(one) - Number(other));
      return first;
    },
  });
  // Leases of this process from before it was killed.
  if (ctx.db.kind === 'embedded') await deleteLeases(ctx.db);

  return {
    ...worker,
    async idle() {
      await worker.idle();
      while (senders.size > 0) {
        await Promise.all([...senders.values()].map(({ ended }) => ended));
        await worker.idle();
      }
    },
    async close() {
      stopping.abort();
      await worker.close();
      const ended = Promise.all([...senders.values()].map((sender) => sender.ended));
      await Promise.race([ended, sleep(LAST_CALLS_MS, undefined, { ref: false })]);
      isAbandoned = true;
    },
  };
}

const byFailing = (one: DueHost, other: DueHost) => Number(one.isFailing) - Number(other.isFailing);

/** Each kind is stored on its own, so that one that fails is not stored twice because of another. */
function groupAttempts(kind: CallKind) {
  return createGroupCommit<Attempt, void>({
    write: async (group) => {
      await kind.store(group);
      return group.map(() => undefined);
    },
    maxWaitMs: Number.POSITIVE_INFINITY,
    maxWriteMs: null,
  });
}
