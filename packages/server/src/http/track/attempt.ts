import { errors, identifier, type RouteDefinition } from '@svc/contract';
import type { FastifyRequest } from 'fastify';
import type { DecisionKind } from '../../tracking/decision.ts';
import { recordRefusal } from '../../tracking/record-refusal.ts';
import type { TrackingContext } from '../../tracking/tracking-context.ts';
import { parseBody } from '../body.ts';

/** Parses the body of a lead, sale or refund; one that is refused on a known program leaves its decision too. */
export async function parseAttempt<Route extends RouteDefinition>(
  ctx: TrackingContext,
  route: Route,
  kind: DecisionKind,
  request: FastifyRequest,
) {
  const parsed = parseBody(route, request.body);
  if (!parsed.ok) {
    await refuseAttempt(ctx, kind, request, 'invalid_request', parsed.message, parsed.isTest);
    throw errors.invalidField(parsed.message);
  }
  if (parsed.isTest && namesOtherProgram(request)) {
    const error = errors.programMismatch();
    await refuseAttempt(ctx, kind, request, 'program_mismatch', error.message, true);
    throw error;
  }
  return parsed;
}

/** Whether a test event carries a key and names a program that is not the key's. */
export function namesOtherProgram(request: FastifyRequest): boolean {
  const named = (request.body as { additional_data?: { program_id?: unknown } })?.additional_data?.program_id;
  const { credential } = request;
  return credential.is === 'program-key' && named != null && String(named) !== String(credential.key.programId);
}

async function refuseAttempt(
  ctx: TrackingContext,
  kind: DecisionKind,
  request: FastifyRequest,
  reason: 'invalid_request' | 'program_mismatch',
  message: string,
  isTest: boolean,
): Promise<void> {
  if (request.credential.is !== 'program-key') return;
  const body = (request.body ?? {}) as Record<string, unknown>;
  await recordRefusal(ctx, {
    programId: request.credential.key.programId,
    kind,
    reason,
    message,
    identifiers: {
      transactionId: usable(body.transaction_id),
      customerKey: usable(body.customer_key),
      clickId: usable(body.click_id),
    },
    source: 'api',
    requestId: request.id,
    isTest,
  });
}

function usable(value: unknown): string | null {
  return identifier('').safeParse(value).data ?? null;
}
