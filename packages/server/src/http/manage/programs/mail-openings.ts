import {
  type Complete,
  manageMailOpenings,
  managePreviewMail,
  manageTestMail,
  manageUpdateMailOpenings,
} from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { previewMail, testMail } from '../../../messages/try-opening.ts';
import { changeMailOpenings } from '../../../programs/change-mail-openings.ts';
import { findMailOpenings } from '../../../programs/mail-opening-store.ts';
import { bodyOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import type { ServiceContext } from '../../service-context.ts';

export function addManageMailOpeningRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageMailOpenings, async ({ program }) => ({
    data: await findMailOpenings(ctx.db, program.id),
  }));

  addProgramRoute(app, ctx, manageUpdateMailOpenings, async ({ program, actor }, request) => {
    const body = bodyOf(manageUpdateMailOpenings, request);
    const changes = { invitation: body.invitation, welcome: body.welcome } satisfies Complete<typeof body>;
    return { data: await changeMailOpenings(ctx, program, changes, actor) };
  });

  addProgramRoute(app, ctx, managePreviewMail, async ({ program }, request) => {
    const { mail, opening = null } = bodyOf(managePreviewMail, request);
    const { subject, paragraphs, action } = await previewMail(ctx, program, { mail, opening });
    return { data: { subject, paragraphs, action: action?.label ?? null } };
  });

  addProgramRoute(app, ctx, manageTestMail, async ({ program, userId }, request) => {
    const { mail, opening = null } = bodyOf(manageTestMail, request);
    return { data: { sent_to: await testMail(ctx, program, { mail, opening }, userId) } };
  });
}
