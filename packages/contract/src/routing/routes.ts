import { cliAuthCallback, cliAuthPoll, cliAuthStart } from '../cli/auth.ts';
import { cliStatus, cliStripeConnect, cliTestEvent } from '../cli/events.ts';
import { cliInit, cliPrograms } from '../cli/programs.ts';
import { manageLogout, manageMe, managePrograms, manageUpdateMe } from '../manage/access.ts';
import {
  manageApprove,
  manageApproveMany,
  manageCommissions,
  manageReject,
  manageRejectMany,
} from '../manage/commissions.ts';
import { manageCustomer, manageCustomers } from '../manage/customers.ts';
import {
  manageExportCommissions,
  manageExportCustomers,
  manageExportPayouts,
  manageExportSales,
} from '../manage/export.ts';
import { manageAddLink, manageLinks, manageUpdateLink } from '../manage/links.ts';
import {
  manageAddPartner,
  manageInvitePartner,
  managePartners,
  manageRevokePartnerInvitation,
  manageUpdatePartner,
} from '../manage/partners.ts';
import {
  manageBalances,
  manageCancelPayout,
  manageEarnings,
  manageMakePayouts,
  manageMarkPaid,
  managePayout,
  managePayouts,
} from '../manage/payouts.ts';
import { managePerformance } from '../manage/performance.ts';
import {
  manageConnectProcessor,
  manageCreateProgram,
  manageDisconnectProcessor,
  manageProcessor,
  manageProgram,
  manageReadiness,
  manageRegenerateKey,
  manageRenewJoinLink,
  manageRequireRotation,
  manageTestChain,
  manageUpdateProgram,
} from '../manage/programs.ts';
import { manageEvents, manageExplain, manageSales } from '../manage/reports.ts';
import {
  manageAccept,
  manageInvitations,
  manageInvite,
  manageLookUpInvitation,
  manageMembers,
  manageReissueInvitation,
  manageRemoveMember,
  manageRevokeInvitation,
  manageUpdateMember,
} from '../manage/team.ts';
import { trackClick } from '../track/click.ts';
import { trackLead } from '../track/lead.ts';
import { readiness } from '../track/readiness.ts';
import { trackRefund } from '../track/refund.ts';
import { trackSale } from '../track/sale.ts';
import {
  manageProcessorEvents,
  manageReplayProcessorEvent,
  stripePlatformWebhook,
  stripeWebhook,
} from '../webhooks/processor-events.ts';
import type { RouteDefinition } from './route.ts';

/** Every route of the versioned API, in the order a reader meets them. */
export const routes: RouteDefinition[] = [
  trackClick,
  trackLead,
  trackSale,
  trackRefund,
  readiness,
  cliAuthStart,
  cliAuthCallback,
  cliAuthPoll,
  cliInit,
  cliPrograms,
  cliStatus,
  cliTestEvent,
  cliStripeConnect,
  manageMe,
  manageUpdateMe,
  manageLogout,
  managePrograms,
  manageMembers,
  manageUpdateMember,
  manageRemoveMember,
  manageInvitations,
  manageInvite,
  manageReissueInvitation,
  manageRevokeInvitation,
  manageLookUpInvitation,
  manageAccept,
  manageProgram,
  manageCreateProgram,
  manageUpdateProgram,
  manageRegenerateKey,
  manageRenewJoinLink,
  manageRequireRotation,
  manageReadiness,
  manageTestChain,
  manageProcessor,
  manageConnectProcessor,
  manageDisconnectProcessor,
  managePartners,
  manageAddPartner,
  manageUpdatePartner,
  manageInvitePartner,
  manageRevokePartnerInvitation,
  manageLinks,
  manageAddLink,
  manageUpdateLink,
  manageEvents,
  manageSales,
  manageExplain,
  manageCustomers,
  manageCustomer,
  manageCommissions,
  manageApprove,
  manageReject,
  manageApproveMany,
  manageRejectMany,
  managePerformance,
  manageBalances,
  manageEarnings,
  managePayouts,
  manageMakePayouts,
  managePayout,
  manageMarkPaid,
  manageCancelPayout,
  manageExportSales,
  manageExportCommissions,
  manageExportCustomers,
  manageExportPayouts,
  manageProcessorEvents,
  manageReplayProcessorEvent,
  stripeWebhook,
  stripePlatformWebhook,
];
