import { describe, expect, it } from 'vitest';
import { changeInWords, periodOf } from './period.ts';

const now = new Date('2026-03-10T23:30:00Z');

describe('the period of a report', () => {
  it('is a number of whole days with today among them', () => {
    expect(periodOf({ period: '7d' }, now)).toEqual({
      from: '2026-03-04T00:00:00.000Z',
      to: '2026-03-11T00:00:00.000Z',
      days: 7,
    });
  });

  it('is what the two dates say, both included', () => {
    expect(periodOf({ period: '7d', from: '2026-01-01', to: '2026-01-01' }, now)).toEqual({
      from: '2026-01-01T00:00:00.000Z',
      to: '2026-01-02T00:00:00.000Z',
      days: 1,
    });
  });

  it.each([{}, { period: 'x' }, { from: '2026-02-01', to: '2026-01-01' }, { from: 'yesterday', to: 'today' }])(
    'is the last 30 days for %j',
    (search) => expect(periodOf(search, now)).toEqual(periodOf({ period: '30d' }, now)),
  );
});

it('a change is a signed share, and nothing where there was nothing before', () => {
  expect(changeInWords(15, 10, 'en-US')).toBe('+50%');
  expect(changeInWords(5, 10, 'en-US')).toBe('-50%');
  expect(changeInWords(10, 10, 'en-US')).toBe('0%');
  expect(changeInWords(10, 0, 'en-US')).toBeNull();
});
