import { errors } from '@svc/contract';
import type { FastifyRequest } from 'fastify';
import { findWorkspaceMember } from '../../accounts/workspace-store.ts';
import type { ServiceContext } from '../service-context.ts';

/** The workspace of the account whose token the request carries. */
export async function workspaceOfToken(ctx: ServiceContext, request: FastifyRequest): Promise<number> {
  const { credential } = request;
  if (credential.is !== 'account-token') throw errors.accountTokenInvalid();
  if (!credential.token.userExists) throw errors.userNotFound();
  if (credential.token.suspendedAt) throw errors.accountBlocked();
  const member = await findWorkspaceMember(ctx.db, credential.token.userId);
  if (!member) throw errors.noAdvertiser();
  if (member.needsSecondFactor) throw errors.secondFactorRequired();
  return member.workspaceId;
}
