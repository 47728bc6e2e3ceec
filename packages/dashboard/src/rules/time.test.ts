import { describe, expect, it } from 'vitest';
import { formatDay, formatExact, formatMoment, formatRelative } from './time.ts';

const now = new Date('2026-03-10T12:00:00Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);

describe('times', () => {
  it.each([
    [0, 'just now'],
    [59, 'just now'],
    [60, '1 minute ago'],
    [7_199, '1 hour ago'],
    [86_400, 'yesterday'],
    [3 * 86_400, '3 days ago'],
    [-2 * 86_400, 'in 2 days'],
    [400 * 86_400, 'last year'],
  ])('%i seconds before now is %s', (seconds, words) => {
    expect(formatRelative(ago(seconds), now, 'en-US')).toBe(words);
  });

  it('are exact, with their zone, for those who ask', () => {
    expect(formatExact(now, 'en-US', 'Europe/Berlin').replace(/\u202f/g, ' ')).toBe('Mar 10, 2026, 01:00:00 PM GMT+1');
  });

  it('name the year only where it is another', () => {
    const clean = (text: string) => text.replace(/\u202f/g, ' ');
    expect(clean(formatMoment(now, now, 'en-US', 'UTC'))).toBe('Mar 10, 12:00 PM');
    expect(clean(formatMoment(ago(400 * 86_400), now, 'en-US', 'UTC'))).toBe('Feb 3, 2025, 12:00 PM');
  });

  it('leave the days of reports where they are', () => {
    expect(formatDay('2026-03-10', 'en-US')).toBe('Mar 10');
  });
});
