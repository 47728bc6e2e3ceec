import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../db/db.ts';
import type { Rest } from '../db/rest.ts';

export type BusyContext = {
  db: Pick<Db, 'kind'>;
  /** Clicks that wait to be stored. */
  clicks?: { waiting(): number };
};

/** The share of its time from which on this process is busy with other requests, not only with the work. */
const BUSY = 0.6;

/** How many times as long as the work, so that clicks keep nine tenths of their rate. The embedded store does one thing at a time. */
const RESTS = { postgres: 5, embedded: 9 };

/** A request that takes longer than a minute is taken for abandoned, and the work has to end at some time. */
const MAX_MS = 40_000;

/** Rests between pieces of work, in proportion to the work since the last rest, as long as the service is busy. */
export function restWhileBusy({ db, clicks }: BusyContext, maxMs = MAX_MS): Rest {
  const end = performance.now() + maxMs;
  let since = performance.now();
  let usage = performance.eventLoopUtilization();
  return async () => {
    // Requests that have arrived meanwhile are taken in.
    await nextTurn();
    const isBusy = performance.eventLoopUtilization(usage).utilization > BUSY || (clicks?.waiting() ?? 0) > 0;
    const now = performance.now();
    if (isBusy && now < end) await sleep(Math.min((now - since) * RESTS[db.kind], end - now));
    since = performance.now();
    usage = performance.eventLoopUtilization();
  };
}
