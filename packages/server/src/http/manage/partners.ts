import { randomBytes } from 'node:crypto';
import {
  errors,
  manageAddLink,
  manageAddPartner,
  manageLinks,
  managePartners,
  manageUpdateLink,
  manageUpdatePartner,
} from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { invite } from '../../accounts/invite.ts';
import { isUniqueViolation } from '../../db/db.ts';
import { findListedLink, insertLink, type ListedLink, listLinks, updateLinkActive } from '../../partners/link-store.ts';
import {
  findPartner,
  insertPartner,
  listPartners,
  type Partner,
  updateMembershipStatus,
} from '../../partners/partner-store.ts';
import type { Program } from '../../programs/program.ts';
import { idOfCursor } from '../../reporting/cursor.ts';
import { bodyOf, queryOf } from '../body.ts';
import type { ServiceContext } from '../service-context.ts';
import { addProgramRoute, idParam } from './access.ts';
import { inviteUrl } from './account.ts';
import { pageOf } from './page-of.ts';

export function addManagePartnerRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, managePartners, async ({ program }, request) => {
    const { limit, cursor, status, search } = queryOf(managePartners, request);
    const filter = { status, search, beforeId: idOfCursor(cursor), limit: limit + 1 };
    return pageOf(await listPartners(ctx.db, program.id, filter), limit, shownPartner);
  });

  addProgramRoute(app, ctx, manageAddPartner, async ({ program }, request) => {
    const { name, email } = bodyOf(manageAddPartner, request);
    const { advertiserId } = program;
    const partnerId = await insertPartner(ctx.db, { advertiserId, programId: program.id, name, email }, ctx.now());
    const { token } = await invite(ctx, { advertiserId, partnerId, role: 'partner', email });
    return { data: { ...shownPartner(await partnerOf(program, partnerId)), invite_url: inviteUrl(ctx, token) } };
  });

  addProgramRoute(app, ctx, manageUpdatePartner, async ({ program }, request) => {
    const partner = await partnerOf(program, idParam(request, 'partner_id'));
    const { status } = bodyOf(manageUpdatePartner, request);
    await updateMembershipStatus(ctx.db, program.id, partner.id, status);
    return { data: shownPartner({ ...partner, status }) };
  });

  addProgramRoute(app, ctx, manageLinks, async ({ program, partnerId }, request) => {
    const { limit, cursor, partner_id: wanted = null } = queryOf(manageLinks, request);
    const filter = { partnerId: partnerId ?? wanted, beforeId: idOfCursor(cursor), limit: limit + 1 };
    return pageOf(await listLinks(ctx.db, program.id, filter), limit, (link) => shownLink(program, link));
  });

  addProgramRoute(app, ctx, manageAddLink, async ({ program, partnerId: ownId }, request) => {
    const body = bodyOf(manageAddLink, request);
    const wanted = ownId ?? body.partner_id;
    if (wanted === undefined) throw errors.invalidField('partner_id is required');
    const { id: partnerId } = await partnerOf(program, wanted);
    const shortLink = body.short_link ?? randomBytes(5).toString('hex');
    const destinationUrl = body.destination_url ?? null;
    const id = await insertLink(
      ctx.db,
      { programId: program.id, partnerId, shortLink, destinationUrl },
      ctx.now(),
    ).catch((error) => {
      throw isUniqueViolation(error) ? errors.conflict(`short_link "${shortLink}" is taken. Choose another.`) : error;
    });
    return {
      data: shownLink(program, { id, shortLink, destinationUrl, active: true, partnerId, createdAt: ctx.now() }),
    };
  });

  addProgramRoute(app, ctx, manageUpdateLink, async ({ program, partnerId }, request) => {
    const link = await findListedLink(ctx.db, program.id, idParam(request, 'link_id'), partnerId);
    if (!link) throw errors.notFound();
    const { active } = bodyOf(manageUpdateLink, request);
    await updateLinkActive(ctx.db, link.id, active);
    return { data: shownLink(program, { ...link, active }) };
  });

  async function partnerOf(program: Program, partnerId: number): Promise<Partner> {
    const partner = await findPartner(ctx.db, program.id, partnerId);
    if (!partner) throw errors.notFound();
    return partner;
  }
}

function shownPartner({ id, name, email, status, createdAt }: Partner) {
  return { id, name, email, status, created_at: createdAt.toISOString() };
}

function shownLink(program: Program, link: ListedLink) {
  const url = new URL(link.destinationUrl ?? `https://${program.domain}/`);
  url.searchParams.set('aff', link.shortLink);
  return {
    id: link.id,
    short_link: link.shortLink,
    url: url.href,
    active: link.active,
    partner_id: link.partnerId,
    created_at: link.createdAt.toISOString(),
  };
}
