import type { RouteDefinition } from './route.ts';

/** Whether replies have an ETag: those about one resource of the management API, which its path ends with. */
export function hasEntityTag({ method, auth, path, replyType, consumes }: RouteDefinition): boolean {
  return method === 'GET' && auth === 'account' && !replyType && !consumes && /:\w+$/.test(path);
}
