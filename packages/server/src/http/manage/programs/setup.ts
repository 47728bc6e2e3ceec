import { manageSetup, manageTestLink } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { openTestLink } from '../../../partners/links/open-test-link.ts';
import { reportSetup } from '../../../reporting/setup/report-setup.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import type { ServiceContext } from '../../service-context.ts';

export function addManageSetupRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageSetup, async ({ program }) => ({ data: await reportSetup(ctx, program.id) }));

  addProgramRoute(app, ctx, manageTestLink, async ({ program, actor }) => {
    const { shortLink } = await openTestLink(ctx, program, actor);
    return { data: { short_link: shortLink, url: `https://${program.domain}/?aff=${shortLink}` } };
  });
}
