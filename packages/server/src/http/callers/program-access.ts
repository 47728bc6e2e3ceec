import {
  errors,
  manageViewAsPartner,
  mayCall,
  type RouteDefinition,
  VIEW_AS_PARTNER,
  type WorkspaceRole,
} from '@svc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../../audit/audit-store.ts';
import { findPartnerOfUser, isActivePartner } from '../../partners/partner-store.ts';
import type { Program } from '../../programs/program.ts';
import { addRoute, type HandlerReply } from '../add-route.ts';
import { idParam } from '../id-param.ts';
import type { ServiceContext } from '../service-context.ts';
import { requireRole, signedInUser } from './signed-in-user.ts';
import { readView } from './view-token.ts';

/** What the caller may see of a program: all of it or, with a `partnerId`, only what belongs to that partner. */
export type ProgramAccess = {
  program: Program;
  userId: string;
  /** The caller, as the audit log names them. */
  actor: Actor;
} & ({ role: WorkspaceRole; partnerId: null } | { role: 'partner'; partnerId: number });

/**
 * Serves a route about one program to its workspace and, where the route says so, its partners; 404 for all others. Who changed
 * something sees it with their next request to this node.
 */
export function addProgramRoute<Route extends RouteDefinition>(
  app: FastifyInstance,
  ctx: ServiceContext,
  route: Route,
  handler: (access: ProgramAccess, request: FastifyRequest, reply: FastifyReply) => Promise<HandlerReply<Route>>,
): void {
  addRoute(app, route, async (request, reply) => {
    const access = await accessTo(ctx, request, route);
    try {
      return await handler(access, request, reply);
    } finally {
      if (route.method !== 'GET') ctx.lookup.forgetProgram(access.program.id);
    }
  });
}

/** What the caller may see of the program in the path. Refuses those who may not call the route. */
export async function accessTo(
  ctx: ServiceContext,
  request: FastifyRequest,
  route: RouteDefinition,
): Promise<ProgramAccess> {
  const { user, member, actor } = await signedInUser(ctx, request);
  const program = await ctx.lookup.program(idParam(request, 'program_id'));
  if (!program) throw errors.notFound();
  if (member?.workspaceId === program.workspaceId) {
    if (member.needsSecondFactor) throw errors.secondFactorRequired();
    requireRole(route, member.role);
    const viewer = { userId: user.id, programId: program.id, role: member.role };
    const viewed = await viewedPartner(ctx, request, route, viewer);
    if (viewed !== null) return { program, role: 'partner', userId: user.id, actor, partnerId: viewed };
    return { program, role: member.role, userId: user.id, actor, partnerId: null };
  }
  const partnerId = await findPartnerOfUser(ctx.db, program.id, user.id);
  if (partnerId === null || !mayCall('partner', route)) throw errors.notFound();
  return { program, role: 'partner', userId: user.id, actor, partnerId };
}

type Viewer = { userId: string; programId: number; role: WorkspaceRole };

/** The partner whose portal the caller looks at; null without such a view. It shows what the partner sees, and changes nothing. */
async function viewedPartner(
  { db, linkSecret, now }: ServiceContext,
  request: FastifyRequest,
  route: RouteDefinition,
  { role, ...viewer }: Viewer,
): Promise<number | null> {
  const token = request.headers[VIEW_AS_PARTNER.toLowerCase()];
  if (token === undefined) return null;
  if (route.method !== 'GET') throw errors.viewReadsOnly();
  const partnerId = readView(linkSecret, String(token), viewer, now());
  // The right may have been lost since the view began.
  if (partnerId === null || !mayCall(role, manageViewAsPartner)) throw errors.viewEnded();
  // So may the partner's portal.
  if (!(await isActivePartner(db, viewer.programId, partnerId))) throw errors.viewEnded();
  if (!mayCall('partner', route)) throw errors.notFound();
  return partnerId;
}
