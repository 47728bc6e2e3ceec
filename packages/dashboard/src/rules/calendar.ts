import { DAY_MS } from './day.ts';
import { pageLocale } from './locale.ts';

/** The first and the last day, both included. */
export type DayRange = { from: string; to: string };

/** The day that is now, in UTC. */
export function todayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/** The day so many days later or, if negative, earlier. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The same day so many months later or earlier; the last day of that month if it is shorter. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const lastDate = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, lastDate))).toISOString().slice(0, 10);
}

/** The first day of the month that a day is in. */
export function monthOf(day: string): string {
  return `${day.slice(0, 7)}-01`;
}

/** The last day of the month that a day is in. */
export function lastDayOfMonth(day: string): string {
  return addDays(addMonths(monthOf(day), 1), -1);
}

/** The weeks of a month, filled up with days of the months around it. Weekdays count from Sunday, which is 0. */
export function weeksOf(month: string, firstWeekday: number): string[][] {
  const first = monthOf(month);
  const start = addDays(first, -((new Date(first).getUTCDay() - firstWeekday + 7) % 7));
  const last = lastDayOfMonth(first);
  const weeks: string[][] = [];
  for (let monday = start; monday <= last; monday = addDays(monday, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, index) => addDays(monday, index)));
  }
  return weeks;
}

type WeekInfo = { firstDay: number };
type LocaleWithWeek = Intl.Locale & { weekInfo?: WeekInfo; getWeekInfo?: () => WeekInfo };

/** The weekday that a week starts with in a region: Sunday, 0, in the United States and Monday, 1, in most of Europe. */
export function firstWeekdayIn(locale: string): number {
  const region: LocaleWithWeek = new Intl.Locale(locale).maximize();
  return ((region.getWeekInfo?.() ?? region.weekInfo)?.firstDay ?? 1) % 7;
}

/** The ranges that a list offers beside free dates. */
export function datePresets(today: string): [title: string, range: DayRange][] {
  const month = monthOf(today);
  const lastMonth = addMonths(month, -1);
  const year = `${today.slice(0, 4)}-01-01`;
  return [
    ['Today', { from: today, to: today }],
    ['Last 7 days', { from: addDays(today, -6), to: today }],
    ['Last 30 days', { from: addDays(today, -29), to: today }],
    ['This month', { from: month, to: lastDayOfMonth(month) }],
    ['Last month', { from: lastMonth, to: lastDayOfMonth(lastMonth) }],
    ['This year', { from: year, to: addDays(addMonths(year, 12), -1) }],
  ];
}

/** The months that a report offers. The current one ends today, because nothing has happened after that. */
export function monthsToReport(today: string): [title: string, range: DayRange][] {
  const lastMonth = addMonths(monthOf(today), -1);
  return [
    ['This month', { from: monthOf(today), to: today }],
    ['Last month', { from: lastMonth, to: lastDayOfMonth(lastMonth) }],
  ];
}

/** A range as it is read: `Mar 1 – 31, 2026`. */
export function formatRange({ from, to }: DayRange, locale = pageLocale): string {
  const format = new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' });
  return from === to ? format.format(new Date(from)) : format.formatRange(new Date(from), new Date(to));
}

/** The periods in which proposed terms are compared with the past, the usual one first. The last day is included. */
export function comparisonPeriods(today: string): [title: string, range: DayRange][] {
  const month = monthOf(today);
  const quarter = addMonths(month, -((Number(month.slice(5, 7)) - 1) % 3));
  return [
    ['Last quarter', { from: addMonths(quarter, -3), to: addDays(quarter, -1) }],
    ['This quarter', { from: quarter, to: today }],
    ['Last month', { from: addMonths(month, -1), to: addDays(month, -1) }],
    ['Last 12 months', { from: addDays(addMonths(today, -12), 1), to: today }],
  ];
}
