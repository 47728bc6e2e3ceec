import {
  type Complete,
  errors,
  manageUpdateWorkspace,
  manageWorkspace,
  manageWorkspaceOverview,
  type ReplyOf,
} from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { changeWorkspace } from '../../../accounts/workspaces/change-workspace.ts';
import { findWorkspace, type Workspace } from '../../../accounts/workspaces/workspace-store.ts';
import { RELEASE } from '../../../release.ts';
import { type ReportedProgram, reportWorkspace } from '../../../reporting/workspace/report-workspace.ts';
import { newerRelease } from '../../../updates/newer-release.ts';
import { findAnnounced } from '../../../updates/update-check-store.ts';
import { addRoute } from '../../add-route.ts';
import { bodyOf } from '../../body.ts';
import { signedInMember } from '../../callers/signed-in-user.ts';
import { sayBehind } from '../../read-report.ts';
import type { ServiceContext } from '../../service-context.ts';

export function addManageWorkspaceRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addRoute(app, manageWorkspace, async (request) => {
    const { workspaceId } = await signedInMember(ctx, request, manageWorkspace);
    const workspace = await findWorkspace(ctx.db, workspaceId);
    if (!workspace) throw errors.notFound();
    return toReply(workspace, await findAnnounced(ctx.db));
  });

  addRoute(app, manageUpdateWorkspace, async (request) => {
    const { workspaceId, actor } = await signedInMember(ctx, request, manageUpdateWorkspace);
    const body = bodyOf(manageUpdateWorkspace, request);
    const changes = { name: body.name, secondFactorRequired: body.second_factor_required } satisfies Complete<
      typeof body
    >;
    const workspace = await changeWorkspace(ctx, workspaceId, changes, actor);
    return toReply(workspace, await findAnnounced(ctx.db));
  });

  addRoute(app, manageWorkspaceOverview, async (request, reply) => {
    const { workspaceId } = await signedInMember(ctx, request, manageWorkspaceOverview);
    return { data: sayBehind(reply, await reportWorkspace(ctx, workspaceId)).map(toOverviewReply) };
  });
}

function toOverviewReply(reported: ReportedProgram) {
  const { program, partners, applications, openAlerts, balances, numbers } = reported;
  return {
    id: program.id,
    name: program.name,
    domain: program.domain,
    status: program.status,
    partners,
    applications,
    open_alerts: openAlerts,
    balances: balances.map(({ currency, payable_cents, pending_cents }) => ({
      currency,
      payable_cents,
      pending_cents,
    })),
    last_30_days: {
      clicks: numbers.clicks,
      leads: numbers.leads,
      sales: numbers.sales,
      money: numbers.money.map(({ currency, revenueCents, refundedCents, commissionCents }) => ({
        currency,
        revenue_cents: revenueCents,
        refunded_cents: refundedCents,
        commission_cents: commissionCents,
      })),
    },
  };
}

function toReply(
  { id, name, secondFactorRequired }: Workspace,
  announced: string | null,
): ReplyOf<typeof manageWorkspace> {
  const newer = newerRelease(RELEASE, announced);
  return { data: { id, name, second_factor_required: secondFactorRequired, newer_release: newer } };
}
