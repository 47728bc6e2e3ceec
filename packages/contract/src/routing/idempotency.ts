import type { RouteDefinition } from './route.ts';

export const IDEMPOTENCY_KEY = 'Idempotency-Key';
export const IDEMPOTENT_REPLAYED = 'Idempotent-Replayed';

/** Printable ASCII characters. */
export const IDEMPOTENCY_KEY_FORM = /^[\x20-\x7e]{1,255}$/;

const PATHS = [
  '/api/v1/track/lead',
  '/api/v1/track/sale',
  '/api/v1/track/refund',
  '/api/v1/track/batch',
  '/api/v1/cli/init',
];

/** Whether a request to the route, with a credential, may carry an Idempotency-Key. */
export function acceptsIdempotencyKey({ method, path, auth }: RouteDefinition): boolean {
  return method === 'POST' && auth !== 'none' && (PATHS.includes(path) || path.startsWith('/api/v1/manage/'));
}
