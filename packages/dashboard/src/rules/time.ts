export const DAY_MS = 86_400_000;

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * DAY_MS],
  ['month', 30 * DAY_MS],
  ['day', DAY_MS],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** How long ago or ahead a moment is, in English because it appears inside sentences; under a minute is now. */
export function formatRelative(at: Date, now: Date): string {
  const distance = at.getTime() - now.getTime();
  const [unit, length] = UNITS.find(([, size]) => Math.abs(distance) >= size) ?? [];
  if (!unit || !length) return 'just now';
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(Math.trunc(distance / length), unit);
}

/** The moment in the viewer’s time zone, to the second, with the zone. */
export function formatExact(at: Date, locale?: string, timeZone?: string): string {
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
export function formatDateTime(at: Date, now: Date, locale?: string, timeZone?: string): string {
  return new Intl.DateTimeFormat(locale, {
    ...(at.getFullYear() !== now.getFullYear() && { year: 'numeric' }),
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
  }).format(at);
}

/** A day of a report, such as `Mar 10`. Reports count days in UTC. */
export function formatDay(date: string, locale?: string): string {
  return new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(new Date(date));
}
