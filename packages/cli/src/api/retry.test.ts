import { describe, expect, it } from 'vitest';
import { delayAfterNoResponse, delayAfterResponse, MAX_WAIT_SECONDS, RETRY_DELAYS } from './retry.ts';

describe('after a response', () => {
  it.each([
    ['GET', 429, 7, 7],
    ['POST', 429, 7, 7],
    ['POST', 429, undefined, 1],
    ['POST', 429, MAX_WAIT_SECONDS, MAX_WAIT_SECONDS],
    ['POST', 429, MAX_WAIT_SECONDS + 1, null],
    ['POST', 503, 1, 1],
    ['POST', 503, undefined, null],
    ['POST', 500, undefined, null],
    ['GET', 500, undefined, 1],
    ['HEAD', 502, undefined, 1],
    ['GET', 401, undefined, null],
    ['GET', 200, undefined, null],
  ])('%s %i with Retry-After %s waits %s', (method, status, retryAfterSeconds, seconds) => {
    expect(delayAfterResponse({ method, retries: 0 }, { status, retryAfterSeconds })).toBe(seconds);
  });

  it('stops after the last delay', () => {
    const retries = RETRY_DELAYS.length;
    expect(delayAfterResponse({ method: 'GET', retries }, { status: 429, retryAfterSeconds: 1 })).toBeNull();
    expect(delayAfterResponse({ method: 'GET', retries }, { status: 500, retryAfterSeconds: undefined })).toBeNull();
  });
});

describe('without a response', () => {
  it.each([
    ['GET', 'ECONNRESET', 1],
    ['GET', 'timeout', 1],
    ['HEAD', 'ECONNRESET', 1],
    ['POST', 'ECONNREFUSED', 1],
    ['POST', 'ENOTFOUND', 1],
    ['POST', 'ECONNRESET', null],
    ['POST', 'timeout', null],
    ['POST', undefined, null],
  ])('%s that failed with %s waits %s', (method, code, seconds) => {
    expect(delayAfterNoResponse({ method, retries: 0 }, code)).toBe(seconds);
  });

  it('waits longer each time, then stops', () => {
    const delays = (method: string, wasReached: boolean) =>
      [0, 1, 2, 3, 4].map((retries) => delayAfterNoResponse({ method, retries, wasReached }, 'ECONNREFUSED'));
    expect(delays('POST', false)).toEqual([...RETRY_DELAYS, null]);
    expect(delays('GET', true)).toEqual([...RETRY_DELAYS, null]);
    // Offline, a read fails within seconds.
    expect(delays('GET', false)).toEqual([1, null, null, null, null]);
  });
});
