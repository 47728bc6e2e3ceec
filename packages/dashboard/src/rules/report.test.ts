import { describe, expect, it } from 'vitest';
import { formatChange, lastDayOf, periodOf } from './report.ts';

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
