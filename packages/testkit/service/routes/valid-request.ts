import { randomUUID } from 'node:crypto';
import { MAX_DOMAINS, type RouteDefinition, SAMPLE_POSTBACK } from '@svc/contract';
import { insertAddressLink } from '../../../server/src/accounts/recovery/address-link-store.ts';
import { newSecretToken } from '../../../server/src/accounts/secret-token.ts';
import { invite } from '../../../server/src/accounts/workspaces/invite.ts';
import { insertAlert } from '../../../server/src/alerts/alert-store.ts';
import { OPERATOR } from '../../../server/src/audit/audit-store.ts';
import { reviewCommission } from '../../../server/src/commissions/review-commissions.ts';
import { addCoupon } from '../../../server/src/coupons/add-coupon.ts';
import { insertDomain } from '../../../server/src/domains/domain-store.ts';
import { importRows } from '../../../server/src/imports/import-rows.ts';
import { signUnsubscription } from '../../../server/src/mail/signed-link.ts';
import { createGroup } from '../../../server/src/partners/groups/change-group.ts';
import { invitePartner } from '../../../server/src/partners/joining/invite-partner.ts';
import { addNote } from '../../../server/src/partners/notes/add-note.ts';
import { updatePartnerUser } from '../../../server/src/partners/partner-account-store.ts';
import { updateExternalId } from '../../../server/src/partners/partner-store.ts';
import { addSecret } from '../../../server/src/payments/connections/change-secrets.ts';
import { assignAccount } from '../../../server/src/payments/connections/connect-processor.ts';
import { approveRun } from '../../../server/src/payout-runs/approve-run.ts';
import { makeRun } from '../../../server/src/payout-runs/make-run.ts';
import { sendRun } from '../../../server/src/payout-runs/send-run.ts';
import { createPayouts } from '../../../server/src/payouts/create-payouts.ts';
import { insertCalls } from '../../../server/src/postbacks/call-store.ts';
import { upsertPostback } from '../../../server/src/postbacks/postback-store.ts';
import { addKey } from '../../../server/src/programs/add-key.ts';
import { changeJoinPage, changeLogo } from '../../../server/src/programs/change-join-page.ts';
import { createProgram } from '../../../server/src/programs/create-program.ts';
import { addTerms } from '../../../server/src/terms/add-terms.ts';
import { addView } from '../../../server/src/views/add-view.ts';
import { insertTestDelivery } from '../../../server/src/webhooks/delivery-store.ts';
import { insertEndpoint } from '../../../server/src/webhooks/endpoint-store.ts';
import {
  idTokenOf,
  memberOf,
  newToken,
  type OwnedProgram,
  ownedProgram,
  partnerAccount,
  startedLogin,
  type TestAccount,
} from '../accounts.ts';
import { giveOwnersAnApp } from '../authenticator.ts';
import { newHost, setRecord } from '../dns.ts';
import { eventually } from '../eventually.ts';
import { setMethod } from '../payments/payees.ts';
import { connectStripe, deliver, StripeEvents, signed } from '../payments/stripe.ts';
import { giveHeldMethod, giveMethod, IBAN_METHOD } from '../payout-methods.ts';
import { type Answer, type CallOptions, PLATFORM_SECRET, type TestProgram, type TestService } from '../service.ts';
import { newId, sold } from '../sold.ts';

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

/** A valid request to the route, for the given program or a new one. */
export async function validRequest(
  service: TestService,
  route: RouteDefinition,
  on?: OwnedProgram,
): Promise<ValidRequest> {
  const created = on ?? (await ownedProgram(service));
  const { owner: _, ...made } = created;
  const body = await validBody(service, route, created);
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

function statusOf(service: TestService, { id, success }: RouteDefinition): number {
  if (id === 'cliStripeConnect') return 410;
  const needsMail = id === 'manageSendVerification' || id === 'manageChangeEmail';
  return needsMail && !service.ctx.mail ? 409 : (success ?? 200);
}

function keyFor({ auth }: RouteDefinition, { apiKey, owner }: OwnedProgram): string | undefined {
  if (auth === 'account' || auth === 'account-token') return owner.token;
  return auth === 'none' || auth === 'browser' ? undefined : apiKey;
}

async function validBody(service: TestService, { id }: RouteDefinition, created: OwnedProgram) {
  const { link, apiKey: key, partnerId, owner } = created;
  const sale = { transaction_id: `txn-${link}`, amount_cents: 4900, customer_key: 'user-1' };
  switch (id) {
    case 'trackClick':
      return { affiliate_url: `https://acme.test/?aff=${link}` };
    case 'trackLead':
      return { click_id: await service.clickId(link) };
    case 'trackSale':
      await service.customer(created, 'user-1');
      return sale;
    case 'trackRefund':
      await service.customer(created, 'user-1');
      await service.sale(sale, { key });
      return { transaction_id: sale.transaction_id };
    case 'trackBatch':
      await service.customer(created, 'user-1');
      return { items: [{ type: 'sale', ...sale }] };
    case 'cliAuthCallback':
      return { state: await startedLogin(service), id_token: await idTokenOf(service, owner.userId) };
    case 'cliInit':
      return { name: 'Acme', domain: 'acme.test', commission_type: 'percent', commission_rate: 20 };
    case 'cliTestEvent':
      return { event_type: 'click' };
    case 'manageInvite':
      return { email: 'colleague@people.test' };
    case 'manageAccept':
      return { token: await partnerInvitation(service) };
    case 'manageUpdateProgram':
      return { name: 'Acme Inc' };
    case 'manageRequireRotation':
      return { rotate_by: new Date(service.time.getTime() + 86_400_000).toISOString() };
    case 'manageAddToken':
      return { name: 'Zapier', scopes: ['read'] };
    case 'manageAddPartner':
      return { name: 'Joan', email: `${newId('joan')}@partner.test`, external_id: newId('user') };
    case 'manageUpsertPartner':
      return { name: 'Joan', email: `${newId('joan')}@partner.test` };
    case 'manageSetProgramStatus':
      return { status: 'paused' };
    case 'manageUpdateJoinPage':
      return JOIN_PAGE;
    case 'manageSetLogo':
      return { image: PNG };
    case 'manageRemoveLogo':
      await changeLogo(service.ctx, created.program.id, PNG, OPERATOR);
      return undefined;
    case 'manageRevokePartnerInvitation': {
      // The partner may have an account by now.
      const invited = { workspaceId: created.workspaceId, partnerId, email: 'a@partner.test', replacesAccount: true };
      await invitePartner(service.ctx, invited, OPERATOR);
      return undefined;
    }
    case 'manageDisconnectProcessor':
      await connectStripe(service, created);
      return undefined;
    case 'manageInvitePartners':
      return { partners: [{ name: 'Joan', email: `${newId('joan')}@partner.test` }] };
    case 'manageImport':
      return { source: 'rewardful', rows: [fullRow()] };
    case 'manageAddAdjustment':
      return { partner_id: partnerId, amount_cents: 500, currency: 'USD', reason: 'Best review of the month' };
    case 'manageAssignCustomer':
      return { partner_id: partnerId, reason: 'Called us before clicking' };
    case 'manageAddCoupon':
      return { code: newId('code'), partner_id: partnerId };
    case 'manageUpdateCoupon':
      return { active: false };
    case 'manageAddPartnerNote':
      return { text: 'Met at the fair' };
    case 'manageUpdatePartner':
      return { status: 'blocked' };
    case 'manageAddGroup':
    case 'manageUpdateGroup':
      return { name: newId('Gold'), tier: { of: 'revenue', in: 'month', at_least: 500_000 } };
    case 'manageAddTerms':
      return { rules: RULES, note: 'More for everyone' };
    case 'manageSimulateTerms':
      return { rules: RULES, from: '2020-01-01', to: '2030-01-01' };
    case 'manageAddLink':
      return { partner_id: partnerId };
    case 'manageAskAboutOrder':
      return { transaction_id: 'order-1', partner_id: partnerId };
    case 'manageUpdateLink':
      return { active: false };
    case 'manageCreateProgram':
      return { name: 'Acme', domain: 'acme.test', allowed_origins: ['https://acme.test'], link_parameters: ['via'] };
    case 'manageUpdateMe':
      return { name: newId('Robin') };
    case 'manageSetPayoutMethod':
      return { ...IBAN_METHOD, holder_name: newId('Robin') };
    case 'manageDeletePayoutMethod':
      await giveMethod(service, owner.userId);
      return undefined;
    case 'manageLiftPayoutWait':
      await giveHeldMethod(service, created);
      await giveOwnersAnApp(service, created.workspaceId);
      return { reason: 'They called us about it' };
    case 'manageUpdateMailSettings':
      return { kind: 'statement_ready', on: false };
    case 'manageChangeEmail':
      return { email: `${newId('new')}@people.test` };
    case 'manageConfirmEmail':
      return { token: await addressLink(service, owner) };
    case 'manageUpdateMember':
      return { role: 'viewer' };
    case 'manageUpdateWorkspace':
      return { name: newId('Acme') };
    case 'manageLookUpInvitation':
      return { token: await joinToken(service) };
    case 'manageApproveMany':
    case 'manageRejectMany':
      return { ids: [(await sold(service, created)).commissionId] };
    case 'manageReviewCommissions':
      await sold(service, created);
      return { action: 'approve', filter: {}, count: 1 };
    // Bulk actions without rows: what becomes of rows would come some moments later.
    case 'manageStartReview':
      return { action: 'approve', filter: { transaction_id: 'none' }, count: 0 };
    case 'manageStartMarkingPaid':
      return { filter: { q: 'nobody' }, count: 0, totals: [] };
    case 'manageStartResending':
      return { filter: { q: 'nobody' }, count: 0 };
    case 'manageStartLinkChange':
    case 'manageStartCouponChange':
      return { active: true, filter: { q: 'nobody' }, count: 0 };
    case 'manageStartPartnerChange':
      return { status: 'active', filter: { q: 'nobody' }, count: 0 };
    case 'manageStartPayouts':
      return { count: 0, totals: [] };
    // Its only row is refused, so nobody is added some moments later.
    case 'manageStartInviting':
      await stopBulkActions(service, created);
      return { partners: [{ name: 'Nobody' }] };
    case 'manageMarkPayoutsPaid':
      await openPayout(service, created);
      return { filter: {}, count: 1 };
    case 'manageSavePostback':
      return { url: 'https://tracker.example/postback?click={click_id}&status={status}' };
    case 'manageSaveView':
      return { list: 'commissions', name: 'To approve', query: 'status=pending' };
    case 'manageMakePayoutRun':
      return { partner_ids: [await payable(service, created)] };
    case 'manageSavePayoutSettings':
      return {
        minimum_cents: { USD: 100 },
        schedule: { day: 1 },
        net_days: 0,
        two_persons: false,
        payer: { name: 'Acme', iban: 'DE89370400440532013000' },
      };
    case 'manageSettlePayoutRun':
      return { all: 'paid', reference: 'transfer-1' };
    case 'manageMakePayouts':
      await approvedSale(service, created);
      return {};
    case 'manageMarkFailed':
      return { reason: 'The account is closed' };
    case 'manageMarkPaid':
      return { reference: 'transfer-1' };
    case 'manageConnectProcessor':
      return { provider: 'stripe', webhook_secret: 'whsec_test' };
    case 'manageAddDomain':
      return { host: newHost() };
    case 'manageAddWebhook':
      return { url: 'https://acme.example/hooks/svc', types: ['sale.created', 'commission.paid'] };
    case 'manageChangeWebhook':
      return { description: newId('CRM') };
    case 'manageReplayWebhook':
      return { from: '2020-01-01', to: '2030-01-01' };
    case 'manageAddProcessorSecret':
      await connectStripe(service, created);
      return { provider: 'stripe', webhook_secret: `whsec_${newId('test')}` };
    case 'processorWebhook':
      await connectStripe(service, created);
      return new StripeEvents('2026', service.time).event('customer.created', {});
    case 'stripePlatformWebhook': {
      const account = newId('acct');
      await assignAccount(service.ctx, created.program, account, OPERATOR);
      return { ...new StripeEvents('2026', service.time).event('customer.created', {}), account };
    }
    default:
      return undefined;
  }
}

function signatureOf(service: TestService, { id }: RouteDefinition, body: object | undefined) {
  return signed(JSON.stringify(body), service.time, id === 'stripePlatformWebhook' ? PLATFORM_SECRET : undefined);
}

/** A join page with something of everything. */
export const JOIN_PAGE = {
  brand_color: '#1a7f5a',
  questions: [
    { label: 'Where will you recommend us?', kind: 'choice' as const, required: true, options: ['Blog', 'Newsletter'] },
  ],
  agreement: 'No ads on our name.',
};

/** A rule for every sale, and one for every lead. */
export const RULES = [
  {
    on: 'sale' as const,
    when: { customer: 'new' as const },
    pays: { type: 'percent' as const, rate: 25 },
    caps: { per_customer_cents: 10_000 },
  },
  {
    on: 'lead' as const,
    pays: { type: 'fixed' as const, rate: 5 },
    caps: { per_partner_month_cents: 100_000 },
    credit: { amount_cents: 500 },
  },
];

/** The id of an empty group of the program. */
export async function groupIdOf(service: TestService, { program }: TestProgram): Promise<number> {
  return (await createGroup(service.ctx, program, { name: newId('Silver'), tier: null }, OPERATOR)).id;
}

/** The number of a version of the terms that begins tomorrow. */
async function scheduledTerms(service: TestService, { program, owner }: OwnedProgram): Promise<number> {
  const since = new Date(service.time.getTime() + 86_400_000);
  const terms = { rules: RULES, since, note: undefined, backdate: false };
  return (await addTerms(service.ctx, program.id, terms, { userId: owner.userId, requestId: null })).version;
}

/** The smallest PNG file. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** The token of the join link of a program whose join page asks a question. */
async function joinToken(service: TestService): Promise<string> {
  const { program } = await service.program({ joining: 'open' });
  const questions = JOIN_PAGE.questions;
  const changed = await changeJoinPage(service.ctx, program.id, { questions }, { userId: 'nobody', requestId: null });
  return changed.program.joinToken;
}

/** A link that was mailed to the account. */
async function addressLink(service: TestService, { userId, email }: TestAccount): Promise<string> {
  const { token, hash: tokenHash } = newSecretToken('svc_mail_');
  const expiresAt = new Date(service.time.getTime() + 3_600_000);
  const link = { userId, purpose: 'verify', address: email, newAddress: null } as const;
  await insertAddressLink(service.ctx.db, { ...link, tokenHash, expiresAt }, service.time);
  return token;
}

/** An invitation that does not change the workspace of the user who accepts it. */
async function partnerInvitation(service: TestService): Promise<string> {
  const { workspaceId, partnerId } = await service.program();
  const invited = { workspaceId, partnerId, email: 'a@partner.test', openLink: true };
  return (await invitePartner(service.ctx, invited, { userId: null, requestId: null })).token;
}

export const openInvitation = (service: TestService, workspaceId: number) =>
  invite(
    service.ctx.db,
    { workspaceId, partnerId: null, role: 'member', email: 'a@people.test', invitedBy: null },
    service.ctx.now(),
  );

/** The path with ids of the program, and with a query if the route needs one. */
async function validPath(service: TestService, { id, path }: RouteDefinition, created: OwnedProgram): Promise<string> {
  const { program, partnerId } = created;
  const programId = id === 'manageDeleteProgram' ? await emptyProgram(service, created) : program.id;
  let filled = path.replace(':program_id', String(programId)).replace(':partner_id', String(partnerId));
  if (filled.includes(':joined_program_id'))
    filled = filled.replace(':joined_program_id', String(await joinedProgramOf(service, created)));
  if (filled.includes(':link_id')) filled = filled.replace(':link_id', String(await linkIdOf(service, created)));
  if (filled.includes(':group_id')) filled = filled.replace(':group_id', String(await groupIdOf(service, created)));
  if (filled.includes(':version')) filled = filled.replace(':version', String(await scheduledTerms(service, created)));
  if (filled.includes(':bulk_action_id')) {
    const bulkActionId = await bulkActionIdOf(service, created);
    if (id === 'manageBulkActionRows' || id === 'manageExportBulkActionRows')
      await addBulkRow(service, bulkActionId, created);
    filled = filled.replace(':bulk_action_id', String(bulkActionId));
  }
  if (id === 'manageBulkActions') await bulkActionIdOf(service, created);
  if (filled.includes(':import_id')) filled = filled.replace(':import_id', String(await importIdOf(service, created)));
  if (filled.includes(':coupon_id')) filled = filled.replace(':coupon_id', String(await couponIdOf(service, created)));
  if (filled.includes(':note_id')) filled = filled.replace(':note_id', String(await noteIdOf(service, created)));
  if (filled.includes(':sequence')) filled = filled.replace(':sequence', `${await sequenceOf(service, created)}`);
  if (filled.includes(':commission_id')) {
    const { commissionId } = await sold(service, created);
    if (id === 'manageRestore') {
      await reviewCommission(service.ctx, program, Number(commissionId), { action: 'reject', actor: OPERATOR });
    }
    filled = filled.replace(':commission_id', String(commissionId));
  }
  if (filled.includes(':sale_id') || filled.includes(':transaction_id')) {
    const { saleId, transactionId } = await sold(service, created);
    filled = filled.replace(':sale_id', String(saleId)).replace(':transaction_id', transactionId);
  }
  if (id === 'managePartnerByExternalId') {
    filled = filled.replace(':external_id', await externalIdOf(service, created));
  }
  filled = filled.replace(':external_id', newId('user'));
  if (filled.includes(':customer_key')) {
    filled = filled.replace(':customer_key', await customerKeyOf(service, created));
  }
  if (filled.includes(':customer_id')) {
    filled = filled.replace(':customer_id', `${await customerIdOf(service, created)}`);
  }
  if (/:webhook_id|:delivery_id/.test(filled)) {
    const webhookId = await webhookIdOf(service, created);
    filled = filled.replace(':webhook_id', String(webhookId));
    if (filled.includes('/deliveries')) {
      filled = filled.replace(':delivery_id', String(await deliveryIdOf(service, webhookId)));
    }
  }
  if (filled.includes(':domain_id')) filled = filled.replace(':domain_id', `${await domainIdOf(service, created)}`);
  if (filled.includes(':view_id')) filled = filled.replace(':view_id', `${await viewIdOf(service, created)}`);
  if (filled.includes(':run_id')) filled = filled.replace(':run_id', `${await runIdOf(service, id, created)}`);
  filled = filled.replace(':file', 'payouts.csv');
  if (id === 'managePayoutRuns') await runIdOf(service, id, created);
  if (filled.includes(':payout_id')) filled = filled.replace(':payout_id', `${await openPayout(service, created)}`);
  if (filled.includes(':user_id')) {
    filled = filled.replace(':user_id', (await memberOf(service, created.workspaceId, 'member')).userId);
  }
  if (filled.includes(':invitation_id')) {
    const { invitation } = await openInvitation(service, created.workspaceId);
    filled = filled.replace(':invitation_id', String(invitation.id));
  }
  if (filled.includes(':key_id')) {
    const { key } = await addKey(service.ctx, created.program, 'test', OPERATOR);
    filled = filled.replace(':key_id', String(key.id));
  }
  if (filled.includes(':token_id'))
    filled = filled.replace(':token_id', `${await otherTokenOf(service, created.owner)}`);
  if (filled.includes(':session_id')) {
    filled = filled.replace(':session_id', await newSession(service, created.owner.userId));
  }
  if (filled.includes(':processor_event_id')) {
    filled = filled.replace(':processor_event_id', String(await processorEventIdOf(service, created)));
  }
  if (filled.includes(':processor_secret_id')) {
    filled = filled.replace(':processor_secret_id', String(await processorSecretIdOf(service, created)));
  }
  filled = filled.replace(':provider', 'stripe');
  if (id === 'manageWebhooks') await webhookIdOf(service, created);
  if (id === 'manageDomains') await domainIdOf(service, created);
  if (id === 'manageAlerts') await failingEndpoint(service, created);
  // Until the first event of the program has its number.
  if (id === 'listEvents') return `${filled}?wait=20`;
  if (id === 'managePartnerTerms') return `${filled}?partner_id=${partnerId}`;
  if (id === 'cliAuthPoll') return `${filled}?state=${await startedLogin(service)}`;
  if (id === 'manageUnsubscribe') {
    const unwanted = { userId: created.owner.userId, kind: 'first_sale' } as const;
    return `${filled}?token=${signUnsubscription(service.ctx.linkSecret, unwanted)}`;
  }
  if (id === 'manageSearch') return `${filled}?q=user-1`;
  if (id === 'managePerformance') return `${filled}?group_by=partner`;
  if (id === 'manageBreakdown' || id === 'manageExportBreakdown') return `${filled}?by=partner`;
  return id === 'manageExplain' ? `${filled}?customer_key=user-1` : filled;
}

/** Only one bulk action of each kind can run in a program. */
const stopBulkActions = (service: TestService, { program }: Pick<TestProgram, 'program'>) =>
  service.sql(
    `update bulk_actions set status = 'stopped', finished_at = $2 where program_id = $1 and status = 'running'`,
    [program.id, service.ctx.now()],
  );

/** The id of a bulk action that is running, and not due for a long time. */
export async function bulkActionIdOf(service: TestService, { program }: TestProgram): Promise<number> {
  const now = service.ctx.now();
  await stopBulkActions(service, { program });
  const [added] = await service.sql<{ id: number }>(
    `insert into bulk_actions (program_id, kind, change, total, skipped, actor, due_at, created_at)
     values ($1, 'review_commissions', '{"action":"approve"}', 3, '{"paid":1}', '{"requestId":null,"kind":"operator"}', '9999-01-01', $2)
     returning id`,
    [program.id, now],
  );
  return added?.id as number;
}

/** A row of the bulk action, as one that invites has them. */
async function addBulkRow(service: TestService, bulkActionId: number, { partnerId }: TestProgram): Promise<void> {
  await service.sql(
    `insert into bulk_action_rows (bulk_action_id, row_number, outcome, partner_id, created_at)
     values ($1, 0, 'already_partner', $2, $3)`,
    [bulkActionId, partnerId, service.ctx.now()],
  );
}

/** The id of a new partner whom the program owes something, and who has said where to send it. */
async function payable(service: TestService, created: TestProgram): Promise<number> {
  const partner = { ...created, ...(await service.partner(created.program)) };
  await setMethod(service, (await partnerAccount(service, partner.partnerId)).userId);
  await approvedSale(service, partner);
  return partner.partnerId;
}

const APPROVED_FIRST = ['managePayoutFile', 'manageSendPayoutRun', 'manageSettlePayoutRun', 'manageReadStatusReport'];
const SENT_FIRST = ['manageSettlePayoutRun', 'manageReadStatusReport'];

/** The id of a run that the route can be called for. */
export async function runIdOf(service: TestService, routeId: string, created: TestProgram): Promise<number> {
  const partnerIds = [await payable(service, created)];
  const { ctx } = service;
  const wish = { cutoffAt: null, currency: null, partnerIds, excludedPartnerIds: [], exclusionNotes: {} };
  const { id } = await makeRun(ctx, created.program, wish, OPERATOR);
  if (APPROVED_FIRST.includes(routeId)) await approveRun(ctx, created.program, id, OPERATOR);
  if (SENT_FIRST.includes(routeId)) await sendRun(ctx, created.program, id, OPERATOR);
  return id;
}

/** A report of PayPal that all payouts of the run in the path were paid. */
async function reportFor(service: TestService, path: string): Promise<string> {
  const runId = Number(/payout-runs\/(\d+)/.exec(path)?.[1]);
  const payouts = await service.sql<{ id: number }>('select id from payouts where run_id = $1', [runId]);
  return ['Customer ID,Status', ...payouts.map(({ id }) => `P${id},Completed`), 'X1,Completed'].join('\n');
}

/** The id of a program of the same workspace that nobody takes part in. */
async function emptyProgram(service: TestService, { workspaceId }: TestProgram): Promise<number> {
  const created = await createProgram(
    { ...service.ctx, maxPrograms: 1_000 },
    { workspaceId, name: 'Empty', domain: 'empty.test' },
    OPERATOR,
  );
  return created.program.id;
}

/** The id of a coupon of the program's partner. */
/** The id of an import of the program that has rows of everything, of a source of its own. */
export async function importIdOf(service: TestService, { program }: TestProgram): Promise<number> {
  const request = { source: newId('tool').slice(0, 32), rows: [fullRow()], payApproved: false, dryRun: false };
  const { import: imported } = await importRows(service.ctx, program, request, OPERATOR);
  return imported?.id as number;
}

/** A row of an import with one of everything. */
function fullRow(): object {
  return {
    partner: { email: `${newId('joan')}@partner.test`, name: 'Joan' },
    links: [{ parameter: 'via', code: newId('code') }],
    coupons: [newId('code')],
    customers: [{ external_id: newId('user') }],
    balances: [{ currency: 'USD', pending_cents: 1, approved_cents: 2, paid_cents: 3 }],
  };
}

export function couponIdOf(service: TestService, { program, partnerId }: TestProgram): Promise<number> {
  return addCoupon(service.ctx, program, { code: newId('code'), partnerId }, OPERATOR);
}

/** The number of an event of the program, once it has one. */
async function sequenceOf(service: TestService, { program }: TestProgram): Promise<number> {
  const numbered = async () => {
    const [row] = await service.sql<{ first: number | null }>(
      'select min(sequence) as first from feed_events where program_id = $1',
      [program.id],
    );
    return row?.first ?? 0;
  };
  return eventually(numbered, (sequence) => sequence > 0);
}

/** The id of a note about the program's partner. */
export async function noteIdOf(service: TestService, { program, partnerId, owner }: OwnedProgram): Promise<number> {
  const note = { programId: program.id, partnerId, text: 'Met at the fair' };
  const about = { workspaceId: program.workspaceId, name: 'Jane', actor: OPERATOR };
  return (await addNote(service.ctx, note, about, owner.userId)).id;
}

/** The id of another token of the account. */
async function otherTokenOf(service: TestService, { userId }: TestAccount): Promise<number> {
  await newToken(service, userId);
  const [row] = await service.sql<{ id: number }>('select max(id) as id from account_tokens where user_id = $1', [
    userId,
  ]);
  return row?.id ?? 0;
}

/** The id of a session of the account. */
export async function newSession(service: TestService, userId: string): Promise<string> {
  const id = newId('session');
  await service.sql(
    `insert into sessions (id, token, user_id, expires_at) values ($1, $1, $2, now() + interval '1 day')`,
    [id, userId],
  );
  return id;
}

/** Gives the account a passkey, which nobody can use. */
export async function newPasskey(service: TestService, userId: string): Promise<void> {
  const id = newId('passkey');
  await service.sql(
    `insert into passkeys (id, user_id, name, public_key, credential_id, counter, device_type, backed_up, created_at)
     values ($1, $2, 'Laptop', 'none', $1, 0, 'singleDevice', false, now())`,
    [id, userId],
  );
}

/** The id of a customer who clicked the link of the program's partner. */
export async function customerIdOf(service: TestService, { link }: TestProgram): Promise<number> {
  return Number((await service.clickId(link)).split('_')[1]);
}

/** The brand's own id of the program's partner. */
async function externalIdOf(service: TestService, { program, partnerId }: TestProgram): Promise<string> {
  const externalId = newId('user');
  await updateExternalId(service.ctx.db, program.id, partnerId, externalId);
  return externalId;
}

/** The key of a customer of the program who has signed up. */
export async function customerKeyOf(service: TestService, created: TestProgram): Promise<string> {
  const key = newId('user');
  await service.customer(created, key);
  return key;
}

async function approvedSale(service: TestService, created: TestProgram): Promise<void> {
  const { commissionId } = await sold(service, created);
  await reviewCommission(service.ctx, created.program, Number(commissionId), { action: 'approve', actor: OPERATOR });
}

/** The id of an open payout to the program's partner. */
export async function openPayout(service: TestService, created: TestProgram): Promise<number> {
  await approvedSale(service, created);
  const { payouts } = await createPayouts(
    service.ctx,
    created.program,
    { partnerId: created.partnerId },
    { actor: OPERATOR },
  );
  return payouts[0]?.id ?? 0;
}

/** The id of the link of the program's partner. */
export async function linkIdOf(service: TestService, { link }: TestProgram): Promise<number> {
  const [row] = await service.sql<{ id: number }>('select id from links where short_link = $1', [link]);
  return row?.id ?? 0;
}

/** The id of another program of the workspace. Its partner is the owner, and has a postback that was called. */
export async function joinedProgramOf(service: TestService, { workspaceId, owner }: OwnedProgram): Promise<number> {
  const [known] = await service.sql<{ programId: number; partnerId: number }>(
    `select m.program_id as "programId", m.partner_id as "partnerId" from partners p
     join memberships m on m.partner_id = p.id where p.user_id = $1 and p.advertiser_id = $2`,
    [owner.userId, workspaceId],
  );
  const { programId, partnerId } = known ?? (await newlyJoined(service, workspaceId));
  await updatePartnerUser(service.ctx.db, partnerId, owner.userId, service.ctx.now());
  const of = { programId, partnerId, userId: owner.userId };
  const url = 'https://tracker.invalid/postback?click={click_id}';
  const postback = { method: 'GET', url, status: 'disabled' } as const;
  await upsertPostback(service.ctx.db, of, postback, service.ctx.now());
  const [{ id: postbackId }] = (await service.sql('select id from postbacks where program_id = $1', [programId])) as [
    { id: number },
  ];
  const call = { postbackId, event: 'created', values: SAMPLE_POSTBACK, customerId: null } as const;
  await insertCalls(service.ctx.db, [call], service.ctx.now());
  return programId;
}

async function newlyJoined(service: TestService, workspaceId: number) {
  const { program, partnerId } = await service.program({ workspaceId });
  return { programId: program.id, partnerId };
}

/** The id of a view that the program's owner saved. */
export async function viewIdOf(service: TestService, { program, owner }: OwnedProgram): Promise<number> {
  const view = { list: 'sales', name: 'All', query: '' } as const;
  const by = { workspaceId: program.workspaceId, actor: OPERATOR };
  return (await addView(service.ctx, { programId: program.id, userId: owner.userId }, view, by)).id;
}

/** The id of an endpoint of the program. Its address is forbidden, and it gets nothing but what it is asked to. */
/** The id of a pending host of the program whose record is set. There is room for the next one. */
export async function domainIdOf(service: TestService, { program }: TestProgram): Promise<number> {
  const host = newHost();
  await service.sql('delete from link_domains where program_id = $1', [program.id]);
  const domain = (await insertDomain(service.ctx.db, { programId: program.id, host }, MAX_DOMAINS, service.time))!;
  await setRecord(service, { program }, host);
  return domain.id;
}

async function webhookIdOf(service: TestService, { program }: TestProgram): Promise<number> {
  const endpoint = {
    url: 'https://127.0.0.1/hook',
    types: ['alert.opened' as const],
    description: null,
    format: 'json' as const,
  };
  const secretSealed = service.ctx.encryption.seal('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
  const max = Number.MAX_SAFE_INTEGER;
  return (await insertEndpoint(service.ctx.db, program.id, { ...endpoint, secretSealed }, max, service.time)) ?? 0;
}

/** An alert about an endpoint of the program. */
async function failingEndpoint(service: TestService, { program }: TestProgram): Promise<void> {
  const trouble = {
    programId: program.id,
    kind: 'webhook_failing',
    subjectId: '1',
    subjectName: 'acme.example',
  } as const;
  await insertAlert(service.ctx.db, trouble, service.time);
}

/** The id of a delivery to the endpoint. */
function deliveryIdOf(service: TestService, webhookId: number): Promise<number> {
  const test = { eventId: randomUUID(), body: { id: 'evt_0' }, type: 'webhook.test' };
  return insertTestDelivery(service.ctx.db, webhookId, test, service.time);
}

/** The id of an event that the payment processor has sent to the program. */
export async function processorEventIdOf(service: TestService, made: TestProgram): Promise<number> {
  await connectStripe(service, made);
  const event = new StripeEvents('2026', service.time).event('customer.created', {});
  await deliver(service, made.program.id, event);
  const [row] = await service.sql<{ id: number }>('select id from processor_events where event_id = $1', [event.id]);
  return row?.id ?? 0;
}

/** The id of one of two signing secrets of the program. */
export async function processorSecretIdOf(service: TestService, made: TestProgram): Promise<number> {
  await connectStripe(service, made);
  await addSecret(service.ctx, made.program, 'stripe', { value: `whsec_${newId('second')}` }, OPERATOR);
  const [row] = await service.sql<{ id: number }>('select max(id) as id from processor_secrets where program_id = $1', [
    made.program.id,
  ]);
  return row?.id ?? 0;
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
