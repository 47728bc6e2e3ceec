import {
  errors,
  manageDeletePostback,
  managePostback,
  managePostbackCalls,
  manageSavePostback,
  manageTestPostback,
} from '@svc/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findPartnerOfUser } from '../../../partners/partner-store.ts';
import { listCalls } from '../../../postbacks/call-store.ts';
import { removePostback, savePostback } from '../../../postbacks/change-postback.ts';
import { findPostback } from '../../../postbacks/postback-store.ts';
import { testPostback } from '../../../postbacks/send-postbacks.ts';
import { addRoute } from '../../add-route.ts';
import { bodyOf } from '../../body.ts';
import { signedInUser } from '../../callers/signed-in-user.ts';
import { idParam } from '../../id-param.ts';
import type { ServiceContext } from '../../service-context.ts';

export function addManagePostbackRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  /** The caller as a partner of the program in the path; 404 for everyone else, the brand included. */
  const partnerOf = async (request: FastifyRequest) => {
    const { user, actor } = await signedInUser(ctx, request);
    const program = await ctx.lookup.program(idParam(request, 'joined_program_id'));
    const partnerId = program && (await findPartnerOfUser(ctx.db, program.id, user.id));
    if (!program || !partnerId) throw errors.notFound();
    const owner = { programId: program.id, partnerId, userId: user.id };
    return { partner: { program, partnerId, userId: user.id }, owner, actor };
  };

  addRoute(app, managePostback, async (request) => {
    const { owner } = await partnerOf(request);
    return { data: { postback: await findPostback(ctx.db, owner) } };
  });

  addRoute(app, manageSavePostback, async (request) => {
    const { partner, actor } = await partnerOf(request);
    const { status = 'active', ...asked } = bodyOf(manageSavePostback, request);
    const data = await savePostback(ctx, partner, { ...asked, status }, actor);
    ctx.deliveries.wake();
    return { data };
  });

  addRoute(app, manageDeletePostback, async (request) => {
    const { partner, actor } = await partnerOf(request);
    await removePostback(ctx, partner, actor);
    return { data: {} };
  });

  addRoute(app, managePostbackCalls, async (request) => {
    const { owner } = await partnerOf(request);
    return { data: await listCalls(ctx.db, owner) };
  });

  addRoute(app, manageTestPostback, async (request) => {
    const { owner } = await partnerOf(request);
    return { data: await testPostback(ctx, owner) };
  });
}
