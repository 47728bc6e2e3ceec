import { manageAddLink, manageDeleteLink, manageLinks, manageUpdateLink, type ReplyData } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { addPartnerLink } from '../../partners/add-link.ts';
import { changeLink, deleteLink } from '../../partners/change-link.ts';
import type { ListedLink } from '../../partners/link-store.ts';
import { findLinkTotals, LINK_SORT_COLUMNS, listLinks } from '../../partners/lists/link-list-store.ts';
import { findNumbers } from '../../partners/lists/number-store.ts';
import type { Program } from '../../programs/program.ts';
import { bodyOf, queryOf } from '../body.ts';
import { addProgramRoute } from '../callers/program-access.ts';
import { idParam } from '../id-param.ts';
import type { ServiceContext } from '../service-context.ts';
import { toNumbersReply } from './lists/numbers-reply.ts';
import { pageFor, sortedPage } from './lists/sorted-page.ts';

export function addManageLinkRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageLinks, async ({ program, partnerId }, request) => {
    const query = queryOf(manageLinks, request);
    const { partner_id: requestedId = null, active, deleted, q: search } = query;
    const filter = { partnerId: partnerId ?? requestedId, active, deleted, search };
    const links = await listLinks(ctx.db, program.id, filter, pageFor(query, LINK_SORT_COLUMNS));
    const ids = links.map(({ id }) => id);
    const numbersOf = await findNumbers(ctx.db, 'link', program.id, ids);
    const { data, meta } = sortedPage(links, query, (link) => ({
      ...toLinkReply(program, link),
      numbers: toNumbersReply(numbersOf(link.id)),
    }));
    const all = query.totals ? await findLinkTotals(ctx.db, program.id, filter) : undefined;
    return { data, meta: { ...meta, ...(all && { count: all.count, totals: toNumbersReply(all.totals) }) } };
  });

  addProgramRoute(app, ctx, manageAddLink, async ({ program, partnerId: ownId, actor }, request) => {
    const {
      partner_id,
      short_link: shortLink,
      destination_url: destinationUrl,
      label,
    } = bodyOf(manageAddLink, request);
    const newLink = { partnerId: ownId ?? partner_id, shortLink, destinationUrl, label };
    return { data: toLinkReply(program, await addPartnerLink(ctx, program, newLink, actor)) };
  });

  addProgramRoute(app, ctx, manageUpdateLink, async ({ program, partnerId, actor }, request) => {
    const link = { program, linkId: idParam(request, 'link_id'), partnerId };
    const { active, destination_url: destinationUrl, label } = bodyOf(manageUpdateLink, request);
    return { data: toLinkReply(program, await changeLink(ctx, link, { active, destinationUrl, label }, actor)) };
  });

  addProgramRoute(app, ctx, manageDeleteLink, async ({ program, partnerId, actor }, request) => {
    await deleteLink(ctx, { program, linkId: idParam(request, 'link_id'), partnerId }, actor);
    return { data: {} };
  });
}

function toLinkReply(program: Program, link: ListedLink): ReplyData<typeof manageUpdateLink> {
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
