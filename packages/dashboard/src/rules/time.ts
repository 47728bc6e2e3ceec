import { DAY_MS } from './day.ts';
import { pageLocale } from './locale.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const YEAR_MS = 365.25 * DAY_MS;

type RelativeUnit = { unit: Intl.RelativeTimeFormatUnit; length: number; from: number };

/** Units with the distance from which they are used. Days go far, because hold periods are set in days. */
const UNITS: RelativeUnit[] = [
  { unit: 'year', length: YEAR_MS, from: 2 * YEAR_MS },
  { unit: 'month', length: YEAR_MS / 12, from: 120.5 * DAY_MS },
  { unit: 'day', length: DAY_MS, from: DAY_MS - HOUR_MS / 2 },
  { unit: 'hour', length: HOUR_MS, from: HOUR_MS - MINUTE_MS / 2 },
  { unit: 'minute', length: MINUTE_MS, from: MINUTE_MS },
];

/**
 * How long ago or ahead a moment is, to the nearest unit, so that a hold of 30 days that has just begun ends in 30 days. In
 * English because it appears inside sentences; under a minute is now.
 */
export function formatRelative(at: Date, now: Date): string {
  const distance = at.getTime() - now.getTime();
  const found = UNITS.find(({ from }) => Math.abs(distance) >= from);
  if (!found) return 'just now';
  return new Intl.RelativeTimeFormat('en').format(Math.round(distance / found.length), found.unit);
}

/** How far ahead a moment is. What is due already is done in a moment, too. */
export function formatAhead(at: Date, now: Date): string {
  return at.getTime() - now.getTime() < MINUTE_MS ? 'in a moment' : formatRelative(at, now);
}

/** The moment in the viewer’s time zone, to the second, with the zone. */
export function formatExact(at: Date, locale = pageLocale, timeZone?: string): string {
  return new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
    timeZone,
  }).format(at);
}

/** Date and time in the viewer’s time zone; the year only when it is not the current one. */
export function formatDateTime(at: Date, now: Date, locale = pageLocale, timeZone?: string): string {
  return new Intl.DateTimeFormat(locale, {
    ...(at.getFullYear() !== now.getFullYear() && { year: 'numeric' }),
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
  }).format(at);
}

/** The date in the viewer’s time zone; the year only when it is not the current one. */
export function formatDate(at: Date, now: Date, locale = pageLocale, timeZone?: string): string {
  return new Intl.DateTimeFormat(locale, {
    ...(at.getFullYear() !== now.getFullYear() && { year: 'numeric' }),
    month: 'short',
    day: 'numeric',
    timeZone,
  }).format(at);
}

/** A day of a report, such as `Mar 10`. Reports count days in UTC. */
export function formatDay(date: string, locale = pageLocale): string {
  return new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(new Date(date));
}
