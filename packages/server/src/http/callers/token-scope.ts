import {
  errors,
  listEvents,
  manageAccept,
  manageBulkActionRows,
  manageExportBulkActionRows,
  managePayoutFile,
  manageSimulateTerms,
  type RouteAuth,
  type RouteDefinition,
  type TokenScope,
} from '@svc/contract';
import type { AccountToken } from '../../accounts/account-token-store.ts';
import { asksForProof } from './recent-proof.ts';

/** Routes that change nothing, although their requests have a body. */
const READS: string[] = [manageSimulateTerms.id];

/** Routes that change nothing, but answer with links that let people in. */
const HAVE_LINKS: string[] = [manageBulkActionRows.id, manageExportBulkActionRows.id];

/**
 * Who accepts an invitation may leave their workspace with it, and accounts read the feed in the management API. Files for banks
 * have the account numbers of all partners, which are masked everywhere else.
 */
const NOT_FOR_TOKENS: string[] = [manageAccept.id, listEvents.id, managePayoutFile.id];

/** Routes that servers call with a program key. */
export const takesKey = ({ auth }: Pick<RouteDefinition, 'auth'>) =>
  (['browser', 'optional-key', 'program-key'] satisfies RouteAuth[] as RouteAuth[]).includes(auth);

/**
 * The scope with which a token may call the route. Null where no token with scopes may: what people have to prove their identity
 * for, and what a mailed link is for. Some routes ask for a proof only with certain fields, so that their body decides.
 */
export function scopeOf(route: RouteDefinition, body?: unknown): TokenScope | null {
  if (route.auth === 'none' || route.namesLink || NOT_FOR_TOKENS.includes(route.id)) return null;
  if (asksForProof(route, body)) return null;
  if (takesKey(route)) return 'track';
  const isRead = (route.method === 'GET' && !route.consumes) || READS.includes(route.id);
  return isRead && !HAVE_LINKS.includes(route.id) ? 'read' : 'write';
}

type Called = { route: RouteDefinition | undefined; params?: unknown; body?: unknown };

/** Refuses what the token is not for: what its user has not allowed it, and other programs than its own. */
export function requireScope(
  { scopes, programId, audience }: Pick<AccountToken, 'scopes' | 'programId' | 'audience'>,
  { route, params, body }: Called,
): void {
  if (scopes === null) return;
  const scope = route ? scopeOf(route, body) : null;
  const isAllowed = scope !== null && scopes.includes(scope);
  if (audience !== null && !isAllowed) throw errors.scopeRequired();
  if (scope === null) throw errors.tokenNeedsPerson();
  if (!isAllowed) throw errors.tokenScope(scope);
  const { program_id: named } = (params ?? {}) as { program_id?: string };
  if (programId !== null && named !== String(programId)) throw errors.tokenOtherProgram(programId);
}
