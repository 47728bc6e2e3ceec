import { errors, type RateBucket, type RateLimits } from '@svc/contract';
import type { FastifyReply } from 'fastify';
import type { RateWindows, WindowState } from './windows.ts';

/** Counts at once in memory, or waits for Redis. */
export type RateLimiter = (bucket: RateBucket, caller: string, reply: FastifyReply) => Promise<void> | void;

/** Counts a request, reports the limit in headers, and refuses the request once the limit is exceeded. */
export function createRateLimiter(windows: RateWindows, limits: RateLimits, now: () => Date): RateLimiter {
  return (bucket, caller, reply) => {
    const time = now();
    const window = windows.hit(`${bucket}:${caller}`, time);
    if (window instanceof Promise) return window.then((counted) => report(reply, limits[bucket], counted, time));
    return report(reply, limits[bucket], window, time);
  };
}

function report(reply: FastifyReply, limit: number, { count, resetsAt }: WindowState, time: Date): void {
  // In lower case, as they are sent: for every request, the framework would put them into lower case.
  reply.header('x-ratelimit-limit', limit);
  reply.header('x-ratelimit-remaining', Math.max(0, limit - count));
  reply.header('x-ratelimit-reset', Math.ceil(resetsAt.getTime() / 1000));
  if (count > limit) throw errors.rateLimited(Math.max(1, Math.ceil((resetsAt.getTime() - time.getTime()) / 1000)));
}
