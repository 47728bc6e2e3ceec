/** Seconds to wait before each retry when the service cannot be reached: 15 seconds in total. */
export const RETRY_DELAYS = [1, 2, 4, 8];
/** Nothing is lost if a read fails, so a command that has not reached the service yet soon says that it cannot. */
const FIRST_READ_DELAYS = [1];

/** The longest `Retry-After` the command waits for; rate windows are a minute. Longer ones are reported as an error. */
export const MAX_WAIT_SECONDS = 120;

/** Errors raised before a request is sent, so a retry cannot do anything twice. */
const NOT_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'];

export type Attempt = {
  method: string;
  retries: number;
  /** The service has answered this command before. */
  wasReached?: boolean;
};

/** Whether a request changes nothing, so that it can be sent any number of times. */
export const isRead = (method: string) => method === 'GET' || method === 'HEAD';

type Reply = { status: number; retryAfterSeconds: number | undefined };

/** The seconds to wait before retrying, or null when this response is final. */
export function delayAfterResponse({ method, retries }: Attempt, { status, retryAfterSeconds }: Reply): number | null {
  const wasRefused = status === 429 || (status === 503 && retryAfterSeconds !== undefined);
  if (wasRefused) {
    const seconds = retryAfterSeconds ?? RETRY_DELAYS[retries] ?? MAX_WAIT_SECONDS;
    return retries < RETRY_DELAYS.length && seconds <= MAX_WAIT_SECONDS ? seconds : null;
  }
  if (status >= 500 && isRead(method)) return RETRY_DELAYS[retries] ?? null;
  return null;
}

/** The seconds to wait before retrying a request that got no response, or null when a retry is unsafe or used up. */
export function delayAfterNoResponse(
  { method, retries, wasReached }: Attempt,
  code: string | undefined,
): number | null {
  if (!isRead(method) && !NOT_SENT.includes(code ?? '')) return null;
  return (isRead(method) && !wasReached ? FIRST_READ_DELAYS : RETRY_DELAYS)[retries] ?? null;
}
