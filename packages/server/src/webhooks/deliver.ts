import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { type DueWorker, openDueWorker } from '../db/due-work.ts';
import { createGroupCommit } from '../db/group-commit.ts';
import type { CallContext } from './call-endpoint.ts';
import { findNextDueDelivery } from './delivery-store.ts';
import { deleteLeases, leaseHosts } from './host-store.ts';
import { type Attempt, type HostSender, LEASE_MS, openHostSender } from './send-to-host.ts';
import { storeAttempts } from './store-attempts.ts';

export type DeliveryContext = CallContext & Pick<Context, 'db' | 'mail'>;

/** How long a stopping node waits for its last calls. What is cut off is sent again, under the same id. */
const LAST_CALLS_MS = 3_000;
/** How long a host is left alone after the store has failed. */
const PAUSE_MS = 10_000;

/** Sends due deliveries. All nodes share the work; a host is called by one of them at a time. */
export async function openDeliveryWorker(ctx: DeliveryContext): Promise<DueWorker> {
  const senders = new Map<string, HostSender>();
  const stopping = new AbortController();
  let isAbandoned = false;

  const attempts = createGroupCommit<Attempt, void>({
    write: async (group) => {
      await storeAttempts(ctx, group);
      return group.map(() => undefined);
    },
    maxWaitMs: Number.POSITIVE_INFINITY,
    maxWriteMs: null,
  });
  const senderContext = {
    ...ctx,
    node: randomUUID(),
    store: attempts.submit,
    isStopping: () => stopping.signal.aborted,
    isAbandoned: () => isAbandoned,
  };

  function send(host: string, leasedAt: number): void {
    const sender = openHostSender(senderContext, host, leasedAt);
    const ended = sender.ended
      .catch(async (err: Error) => {
        if (isAbandoned) return;
        ctx.log.error({ err }, 'Sending webhooks failed; retrying');
        await sleep(PAUSE_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
      })
      .finally(() => {
        senders.delete(host);
        worker.wake();
      });
    senders.set(host, { ...sender, ended });
  }

  const worker = openDueWorker(ctx, {
    failure: 'Looking for webhooks to send failed',
    async process(isStopping) {
      if (isStopping()) return;
      const leasedAt = performance.now();
      for (const host of await leaseHosts(ctx.db, senderContext.node, ctx.now(), LEASE_MS)) {
        const sender = senders.get(host);
        if (sender) sender.wake(leasedAt);
        else send(host, leasedAt);
      }
    },
    findNextDue: () => findNextDueDelivery(ctx.db),
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
