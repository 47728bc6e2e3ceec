import type { FetchLike } from './options.ts';
import type { Answer, Outcome } from './outcome.ts';
import { SvcError } from './svc-error.ts';

export type Delivery<Reply> = {
  fetch: FetchLike;
  url: string;
  headers: Record<string, string>;
  body: string;
  /** How long it is retried. */
  retryMs: number;
  judge(answer: Answer): Outcome<Reply>;
  /** Called before a wait, with what the service or the network said. */
  onWait(waitMs: number, error: SvcError): void;
};

/** One request takes at most this long. */
const ATTEMPT_MS = 10_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/** Sends a request until the answer is final or the time is up: always the same bytes with the same key. Never throws. */
export async function deliver<Reply>(delivery: Delivery<Reply>): Promise<Outcome<Reply>> {
  const startedAt = performance.now();
  for (let attempt = 0; ; attempt += 1) {
    const leftMs = delivery.retryMs - (performance.now() - startedAt);
    const outcome = await sendOnce(delivery, Math.max(1, Math.ceil(Math.min(ATTEMPT_MS, leftMs))));
    if (outcome.ok || !outcome.error.isRetryable) return outcome;
    const waitMs = waitAfter(outcome.error, attempt);
    if (performance.now() - startedAt + waitMs >= delivery.retryMs) return outcome;
    delivery.onWait(waitMs, outcome.error);
    await sleepUnseen(waitMs);
  }
}

async function sendOnce<Reply>(delivery: Delivery<Reply>, timeoutMs: number): Promise<Outcome<Reply>> {
  const { fetch, url, headers, body } = delivery;
  try {
    const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(timeoutMs) });
    const requestId = response.headers.get('x-request-id') ?? undefined;
    const retryAfterSeconds = parseSeconds(response.headers.get('retry-after'));
    const answer = await response.json().catch((error) => {
      // The connection broke, or the time was up, in the middle of the answer.
      if (!(error instanceof SyntaxError)) throw error;
    });
    return delivery.judge({ status: response.status, body: answer, requestId, retryAfterSeconds });
  } catch (error) {
    return { ok: false, outcome: 'failed', error: noAnswer(error, url) };
  }
}

function noAnswer(error: unknown, url: string): SvcError {
  const { name, cause } = error as { name?: string; cause?: { code?: string; message?: string } };
  const code = name === 'TimeoutError' ? 'timeout' : 'unreachable';
  const why = code === 'timeout' ? 'in time' : `(${cause?.code ?? cause?.message ?? String(error)})`;
  return new SvcError(`No answer from ${new URL(url).origin} ${why}`, { code, isRetryable: true });
}

/** Exponential backoff, unless the service says how long. A random part spreads the retries of many servers. */
function waitAfter({ retryAfterSeconds }: SvcError, attempt: number): number {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1000;
  return Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS) * (0.75 + Math.random() / 2);
}

function parseSeconds(header: string | null): number | undefined {
  const seconds = Number(header);
  return header && Number.isFinite(seconds) && seconds >= 0 ? Math.max(1, Math.ceil(seconds)) : undefined;
}

/** Waits without keeping the process alive. */
function sleepUnseen(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer: unknown = setTimeout(resolve, ms);
    (timer as { unref?: () => void }).unref?.();
  });
}
