import type { FetchLike } from './options.ts';
import type { Answer, Outcome } from './outcome.ts';
import { request, waitAfter } from './request.ts';
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
  const { fetch, url, headers, body, judge } = delivery;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    return judge(await request({ fetch, method: 'POST', url, headers, body, signal }));
  } catch (error) {
    return { ok: false, outcome: 'failed', error: error instanceof SvcError ? error : unclear(error) };
  }
}

function unclear(error: unknown): SvcError {
  return new SvcError(`The response makes no sense: ${error}`, { code: 'unexpected_response', isRetryable: true });
}

/** Waits without keeping the process alive. */
function sleepUnseen(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer: unknown = setTimeout(resolve, ms);
    (timer as { unref?: () => void }).unref?.();
  });
}
