import type { FetchLike } from './options.ts';
import type { Answer, Outcome } from './outcome.ts';
import { request, waitAfter } from './request.ts';
import { SvcError } from './svc-error.ts';

export type Delivery<Reply> = {
  fetch: FetchLike;
  headers: Record<string, string>;
  to: Target<Reply>;
  /** Another way to report the same, at once, where the service has too many requests of this address. */
  orElse?: Target<Reply> | undefined;
  /** How long it is retried. */
  retryMs: number;
  /** Called before a wait, with what the service or the network said. */
  onWait(waitMs: number, error: SvcError): void;
};

export type Target<Reply> = {
  url: string;
  body: string;
  judge(answer: Answer): Outcome<Reply>;
};

/** One request takes at most this long. */
const ATTEMPT_MS = 10_000;

/** Sends a request until the answer is final or the time is up: always the same bytes with the same key. Never throws. */
export async function deliver<Reply>(delivery: Delivery<Reply>): Promise<Outcome<Reply>> {
  const startedAt = performance.now();
  let target = delivery.to;
  for (let attempt = 0; ; attempt += 1) {
    const leftMs = delivery.retryMs - (performance.now() - startedAt);
    const outcome = await sendOnce(delivery, target, Math.max(1, Math.ceil(Math.min(ATTEMPT_MS, leftMs))));
    if (outcome.ok || !outcome.error.isRetryable) return outcome;
    if (outcome.error.status === 429 && delivery.orElse && target !== delivery.orElse) {
      target = delivery.orElse;
      continue;
    }
    const waitMs = waitAfter(outcome.error, attempt);
    if (performance.now() - startedAt + waitMs >= delivery.retryMs) return outcome;
    delivery.onWait(waitMs, outcome.error);
    await sleepUnseen(waitMs);
  }
}

async function sendOnce<Reply>(
  { fetch, headers }: Delivery<Reply>,
  { url, body, judge }: Target<Reply>,
  timeoutMs: number,
): Promise<Outcome<Reply>> {
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
