import type { RouteDefinition, ServiceError } from '@svc/contract';
import { type Refusal, recordRefusals } from '../../decisions/record-refusal.ts';
import type { TrackingContext } from '../../tracking-context.ts';
import { asksForTestMode } from '../body.ts';
import { hasTestKey } from '../callers/credential.ts';
import { type Attempt, identifiersIn } from './attempt.ts';

/** An attempt at a route, and the error that answers it. */
export type RefusedAttempt = { attempt: Attempt; route: RouteDefinition | undefined; error: ServiceError };

/**
 * Records the decisions about leads, sales and refunds that were refused before their verbs ran. Requests over the rate limit
 * and requests without a known key are not recorded; the latter belong to no program.
 */
export async function recordRefusedAttempts(ctx: TrackingContext, attempts: RefusedAttempt[]): Promise<void> {
  const refusals = attempts.flatMap(refusalOf);
  if (refusals.length === 0) return;
  try {
    await recordRefusals(ctx, refusals);
  } catch (error) {
    ctx.log.error({ err: error, requestId: refusals[0]?.requestId }, 'Could not record a refused attempt');
  }
}

function refusalOf({ attempt, route, error }: RefusedAttempt): Refusal[] {
  const { credential } = attempt;
  const kind = route?.attempt;
  if (!kind || credential?.is !== 'program-key' || attempt.isJudged) return [];
  if (error.status === 429 || error.status >= 500) return [];
  return [
    {
      programId: credential.key.programId,
      kind,
      reason: reasonOf(error),
      message: error.message,
      field: error.parts.at?.field,
      identifiers: identifiersIn(attempt.body),
      source: 'api',
      requestId: attempt.id,
      isTest: hasTestKey(attempt) || asksForTestMode(attempt.body),
    },
  ];
}

function reasonOf(refusal: ServiceError) {
  if (refusal.status === 401) return 'key_retired';
  return refusal.status === 403 ? 'program_mismatch' : 'invalid_request';
}
