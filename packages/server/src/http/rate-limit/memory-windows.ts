import { RATE_WINDOW_SECONDS } from '@svc/contract';
import type { RateWindows, WindowState } from './windows.ts';

const WINDOW_MS = RATE_WINDOW_SECONDS * 1000;

/**
 * Windows in this process's memory. Instead of a timer per caller there are two generations: once a window's length has
 * passed since the last turn, the older one, in which every window has ended by then, is let go as a whole.
 */
export function createMemoryWindows(): RateWindows {
  let young = new Map<string, WindowState>();
  let old = new Map<string, WindowState>();
  let turnsAt = 0;

  return {
    hit(key, now) {
      const time = now.getTime();
      if (time >= turnsAt) {
        old = young;
        young = new Map();
        turnsAt = time + WINDOW_MS;
      }
      const current = young.get(key) ?? old.get(key);
      if (current && current.resetsAt.getTime() > time) {
        current.count += 1;
        return current;
      }
      const fresh = { count: 1, resetsAt: new Date(time + WINDOW_MS) };
      young.set(key, fresh);
      return fresh;
    },
    async close() {},
  };
}
