import { deleteClaim, updateAnswer } from './idempotency-store.ts';
import type { Claim, IdempotencyContext } from './start-request.ts';

/**
 * Keeps the answer to the first request with its key. Where the request could succeed if it were sent again as it is, nothing is
 * kept: no usable credential, too many requests, failures of the service.
 */
export async function completeRequest(
  ctx: IdempotencyContext,
  claim: Claim,
  { status, answer }: { status: number; answer: string },
): Promise<void> {
  if (status === 401 || status === 429 || status >= 500) await deleteClaim(ctx.db, claim);
  else await updateAnswer(ctx.db, claim, { status, sealed: ctx.encryption.seal(answer) });
}
