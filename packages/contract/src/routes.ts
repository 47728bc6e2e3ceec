import { cliAuthCallback, cliAuthPoll, cliAuthStart } from './cli-auth.ts';
import { cliStatus, cliStripeConnect, cliTestEvent } from './cli-events.ts';
import { cliInit, cliPrograms } from './cli-programs.ts';
import { manageAccept, manageInvite, manageLogout, manageMe, manageMembers, managePrograms } from './manage-access.ts';
import {
  manageAddLink,
  manageAddPartner,
  manageLinks,
  managePartners,
  manageUpdateLink,
  manageUpdatePartner,
} from './manage-partners.ts';
import {
  manageConnectProcessor,
  manageDisconnectProcessor,
  manageProcessor,
  manageProgram,
  manageRegenerateKey,
  manageRequireRotation,
  manageUpdateProgram,
} from './manage-programs.ts';
import {
  manageApprove,
  manageCommissions,
  manageCustomers,
  manageEvents,
  manageExplain,
  managePerformance,
  manageReject,
  manageSales,
} from './manage-reports.ts';
import {
  manageProcessorEvents,
  manageReplayProcessorEvent,
  stripePlatformWebhook,
  stripeWebhook,
} from './processor-events.ts';
import { readiness } from './readiness.ts';
import type { RouteDefinition } from './route.ts';
import { trackClick } from './track-click.ts';
import { trackLead } from './track-lead.ts';
import { trackRefund } from './track-refund.ts';
import { trackSale } from './track-sale.ts';

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
  manageLogout,
  managePrograms,
  manageMembers,
  manageInvite,
  manageAccept,
  manageProgram,
  manageUpdateProgram,
  manageRegenerateKey,
  manageRequireRotation,
  managePartners,
  manageAddPartner,
  manageUpdatePartner,
  manageLinks,
  manageAddLink,
  manageUpdateLink,
  manageEvents,
  manageCustomers,
  manageSales,
  manageCommissions,
  manageApprove,
  manageReject,
  managePerformance,
  manageExplain,
  manageProcessor,
  manageConnectProcessor,
  manageDisconnectProcessor,
  manageProcessorEvents,
  manageReplayProcessorEvent,
  stripeWebhook,
  stripePlatformWebhook,
];
