import {
  type Complete,
  errors,
  type LinkRow,
  manageAddLink,
  manageDeleteLink,
  manageExportLinks,
  manageLink,
  manageLinks,
  manageUpdateLink,
} from '@svc/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Selection } from '../../../db/lists/list-query.ts';
import { addPartnerLink } from '../../../partners/links/add-link.ts';
import { changeLink, deleteLink } from '../../../partners/links/change-link.ts';
import { findLinkRow, findLinkTotals, LINKS, selectLinks } from '../../../partners/links/link-list-store.ts';
import { findLinkForUpdate } from '../../../partners/links/link-store.ts';
import { findNumbers } from '../../../partners/result-totals-store.ts';
import { shortUrl } from '../../../redirects/short-url.ts';
import { bodyOf, queryOf } from '../../body.ts';
import { addProgramRoute, type ProgramAccess } from '../../callers/program-access.ts';
import { ifUnchanged } from '../../entity-tags.ts';
import { idParam } from '../../id-param.ts';
import { expandRows } from '../../lists/expand-rows.ts';
import { addExport } from '../../lists/exports.ts';
import { type QueryOf, scopeOf } from '../../lists/list-filters.ts';
import { rowReply } from '../../lists/row-reply.ts';
import { sortedPage } from '../../lists/sorted-page.ts';
import { readReport } from '../../read-report.ts';
import type { ServiceContext } from '../../service-context.ts';

/** The links that match the filters. */
export function linksFor(access: ProgramAccess, { q: search, ...filter }: QueryOf<typeof manageLinks>): Selection {
  return selectLinks(scopeOf(access, filter), { ...filter, search });
}

export function addManageLinkRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  const shown = (programId: number, link: LinkRow) => ({
    ...link,
    short_url: shortUrl(ctx, { programId, shortLink: link.short_link }),
  });

  const listed = async ({ db }: ServiceContext, programId: number, links: LinkRow[]) => {
    const numbersOf = await findNumbers(
      db,
      'link',
      programId,
      links.map(({ id }) => id),
    );
    return links.map((link) => ({ ...shown(programId, link), numbers: numbersOf(link.id) }));
  };

  addExport(app, ctx, manageExportLinks, { name: 'links', source: LINKS }, (access, request) =>
    linksFor(access, queryOf(manageExportLinks, request)),
  );

  addProgramRoute(app, ctx, manageLinks, async (access, request, reply) => {
    const { totals, expand, ...query } = queryOf(manageLinks, request);
    const { program } = access;
    const selection = linksFor(access, query);
    const { data, meta } = await sortedPage(ctx.db, LINKS, selection, query);
    const all = totals && (await readReport(ctx, reply, ({ db }) => findLinkTotals(db, program.id, selection)));
    const links = await listed(ctx, program.id, data);
    return { data: await expandRows(ctx, access, links, expand), meta: { ...meta, ...all } };
  });

  const oneLink = async (inside: ServiceContext, access: ProgramAccess, linkId: number) => {
    const link = await findLinkRow(inside.db, scopeOf(access, {}), linkId);
    return rowReply(await listed(inside, access.program.id, link ? [link] : []));
  };

  addProgramRoute(app, ctx, manageLink, async (access, request) => {
    const { data: link } = await oneLink(ctx, access, idParam(request, 'link_id'));
    return rowReply(await expandRows(ctx, access, [link], queryOf(manageLink, request).expand));
  });

  const ifLinkUnchanged = (access: ProgramAccess, request: FastifyRequest, linkId: number) =>
    ifUnchanged(ctx, request, async (inside) => {
      await findLinkForUpdate(inside.db, access.program.id, linkId, access.partnerId);
      return oneLink(inside, access, linkId);
    });

  const linkReply = async (access: ProgramAccess, linkId: number) => {
    const link = await findLinkRow(ctx.db, scopeOf(access, {}), linkId);
    if (!link) throw errors.notFound();
    return { data: shown(access.program.id, link) };
  };

  addProgramRoute(app, ctx, manageAddLink, async (access, request) => {
    const body = bodyOf(manageAddLink, request);
    const newLink = {
      partnerId: access.partnerId ?? body.partner_id,
      shortLink: body.short_link,
      destinationUrl: body.destination_url,
      label: body.label,
    } satisfies Complete<typeof body>;
    return linkReply(access, await addPartnerLink(ctx, access.program, newLink, access.actor));
  });

  addProgramRoute(app, ctx, manageUpdateLink, async (access, request) => {
    const { program, partnerId, actor } = access;
    const linkId = idParam(request, 'link_id');
    const body = bodyOf(manageUpdateLink, request);
    const changes = {
      active: body.active,
      destinationUrl: body.destination_url,
      label: body.label,
    } satisfies Complete<typeof body>;
    await changeLink(ifLinkUnchanged(access, request, linkId), { program, linkId, partnerId }, changes, actor);
    return linkReply(access, linkId);
  });

  addProgramRoute(app, ctx, manageDeleteLink, async (access, request) => {
    const { program, partnerId, actor } = access;
    const linkId = idParam(request, 'link_id');
    await deleteLink(ifLinkUnchanged(access, request, linkId), { program, linkId, partnerId }, actor);
    return { data: {} };
  });
}
