import { describe, expect, it } from 'vitest';
import { behindNote, formatBucket, formatChange, formatTick, lastDayOf, periodOf } from './report.ts';

const now = new Date('2026-03-10T23:30:00Z');

describe('periodOf', () => {
  it('counts whole days and includes today', () => {
    expect(periodOf({ period: '7d' }, now)).toEqual({
      from: '2026-03-04T00:00:00.000Z',
      to: '2026-03-11T00:00:00.000Z',
    });
  });

  it('includes both dates of a custom range', () => {
    expect(periodOf({ period: '7d', from: '2026-01-01', to: '2026-01-01' }, now)).toEqual({
      from: '2026-01-01T00:00:00.000Z',
      to: '2026-01-02T00:00:00.000Z',
    });
  });

  it.each([
    {},
    { period: 'custom' as const },
    { from: '2026-02-01', to: '2026-01-01' },
    { from: 'yesterday', to: 'today' },
  ])('is the last 30 days for %j', (search) => expect(periodOf(search, now)).toEqual(periodOf({ period: '30d' }, now)));
});

it('lastDayOf is the last day that the period includes', () => {
  expect(lastDayOf(periodOf({ from: '2026-01-01', to: '2026-01-31' }, now))).toBe('2026-01-31');
});

it('formatChange is a signed percentage, and null without a previous value', () => {
  expect(formatChange(15, 10, 'en-US')).toBe('+50%');
  expect(formatChange(5, 10, 'en-US')).toBe('-50%');
  expect(formatChange(10, 10, 'en-US')).toBe('0%');
  expect(formatChange(10, 0, 'en-US')).toBeNull();
});

it.each([
  ['day', '2026-03-10', '2026-03-10', 'Mar 10', 'Mar 10'],
  ['week', '2026-03-09', '2026-03-15', 'Mar 9 – 15', 'Mar 9'],
  ['week', '2026-03-30', '2026-04-05', 'Mar 30 – Apr 5', 'Mar 30'],
  ['month', '2026-02-01', '2026-02-28', 'February 2026', 'Feb'],
  ['month', '2026-02-14', '2026-02-28', 'Feb 14 – 28', 'Feb'],
] as const)('a %s from %s to %s is %s, and %s on an axis', (interval, date, lastDate, text, tick) => {
  // Ranges are written with thin spaces.
  expect(formatBucket(date, lastDate, interval, 'en-US').replace(/\s/g, ' ')).toBe(text);
  expect(formatTick(date, interval, 'en-US')).toBe(tick);
});

it('figures that are notably behind say by how much', () => {
  expect(behindNote({})).toBeNull();
  expect(behindNote({ behindSeconds: 4 })).toBeNull();
  expect(behindNote({ behindSeconds: 40 })).toBe(
    'These figures are up to 40 seconds behind. Newer clicks and sales will follow.',
  );
});
