export const DAY_MS = 86_400_000;

const DAY = /^\d{4}-\d\d-\d\d$/;
const FIRST_DAY = '0001-01-01';
const LAST_DAY = '9999-12-31';

/** Whether the text is a day that exists, such as `2026-03-31`. */
export function isDay(text: string): boolean {
  const time = DAY.test(text) ? Date.parse(text) : Number.NaN;
  // Some engines read 30 February as 2 March.
  return text >= FIRST_DAY && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** The day after a day, in UTC. Nothing is stored after the last day that can be written, so that one needs no end. */
export function dayAfter(day: string): string | undefined {
  if (day === LAST_DAY) return undefined;
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
}
