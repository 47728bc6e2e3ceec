import { type RouteDefinition, routes } from '@svc/contract';
import type { OwnedProgram } from '@svc/testkit/service/accounts.ts';
import { filledProgram } from '@svc/testkit/service/filled-program.ts';
import {
  closed,
  inlinedOpenApi,
  type OpenApi,
  type Operation,
  replySchema,
  type Schema,
} from '@svc/testkit/service/routes/openapi.ts';
import { isPrivate, PRIVATE } from '@svc/testkit/service/routes/private-answers.ts';
import { useSharedRequests } from '@svc/testkit/service/routes/shared-requests.ts';
import { validRequest } from '@svc/testkit/service/routes/valid-request.ts';
import { type Answer, useService } from '@svc/testkit/service/service.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

// Runs every statement of every route on both stores and checks that the replies have the types of the contract.
// Nothing listens on this port: the mail waits in the queue.
const service = useService({ SVC_SMTP_URL: 'smtp://127.0.0.1:9', SVC_MAIL_FROM: 'partners@mail.test' });
let filled: OwnedProgram;
let document: OpenApi;

beforeAll(async () => {
  filled = await filledProgram(service);
  document = await inlinedOpenApi(service);
});

/** The reply's schema in the API description. */
function schemaOf({ method, path }: RouteDefinition, status: number): Schema {
  const operation = document.paths[path.replace(/:([a-z_]+)/g, '{$1}')]?.[method.toLowerCase()];
  return replySchema(operation as Operation, status);
}

/** The length of every list in the value, the longest where a path occurs more than once. */
function listsIn(value: unknown, path = 'body', found = new Map<string, number>()): Map<string, number> {
  if (Array.isArray(value)) {
    found.set(path, Math.max(value.length, found.get(path) ?? 0));
    for (const row of value) listsIn(row, `${path}[]`, found);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) listsIn(inner, `${path}.${name}`, found);
  }
  return found;
}

/** These change nothing that another route shows, so they can share the program that has something of everything. */
const HARMLESS = [
  'manageUpdateMe',
  'manageUpdateProgram',
  'manageUpdateJoinPage',
  'manageSetLogo',
  'manageRemoveLogo',
  'manageRenewJoinLink',
  'manageInvitePartner',
  'manageSimulateTerms',
];

/** Lists that are empty after a success. */
const LEFT_EMPTY: Record<string, string[]> = {
  // Terms that pay no more than a sale brings. The tests of rules have others.
  manageTerms: ['body.data[].warnings'],
  manageAddTerms: ['body.data.warnings'],
  manageSimulateTerms: ['body.data.warnings'],
  // The job has not sorted the sales of the program yet. The tests of cohorts have some.
  manageCohorts: ['body.data.earlier.money', 'body.data.cohorts[].months[].money'],
  // The partner is still where they began.
  managePartnerTerms: ['body.data.moves'],
  // The join page asked nothing before.
  manageAudit: ['body.data[].before.questions'],
  // A connection that is new, or has just sent its first event. The tests of seen events have more.
  manageProcessor: ['body.data.missing_events'],
  manageConnectProcessor: ['body.data.events_seen', 'body.data.missing_events'],
  manageAddProcessorSecret: ['body.data.events_seen', 'body.data.missing_events'],
  manageRemoveProcessorSecret: ['body.data.events_seen', 'body.data.missing_events'],
  manageDisconnectProcessor: ['body.data.secrets', 'body.data.events_seen', 'body.data.missing_events'],
  // A visitor, and an owner who signed in with a token. The tests of exports have more.
  manageExportCustomer: [
    'body.data.decisions',
    'body.data.sales',
    'body.data.refunds',
    'body.data.credits',
    'body.data.visits',
    'body.data.processor_identities',
    'body.data.processor_events',
  ],
  manageExportMe: [
    'body.data.invitations',
    'body.data.payouts',
    'body.data.imports',
    'body.data.activity[].before.questions',
    'body.data.sign_ins',
    'body.data.known_devices',
    'body.data.payout_methods',
    'body.data.opening_balances',
    'body.data.unwanted_mail',
  ],
  // Partners joined before anybody added an endpoint.
  manageFeedEvent: ['body.data.deliveries'],
  manageReviewCommissions: ['body.data.skipped'],
  manageMarkPayoutsPaid: ['body.data.skipped'],
  manageStartReview: ['body.data.skipped'],
  manageStartMarkingPaid: ['body.data.skipped'],
  manageStartPayouts: ['body.data.skipped'],
  manageStartPartnerChange: ['body.data.skipped'],
  manageStartInviting: ['body.data.skipped'],
  manageStartResending: ['body.data.skipped'],
  manageStartLinkChange: ['body.data.skipped'],
  manageStartCouponChange: ['body.data.skipped'],
  manageStartMessage: ['body.data.skipped'],
  // Everybody can be paid, and under their own names. The tests of runs have others.
  manageMakePayoutRun: [
    'body.data.left_out',
    'body.data.files',
    'body.data.request.excluded_partner_ids',
    'body.data.spellings',
  ],
  managePayoutRun: [
    'body.data.left_out',
    'body.data.files',
    'body.data.request.excluded_partner_ids',
    'body.data.spellings',
  ],
  manageApprovePayoutRun: ['body.data.left_out', 'body.data.request.excluded_partner_ids', 'body.data.spellings'],
  manageCancelPayoutRun: [
    'body.data.left_out',
    'body.data.files',
    'body.data.request.excluded_partner_ids',
    'body.data.spellings',
  ],
  manageSendPayoutRun: ['body.data.left_out', 'body.data.request.excluded_partner_ids', 'body.data.spellings'],
  manageSettlePayoutRun: ['body.data.left_out', 'body.data.request.excluded_partner_ids', 'body.data.spellings'],
  manageReadStatusReport: ['body.data.problems'],
  // Nothing is wrong with the row, and nothing has happened to an import that was not undone, or was undone at once.
  manageImport: ['body.data.rows[].messages'],
  manageImportDetails: ['body.data.kept'],
  manageUndoImport: ['body.data.kept'],
};

const otherRequestOf = useSharedRequests(service);
const requestOf = (route: RouteDefinition) =>
  route.method === 'GET' || HARMLESS.includes(route.id) ? validRequest(service, route, filled) : otherRequestOf(route);

function expectHeaders(route: RouteDefinition, { headers }: Answer): void {
  // Files that never change are kept by the browser of those who may see them. The tests of creatives look at their headers.
  if (isPrivate(route) && route.id !== 'manageCreativeFile') expect(headers).toMatchObject(PRIVATE);
  if (!route.withoutRequestId) expect(headers['x-request-id']).toBe('mine');
}

describe.each(routes.filter(({ replyType }) => !replyType))('$method $path', (route) => {
  it('answers its valid request with the status and schema of the API description', async () => {
    const { send, status } = await requestOf(route);
    const answer = await send({ headers: { 'x-request-id': 'mine' } });
    expect(answer.status).toBe(status);
    expectHeaders(route, answer);
    const schema = closed(schemaOf(route, status));
    expect(z.fromJSONSchema(schema).safeParse(answer.body).error?.issues ?? []).toEqual([]);
    const empty = [...listsIn(answer.body)].filter(([, length]) => length === 0);
    expect(empty.map(([path]) => path)).toEqual(LEFT_EMPTY[route.id] ?? []);
  });
});

it.each(routes.filter(({ replyType }) => replyType))('$method $path: returns a row for what exists', async (route) => {
  const answer = await (await requestOf(route)).send({ headers: { 'x-request-id': 'mine' } });
  const type = route.replyType?.startsWith('text/') ? `${route.replyType}; charset=utf-8` : route.replyType;
  expect([answer.status, answer.headers['content-type']]).toEqual([200, type]);
  expectHeaders(route, answer);
  expect(answer.text.trim().split('\n').length).toBeGreaterThan(1);
});
