import { identifier, type ServiceError } from '@svc/contract';
import type { FastifyRequest } from 'fastify';
import { recordRefusal } from '../../decisions/record-refusal.ts';
import type { TrackingContext } from '../../tracking-context.ts';
import { asksForTestMode } from '../body.ts';

/**
 * Records the decision about a lead, sale or refund that was refused before its verb ran. Requests over the rate limit
 * and requests without a known key are not recorded; the latter belong to no program.
 */
export async function recordRefusedAttempt(
  ctx: TrackingContext,
  request: FastifyRequest,
  refusal: ServiceError,
): Promise<void> {
  const { credential } = request;
  const kind = request.routeOptions.config.definition?.attempt;
  if (!kind || credential?.is !== 'program-key' || request.isJudged) return;
  if (refusal.status === 429 || refusal.status >= 500) return;
  const body = (request.body ?? {}) as Record<string, unknown>;
  try {
    await recordRefusal(ctx, {
      programId: credential.key.programId,
      kind,
      reason: reasonOf(refusal),
      message: refusal.message,
      identifiers: {
        transactionId: usable(body.transaction_id),
        customerKey: usable(typeof body.customer_key === 'number' ? String(body.customer_key) : body.customer_key),
        clickId: usable(body.click_id),
      },
      source: 'api',
      requestId: request.id,
      isTest: asksForTestMode(request.body),
    });
  } catch (error) {
    request.log.error({ err: error, requestId: request.id }, 'Could not record a refused attempt');
  }
}

function reasonOf(refusal: ServiceError) {
  if (refusal.status === 401) return 'key_retired';
  return refusal.status === 403 ? 'program_mismatch' : 'invalid_request';
}

function usable(value: unknown): string | null {
  return identifier('').safeParse(value).data ?? null;
}
