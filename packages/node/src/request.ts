import type { FetchLike } from './options.ts';
import type { Answer } from './outcome.ts';
import { SvcError } from './svc-error.ts';

type Request = {
  fetch: FetchLike;
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
};

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/**
 * Sends a request once. Throws a `SvcError` that can be retried when no answer came, and one that cannot when the answer is a
 * redirect: following it would turn a POST into a GET without its body.
 */
export async function request(sent: Request): Promise<Answer> {
  const answer = await send(sent);
  if (answer.status !== 0 && (answer.status < 300 || answer.status > 399)) return answer;
  const target =
    answer.location && URL.canParse(answer.location, sent.url) && new URL(answer.location, sent.url).origin;
  const why = target === new URL(sent.url).origin ? 'redirects' : `redirects to ${target || 'another address'}`;
  throw new SvcError(`SVC_API_URL ${why}. Set it to the address that answers`, {
    ...answer,
    code: 'not_configured',
    isRetryable: false,
  });
}

async function send({ fetch, url, ...init }: Request): Promise<Answer & { location: string | null }> {
  try {
    const response = await fetch(url, { ...init, redirect: 'manual' });
    const requestId = response.headers.get('x-request-id') ?? undefined;
    const etag = response.headers.get('etag') ?? undefined;
    const retryAfterSeconds = parseSeconds(response.headers.get('retry-after'));
    const body = await response.json().catch((error) => {
      // The connection broke, or the time was up, in the middle of the answer.
      if (!(error instanceof SyntaxError)) throw error;
    });
    const location = response.headers.get('location');
    return { status: response.status, body, requestId, retryAfterSeconds, etag, location };
  } catch (error) {
    throw noAnswer(error, url);
  }
}

function noAnswer(error: unknown, url: string): SvcError {
  const { name, cause } = error as { name?: string; cause?: { code?: string; message?: string } };
  const code = name === 'TimeoutError' ? 'timeout' : 'unreachable';
  const why = code === 'timeout' ? 'in time' : `(${cause?.code ?? cause?.message ?? String(error)})`;
  return new SvcError(`No answer from ${new URL(url).origin} ${why}`, { code, isRetryable: true });
}

/** Exponential backoff, unless the service says how long. A random part spreads the retries of many servers. */
export function waitAfter({ retryAfterSeconds }: SvcError, attempt: number): number {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1000;
  return Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS) * (0.75 + Math.random() / 2);
}

function parseSeconds(header: string | null): number | undefined {
  const seconds = Number(header);
  return header && Number.isFinite(seconds) && seconds >= 0 ? Math.max(1, Math.ceil(seconds)) : undefined;
}
