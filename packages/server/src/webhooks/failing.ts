import { DAY_MS, HOUR_MS } from '../time.ts';

/** What is known about an endpoint at which something failed, and nothing has arrived since. */
export type Failing = {
  failingSince: Date;
  /** For how long attempts have failed, without the silences. */
  failingMs: number;
  warnedAt: Date | null;
};

/**
 * How much of the time between two failed attempts counts as failing. It is the longest pause in the retries of a delivery;
 * beyond it nothing was tried, so nothing is known. An endpoint that fails now and then, with weeks without events in between,
 * is therefore not disabled for weeks in which nobody called it.
 */
export const LONGEST_SILENCE_MS = DAY_MS;

const WARN_AFTER_MS = DAY_MS;
/** A day has passed, and attempts were made in at least half of it: the service may have been stopped. */
const TRIED_FOR_MS = 12 * HOUR_MS;
export const DISABLE_AFTER_MS = 5 * DAY_MS;

/**
 * Whether an endpoint is to be disabled, or its owners are to be warned. One event alone is tried for about 28 hours, which is
 * enough for a warning and never for disabling.
 */
export function judgeFailing({ failingSince, failingMs, warnedAt }: Failing, now: Date): 'disable' | 'warn' | 'leave' {
  if (failingMs >= DISABLE_AFTER_MS) return 'disable';
  const isLong = now.getTime() - failingSince.getTime() >= WARN_AFTER_MS && failingMs >= TRIED_FOR_MS;
  return isLong && warnedAt === null ? 'warn' : 'leave';
}
