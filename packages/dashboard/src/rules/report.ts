import { DAY_MS, isDay } from './day.ts';
import { pageLocale } from './locale.ts';

/** The periods a report offers, by their name in the URL. */
export const PERIOD_NAMES = ['7d', '30d', '90d', '12m', 'custom'] as const;
export type PeriodName = (typeof PERIOD_NAMES)[number];

/** The metrics a report can chart, by their name in the URL. */
export const METRICS = ['clicks', 'leads', 'sales', 'revenue', 'commission'] as const;
export type Metric = (typeof METRICS)[number];

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

/** The change from the previous period as a signed percentage; null when there is nothing to compare with. */
export function formatChange(current: number, previous: number, locale = pageLocale): string | null {
  if (previous === 0) return null;
  return new Intl.NumberFormat(locale, {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  }).format((current - previous) / previous);
}
