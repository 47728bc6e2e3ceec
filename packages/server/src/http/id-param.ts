import { errors, isStorable, MAX_IDENTIFIER_CHARS } from '@svc/contract';
import type { FastifyRequest } from 'fastify';

/** The id in the path; anything that cannot be an id is not found. */
export function idParam(request: FastifyRequest, name: string): number {
  const text = paramOf(request, name);
  if (!/^[1-9]\d{0,14}$/.test(text)) throw errors.notFound();
  return Number(text);
}

/** The caller's own id in the path; what cannot be stored is not found. */
export function textParam(request: FastifyRequest, name: string): string {
  const text = paramOf(request, name);
  if (text.length > MAX_IDENTIFIER_CHARS || !isStorable(text)) throw errors.notFound();
  return text;
}

function paramOf({ params }: FastifyRequest, name: string): string {
  return (params as Record<string, string>)[name] ?? '';
}
