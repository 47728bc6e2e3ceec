import type { FastifyInstance } from 'fastify';
import type { ServiceContext } from '../service-context.ts';
import { addManageAccountRoutes } from './account.ts';
import { addManageCommissionRoutes } from './commissions.ts';
import { addManageCustomerRoutes } from './customers.ts';
import { addManageEventRoutes } from './events.ts';
import { addManageExplainRoute } from './explain.ts';
import { addManageExportRoutes } from './exports.ts';
import { addManageInvitationRoutes } from './invitations.ts';
import { addManageLinkRoutes } from './links.ts';
import { addManagePartnerRoutes } from './partners.ts';
import { addManagePayoutRoutes } from './payouts.ts';
import { addManagePerformanceRoute } from './performance.ts';
import { addManageProcessorRoutes } from './processor.ts';
import { addManageCheckRoutes } from './program-checks.ts';
import { addManageProgramRoutes } from './programs.ts';
import { addManageBreakdownRoute } from './reports/breakdown.ts';
import { addManageReportExports } from './reports/report-exports.ts';
import { addManageSaleRoutes } from './sales.ts';
import { addManageTeamRoutes } from './team.ts';
import { addManageTermsRoute } from './terms.ts';
import { addManageTokenRoutes } from './tokens.ts';

/** The management API, which the dashboard, the partner portal and scripts use. Its files are named as in the contract. */
export function addManageRoutes(app: FastifyInstance, ctx: ServiceContext, platformSecret: string | undefined): void {
  addManageAccountRoutes(app, ctx);
  addManageTokenRoutes(app, ctx);
  addManageTeamRoutes(app, ctx);
  addManageInvitationRoutes(app, ctx);
  addManageProgramRoutes(app, ctx);
  addManageTermsRoute(app, ctx);
  addManageCheckRoutes(app, ctx);
  addManageProcessorRoutes(app, ctx, platformSecret);
  addManagePartnerRoutes(app, ctx);
  addManageLinkRoutes(app, ctx);
  addManageEventRoutes(app, ctx);
  addManageSaleRoutes(app, ctx);
  addManageExplainRoute(app, ctx);
  addManageCustomerRoutes(app, ctx);
  addManageCommissionRoutes(app, ctx);
  addManagePerformanceRoute(app, ctx);
  addManageBreakdownRoute(app, ctx);
  addManageReportExports(app, ctx);
  addManagePayoutRoutes(app, ctx);
  addManageExportRoutes(app, ctx);
}
