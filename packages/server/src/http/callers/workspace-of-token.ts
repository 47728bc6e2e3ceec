import { errors, type RouteDefinition } from '@svc/contract';
import type { FastifyRequest } from 'fastify';
import { findWorkspaceMember } from '../../accounts/workspaces/workspace-store.ts';
import type { Actor } from '../../audit/audit-store.ts';
import type { ServiceContext } from '../service-context.ts';
import { requireRole } from './signed-in-user.ts';

/** The workspace and the account whose token the request carries, if its role may call the route. */
export async function workspaceOfToken(
  ctx: ServiceContext,
  request: FastifyRequest,
  route: RouteDefinition,
): Promise<{ workspaceId: number; actor: Actor }> {
  const { credential } = request;
  if (credential.is !== 'account-token') throw errors.accountTokenInvalid();
  if (!credential.token.userExists) throw errors.userNotFound();
  if (credential.token.suspendedAt) throw errors.accountBlocked();
  const { id, userId } = credential.token;
  const member = await findWorkspaceMember(ctx.db, userId);
  if (!member) throw errors.noAdvertiser();
  if (member.needsSecondFactor) throw errors.secondFactorRequired();
  requireRole(route, member.role);
  return { workspaceId: member.workspaceId, actor: { kind: 'token', userId, id, requestId: request.id } };
}
