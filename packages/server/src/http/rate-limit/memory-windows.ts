import { RATE_WINDOW_SECONDS } from '@svc/contract';
import type { MemoryWindows } from './windows.ts';

const WINDOW_MS = RATE_WINDOW_SECONDS * 1000;

/**
 * Windows in this process's memory. Instead of a timer per caller there are two generations: once a window's length has
 * passed since the last swap, every window of the older one has ended, and it is dropped as a whole.
 */
export function createMemoryWindows(): MemoryWindows {
  let young = new Map<string, { count: number; endsAt: number }>();
  let old = young;
  let swapsAt = 0;

  return {
    hit(key, now) {
      const time = now.getTime();
      if (time >= swapsAt) {
        [old, young] = [young, new Map()];
        swapsAt = time + WINDOW_MS;
      }
      let window = young.get(key) ?? old.get(key);
      if (window === undefined || window.endsAt <= time) {
        window = { count: 0, endsAt: time + WINDOW_MS };
        young.set(key, window);
      }
      window.count += 1;
      return { count: window.count, resetsAt: new Date(window.endsAt) };
    },
    async close() {},
  };
}
