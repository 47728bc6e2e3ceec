import type { RouteDefinition } from '@svc/contract';

/** Whether the answers of the route depend on the caller. */
export const isPrivate = ({ path }: RouteDefinition) => !/^\/api\/v1\/(track|webhooks)\//.test(path);

/** The headers of such answers: they are not cached, sniffed or framed. */
export const PRIVATE = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};
