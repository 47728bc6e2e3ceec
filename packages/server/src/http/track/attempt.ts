import { errors, programReference, type RouteDefinition } from '@svc/contract';
import type { FastifyRequest } from 'fastify';
import { parseBody } from '../body.ts';

/** Parses the body of a lead, sale or refund. From here on the verb decides, and records its decision. */
export function parseAttempt<Route extends RouteDefinition>(route: Route, request: FastifyRequest) {
  const parsed = parseBody(route, request.body);
  if (!parsed.ok) throw errors.invalidField(parsed.message);
  if (parsed.isTest && namesOtherProgram(request)) throw errors.programMismatch();
  request.isJudged = true;
  return parsed;
}

/** Whether a test event carries a key but names another program. */
export function namesOtherProgram(request: FastifyRequest): boolean {
  const named = (request.body as { additional_data?: { program_id?: unknown } })?.additional_data?.program_id;
  const { credential } = request;
  if (credential.is !== 'program-key' || named === undefined || named === null) return false;
  return programReference.parse(named) !== credential.key.programId;
}
