import { errors, type RouteDefinition } from '@svc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findPartnerOfUser } from '../../partners/partner-store.ts';
import type { Program } from '../../programs/program.ts';
import { addRoute } from '../add-route.ts';
import type { ServiceContext } from '../service-context.ts';
import { type SignedInUser, signedInUser } from './signed-in.ts';

/** What a person may see of a program: all of it, or, as a partner, what is theirs. */
export type Access = {
  visitor: SignedInUser;
  program: Program;
  role: 'owner' | 'member' | 'partner';
  partnerId: number | null;
};

/** Serves a route about one program to those who have a part in it; to everybody else the program is not there. */
export function addProgramRoute(
  app: FastifyInstance,
  ctx: ServiceContext,
  route: RouteDefinition,
  handler: (access: Access, request: FastifyRequest, reply: FastifyReply) => Promise<object>,
): void {
  addRoute(app, route, async (request, reply) => handler(await accessTo(ctx, request, route), request, reply));
}

async function accessTo(ctx: ServiceContext, request: FastifyRequest, route: RouteDefinition): Promise<Access> {
  const visitor = await signedInUser(ctx, request);
  const program = await ctx.lookup.program(idParam(request, 'program_id'));
  if (!program) throw errors.notFound();
  if (visitor.membership?.workspaceId === program.workspaceId) {
    const { role } = visitor.membership;
    if (route.role === 'owner' && role !== 'owner') throw errors.ownerOnly();
    return { visitor, program, role, partnerId: null };
  }
  const partnerId = await findPartnerOfUser(ctx.db, program.id, visitor.user.id);
  if (partnerId === null || route.role !== 'partner') throw errors.notFound();
  return { visitor, program, role: 'partner', partnerId };
}

/** The id in the path; what is no id names nothing. */
export function idParam(request: FastifyRequest, name: string): number {
  const text = (request.params as Record<string, string>)[name] ?? '';
  if (!/^[1-9]\d{0,14}$/.test(text)) throw errors.notFound();
  return Number(text);
}

/** The workspace of the visitor, for routes that are about the workspace as a whole. */
export function workspaceOf(visitor: SignedInUser, route: RouteDefinition) {
  if (!visitor.membership) throw errors.noAdvertiser();
  if (route.role === 'owner' && visitor.membership.role !== 'owner') throw errors.ownerOnly();
  return visitor.membership;
}
