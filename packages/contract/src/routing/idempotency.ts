import type { RouteDefinition } from './route.ts';

export const IDEMPOTENCY_KEY = 'Idempotency-Key';
export const IDEMPOTENT_REPLAYED = 'Idempotent-Replayed';

/** Printable ASCII characters. */
export const IDEMPOTENCY_KEY_FORM = /^[\x20-\x7e]{1,255}$/;

/** Whether a request to the route, with a credential, may carry an Idempotency-Key: every POST that a key or an account may call. */
export function acceptsIdempotencyKey({ method, auth }: RouteDefinition): boolean {
  // Clicks come from web pages. Their key, if they have one, only names the program.
  return method === 'POST' && auth !== 'none' && auth !== 'browser';
}
