import { cliAuthCallback, cliAuthPoll, cliAuthStart } from './cli-auth.ts';
import { cliStatus, cliStripeConnect, cliTestEvent } from './cli-events.ts';
import { cliInit, cliPrograms } from './cli-programs.ts';
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
];
