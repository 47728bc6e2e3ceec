import { describe, expect, it } from 'vitest';
import { judgeFailing } from './failing.ts';

const now = new Date('2026-03-10T12:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const failing = (sinceMs: number, failingMs: number, warnedAt: Date | null = null) => ({
  failingSince: new Date(now.getTime() - sinceMs),
  failingMs,
  warnedAt,
});

describe('an endpoint at which nothing arrives', () => {
  it('is left alone for a day', () => {
    expect(judgeFailing(failing(DAY - 1, DAY - 1), now)).toBe('leave');
  });

  it('is warned about after a day, once', () => {
    expect(judgeFailing(failing(DAY, 20 * HOUR), now)).toBe('warn');
    expect(judgeFailing(failing(DAY, 20 * HOUR, now), now)).toBe('leave');
  });

  it('is left alone while too little was tried', () => {
    expect(judgeFailing(failing(3 * DAY, 12 * HOUR - 1), now)).toBe('leave');
    expect(judgeFailing(failing(3 * DAY, 12 * HOUR), now)).toBe('warn');
  });

  it('is disabled after five days of failures, whether or not it was warned about', () => {
    expect(judgeFailing(failing(5 * DAY, 5 * DAY - 1, now), now)).toBe('leave');
    expect(judgeFailing(failing(5 * DAY, 5 * DAY, now), now)).toBe('disable');
    expect(judgeFailing(failing(5 * DAY, 5 * DAY), now)).toBe('disable');
  });

  it('is not disabled for the retries of one event, however long ago they were', () => {
    expect(judgeFailing(failing(80 * DAY, 33 * HOUR, now), now)).toBe('leave');
  });
});
