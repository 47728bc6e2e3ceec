import { errors, manageAskAboutOrder, manageSimulateTerms, type RouteDefinition, type TokenScope } from '@svc/contract';
import { asksForProof } from './recent-proof.ts';

/** Routes that change nothing, although their requests have a body. */
const READS: string[] = [manageAskAboutOrder.id, manageSimulateTerms.id];

/**
 * Whether a tool may call the route for an application: never what people have to prove their identity for, and changes only with
 * `write`. Some routes ask for a proof only with certain fields, so that their body decides.
 */
export function mayToolCall(route: RouteDefinition, scopes: readonly TokenScope[], body?: unknown): boolean {
  if (route.auth === 'none' || asksForProof(route, body)) return false;
  const isRead = (route.method === 'GET' && !route.consumes) || READS.includes(route.id);
  return scopes.includes(isRead ? 'read' : 'write');
}

/** Refuses a call that the user has not allowed the application. */
export function requireScope(route: RouteDefinition | undefined, scopes: readonly TokenScope[], body?: unknown): void {
  if (!route || !mayToolCall(route, scopes, body)) throw errors.scopeRequired();
}
