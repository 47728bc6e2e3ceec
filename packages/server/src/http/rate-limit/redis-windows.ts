import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { RATE_WINDOW_SECONDS } from '@svc/contract';
import { Redis } from 'ioredis';
import type { Log } from '../../context.ts';
import { createMemoryWindows } from './memory-windows.ts';
import type { RateWindows } from './windows.ts';

const WINDOW_MS = RATE_WINDOW_SECONDS * 1000;
const CONNECT_MS = 2_000;
const ANSWER_MS = 250;

// Counting and starting the window are one step, so that no window can be left without an end.
const HIT = `
  local count = redis.call('INCR', KEYS[1])
  if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
  return { count, redis.call('PTTL', KEYS[1]) }`;

/** Windows shared by all nodes. While Redis does not answer, this node counts in its own memory and says so. */
export async function openRedisWindows(url: string, log: Log, answerMs = ANSWER_MS): Promise<RateWindows> {
  const redis = new Redis(url, {
    commandTimeout: answerMs,
    connectTimeout: CONNECT_MS,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: (attempt) => Math.min(attempt * 200, 2_000),
  });
  const memory = createMemoryWindows();
  let shared = true;

  // Without a listener a lost connection would end the process; the state is reported by `hit`.
  redis.on('error', (error) => log.debug({ err: error }, 'Redis connection'));

  // The first requests should find the connection made, if it can be made at all.
  await Promise.race([once(redis, 'ready'), once(redis, 'close'), sleep(CONNECT_MS)]).catch(() => undefined);

  function report(isShared: boolean, error?: unknown) {
    if (shared === isShared) return;
    shared = isShared;
    if (isShared) log.info({}, 'Rate limits are shared through Redis again');
    else log.warn({ err: error }, 'Redis does not answer: rate limits are counted by this node alone for now');
  }

  return {
    async hit(key, now) {
      try {
        const [count, ttlMs] = (await redis.call('EVAL', HIT, '1', `svc:rate:${key}`, String(WINDOW_MS))) as number[];
        report(true);
        return { count: Number(count), resetsAt: new Date(now.getTime() + Number(ttlMs)) };
      } catch (error) {
        report(false, error);
        return memory.hit(key, now);
      }
    },
    async close() {
      redis.disconnect();
    },
  };
}
