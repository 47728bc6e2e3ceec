import type { FastifyInstance } from 'fastify';
import type { ServiceContext } from '../service-context.ts';
import { addManageAccountRoutes } from './account.ts';
import { addManageExplainRoute } from './explain.ts';
import { addManageInvitationRoutes } from './invitations.ts';
import { addManageLinkRoutes } from './links.ts';
import { addManageAuditRoutes } from './lists/audit.ts';
import { addManageBalanceRoutes } from './lists/balances.ts';
import { addManageCommissionRoutes } from './lists/commissions.ts';
import { addManageCustomerRoutes } from './lists/customers.ts';
import { addManageEventRoutes } from './lists/events.ts';
import { addManageExportRoutes } from './lists/exports.ts';
import { addManagePayoutRoutes } from './lists/payouts.ts';
import { addManageSaleRoutes } from './lists/sales.ts';
import { addManageViewRoutes } from './lists/views.ts';
import { addManageMailRoutes } from './mail.ts';
import { addManageBulkInvitationRoute } from './partner/bulk-invitations.ts';
import { addManagePartnerHistoryRoute } from './partner/history.ts';
import { addManagePartnerNoteRoutes } from './partner/notes.ts';
import { addManagePartnerRoutes } from './partners.ts';
import { addManagePerformanceRoute } from './performance.ts';
import { addManagePortalRoutes } from './portal.ts';
import { addManagePrivacyRoutes } from './privacy.ts';
import { addManageProcessorRoutes } from './processor.ts';
import { addManageJoinPageRoutes } from './program/join-page.ts';
import { addManageProgramStatusRoutes } from './program/status.ts';
import { addManageCheckRoutes } from './program-checks.ts';
import { addManageProgramRoutes } from './programs.ts';
import { addManageBreakdownRoute } from './reports/breakdown.ts';
import { addManageReportExports } from './reports/report-exports.ts';
import { addManageSecondFactorRoute } from './security/second-factors.ts';
import { addManageSessionRoutes } from './security/sessions.ts';
import { addManageWorkspaceRoutes } from './security/workspace.ts';
import { addManageSetupRoutes } from './setup.ts';
import { addManageTeamRoutes } from './team.ts';
import { addManageTermsRoute } from './terms.ts';
import { addManageTokenRoutes } from './tokens.ts';

/**
 * The management API, which the dashboard, the partner portal and scripts use. Its files are named as in the contract; `lists/` has
 * what people page through.
 */
export function addManageRoutes(app: FastifyInstance, ctx: ServiceContext, platformSecret: string | undefined): void {
  addManageAccountRoutes(app, ctx);
  addManageSecondFactorRoute(app, ctx);
  addManageSessionRoutes(app, ctx);
  addManageTokenRoutes(app, ctx);
  addManageMailRoutes(app, ctx);
  addManageTeamRoutes(app, ctx);
  addManageWorkspaceRoutes(app, ctx);
  addManageInvitationRoutes(app, ctx);
  addManageProgramRoutes(app, ctx);
  addManageProgramStatusRoutes(app, ctx);
  addManageJoinPageRoutes(app, ctx);
  addManageTermsRoute(app, ctx);
  addManageCheckRoutes(app, ctx);
  addManageSetupRoutes(app, ctx);
  addManageProcessorRoutes(app, ctx, platformSecret);
  addManagePartnerRoutes(app, ctx);
  addManageBulkInvitationRoute(app, ctx);
  addManagePartnerNoteRoutes(app, ctx);
  addManagePartnerHistoryRoute(app, ctx);
  addManageLinkRoutes(app, ctx);
  addManageEventRoutes(app, ctx);
  addManageSaleRoutes(app, ctx);
  addManageExplainRoute(app, ctx);
  addManageCustomerRoutes(app, ctx);
  addManagePrivacyRoutes(app, ctx);
  addManageCommissionRoutes(app, ctx);
  addManagePerformanceRoute(app, ctx);
  addManageBreakdownRoute(app, ctx);
  addManageReportExports(app, ctx);
  addManageBalanceRoutes(app, ctx);
  addManagePayoutRoutes(app, ctx);
  addManagePortalRoutes(app, ctx);
  addManageExportRoutes(app, ctx);
  addManageViewRoutes(app, ctx);
  addManageAuditRoutes(app, ctx);
}
