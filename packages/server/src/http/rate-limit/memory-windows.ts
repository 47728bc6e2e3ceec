import { RATE_WINDOW_SECONDS } from '@svc/contract';
import type { RateWindows } from './windows.ts';

const WINDOW_MS = RATE_WINDOW_SECONDS * 1000;
const FIRST_SIZE = 64;
const SHARDS = 64;

/**
 * Windows in this process's memory. Instead of a timer per caller there are two generations: once a window's length has
 * passed since the last turn, the older one, in which every window has ended by then, is let go as a whole.
 */
export function createMemoryWindows(): RateWindows {
  let young = createGeneration();
  let old = createGeneration();
  let turnsAt = 0;

  return {
    hit(key, now) {
      const time = now.getTime();
      if (time >= turnsAt) {
        old = young;
        young = createGeneration();
        turnsAt = time + WINDOW_MS;
      }
      return young(key).count(key, time) ?? old(key).count(key, time) ?? young(key).open(key, time);
    },
    async close() {},
  };
}

/** Leads to the table that has a key. There are many small ones: one would stop everything when it grows or is looked through. */
function createGeneration(): (key: string) => Shard {
  const shards = Array.from({ length: SHARDS }, createShard);
  return (key) => shards[endOf(key) % SHARDS] as Shard;
}

/** Callers differ most in how their keys end. A key that is too short for that has no such end, and gives 0. */
function endOf(key: string): number {
  const { length } = key;
  return (key.charCodeAt(length - 1) + key.charCodeAt(length - 2) * 7 + key.charCodeAt(length - 3) * 31) | 0;
}

type Shard = ReturnType<typeof createShard>;

/**
 * A busy minute has hundreds of thousands of callers, so a window is no object of its own but a place in lists of plain
 * numbers, which the garbage collector need not walk through.
 */
function createShard() {
  const places = new Map<string, number>();
  let counts = new Uint32Array(FIRST_SIZE);
  let ends = new Float64Array(FIRST_SIZE);

  return {
    /** Counts in the key's window, if it has one here that is open. */
    count(key: string, time: number) {
      const place = places.get(key);
      if (place === undefined) return null;
      const end = ends[place] as number;
      if (end <= time) return null;
      const count = (counts[place] as number) + 1;
      counts[place] = count;
      return { count, resetsAt: new Date(end) };
    },
    open(key: string, time: number) {
      const place = places.get(key) ?? places.size;
      if (place === counts.length) {
        counts = grown(counts, new Uint32Array(place * 2));
        ends = grown(ends, new Float64Array(place * 2));
      }
      places.set(key, place);
      counts[place] = 1;
      ends[place] = time + WINDOW_MS;
      return { count: 1, resetsAt: new Date(time + WINDOW_MS) };
    },
  };
}

function grown<Numbers extends Uint32Array | Float64Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}
