import { describe, expect, it } from 'vitest';
import { LONGEST_WAIT_SECONDS, WAITS, waitAfterNoReply, waitAfterReply } from './retry.ts';

describe('after an answer', () => {
  it.each([
    ['GET', 429, 7, 7],
    ['POST', 429, 7, 7],
    ['POST', 429, undefined, 1],
    ['POST', 429, LONGEST_WAIT_SECONDS, LONGEST_WAIT_SECONDS],
    ['POST', 429, LONGEST_WAIT_SECONDS + 1, null],
    ['POST', 503, 1, 1],
    ['POST', 503, undefined, null],
    ['POST', 500, undefined, null],
    ['GET', 500, undefined, 1],
    ['GET', 401, undefined, null],
    ['GET', 200, undefined, null],
  ])('%s %i with Retry-After %s waits %s', (method, status, retryAfterSeconds, seconds) => {
    expect(waitAfterReply({ method, tries: 0 }, { status, retryAfterSeconds })).toBe(seconds);
  });

  it('stops after as many tries as there are waits', () => {
    const tries = WAITS.length;
    expect(waitAfterReply({ method: 'GET', tries }, { status: 429, retryAfterSeconds: 1 })).toBeNull();
    expect(waitAfterReply({ method: 'GET', tries }, { status: 500, retryAfterSeconds: undefined })).toBeNull();
  });
});

describe('without an answer', () => {
  it.each([
    ['GET', 'ECONNRESET', 1],
    ['GET', 'timeout', 1],
    ['POST', 'ECONNREFUSED', 1],
    ['POST', 'ENOTFOUND', 1],
    ['POST', 'ECONNRESET', null],
    ['POST', 'timeout', null],
    ['POST', undefined, null],
  ])('%s that failed with %s waits %s', (method, code, seconds) => {
    expect(waitAfterNoReply({ method, tries: 0 }, code)).toBe(seconds);
  });

  it('waits longer each time, then stops', () => {
    const waits = [0, 1, 2, 3, 4].map((tries) => waitAfterNoReply({ method: 'GET', tries }, 'ECONNREFUSED'));
    expect(waits).toEqual([...WAITS, null]);
  });
});
