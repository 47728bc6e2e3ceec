export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The time `days` times 24 hours later, or earlier if `days` is negative. */
export function addDays(time: Date, days: number): Date {
  return new Date(time.getTime() + days * DAY_MS);
}
