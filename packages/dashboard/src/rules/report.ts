import { DAY_MS, isDay } from './day.ts';
import { pageLocale } from './locale.ts';

/** The periods a report offers, by their name in the URL. */
export const PERIOD_NAMES = ['7d', '30d', '90d', '12m', 'custom'] as const;
export type PeriodName = (typeof PERIOD_NAMES)[number];

/** The metrics a report can chart, by their name in the URL. */
export const METRICS = ['clicks', 'leads', 'sales', 'revenue', 'commission', 'per_click'] as const;
export type Metric = (typeof METRICS)[number];

/** What the points of a chart stand for, and what reports are broken down by, by their names in the URL. */
export const INTERVALS = ['day', 'week', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];
export const BREAKDOWNS = [
  'partner',
  'group',
  'link',
  'coupon',
  'payment',
  'landing_page',
  'referrer',
  'device',
  'country',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'sub',
] as const;
export const BREAKDOWN_SORTS = ['clicks', 'leads', 'sales', 'revenue', 'commission'] as const;

export type Period = { from: string; to: string };
type PeriodSearch = { period?: PeriodName; from?: string; to?: string };

const DAYS: Record<PeriodName, number> = { '7d': 7, '30d': 30, '90d': 90, '12m': 365, custom: 30 };

/** Whole days in UTC, including today. Dates win over a named period; without valid ones it is the last 30 days. */
export function periodOf({ period = '30d', from, to }: PeriodSearch, now: Date): Period {
  if (from && to && isDay(from) && isDay(to) && from <= to) return daysBetween(Date.parse(from), Date.parse(to));
  const today = Date.parse(now.toISOString().slice(0, 10));
  return daysBetween(today - (DAYS[period] - 1) * DAY_MS, today);
}

/** The last day that a period includes. */
export function lastDayOf({ to }: Period): string {
  return new Date(Date.parse(to) - 1).toISOString().slice(0, 10);
}

function daysBetween(first: number, last: number): Period {
  return { from: new Date(first).toISOString(), to: new Date(last + DAY_MS).toISOString() };
}

/** A day, or the days of a week or month, such as `Mar 9 – 15`. A whole month is its name. Reports count days in UTC. */
export function formatBucket(date: string, lastDate: string, interval: Interval, locale = pageLocale): string {
  const [first, last] = [new Date(date), new Date(lastDate)];
  if (interval === 'month' && isWholeMonth(first, last)) {
    return new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(first);
  }
  const days = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' });
  return date === lastDate ? days.format(first) : days.formatRange(first, last);
}

/** The short form of a bucket for an axis. */
export function formatTick(date: string, interval: Interval, locale = pageLocale): string {
  const parts = interval === 'month' ? ({ month: 'short' } as const) : ({ month: 'short', day: 'numeric' } as const);
  return new Intl.DateTimeFormat(locale, { ...parts, timeZone: 'UTC' }).format(new Date(date));
}

function isWholeMonth(first: Date, last: Date): boolean {
  const isLastOfMonth = new Date(last.getTime() + DAY_MS).getUTCDate() === 1;
  return first.getUTCDate() === 1 && isLastOfMonth && first.getUTCMonth() === last.getUTCMonth();
}

/** The change from the previous period as a signed percentage; null when there is nothing to compare with. */
export function formatChange(current: number, previous: number, locale = pageLocale): string | null {
  if (previous === 0) return null;
  return new Intl.NumberFormat(locale, {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  }).format((current - previous) / previous);
}

/** From how many seconds on it is worth saying. */
const NOTABLY_BEHIND_SECONDS = 5;

/** What a report says about figures that may be behind; null if that is not worth saying. */
export function behindNote({ behindSeconds = 0 }: { behindSeconds?: number }): string | null {
  if (behindSeconds < NOTABLY_BEHIND_SECONDS) return null;
  return `These figures are up to ${behindSeconds} seconds behind. Newer clicks and sales will follow.`;
}
