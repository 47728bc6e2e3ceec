import { describe, expect, it } from 'vitest';
import { addDays, addMonths, datePresets, firstWeekdayIn, formatRange, lastDayOfMonth, weeksOf } from './calendar.ts';

describe('days and months', () => {
  it('count across months and years', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
    expect(addDays('2024-03-01', -1)).toBe('2024-02-29');
    expect(addMonths('2026-01-31', 1)).toBe('2026-02-28');
    expect(addMonths('2026-03-31', -1)).toBe('2026-02-28');
    expect(addMonths('2026-12-05', 1)).toBe('2027-01-05');
    expect(addMonths('2026-01-05', -13)).toBe('2024-12-05');
    expect(lastDayOfMonth('2024-02-10')).toBe('2024-02-29');
  });
});

describe('the weeks of a month', () => {
  it('start with the weekday of the region and contain every day of the month once', () => {
    const march = weeksOf('2026-03-01', 1);
    expect(march[0]).toEqual([
      '2026-02-23',
      '2026-02-24',
      '2026-02-25',
      '2026-02-26',
      '2026-02-27',
      '2026-02-28',
      '2026-03-01',
    ]);
    expect(march.at(-1)?.at(-1)).toBe('2026-04-05');
    expect(weeksOf('2026-03-01', 0)[0]?.[0]).toBe('2026-03-01');
    expect(march.flat().filter((day) => day.startsWith('2026-03'))).toHaveLength(31);
  });

  it('begin on Sunday in the United States and on Monday in Germany', () => {
    expect([firstWeekdayIn('en-US'), firstWeekdayIn('en-DE')]).toEqual([0, 1]);
  });
});

describe('the presets of a list', () => {
  it('include their last day', () => {
    expect(Object.fromEntries(datePresets('2026-03-10'))).toEqual({
      Today: { from: '2026-03-10', to: '2026-03-10' },
      'Last 7 days': { from: '2026-03-04', to: '2026-03-10' },
      'Last 30 days': { from: '2026-02-09', to: '2026-03-10' },
      'This month': { from: '2026-03-01', to: '2026-03-31' },
      'Last month': { from: '2026-02-01', to: '2026-02-28' },
      'This year': { from: '2026-01-01', to: '2026-12-31' },
    });
  });

  it('are read as a range', () => {
    expect(formatRange({ from: '2026-03-01', to: '2026-03-31' }, 'en-US')).toMatch(/^Mar 1\s–\s31, 2026$/u);
    expect(formatRange({ from: '2026-03-01', to: '2026-03-01' }, 'en-US')).toBe('Mar 1, 2026');
  });
});
