import { asSent, cliInit, cliPrograms, errors } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { createProgram } from '../../programs/create-program.ts';
import { describeCommission } from '../../programs/describe-commission.ts';
import { listPrograms } from '../../programs/program-store.ts';
import { addRoute } from '../add-route.ts';
import { bodyOf } from '../body.ts';
import { workspaceOfToken } from '../callers/workspace-of-token.ts';
import type { ServiceContext } from '../service-context.ts';

export function addCliProgramRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addRoute(app, cliInit, async (request) => {
    const { workspaceId, actor } = await workspaceOfToken(ctx, request, cliInit);
    const named = (request.body as { advertiser_id?: unknown } | undefined)?.advertiser_id;
    if (named != null && asSent(named) !== String(workspaceId)) throw errors.otherAdvertiser();
    const body = bodyOf(cliInit, request);
    const settings = {
      workspaceId,
      name: body.name,
      domain: body.domain,
      commissionType: body.commission_type,
      commissionRate: body.commission_rate,
      cookieWindowDays: body.cookie_window_days ?? body.cookie_duration,
      recurringMonths: (body.recurring_months ?? body.duration_months) || null,
      allowedOrigins: body.allowed_origins,
    };
    const { program, apiKey } = await createProgram(ctx, settings, actor);
    ctx.lookup.forgetProgram(program.id);
    const { id, slug, domain, name } = program;
    return { data: { program_id: id, api_key: apiKey, program_slug: slug, domain, name } };
  });

  addRoute(app, cliPrograms, async (request) => {
    const { workspaceId } = await workspaceOfToken(ctx, request, cliPrograms);
    const programs = await listPrograms(ctx.db, workspaceId);
    return {
      data: programs.map((program) => ({
        id: program.id,
        name: program.name,
        domain: program.domain,
        status: program.status,
        commission: describeCommission(program),
        partners: program.partners,
        created_at: program.createdAt.toISOString(),
      })),
    };
  });
}
