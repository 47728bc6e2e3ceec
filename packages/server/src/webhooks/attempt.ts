/** What a receiver said to a delivery, or why nothing was heard. */
export type Answer = {
  status: number | null;
  headers: Record<string, string> | null;
  body: string | null;
  /** The sentence for a call that failed. */
  error: string | null;
};

export type AttemptVerdict =
  | { is: 'delivered' }
  | { is: 'retried'; at: Date; error: string }
  | { is: 'failed'; error: string }
  /** The receiver wants no more of it: the endpoint is disabled. */
  | { is: 'gone'; error: string };

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** How long after each failed attempt the next one is made. */
const PAUSES_MS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];
const JITTER = 0.2;
/** A receiver can ask for more patience, up to this. */
const LONGEST_PAUSE_MS = 24 * HOUR;

/** Whether what was sent has arrived. */
export const isDelivered = ({ status }: Answer) => status !== null && status >= 200 && status < 300;

/** What follows from an attempt. `attempts` counts it, and `random` is a number from 0 to 1. */
export function judgeAttempt(answer: Answer, attempts: number, now: Date, random: number): AttemptVerdict {
  if (isDelivered(answer)) return { is: 'delivered' };
  const { status } = answer;
  const error = errorOf(answer);
  if (status === 410) return { is: 'gone', error };
  const pause = PAUSES_MS[attempts - 1];
  if (pause === undefined) return { is: 'failed', error };
  const spread = pause * (1 - JITTER + 2 * JITTER * random);
  const asked = Math.min(retryAfterMs(answer.headers?.['retry-after'], now), LONGEST_PAUSE_MS);
  return { is: 'retried', at: new Date(now.getTime() + Math.max(spread, asked)), error };
}

/** Why an attempt that was not delivered failed. */
export function errorOf({ status, error }: Answer): string {
  return error ?? describeStatus(status ?? 0);
}

function describeStatus(status: number): string {
  if (status >= 300 && status < 400)
    return `The endpoint answered with a redirect (${status}). Redirects are not followed.`;
  return `The endpoint answered with status ${status}.`;
}

const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Seconds or a date, as RFC 9110 writes them; 0 for anything else. */
function retryAfterMs(text: string | undefined, now: Date): number {
  const asked = text?.trim() ?? '';
  if (/^\d+$/.test(asked)) return Number(asked) * SECOND;
  return HTTP_DATE.test(asked) ? Math.max(Date.parse(asked) - now.getTime(), 0) || 0 : 0;
}
