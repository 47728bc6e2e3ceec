/** Seconds to wait before each further try when the service cannot be reached: a quarter of a minute in all. */
export const WAITS = [1, 2, 4, 8];

/** The longest `Retry-After` that is waited for; rate windows are a minute. Longer ones are told instead. */
export const LONGEST_WAIT_SECONDS = 120;

/** Failures that happen before a request is sent: trying again cannot do anything twice. */
const NOT_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'];

export type Attempt = { method: string; tries: number };
export type Reply = { status: number; retryAfterSeconds: number | undefined };

/** The seconds to wait before sending again, or null when the answer stands. */
export function waitAfterReply({ method, tries }: Attempt, { status, retryAfterSeconds }: Reply): number | null {
  const wasRefused = status === 429 || (status === 503 && retryAfterSeconds !== undefined);
  if (wasRefused) {
    const seconds = retryAfterSeconds ?? WAITS[tries] ?? LONGEST_WAIT_SECONDS;
    return tries < WAITS.length && seconds <= LONGEST_WAIT_SECONDS ? seconds : null;
  }
  if (status >= 500 && method === 'GET') return WAITS[tries] ?? null;
  return null;
}

/** The seconds to wait before sending again after no answer came, or null when it must not or need not be tried. */
export function waitAfterNoReply({ method, tries }: Attempt, code: string | undefined): number | null {
  if (method !== 'GET' && !NOT_SENT.includes(code ?? '')) return null;
  return WAITS[tries] ?? null;
}
