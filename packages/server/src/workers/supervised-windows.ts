import type { Log } from '../context.ts';
import { within } from '../db/within.ts';
import { createMemoryWindows } from '../http/rate-limit/memory-windows.ts';
import type { RateWindows, WindowState } from '../http/rate-limit/windows.ts';

/** The supervisor does little else, so it answers within a millisecond unless the whole machine hangs. */
const ANSWER_MS = 2_000;

type Hit = { key: string; now: Date; resolve(state: WindowState): void };

/**
 * Windows that the supervisor holds for all workers of this machine. The requests that arrive in one turn of the event loop are
 * counted with one message. While the supervisor does not answer, this worker counts in its own memory and says so.
 */
export function createSupervisedWindows(ask: (keys: string[]) => Promise<number[] | undefined>, log: Log): RateWindows {
  const memory = createMemoryWindows();
  let waiting: Hit[] = [];
  let shared = true;

  async function countWaiting(): Promise<void> {
    const hits = waiting;
    waiting = [];
    const windows = await within(ANSWER_MS, ask(hits.map(({ key }) => key)));
    report(windows !== undefined);
    for (const [index, { key, now, resolve }] of hits.entries()) {
      if (!windows) resolve(memory.hit(key, now));
      else resolve({ count: windows[2 * index] as number, resetsAt: new Date(windows[2 * index + 1] as number) });
    }
  }

  function report(isShared: boolean): void {
    if (shared === isShared) return;
    shared = isShared;
    if (isShared) log.info({}, 'Rate limits are shared by the workers again');
    else log.warn({}, 'The supervisor does not answer: rate limits are counted by this worker alone for now');
  }

  return {
    hit(key, now) {
      return new Promise((resolve) => {
        if (waiting.length === 0) setImmediate(countWaiting);
        waiting.push({ key, now, resolve });
      });
    },
    async close() {},
  };
}
