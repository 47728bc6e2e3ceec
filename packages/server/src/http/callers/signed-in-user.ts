import { errors, mayCall, type RouteDefinition, type WorkspaceRole } from '@svc/contract';
import type { FastifyRequest } from 'fastify';
import { findUser, type User } from '../../accounts/user-store.ts';
import {
  type CurrentMember,
  findWorkspaceMember,
  type WorkspaceMember,
} from '../../accounts/workspaces/workspace-store.ts';
import type { Actor } from '../../audit/audit-store.ts';
import type { ServiceContext } from '../service-context.ts';
import { actorOf } from './actor.ts';
import { readBrowserSession } from './browser-session.ts';
import { requireKnownParameters } from './known-parameters.ts';
import { requireProofOf } from './recent-proof.ts';
import { requireScope } from './token-scope.ts';

/** A signed-in user, and the workspace they are a member of, if any. */
export type SignedInUser = { user: User; member: CurrentMember | null; actor: Actor };

/** The caller, by account token or by the session cookie of a page of this site. Everything that an account asks for comes here. */
export async function signedInUser(ctx: ServiceContext, request: FastifyRequest): Promise<SignedInUser> {
  const user = await findUser(ctx.db, await userIdOf(ctx, request));
  if (!user) throw errors.userNotFound();
  if (user.suspendedAt) throw errors.accountBlocked();
  const { definition } = request.routeOptions.config;
  if (definition) requireKnownParameters(definition, request);
  return { user, member: await findWorkspaceMember(ctx.db, user.id), actor: actorOf(request, user) };
}

/** The caller as a member of a workspace, for routes about the workspace as a whole. */
export async function signedInMember(
  ctx: ServiceContext,
  request: FastifyRequest,
  route: RouteDefinition,
): Promise<WorkspaceMember & { userId: string; actor: Actor }> {
  const { user, member, actor } = await signedInUser(ctx, request);
  if (!member) throw errors.noAdvertiser();
  if (member.needsSecondFactor) throw errors.secondFactorRequired();
  requireRole(route, member.role);
  return { ...member, userId: user.id, actor };
}

/** Refuses a role that the route’s definition does not admit. */
export function requireRole(route: RouteDefinition, role: WorkspaceRole): void {
  if (route.role !== undefined && !mayCall(role, route)) throw errors.roleRequired(route.role);
}

async function userIdOf(ctx: ServiceContext, request: FastifyRequest): Promise<string> {
  const { credential } = request;
  if (credential.is === 'account-token') {
    const { params, body } = request;
    // The guard has let the route through; which fields it may set is known only now.
    requireScope(credential.token, { route: request.routeOptions.config.definition, params, body });
    return credential.token.userId;
  }
  if (credential.is !== 'absent') throw errors.accountTokenInvalid();
  const session = await readBrowserSession(ctx, request);
  if (!session) throw errors.notSignedIn();
  refuseOtherSites(request, ctx.baseUrl);
  requireProofOf(session, request, ctx.now());
  request.browserSession = session;
  return session.userId;
}

/** Browsers attach cookies to requests from any page, so one that changes something must come from a page of this service. */
function refuseOtherSites(request: FastifyRequest, baseUrl: string): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  if (request.headers.origin !== new URL(baseUrl).origin) throw errors.crossSite();
}
