import { describe, expect, it } from 'vitest';
import { type Answer, judgeAttempt } from './attempt.ts';

const NOW = new Date('2026-03-10T12:00:00.000Z');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const answer = (status: number | null, headers: Record<string, string> = {}): Answer => ({
  status,
  headers,
  body: '',
  error: status === null ? 'The connection was refused.' : null,
});

/** Milliseconds until the next attempt; null if there is none. */
function pauseAfter(attempts: number, random: number, from = answer(500)): number | null {
  const verdict = judgeAttempt(from, attempts, NOW, random);
  return verdict.is === 'retried' ? verdict.at.getTime() - NOW.getTime() : null;
}

describe('an attempt', () => {
  it('is delivered with any 2xx, and with nothing else', () => {
    for (const status of [200, 201, 202, 204, 299])
      expect(judgeAttempt(answer(status), 1, NOW, 0).is).toBe('delivered');
    for (const status of [301, 302, 304, 400, 404, 429, 500, 503, 600]) {
      expect(judgeAttempt(answer(status), 1, NOW, 0).is).toBe('retried');
    }
    expect(judgeAttempt(answer(410), 1, NOW, 0)).toEqual({
      is: 'gone',
      error: 'The endpoint answered with status 410.',
    });
  });

  it('says why it failed in a sentence', () => {
    const errorOf = (from: Answer) => (judgeAttempt(from, 1, NOW, 0) as { error: string }).error;
    expect(errorOf(answer(503))).toBe('The endpoint answered with status 503.');
    expect(errorOf(answer(302))).toBe('The endpoint answered with a redirect (302). Redirects are not followed.');
    expect(errorOf(answer(null))).toBe('The connection was refused.');
  });

  it('is followed by others after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, give or take a fifth', () => {
    const pauses = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];
    for (const [index, pause] of pauses.entries()) {
      expect(pauseAfter(index + 1, 0)).toBe(pause * 0.8);
      expect(pauseAfter(index + 1, 0.5)).toBe(pause);
      expect(pauseAfter(index + 1, 1)).toBe(pause * 1.2);
    }
    expect(judgeAttempt(answer(500), 8, NOW, 0)).toEqual({
      is: 'failed',
      error: 'The endpoint answered with status 500.',
    });
  });

  it('is followed later if Retry-After says so, but never earlier and by a day at most', () => {
    const asked: [string, number][] = [
      ['60', MINUTE],
      [' 60 ', MINUTE],
      ['1', 5 * SECOND],
      ['0', 5 * SECOND],
      ['86400', 24 * HOUR],
      ['99999999999999999999999', 24 * HOUR],
      ['Tue, 10 Mar 2026 12:10:00 GMT', 10 * MINUTE],
      ['Tue, 10 Mar 2026 11:00:00 GMT', 5 * SECOND],
      ['Fri, 31 Dec 9999 23:59:59 GMT', 24 * HOUR],
      ['Fri, 99 Xyz 2030 23:59:59 GMT', 5 * SECOND],
      ['-60', 5 * SECOND],
      ['1e9', 5 * SECOND],
      ['soon', 5 * SECOND],
      ['in 2050', 5 * SECOND],
      ['60, 120', 5 * SECOND],
      ['', 5 * SECOND],
    ];
    for (const [text, pause] of asked) {
      for (const status of [429, 503]) {
        expect(pauseAfter(1, 0.5, answer(status, { 'retry-after': text })), text).toBe(pause);
      }
    }
  });
});
