import { errors, PROCESSORS, type ProcessorName } from '@svc/contract';
import type { FastifyRequest } from 'fastify';

/** The payment processor in the path; an unknown one is not found. */
export function providerParam(request: FastifyRequest): ProcessorName {
  const { provider } = request.params as Record<string, string>;
  const known = PROCESSORS.find((name) => name === provider);
  if (!known) throw errors.notFound();
  return known;
}
