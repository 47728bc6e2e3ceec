import { errors, manageAddLink, manageLinks, manageUpdateLink, type ReplyRow } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { addLink } from '../../partners/add-link.ts';
import { findListedLink, type ListedLink, listLinks, updateLinkActive } from '../../partners/link-store.ts';
import type { Program } from '../../programs/program.ts';
import { idOfCursor } from '../../reporting/cursor.ts';
import { bodyOf, queryOf } from '../body.ts';
import { addProgramRoute } from '../callers/program-access.ts';
import { idParam } from '../id-param.ts';
import type { ServiceContext } from '../service-context.ts';
import { pageOf } from './page-of.ts';

export function addManageLinkRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageLinks, async ({ program, partnerId }, request) => {
    const { limit, cursor, partner_id: requestedId = null, active, q: search } = queryOf(manageLinks, request);
    const filter = {
      partnerId: partnerId ?? requestedId,
      active,
      search,
      beforeId: idOfCursor(cursor),
      limit: limit + 1,
    };
    return pageOf(await listLinks(ctx.db, program.id, filter), limit, (link) => toLinkReply(program, link));
  });

  addProgramRoute(app, ctx, manageAddLink, async ({ program, partnerId: ownId }, request) => {
    const { partner_id, short_link: shortLink, destination_url: destinationUrl } = bodyOf(manageAddLink, request);
    const newLink = { partnerId: ownId ?? partner_id, shortLink, destinationUrl };
    return { data: toLinkReply(program, await addLink(ctx.db, program, newLink, ctx.now())) };
  });

  addProgramRoute(app, ctx, manageUpdateLink, async ({ program, partnerId }, request) => {
    const link = await findListedLink(ctx.db, program.id, idParam(request, 'link_id'), partnerId);
    if (!link) throw errors.notFound();
    const { active } = bodyOf(manageUpdateLink, request);
    await updateLinkActive(ctx.db, link.id, active);
    return { data: toLinkReply(program, { ...link, active }) };
  });
}

function toLinkReply(program: Program, link: ListedLink): ReplyRow<typeof manageLinks> {
  const url = new URL(link.destinationUrl ?? `https://${program.domain}/`);
  url.searchParams.set('aff', link.shortLink);
  return {
    id: link.id,
    short_link: link.shortLink,
    url: url.href,
    destination_url: link.destinationUrl,
    active: link.active,
    partner_id: link.partnerId,
    partner_name: link.partnerName,
    created_at: link.createdAt.toISOString(),
  };
}
