import { manageAccept, manageInvite, manageLogout, manageMe, manageMembers, managePrograms } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { updateTokenRevoked } from '../../accounts/account-token-store.ts';
import { acceptInvitation, invite } from '../../accounts/invite.ts';
import { listMembers } from '../../accounts/workspace-store.ts';
import { listProgramsOfPartner } from '../../partners/partner-store.ts';
import type { Program } from '../../programs/program.ts';
import { listPrograms } from '../../programs/program-store.ts';
import { commissionInWords } from '../../programs/program-words.ts';
import { addRoute } from '../add-route.ts';
import { bodyOf } from '../body.ts';
import type { ServiceContext } from '../service-context.ts';
import { workspaceOf } from './access.ts';
import { visitorOf } from './visitor.ts';

export function addManageAccountRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addRoute(app, manageMe, async (request) => {
    const { user, membership } = await visitorOf(ctx, request);
    return {
      data: {
        user: { id: user.id, name: user.name, email: user.email },
        advertiser_id: membership?.advertiserId ?? null,
        role: membership?.role ?? null,
      },
    };
  });

  addRoute(app, manageLogout, async (request) => {
    await visitorOf(ctx, request);
    const { credential } = request;
    if (credential.is === 'account-token') await updateTokenRevoked(ctx.db, credential.token.id, ctx.now());
    return { data: {} };
  });

  addRoute(app, managePrograms, async (request) => {
    const { user, membership } = await visitorOf(ctx, request);
    const own = membership ? await listPrograms(ctx.db, membership.advertiserId) : [];
    const joined = (await listProgramsOfPartner(ctx.db, user.id)).map(({ programId }) =>
      ctx.directory.program(programId),
    );
    const asPartner = (await Promise.all(joined)).filter((program) => program !== null);
    return {
      data: [
        ...own.map((program) => listed(program, membership?.role ?? 'member')),
        ...asPartner.map((program) => listed(program, 'partner')),
      ],
    };
  });

  addRoute(app, manageMembers, async (request) => {
    const { advertiserId } = workspaceOf(await visitorOf(ctx, request), manageMembers);
    const members = await listMembers(ctx.db, advertiserId);
    return {
      data: members.map(({ userId, name, email, role, createdAt }) => ({
        id: userId,
        name,
        email,
        role,
        created_at: createdAt.toISOString(),
      })),
    };
  });

  addRoute(app, manageInvite, async (request) => {
    const { advertiserId } = workspaceOf(await visitorOf(ctx, request), manageInvite);
    const { email, role } = bodyOf(manageInvite, request);
    const { invitation, token } = await invite(ctx, { advertiserId, partnerId: null, role, email });
    return {
      data: {
        id: invitation.id,
        email,
        role,
        invite_url: inviteUrl(ctx, token),
        expires_at: invitation.expiresAt.toISOString(),
      },
    };
  });

  addRoute(app, manageAccept, async (request) => {
    const { user } = await visitorOf(ctx, request);
    const { role, advertiserId } = await acceptInvitation(ctx, user.id, bodyOf(manageAccept, request).token);
    return { data: { role, advertiser_id: advertiserId } };
  });
}

/** Where an invitation is accepted. The token is in the fragment, which browsers keep to themselves. */
export function inviteUrl(ctx: ServiceContext, token: string): string {
  return `${ctx.baseUrl}/invite#${token}`;
}

function listed(program: Program, role: string) {
  return {
    id: program.id,
    name: program.name,
    domain: program.domain,
    role,
    commission: commissionInWords(program),
  };
}
