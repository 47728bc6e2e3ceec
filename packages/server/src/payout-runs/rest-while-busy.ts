import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../db/db.ts';
import type { Rest } from '../db/rest.ts';

export type BusyContext = {
  db: Pick<Db, 'kind'>;
  /** Clicks that wait to be stored. */
  clicks?: { waiting(): number };
  /** Aborts when the service stops: then there are no others to leave time to. */
  stopping?: AbortSignal;
};

/** How long one look at the service without the work takes, and the share of that time from which on it is busy. */
const LOOK_MS = 3;
const BUSY = 0.6;
/** It is busy if it is in each of these looks: what is left of the work, such as collecting its garbage, fills one. */
const LOOKS = 3;

/** How many times as long as the work, so that clicks keep nine tenths of their rate. The embedded store does one thing at a time. */
const RESTS = { postgres: 5, embedded: 9 };
/** The same for a service that had next to no time left during such a rest: what the work takes, requests do not get. */
const LONG_REST = 14;
const SATURATED = 0.8;
/** A piece of work takes less. Longer, it has waited for somebody, and taken nothing from others. */
const PIECE_MS = 1_000;

/** A request that takes longer than a minute is taken for abandoned, and the work has to end at some time. */
const MAX_MS = 50_000;

/** Rests between pieces of work, in proportion to the work since the last rest, as long as the service is busy. */
export function restWhileBusy({ db, clicks, stopping }: BusyContext, maxMs = MAX_MS): Rest {
  const end = performance.now() + maxMs;
  const restUntil = (time: number) =>
    sleep(Math.max(0, Math.min(time, end) - performance.now()), undefined, { signal: stopping }).catch(() => undefined);
  let since = performance.now();
  return async () => {
    const stopped = performance.now();
    const worked = Math.min(stopped - since, PIECE_MS);
    if (stopped < end && !stopping?.aborted && (await isBusy(clicks))) {
      const before = performance.eventLoopUtilization();
      await restUntil(stopped + worked * RESTS[db.kind]);
      const { utilization } = performance.eventLoopUtilization(before);
      if (utilization > SATURATED) await restUntil(stopped + worked * LONG_REST);
    }
    since = performance.now();
  };
}

/** Whether this process is busy with other requests. While the work runs that cannot be told, because it may be what keeps it busy. */
async function isBusy(clicks: BusyContext['clicks']): Promise<boolean> {
  // Requests that have arrived meanwhile are taken in.
  await nextTurn();
  if ((clicks?.waiting() ?? 0) > 0) return true;
  for (let look = 0; look < LOOKS; look += 1) {
    const before = performance.eventLoopUtilization();
    await sleep(LOOK_MS);
    if (performance.eventLoopUtilization(before).utilization <= BUSY) return false;
  }
  return true;
}
