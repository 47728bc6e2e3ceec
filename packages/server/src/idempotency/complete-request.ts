import { deleteClaim, updateAnswer } from './idempotency-store.ts';
import type { Claim, IdempotencyContext } from './start-request.ts';

/**
 * Keeps the answer to the first request with its key. Retryable failures (401, 429, 5xx) are not stored.
 */
export async function completeRequest(
  ctx: IdempotencyContext,
  claim: Claim,
  { status, answer }: { status: number; answer: string },
): Promise<void> {
  if (status === 401 || status === 429 || status >= 500) await deleteClaim(ctx.db, claim);
  else await updateAnswer(ctx.db, claim, { status, sealed: ctx.encryption.seal(answer) });
}
