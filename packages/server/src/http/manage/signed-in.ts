import { errors } from '@svc/contract';
import type { FastifyRequest } from 'fastify';
import { findUser, type User } from '../../accounts/user-store.ts';
import { findMembership, type Membership } from '../../accounts/workspace-store.ts';
import { webRequest } from '../auth.ts';
import type { ServiceContext } from '../service-context.ts';

/** A signed-in person and the workspace they belong to. */
export type SignedInUser = { user: User; membership: Membership | null };

/** Who is calling: by account token, or by the session cookie of a page of this very site. */
export async function signedInUser(ctx: ServiceContext, request: FastifyRequest): Promise<SignedInUser> {
  const user = await findUser(ctx.db, await userIdOf(ctx, request));
  if (!user) throw errors.userNotFound();
  if (user.suspendedAt) throw errors.accountBlocked();
  return { user, membership: await findMembership(ctx.db, user.id) };
}

async function userIdOf(ctx: ServiceContext, request: FastifyRequest): Promise<string> {
  const { credential } = request;
  if (credential.is === 'account-token') return credential.token.userId;
  if (credential.is !== 'absent') throw errors.accountTokenInvalid();
  const session = await ctx.signIn.api.getSession({ headers: webRequest(request, ctx.baseUrl).headers });
  if (!session) throw errors.notSignedIn();
  refuseOtherSites(request, ctx.baseUrl);
  return session.user.id;
}

/** Browsers send cookies along whoever wrote the page; what changes something must come from a page of our own. */
function refuseOtherSites(request: FastifyRequest, baseUrl: string): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  if (request.headers.origin !== new URL(baseUrl).origin) throw errors.crossSite();
}
