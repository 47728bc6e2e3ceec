import { describe, expect, it } from 'vitest';
import { formatAhead, formatDate, formatDateTime, formatDay, formatExact, formatRelative } from './time.ts';

const now = new Date('2026-03-10T12:00:00Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);
// Intl puts a narrow no-break space before AM and PM.
const plain = (text: string) => text.replace(/\u202f/g, ' ');

describe('formatRelative', () => {
  it.each([
    [0, 'just now'],
    [59, 'just now'],
    [60, '1 minute ago'],
    [3_595, '1 hour ago'],
    [7_199, '2 hours ago'],
    [12 * 3_600, '12 hours ago'],
    [86_395, '1 day ago'],
    [35 * 3_600, '1 day ago'],
    [3 * 86_400, '3 days ago'],
    [-2 * 86_400, 'in 2 days'],
    [45 * 86_400, '45 days ago'],
    [180 * 86_400, '6 months ago'],
    [400 * 86_400, '13 months ago'],
    [3 * 366 * 86_400, '3 years ago'],
  ])('calls %i seconds before now %s', (seconds, text) => {
    expect(formatRelative(ago(seconds), now)).toBe(text);
  });

  it.each([1, 7, 14, 30, 31, 45, 60, 90, 120])('ends a hold of %i days that has just begun in as many days', (days) => {
    const text = `in ${days} ${days === 1 ? 'day' : 'days'}`;
    // The clocks of the server and the browser differ by a few seconds.
    for (const seconds of [-5, 0, 5]) {
      expect(formatRelative(ago(seconds - days * 86_400), now)).toBe(text);
    }
  });
});

it.each([
  [-3_600, 'in 1 hour'],
  [-60, 'in 1 minute'],
  [-59, 'in a moment'],
  [5, 'in a moment'],
])('formatAhead says for what is due %i seconds before now: %s', (seconds, text) => {
  expect(formatAhead(ago(seconds), now)).toBe(text);
});

it('formatExact is exact to the second and names the time zone', () => {
  expect(plain(formatExact(now, 'en-US', 'Europe/Berlin'))).toBe('Mar 10, 2026, 1:00:00 PM GMT+1');
});

it('formatDateTime shows the year only when it is not the current one', () => {
  expect(plain(formatDateTime(now, now, 'en-US', 'UTC'))).toBe('Mar 10, 12:00 PM');
  expect(plain(formatDateTime(ago(400 * 86_400), now, 'en-US', 'UTC'))).toBe('Feb 3, 2025, 12:00 PM');
});

it('formatDay keeps report days in UTC', () => {
  expect(formatDay('2026-03-10', 'en-US')).toBe('Mar 10');
});

it('formatDate leaves out the time', () => {
  expect(plain(formatDate(now, now, 'en-US', 'UTC'))).toBe('Mar 10');
  expect(plain(formatDate(ago(400 * 86_400), now, 'en-US', 'UTC'))).toBe('Feb 3, 2025');
});
