const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** How long ago or ahead a moment is, in words; anything under a minute is now. */
export function formatRelative(at: Date, now: Date, locale?: string): string {
  const seconds = (at.getTime() - now.getTime()) / 1000;
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? [];
  if (!unit || !length) return 'just now';
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(Math.trunc(seconds / length), unit);
}

/** The moment in the viewer's zone, to the second, with the zone named. */
export function formatExact(at: Date, locale?: string, timeZone?: string): string {
  return new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
    timeZone,
  }).format(at);
}

/** Day and time of day in the viewer's zone; the year only where it is another. */
export function formatMoment(at: Date, now: Date, locale?: string, timeZone?: string): string {
  return new Intl.DateTimeFormat(locale, {
    ...(at.getFullYear() !== now.getFullYear() && { year: 'numeric' }),
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  }).format(at);
}

/** A calendar day as it stands in a report: `Mar 10`. Days of reports are days in UTC. */
export function formatDay(date: string, locale?: string): string {
  return new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(new Date(date));
}
