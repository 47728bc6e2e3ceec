import type { Context } from '../context.ts';
import type { Refusal, RefusedCall } from './refusal.ts';
import { addRefusedCalls } from './refused-call-store.ts';

export type RefusalCounter = {
  count(refusal: Refusal): void;
  /** Writes what has been counted. */
  flush(): Promise<void>;
  close(): Promise<void>;
};

const FLUSH_MS = 2_000;
const HOUR_MS = 3_600_000;
/** Beyond this many origins of a program in an hour, further ones are counted together: callers can invent any number. */
const MAX_ORIGINS = 20;
/** Beyond this many programs in an hour, calls are not counted. */
const MAX_PROGRAMS = 10_000;
export const OTHER_ORIGINS = 'other origins';
const NO_ORIGIN = '';

/** Counts refused calls in memory and adds them to the store every few seconds, so that refusing stays cheap. */
export function createRefusalCounter(ctx: Context): RefusalCounter {
  let pending = new Map<string, RefusedCall>();
  let hour = 0;
  let origins = new Map<number, Set<string>>();
  let timer: NodeJS.Timeout | undefined;

  /** The origin to count under, or null if there are too many programs. */
  function boundedOrigin(programId: number, origin: string): string | null {
    const known = origins.get(programId) ?? new Set();
    if (known.has(origin)) return origin;
    if (known.size === 0 && origins.size >= MAX_PROGRAMS) return null;
    if (known.size >= MAX_ORIGINS) return OTHER_ORIGINS;
    origins.set(programId, known.add(origin));
    return origin;
  }

  function count({ programId, kind, reason, origin: sent }: Refusal): void {
    const now = ctx.now();
    const thisHour = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
    if (thisHour !== hour) {
      hour = thisHour;
      origins = new Map();
    }
    const origin = boundedOrigin(programId, cleanOrigin(sent));
    if (origin === null) return;
    const key = JSON.stringify([programId, hour, kind, reason, origin]);
    const known = pending.get(key);
    if (known) {
      known.calls += 1;
      known.lastAt = now;
    } else {
      pending.set(key, { programId, kind, reason, origin, hour: new Date(hour), calls: 1, lastAt: now });
    }
    timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const calls = [...pending.values()];
    pending = new Map();
    if (calls.length === 0) return;
    try {
      await addRefusedCalls(ctx.db, calls);
    } catch (error) {
      // Lost counts are acceptable: the store has bigger problems now.
      ctx.log.error({ err: error }, 'Could not count refused calls');
    }
  }

  return { count, flush, close: flush };
}

/** Browsers send a short ASCII origin. Anything else does not come from a browser. */
function cleanOrigin(origin: string | undefined): string {
  if (origin === undefined) return NO_ORIGIN;
  return /^[\x21-\x7e]{1,255}$/.test(origin) ? origin : OTHER_ORIGINS;
}
