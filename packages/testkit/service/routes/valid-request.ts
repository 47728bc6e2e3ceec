import type { RouteDefinition } from '@svc/contract';
import { type OwnedProgram, ownedProgram } from '../accounts.ts';
import { signed } from '../payments/stripe.ts';
import { type Answer, type CallOptions, PLATFORM_SECRET, type TestProgram, type TestService } from '../service.ts';
import { ACCOUNT_REQUESTS } from './requests/account.ts';
import { BULK_ACTION_REQUESTS } from './requests/bulk-actions.ts';
import { COMMISSION_REQUESTS } from './requests/commissions.ts';
import { CREATIVE_REQUESTS } from './requests/creatives.ts';
import { IMPORT_REQUESTS } from './requests/imports.ts';
import { LINK_REQUESTS } from './requests/links.ts';
import { MESSAGE_REQUESTS } from './requests/messages.ts';
import { PARTNER_REQUESTS } from './requests/partners.ts';
import type { RequestParts } from './requests/parts.ts';
import { PAYOUT_REQUESTS, reportFor } from './requests/payouts.ts';
import { PROCESSOR_REQUESTS } from './requests/processors.ts';
import { PROGRAM_REQUESTS } from './requests/programs.ts';
import { TEAM_REQUESTS } from './requests/team.ts';
import { TERMS_REQUESTS } from './requests/terms.ts';
import { TRACKING_REQUESTS } from './requests/tracking.ts';
import { VIEW_REQUESTS } from './requests/views.ts';
import { WEBHOOK_REQUESTS } from './requests/webhooks.ts';

/** A request to which its route responds with success. */
export type ValidRequest = TestProgram & {
  body: Record<string, unknown> | undefined;
  /** The headers that the body requires, if any. */
  headers: Record<string, string>;
  /** The route's path, with its parameters filled in. */
  path: string;
  /** What the route requires: the program's key, the token of its owner, or nothing. */
  key: string | undefined;
  /** The success status of the route. */
  status: number;
  /** Sends the request, with parts of it replaced. */
  send(changed?: CallOptions): Promise<Answer>;
  /** The number of the program's rows except decisions, which a refused request must not change. */
  stored(): Promise<Record<string, number>>;
};

const PARTS: RequestParts[] = [
  TRACKING_REQUESTS,
  ACCOUNT_REQUESTS,
  TEAM_REQUESTS,
  PROGRAM_REQUESTS,
  PROCESSOR_REQUESTS,
  PARTNER_REQUESTS,
  LINK_REQUESTS,
  CREATIVE_REQUESTS,
  MESSAGE_REQUESTS,
  COMMISSION_REQUESTS,
  PAYOUT_REQUESTS,
  TERMS_REQUESTS,
  BULK_ACTION_REQUESTS,
  WEBHOOK_REQUESTS,
  IMPORT_REQUESTS,
  VIEW_REQUESTS,
];

const BODIES: RequestParts['bodies'] = Object.assign({}, ...PARTS.map(({ bodies }) => bodies));
const FIRST: Required<RequestParts>['first'] = Object.assign({}, ...PARTS.map(({ first }) => first));
const PARAMS: Required<RequestParts>['params'] = Object.assign({}, ...PARTS.map(({ params }) => params));
const QUERIES: Required<RequestParts>['queries'] = Object.assign({}, ...PARTS.map(({ queries }) => queries));

/** A valid request to the route, for the given program or a new one. */
export async function validRequest(
  service: TestService,
  route: RouteDefinition,
  on?: OwnedProgram,
): Promise<ValidRequest> {
  const created = on ?? (await ownedProgram(service));
  const { owner: _, ...made } = created;
  const body = await BODIES[route.id]?.(service, created);
  await FIRST[route.id]?.(service, created);
  const path = await validPath(service, route, created);
  const key = keyFor(route, created);
  const file = route.receives ? await reportFor(service, path) : undefined;
  const headers = route.signed ? signatureOf(service, route, body) : file ? { 'content-type': 'text/csv' } : {};
  return {
    ...made,
    body,
    headers,
    path,
    key,
    status: statusOf(service, route),
    send: (changed) =>
      service.call(route.method, path, {
        key,
        body: file ?? body,
        ...changed,
        headers: { ...headers, ...changed?.headers },
      }),
    async stored() {
      const { decisions, ...rows } = await service.counts(made.program.id);
      return { ...rows, ...(await managedCounts(service, made)) };
    },
  };
}

/** They refuse where the installation sends no mail. */
const NEEDS_MAIL = [
  'manageSendVerification',
  'manageChangeEmail',
  'manageStartMessage',
  'manageTestMessage',
  'manageTestMail',
];

function statusOf(service: TestService, { id, success }: RouteDefinition): number {
  if (id === 'cliStripeConnect') return 410;
  return NEEDS_MAIL.includes(id) && !service.ctx.mail ? 409 : (success ?? 200);
}

function keyFor({ auth }: RouteDefinition, { apiKey, owner }: OwnedProgram): string | undefined {
  if (auth === 'account' || auth === 'account-token') return owner.token;
  return auth === 'none' || auth === 'browser' ? undefined : apiKey;
}

function signatureOf(service: TestService, { id }: RouteDefinition, body: object | undefined) {
  return signed(JSON.stringify(body), service.time, id === 'stripePlatformWebhook' ? PLATFORM_SECRET : undefined);
}

/** The path with ids of the program, and with a query if the route needs one. */
async function validPath(service: TestService, { id, path }: RouteDefinition, created: OwnedProgram): Promise<string> {
  let filled = path;
  for (const [parameter, name = ''] of path.matchAll(/:([a-z_]+)/g)) {
    const make = PARAMS[name];
    if (!make) throw new Error(`${path} needs a value for ${parameter}`);
    filled = filled.replace(parameter, String(await make(service, created, id)));
  }
  const query = await QUERIES[id]?.(service, created);
  return query ? `${filled}?${query}` : filled;
}

async function managedCounts(service: TestService, { workspaceId, program }: TestProgram) {
  const [row] = await service.sql<Record<string, number>>(
    `select
       (select count(*) from programs where advertiser_id = $1 and deleted_at is null) as programs,
       (select count(*) from partners where advertiser_id = $1) as partners,
       (select count(*) from invitations where advertiser_id = $1) as invitations,
       (select count(*) from workspace_members where advertiser_id = $1) as members,
       (select count(*) from links where program_id = $2) as links,
       (select count(*) from links where program_id = $2 and active) as active_links,
       (select count(*) from links where program_id = $2 and deleted_at is null) as kept_links,
       (select count(*) from coupons where program_id = $2) as coupons,
       (select count(*) from coupons where program_id = $2 and active) as active_coupons,
       (select count(*) from customers where program_id = $2 and assigned_at is not null) as assigned,
       (select count(*) from creatives where program_id = $2) as creatives,
       (select count(*) from partner_messages where program_id = $2) as messages,
       (select count(*) from partner_notes where program_id = $2) as notes,
       (select count(*) from agreements where program_id = $2) as agreements,
       (select count(*) from program_logos where program_id = $2) as logos,
       (select status from programs where id = $2) as status,
       (select count(*) from memberships where program_id = $2 and status = 'active') as memberships,
       (select count(*) from program_keys where program_id = $2) as keys,
       (select count(*) from program_keys where program_id = $2 and replaced_at is null) as working_keys,
       (select count(*) from program_keys where program_id = $2 and marked_at is not null) as marked_keys,
       (select count(*) from processor_connections where program_id = $2) as processors,
       (select count(*) from processor_secrets where program_id = $2) as secrets,
       (select count(*) from commissions where program_id = $2 and stage <> 'pending') as settled,
       (select count(*) from saved_views where program_id = $2) as views,
       (select count(*) from webhook_endpoints where program_id = $2) as webhooks,
       (select count(*) from webhook_deliveries d join webhook_endpoints w on w.id = d.endpoint_id
        where w.program_id = $2) as deliveries,
       (select count(*) from payouts where program_id = $2) as payouts,
       (select count(*) from payouts where program_id = $2 and status = 'open') as open_payouts,
       (select count(*) from payout_runs where program_id = $2) as runs,
       (select count(*) from payout_runs where program_id = $2 and status = 'draft') as drafts,
       (select count(*) from payout_runs where program_id = $2 and status = 'sent') as sent_runs`,
    [workspaceId, program.id],
  );
  return row;
}
