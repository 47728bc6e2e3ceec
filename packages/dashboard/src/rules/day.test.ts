import { expect, it } from 'vitest';
import { dayAfter, isDay } from './day.ts';

it.each([
  ['2026-03-31', '2026-04-01'],
  ['2026-12-31', '2027-01-01'],
  ['2028-02-28', '2028-02-29'],
  ['9999-12-31', undefined],
])('the day after %s is %s', (day, next) => expect(dayAfter(day)).toBe(next));

it.each(['2026-03-31', '2028-02-29', '0001-01-01'])('%s is a day', (text) => expect(isDay(text)).toBe(true));

it.each(['', '2026-3-1', '2026-02-30', '2026-13-01', '0000-01-01', '2026-03-31T00:00:00Z', 'yesterday'])(
  '%j is not a day',
  (text) => expect(isDay(text)).toBe(false),
);
