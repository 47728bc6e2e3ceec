import { errors } from '@svc/contract';
import type { FastifyRequest } from 'fastify';

/** The id in the path; anything that cannot be an id is not found. */
export function idParam(request: FastifyRequest, name: string): number {
  const text = (request.params as Record<string, string>)[name] ?? '';
  if (!/^[1-9]\d{0,14}$/.test(text)) throw errors.notFound();
  return Number(text);
}
