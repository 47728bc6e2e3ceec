import * as cliAuth from './cli/auth.ts';
import * as cliEvents from './cli/events.ts';
import * as cliPrograms from './cli/programs.ts';
import * as feed from './feed/feed.ts';
import * as account from './manage/account/account.ts';
import * as mail from './manage/account/mail.ts';
import * as payoutMethod from './manage/account/payout-method.ts';
import * as secondFactors from './manage/account/second-factors.ts';
import * as sessions from './manage/account/sessions.ts';
import * as tokens from './manage/account/tokens.ts';
import * as alerts from './manage/alerts.ts';
import * as audit from './manage/audit.ts';
import * as bulkActions from './manage/bulk-actions.ts';
import * as commissions from './manage/commissions.ts';
import * as creatives from './manage/creatives.ts';
import * as assign from './manage/customers/assign.ts';
import * as customers from './manage/customers/customers.ts';
import * as privacy from './manage/customers/privacy.ts';
import * as exports from './manage/exports.ts';
import * as feedEvents from './manage/feed-events.ts';
import * as imports from './manage/imports.ts';
import * as messages from './manage/messages.ts';
import * as adjustments from './manage/partners/adjustments.ts';
import * as bulkInvitations from './manage/partners/bulk-invitations.ts';
import * as coupons from './manage/partners/coupons.ts';
import * as partnerHistory from './manage/partners/history.ts';
import * as links from './manage/partners/links.ts';
import * as partnerNotes from './manage/partners/notes.ts';
import * as partners from './manage/partners/partners.ts';
import * as payoutWait from './manage/partners/payout-wait.ts';
import * as postback from './manage/partners/postback.ts';
import * as partnerView from './manage/partners/view.ts';
import * as books from './manage/payouts/books.ts';
import * as payoutRunFiles from './manage/payouts/payout-run-files.ts';
import * as payoutRuns from './manage/payouts/payout-runs.ts';
import * as payoutSettings from './manage/payouts/payout-settings.ts';
import * as payouts from './manage/payouts/payouts.ts';
import * as apiKeys from './manage/programs/api-keys.ts';
import * as programChecks from './manage/programs/checks.ts';
import * as domains from './manage/programs/domains.ts';
import * as joinPage from './manage/programs/join-page.ts';
import * as mailOpenings from './manage/programs/mail-openings.ts';
import * as processor from './manage/programs/processor.ts';
import * as programs from './manage/programs/programs.ts';
import * as setup from './manage/programs/setup.ts';
import * as programStatus from './manage/programs/status.ts';
import * as clickAges from './manage/reports/click-ages.ts';
import * as cohorts from './manage/reports/cohorts.ts';
import * as events from './manage/reports/events.ts';
import * as explain from './manage/reports/explain.ts';
import * as performance from './manage/reports/performance.ts';
import * as portal from './manage/reports/portal.ts';
import * as sales from './manage/sales.ts';
import * as search from './manage/search.ts';
import * as invitations from './manage/team/invitations.ts';
import * as team from './manage/team/team.ts';
import * as workspace from './manage/team/workspace.ts';
import * as groups from './manage/terms/groups.ts';
import * as partnerTerms from './manage/terms/partner-terms.ts';
import * as terms from './manage/terms/terms.ts';
import * as views from './manage/views.ts';
import * as endpoints from './manage/webhooks.ts';
import type { RouteDefinition } from './routing/route.ts';
import * as batch from './track/batch.ts';
import * as click from './track/click.ts';
import * as lead from './track/lead.ts';
import * as readiness from './track/readiness.ts';
import * as refund from './track/refund.ts';
import * as sale from './track/sale.ts';
import * as webhooks from './webhooks/processors.ts';

/** The groups of the API reference, in reading order. Every route that one of these files exports belongs to its group. */
const routeFiles: Record<string, object[]> = {
  Tracking: [click, lead, sale, refund, batch, readiness],
  Events: [feed, feedEvents, endpoints, alerts],
  'CLI sign-in': [cliAuth],
  'CLI programs': [cliPrograms, cliEvents],
  'Your account': [account, mail, secondFactors, sessions, tokens],
  Team: [team, workspace, invitations, audit],
  Programs: [programs, apiKeys, programStatus, joinPage, programChecks, setup],
  Terms: [terms, groups, partnerTerms],
  Partners: [partners, bulkInvitations, partnerNotes, partnerHistory, coupons, payoutWait, postback, partnerView],
  Links: [links],
  Creatives: [creatives],
  Messages: [messages, mailOpenings],
  'Link hosts': [domains],
  Imports: [imports],
  'Sales and customers': [events, sales, customers, assign, explain, search],
  Privacy: [privacy],
  Commissions: [commissions, adjustments],
  Performance: [performance, clickAges, cohorts],
  Payouts: [payoutMethod, payouts, payoutRuns, payoutRunFiles, payoutSettings, books, portal],
  Exports: [exports],
  'Bulk actions': [bulkActions],
  'Saved views': [views],
  'Payment processor': [processor, webhooks],
};

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

export type RouteGroup = { name: string; routes: RouteDefinition[] };

/** Every route of the versioned API by group. Within a file, short paths come first and reading comes before writing. */
export const routeGroups: RouteGroup[] = Object.entries(routeFiles).map(([name, files]) => ({
  name,
  routes: files.flatMap((file) => Object.values(file).filter(isRoute).sort(byPathAndMethod)),
}));

/** Every route of the versioned API. */
export const routes: RouteDefinition[] = routeGroups.flatMap((group) => group.routes);

function isRoute(exported: unknown): exported is RouteDefinition {
  return typeof exported === 'object' && exported !== null && 'path' in exported && 'reply' in exported;
}

function byPathAndMethod(a: RouteDefinition, b: RouteDefinition): number {
  const depth = a.path.split('/').length - b.path.split('/').length;
  return depth || a.path.localeCompare(b.path, 'en') || METHODS.indexOf(a.method) - METHODS.indexOf(b.method);
}
