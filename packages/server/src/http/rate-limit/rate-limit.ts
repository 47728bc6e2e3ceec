import { errors, type RateBucket, type RateLimits } from '@svc/contract';
import type { FastifyReply } from 'fastify';
import type { RateWindows } from './windows.ts';

export type RateLimiter = (bucket: RateBucket, caller: string, reply: FastifyReply) => Promise<void>;

/** Counts a request, reports the limit in headers, and refuses the request once the limit is exceeded. */
export function createRateLimiter(windows: RateWindows, limits: RateLimits, now: () => Date): RateLimiter {
  return async (bucket, caller, reply) => {
    const time = now();
    const limit = limits[bucket];
    const { count, resetsAt } = await windows.hit(`${bucket}:${caller}`, time);
    reply.header('X-RateLimit-Limit', limit);
    reply.header('X-RateLimit-Remaining', Math.max(0, limit - count));
    reply.header('X-RateLimit-Reset', Math.ceil(resetsAt.getTime() / 1000));
    if (count > limit) throw errors.rateLimited(Math.max(1, Math.ceil((resetsAt.getTime() - time.getTime()) / 1000)));
  };
}
