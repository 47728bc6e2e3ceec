import {
  type Complete,
  errors,
  manageCreateProgram,
  manageProgram,
  manageRegenerateKey,
  manageRenewJoinLink,
  manageRequireRotation,
  manageUpdateProgram,
  type ProgramChanges,
  type ReplyOf,
} from '@svc/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findMaskedKey, type MaskedKey } from '../../../programs/api-key-store.ts';
import { changeJoinLink } from '../../../programs/change-join-link.ts';
import { changeSettings } from '../../../programs/change-settings.ts';
import { createProgram } from '../../../programs/create-program.ts';
import type { Program } from '../../../programs/program.ts';
import { findProgramForUpdate, type ProgramSettings } from '../../../programs/program-store.ts';
import { regenerateKey } from '../../../programs/regenerate-key.ts';
import { requireRotation } from '../../../programs/require-rotation.ts';
import { addRoute } from '../../add-route.ts';
import { logoUrl } from '../../assets/logos.ts';
import { bodyOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import { signedInMember } from '../../callers/signed-in-user.ts';
import { ifUnchanged } from '../../entity-tags.ts';
import type { ServiceContext } from '../../service-context.ts';
import { inviteUrl } from '../team/invitations.ts';
import { toOffer } from './offer.ts';

export function addManageProgramRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageProgram, async ({ program }) =>
    toReply(ctx, program, await findMaskedKey(ctx.db, program.id)),
  );

  addProgramRoute(app, ctx, manageUpdateProgram, async ({ program, userId, actor }, request) => {
    const body = bodyOf(manageUpdateProgram, request);
    const changes = { ...settingsIn(body), addOrigins: body.add_allowed_origins };
    const unchanged = ifProgramUnchanged(ctx, program.id, request);
    const changed = await changeSettings(unchanged, program.id, changes, { ...actor, userId });
    return toReply(ctx, changed, await findMaskedKey(ctx.db, program.id));
  });

  addProgramRoute(app, ctx, manageRenewJoinLink, async ({ program, actor }) =>
    toReply(ctx, await changeJoinLink(ctx, program.id, actor), await findMaskedKey(ctx.db, program.id)),
  );

  addRoute(app, manageCreateProgram, async (request) => {
    const { workspaceId, actor } = await signedInMember(ctx, request, manageCreateProgram);
    const body = bodyOf(manageCreateProgram, request);
    const settings = { ...settingsIn(body), workspaceId, name: body.name, domain: body.domain };
    const { program, apiKey, masked } = await createProgram(ctx, settings, actor);
    ctx.lookup.forgetProgram(program.id);
    const { data } = await toReply(ctx, program, { masked, rotateBy: null });
    return { data: { ...data, api_key: apiKey } };
  });

  addProgramRoute(app, ctx, manageRegenerateKey, async ({ program, actor }) => {
    const { apiKey, masked } = await regenerateKey(ctx, program, actor);
    return { data: { api_key: apiKey, api_key_masked: masked } };
  });

  addProgramRoute(app, ctx, manageRequireRotation, async ({ program, actor }, request) => {
    const { rotate_by: rotateBy } = bodyOf(manageRequireRotation, request);
    const key = await requireRotation(ctx, program, rotateBy, actor);
    if (!key) throw errors.notFound();
    return {
      data: {
        api_key_masked: key.masked,
        marked_at: key.markedAt.toISOString(),
        rotate_by: key.rotateBy.toISOString(),
      },
    };
  });
}

/** The context for a change of the program, which has an ETag. */
export function ifProgramUnchanged(ctx: ServiceContext, programId: number, request: FastifyRequest): ServiceContext {
  return ifUnchanged(ctx, request, async (inside) => {
    const program = await findProgramForUpdate(inside.db, programId);
    if (!program) throw errors.notFound();
    return toReply(inside, program, await findMaskedKey(inside.db, programId));
  });
}

function settingsIn(body: Omit<ProgramChanges, 'add_allowed_origins'>): ProgramSettings {
  return {
    name: body.name,
    domain: body.domain,
    commissionType: body.commission_type,
    commissionRate: body.commission_rate,
    commissionBase: body.commission_base,
    currency: body.currency,
    recurringMonths: body.recurring_months,
    cookieWindowDays: body.cookie_window_days,
    attributionWindowDays: body.attribution_window_days,
    holdDays: body.hold_days,
    leadAuth: body.lead_auth,
    couponsWin: body.coupons_win,
    allowedOrigins: body.allowed_origins,
    linkParameters: body.link_parameters,
    joining: body.joining,
    contactEmail: body.contact_email,
    contactUrl: body.contact_url,
  } satisfies Complete<typeof body>;
}

async function toReply(
  ctx: ServiceContext,
  program: Program,
  key: MaskedKey | null,
): Promise<ReplyOf<typeof manageProgram>> {
  return {
    data: {
      id: program.id,
      ...(await toOffer(ctx, program, null)),
      slug: program.slug,
      status: program.status,
      attribution_window_days: program.attributionWindowDays,
      lead_auth: program.leadAuth,
      coupons_win: program.couponsWin,
      allowed_origins: program.allowedOrigins,
      link_parameters: program.linkParameters,
      contact_email: program.contactEmail,
      contact_url: program.contactUrl,
      joining: program.joining,
      join_url: program.joining === 'closed' ? null : inviteUrl(ctx, program.joinToken),
      brand_color: program.brandColor,
      logo_url: logoUrl(ctx, program),
      api_key_masked: key?.masked ?? null,
      api_key_rotate_by: key?.rotateBy?.toISOString() ?? null,
      created_at: program.createdAt.toISOString(),
    },
  };
}
