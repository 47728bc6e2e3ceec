import * as cliAuth from './cli/auth.ts';
import * as cliEvents from './cli/events.ts';
import * as cliPrograms from './cli/programs.ts';
import * as account from './manage/account.ts';
import * as audit from './manage/audit.ts';
import * as commissions from './manage/commissions.ts';
import * as customers from './manage/customers.ts';
import * as events from './manage/events.ts';
import * as explain from './manage/explain.ts';
import * as exports from './manage/exports.ts';
import * as invitations from './manage/invitations.ts';
import * as links from './manage/links.ts';
import * as mail from './manage/mail.ts';
import * as adjustments from './manage/partner/adjustments.ts';
import * as bulkInvitations from './manage/partner/bulk-invitations.ts';
import * as partnerHistory from './manage/partner/history.ts';
import * as partnerNotes from './manage/partner/notes.ts';
import * as partners from './manage/partners.ts';
import * as payouts from './manage/payouts.ts';
import * as performance from './manage/performance.ts';
import * as assign from './manage/person/assign.ts';
import * as privacy from './manage/person/privacy.ts';
import * as portal from './manage/portal.ts';
import * as processor from './manage/processor.ts';
import * as programChecks from './manage/program/checks.ts';
import * as coupons from './manage/program/coupons.ts';
import * as joinPage from './manage/program/join-page.ts';
import * as setup from './manage/program/setup.ts';
import * as programStatus from './manage/program/status.ts';
import * as programs from './manage/programs.ts';
import * as sales from './manage/sales.ts';
import * as secondFactors from './manage/security/second-factors.ts';
import * as sessions from './manage/security/sessions.ts';
import * as workspace from './manage/security/workspace.ts';
import * as team from './manage/team.ts';
import * as groups from './manage/terms/groups.ts';
import * as partnerTerms from './manage/terms/partner-terms.ts';
import * as terms from './manage/terms/terms.ts';
import * as tokens from './manage/tokens.ts';
import * as views from './manage/views.ts';
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
  'CLI sign-in': [cliAuth],
  'CLI programs': [cliPrograms, cliEvents],
  'Your account': [account, mail, secondFactors, sessions, tokens],
  Team: [team, workspace, invitations, audit],
  Programs: [programs, programStatus, joinPage, programChecks, setup],
  Terms: [terms, groups, partnerTerms],
  Partners: [partners, bulkInvitations, partnerNotes, partnerHistory, coupons],
  Links: [links],
  'Sales and customers': [events, sales, customers, assign, explain],
  Privacy: [privacy],
  Commissions: [commissions, adjustments],
  Performance: [performance],
  Payouts: [payouts, portal],
  Exports: [exports],
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
