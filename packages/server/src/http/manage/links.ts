import { manageAddLink, manageDeleteLink, manageLinks, manageUpdateLink, type ReplyRow } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { addLink } from '../../partners/add-link.ts';
import { changeLink, deleteLink } from '../../partners/change-link.ts';
import { type ListedLink, listLinks } from '../../partners/link-store.ts';
import type { Program } from '../../programs/program.ts';
import { idOfCursor } from '../../reporting/cursor.ts';
import { bodyOf, queryOf } from '../body.ts';
import { addProgramRoute } from '../callers/program-access.ts';
import { idParam } from '../id-param.ts';
import type { ServiceContext } from '../service-context.ts';
import { pageOf } from './page-of.ts';

export function addManageLinkRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageLinks, async ({ program, partnerId }, request) => {
    const { limit, cursor, partner_id: requestedId = null, active, deleted, q: search } = queryOf(manageLinks, request);
    const filter = {
      partnerId: partnerId ?? requestedId,
      active,
      deleted,
      search,
      beforeId: idOfCursor(cursor),
      limit: limit + 1,
    };
    return pageOf(await listLinks(ctx.db, program.id, filter), limit, (link) => toLinkReply(program, link));
  });

  addProgramRoute(app, ctx, manageAddLink, async ({ program, partnerId: ownId }, request) => {
    const {
      partner_id,
      short_link: shortLink,
      destination_url: destinationUrl,
      label,
    } = bodyOf(manageAddLink, request);
    const newLink = { partnerId: ownId ?? partner_id, shortLink, destinationUrl, label };
    return { data: toLinkReply(program, await addLink(ctx.db, program, newLink, ctx.now())) };
  });

  addProgramRoute(app, ctx, manageUpdateLink, async ({ program, partnerId }, request) => {
    const link = { program, linkId: idParam(request, 'link_id'), partnerId };
    const { active, destination_url: destinationUrl, label } = bodyOf(manageUpdateLink, request);
    return { data: toLinkReply(program, await changeLink(ctx, link, { active, destinationUrl, label })) };
  });

  addProgramRoute(app, ctx, manageDeleteLink, async ({ program, partnerId }, request) => {
    await deleteLink(ctx, { program, linkId: idParam(request, 'link_id'), partnerId });
    return { data: {} };
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
    label: link.label,
    active: link.active,
    deleted_at: link.deletedAt?.toISOString() ?? null,
    partner_id: link.partnerId,
    partner_name: link.partnerName,
    created_at: link.createdAt.toISOString(),
  };
}
