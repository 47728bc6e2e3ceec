import { setTimeout as sleep } from 'node:timers/promises';

/** How many requests a tool takes in a window of time. */
export type Limit = { requests: number; seconds: number };

/** Resolves when another request is within the limit, whatever part of the window the tool counts from. */
export function createPace({ requests, seconds }: Limit, now = () => performance.now(), wait: typeof sleep = sleep) {
  const sent: number[] = [];
  return async (signal: AbortSignal): Promise<void> => {
    const first = sent.length >= requests ? sent.shift() : undefined;
    const ms = first === undefined ? 0 : first + seconds * 1000 - now();
    if (ms > 0) await wait(ms, undefined, { signal });
    sent.push(now());
  };
}
