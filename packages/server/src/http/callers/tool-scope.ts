import { errors, manageAskAboutOrder, manageSimulateTerms, type RouteDefinition, type TokenScope } from '@svc/contract';
import { sensitiveRoutes } from './ask-again.ts';

/** Routes that change nothing, although their requests have a body. */
const READS: string[] = [manageAskAboutOrder.id, manageSimulateTerms.id];

/** Whether a tool may call the route for an application: never what people are asked again for, and changes only with `write`. */
export function mayToolCall(route: RouteDefinition, scopes: readonly TokenScope[]): boolean {
  if (sensitiveRoutes.has(route.id) || route.auth === 'none') return false;
  const isRead = (route.method === 'GET' && !route.consumes) || READS.includes(route.id);
  return scopes.includes(isRead ? 'read' : 'write');
}

/** Refuses a call that the user has not allowed the application. */
export function requireScope(route: RouteDefinition | undefined, scopes: readonly TokenScope[]): void {
  if (!route || !mayToolCall(route, scopes)) throw errors.scopeRequired();
}
