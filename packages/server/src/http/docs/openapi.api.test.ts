import { type RouteDefinition, routes } from '@svc/contract';
import { inlinedOpenApi, type Operation, requestSchema } from '@svc/testkit/service/routes/openapi.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

async function operationOf(method: string, path: string): Promise<Operation> {
  return (await inlinedOpenApi(service)).paths[path]?.[method] as Operation;
}

const KEY = [{ programKey: [] }];
const ACCOUNT_TOKEN = [{ accountToken: [] }];
const ACCOUNT = [{ accountToken: [] }, { session: [] }];
const inDocument = ({ path }: RouteDefinition) => path.replace(/:([a-z_]+)/g, '{$1}');
const nameOf = (parameter: { name: string }) => parameter.name;

/** The CLI routes of the specification: method, path, auth, request fields, required ones, statuses besides 200. */
const cliRoutes: [string, string, object[], string[], string[], string[]][] = [
  ['post', '/api/v1/cli/auth/start', [], ['device_name'], [], []],
  ['post', '/api/v1/cli/auth/callback', [], ['state', 'id_token'], ['state', 'id_token'], ['400', '401', '403', '404']],
  ['get', '/api/v1/cli/auth/poll', [], ['state'], [], ['400', '403', '404']],
  [
    'post',
    '/api/v1/cli/init',
    ACCOUNT_TOKEN,
    ['name', 'domain', 'commission_type', 'commission_rate', 'advertiser_id'],
    ['name', 'domain', 'commission_type', 'commission_rate'],
    ['400', '401', '403'],
  ],
  ['get', '/api/v1/cli/programs', ACCOUNT_TOKEN, [], [], ['401']],
  ['get', '/api/v1/cli/status', KEY, [], [], ['401']],
  ['post', '/api/v1/cli/test-event', KEY, ['event_type', 'type'], [], ['400', '401']],
  ['post', '/api/v1/cli/stripe-connect', [], [], [], ['410']],
];

/** The management API: method, path, statuses besides the success. */
const PROGRAM = '/api/v1/manage/programs/{program_id}';
const POSTBACK = '/api/v1/manage/me/programs/{joined_program_id}/postback';
const managementRoutes: [string, string, string[]][] = [
  ['get', '/api/v1/manage/me', ['401']],
  ['get', '/api/v1/manage/me/applications', ['401']],
  ['get', '/api/v1/manage/me/export', ['401']],
  ['get', '/api/v1/manage/me/mail', ['401']],
  ['patch', '/api/v1/manage/me/mail', ['400', '401']],
  ['post', '/api/v1/manage/me/email', ['400', '401', '409']],
  ['post', '/api/v1/manage/me/email/confirm', ['400', '401', '404', '409']],
  ['post', '/api/v1/manage/me/email/verification', ['401', '409']],
  ['get', '/api/v1/manage/me/payout-method', ['401']],
  ['put', '/api/v1/manage/me/payout-method', ['400', '401', '403']],
  ['delete', '/api/v1/manage/me/payout-method', ['401', '403']],
  ['get', POSTBACK, ['401', '404']],
  ['put', POSTBACK, ['400', '401', '404']],
  ['delete', POSTBACK, ['401', '404']],
  ['get', `${POSTBACK}/calls`, ['401', '404']],
  ['post', `${POSTBACK}/test`, ['401', '404']],
  ['post', '/api/v1/manage/logout', ['401']],
  ['get', '/api/v1/manage/second-factors', ['401']],
  ['get', '/api/v1/manage/sessions', ['401']],
  ['delete', '/api/v1/manage/sessions', ['401']],
  ['delete', '/api/v1/manage/sessions/{session_id}', ['401', '404']],
  ['get', '/api/v1/manage/workspace', ['401', '403']],
  ['patch', '/api/v1/manage/workspace', ['400', '401', '403', '409']],
  ['get', '/api/v1/manage/tokens', ['401']],
  ['delete', '/api/v1/manage/tokens/{token_id}', ['401', '404']],
  ['get', '/api/v1/manage/programs', ['401']],
  ['post', '/api/v1/manage/programs', ['400', '401', '403', '409']],
  ['patch', '/api/v1/manage/me', ['400', '401', '403']],
  ['patch', '/api/v1/manage/members/{user_id}', ['400', '401', '403', '404', '409']],
  ['delete', '/api/v1/manage/members/{user_id}', ['401', '403', '404', '409']],
  ['get', '/api/v1/manage/invitations', ['401', '403']],
  ['post', '/api/v1/manage/invitations/{invitation_id}/re-issue', ['401', '403', '404']],
  ['post', '/api/v1/manage/invitations/{invitation_id}/revoke', ['401', '403', '404']],
  ['delete', PROGRAM, ['401', '403', '404', '409', '412']],
  ['put', `${PROGRAM}/status`, ['400', '401', '403', '404']],
  ['get', `${PROGRAM}/join-page`, ['401', '404']],
  ['patch', `${PROGRAM}/join-page`, ['400', '401', '404']],
  ['put', `${PROGRAM}/logo`, ['400', '401', '404']],
  ['delete', `${PROGRAM}/logo`, ['401', '404']],
  ['get', `${PROGRAM}/terms`, ['400', '401', '404']],
  ['get', `${PROGRAM}/partner-terms`, ['400', '401', '404']],
  ['post', `${PROGRAM}/terms`, ['400', '401', '404', '409', '413']],
  ['post', `${PROGRAM}/terms/simulate`, ['400', '401', '404', '413']],
  ['delete', `${PROGRAM}/terms/versions/{version}`, ['401', '404', '409']],
  ['get', `${PROGRAM}/groups`, ['401', '404']],
  ['post', `${PROGRAM}/groups`, ['400', '401', '404', '409']],
  ['patch', `${PROGRAM}/groups/{group_id}`, ['400', '401', '404', '409']],
  ['delete', `${PROGRAM}/groups/{group_id}`, ['401', '404', '409']],
  ['get', `${PROGRAM}/readiness`, ['401', '404']],
  ['get', `${PROGRAM}/refused-calls`, ['401', '404']],
  ['post', `${PROGRAM}/test-chain`, ['401', '404', '429']],
  ['get', `${PROGRAM}/setup`, ['401', '404']],
  ['put', `${PROGRAM}/test-link`, ['401', '404']],
  ['post', `${PROGRAM}/partners/{partner_id}/invitation`, ['400', '401', '403', '404', '409']],
  ['delete', `${PROGRAM}/partners/{partner_id}/invitation`, ['401', '404']],
  ['get', `${PROGRAM}/customers/{customer_id}`, ['401', '404']],
  ['get', `${PROGRAM}/customers/{customer_id}/export`, ['401', '403', '404']],
  ['post', `${PROGRAM}/customers/{customer_id}/erase`, ['400', '401', '403', '404']],
  ['post', `${PROGRAM}/commissions/approve`, ['400', '401', '404']],
  ['post', `${PROGRAM}/commissions/reject`, ['400', '401', '404']],
  ['post', `${PROGRAM}/commissions/review`, ['400', '401', '404', '409']],
  ['post', `${PROGRAM}/commissions/{commission_id}/restore`, ['400', '401', '404']],
  ['get', `${PROGRAM}/balances`, ['400', '401', '404']],
  ['get', `${PROGRAM}/earnings`, ['400', '401', '404']],
  ['get', `${PROGRAM}/upcoming`, ['400', '401', '404']],
  ['post', `${PROGRAM}/questions`, ['400', '401', '404', '429']],
  ['get', `${PROGRAM}/payouts`, ['400', '401', '404']],
  ['post', `${PROGRAM}/payouts`, ['400', '401', '403', '404', '409']],
  ['post', `${PROGRAM}/bulk/payouts/mark-paid`, ['400', '401', '404', '409']],
  ['get', `${PROGRAM}/payouts/{payout_id}`, ['400', '401', '404']],
  ['get', `${PROGRAM}/payouts/{payout_id}/statement.pdf`, ['401', '404']],
  ['post', `${PROGRAM}/payouts/{payout_id}/mark-paid`, ['400', '401', '404', '409']],
  ['post', `${PROGRAM}/payouts/{payout_id}/mark-failed`, ['400', '401', '404', '409']],
  ['post', `${PROGRAM}/payouts/{payout_id}/cancel`, ['401', '404', '409']],
  ['get', `${PROGRAM}/payout-settings`, ['401', '403', '404']],
  ['put', `${PROGRAM}/payout-settings`, ['400', '401', '403', '404']],
  ['get', `${PROGRAM}/payout-runs`, ['400', '401', '404']],
  ['post', `${PROGRAM}/payout-runs`, ['400', '401', '403', '404', '409', '413']],
  ['get', `${PROGRAM}/payout-runs/{run_id}`, ['401', '404']],
  ['post', `${PROGRAM}/payout-runs/{run_id}/approve`, ['401', '403', '404', '409']],
  ['post', `${PROGRAM}/payout-runs/{run_id}/cancel`, ['401', '403', '404', '409']],
  ['post', `${PROGRAM}/payout-runs/{run_id}/mark-sent`, ['401', '403', '404', '409']],
  ['post', `${PROGRAM}/payout-runs/{run_id}/settle`, ['400', '401', '403', '404', '409', '413']],
  ['post', `${PROGRAM}/payout-runs/{run_id}/status-report`, ['400', '401', '403', '404', '409', '413', '415']],
  ['get', `${PROGRAM}/payout-runs/{run_id}/files/{file}`, ['400', '401', '403', '404']],
  ['get', `${PROGRAM}/export/sales.csv`, ['400', '401', '403', '404']],
  ['get', `${PROGRAM}/export/commissions.csv`, ['400', '401', '404']],
  ['get', `${PROGRAM}/export/customers.csv`, ['400', '401', '404']],
  ['get', `${PROGRAM}/export/payouts.csv`, ['400', '401', '404']],
  ['get', `${PROGRAM}/search`, ['400', '401', '404']],
  ['post', `${PROGRAM}/partners/{partner_id}/view`, ['401', '403', '404']],
  ['get', '/api/v1/manage/workspace/overview', ['401', '403']],
  ['get', `${PROGRAM}/export/partners.csv`, ['400', '401', '404']],
  ['get', `${PROGRAM}/export/links.csv`, ['400', '401', '404']],
  ['get', `${PROGRAM}/export/coupons.csv`, ['400', '401', '404']],
  ['get', `${PROGRAM}/books`, ['400', '401', '404']],
  ['get', `${PROGRAM}/export/books.beancount`, ['401', '404']],
  ['get', `${PROGRAM}/export/books.journal`, ['401', '404']],
  ['get', `${PROGRAM}/alerts`, ['401', '404']],
  ['get', `${PROGRAM}/feed-events`, ['400', '401', '404']],
  ['get', `${PROGRAM}/feed-events/{sequence}`, ['401', '404']],
  ['get', `${PROGRAM}/domains`, ['401', '404']],
  ['post', `${PROGRAM}/domains`, ['400', '401', '403', '404', '409']],
  ['delete', `${PROGRAM}/domains/{domain_id}`, ['401', '403', '404']],
  ['post', `${PROGRAM}/domains/{domain_id}/verify`, ['401', '403', '404', '409']],
  ['get', `${PROGRAM}/webhooks`, ['401', '404']],
  ['post', `${PROGRAM}/webhooks`, ['400', '401', '403', '404', '409']],
  ['get', `${PROGRAM}/webhooks/{webhook_id}`, ['401', '404']],
  ['patch', `${PROGRAM}/webhooks/{webhook_id}`, ['400', '401', '403', '404', '412']],
  ['delete', `${PROGRAM}/webhooks/{webhook_id}`, ['401', '403', '404', '412']],
  ['post', `${PROGRAM}/webhooks/{webhook_id}/rotate-secret`, ['401', '403', '404']],
  ['post', `${PROGRAM}/webhooks/{webhook_id}/test`, ['401', '403', '404']],
  ['get', `${PROGRAM}/webhooks/{webhook_id}/deliveries`, ['400', '401', '404']],
  ['get', `${PROGRAM}/webhooks/{webhook_id}/deliveries/{delivery_id}`, ['401', '404']],
  ['get', `${PROGRAM}/webhooks/{webhook_id}/missed`, ['401', '404']],
  ['post', `${PROGRAM}/deliveries/{delivery_id}/resend`, ['401', '403', '404']],
  ['post', `${PROGRAM}/webhooks/{webhook_id}/replay`, ['400', '401', '403', '404']],
  ['get', `${PROGRAM}/bulk-actions`, ['400', '401', '404']],
  ['post', `${PROGRAM}/bulk-actions/change-coupons`, ['400', '401', '404', '409']],
  ['post', `${PROGRAM}/bulk-actions/change-links`, ['400', '401', '404', '409']],
  ['post', `${PROGRAM}/bulk-actions/change-partners`, ['400', '401', '404', '409']],
  ['post', `${PROGRAM}/bulk-actions/create-payouts`, ['400', '401', '404', '409']],
  ['post', `${PROGRAM}/bulk-actions/invite-partners`, ['400', '401', '404', '409']],
  ['post', `${PROGRAM}/bulk-actions/mark-payouts-paid`, ['400', '401', '404', '409']],
  ['post', `${PROGRAM}/bulk-actions/resend-invitations`, ['400', '401', '404', '409']],
  ['post', `${PROGRAM}/bulk-actions/review-commissions`, ['400', '401', '404', '409']],
  ['get', `${PROGRAM}/bulk-actions/{bulk_action_id}/rows`, ['400', '401', '404']],
  ['get', `${PROGRAM}/bulk-actions/{bulk_action_id}/rows.csv`, ['400', '401', '404']],
  ['post', `${PROGRAM}/bulk-actions/{bulk_action_id}/stop`, ['401', '404']],
  ['get', `${PROGRAM}/views`, ['401', '404']],
  ['post', `${PROGRAM}/views`, ['400', '401', '404', '409']],
  ['delete', `${PROGRAM}/views/{view_id}`, ['401', '404']],
  ['get', '/api/v1/manage/members', ['401', '403']],
  ['get', '/api/v1/manage/audit', ['400', '401', '403']],
  ['get', '/api/v1/manage/export/audit.csv', ['400', '401', '403']],
  ['post', '/api/v1/manage/invitations', ['400', '401', '403']],
  ['post', '/api/v1/manage/invitations/accept', ['400', '401', '403', '404', '409']],
  ['get', PROGRAM, ['401', '404']],
  ['patch', PROGRAM, ['400', '401', '403', '404', '409', '412']],
  ['post', `${PROGRAM}/join-link`, ['401', '404']],
  ['post', `${PROGRAM}/api-key/regenerate`, ['401', '403', '404']],
  ['post', `${PROGRAM}/api-key/require-rotation`, ['400', '401', '403', '404']],
  ['post', '/api/v1/manage/tokens', ['400', '401', '403', '409']],
  ['get', `${PROGRAM}/api-keys`, ['401', '404']],
  ['post', `${PROGRAM}/api-keys`, ['400', '401', '403', '404', '409']],
  ['delete', `${PROGRAM}/api-keys/{key_id}`, ['401', '403', '404', '409']],
  ['get', `${PROGRAM}/partners`, ['400', '401', '404']],
  ['post', `${PROGRAM}/partners`, ['400', '401', '404']],
  ['get', `${PROGRAM}/partners/{partner_id}`, ['401', '404']],
  ['patch', `${PROGRAM}/partners/{partner_id}`, ['400', '401', '404', '409', '412']],
  ['get', `${PROGRAM}/partners/by-external-id/{external_id}`, ['400', '401', '404']],
  ['put', `${PROGRAM}/partners/by-external-id/{external_id}`, ['400', '401', '404', '409', '412']],
  ['post', `${PROGRAM}/bulk/partners/invite`, ['400', '401', '404']],
  ['post', `${PROGRAM}/adjustments`, ['400', '401', '404']],
  ['get', `${PROGRAM}/imports`, ['400', '401', '404']],
  ['post', `${PROGRAM}/imports`, ['400', '401', '404', '409']],
  ['get', `${PROGRAM}/imports/{import_id}`, ['401', '404']],
  ['post', `${PROGRAM}/imports/{import_id}/undo`, ['401', '404']],
  ['get', `${PROGRAM}/opening-balances`, ['400', '401', '404']],
  ['get', `${PROGRAM}/coupons`, ['400', '401', '404']],
  ['post', `${PROGRAM}/coupons`, ['400', '401', '404', '409']],
  ['get', `${PROGRAM}/messages`, ['400', '401', '404']],
  ['get', `${PROGRAM}/messages/{message_id}/recipients`, ['400', '401', '404']],
  ['post', `${PROGRAM}/messages/test`, ['400', '401', '403', '404', '409', '429']],
  ['post', `${PROGRAM}/bulk-actions/message-partners`, ['400', '401', '403', '404', '409']],
  ['get', `${PROGRAM}/mail-openings`, ['401', '404']],
  ['patch', `${PROGRAM}/mail-openings`, ['400', '401', '404']],
  ['post', `${PROGRAM}/mail-openings/preview`, ['400', '401', '404']],
  ['post', `${PROGRAM}/mail-openings/test`, ['400', '401', '403', '404', '409', '429']],
  ['get', `${PROGRAM}/creatives`, ['401', '404']],
  ['post', `${PROGRAM}/creatives`, ['400', '401', '404', '409', '413']],
  ['patch', `${PROGRAM}/creatives/{creative_id}`, ['400', '401', '404']],
  ['delete', `${PROGRAM}/creatives/{creative_id}`, ['401', '404']],
  ['put', `${PROGRAM}/creative-order`, ['400', '401', '404', '409']],
  ['get', `${PROGRAM}/creatives/{creative_id}/file`, ['401', '404']],
  ['get', `${PROGRAM}/coupons/{coupon_id}`, ['401', '404']],
  ['patch', `${PROGRAM}/coupons/{coupon_id}`, ['400', '401', '404', '412']],
  ['post', `${PROGRAM}/customers/{customer_id}/assign`, ['400', '401', '404', '409']],
  ['post', `${PROGRAM}/partners/{partner_id}/payout-method/lift`, ['400', '401', '403', '404', '409']],
  ['get', `${PROGRAM}/partners/{partner_id}/notes`, ['401', '404']],
  ['post', `${PROGRAM}/partners/{partner_id}/notes`, ['400', '401', '404', '409']],
  ['delete', `${PROGRAM}/partners/{partner_id}/notes/{note_id}`, ['401', '404']],
  ['get', `${PROGRAM}/partners/{partner_id}/history`, ['401', '404']],
  ['get', `${PROGRAM}/links`, ['400', '401', '404']],
  ['post', `${PROGRAM}/links`, ['400', '401', '404', '409']],
  ['get', `${PROGRAM}/links/{link_id}`, ['401', '404']],
  ['patch', `${PROGRAM}/links/{link_id}`, ['400', '401', '404', '412']],
  ['delete', `${PROGRAM}/links/{link_id}`, ['401', '404', '412']],
  ['get', `${PROGRAM}/events`, ['400', '401', '404']],
  ['get', `${PROGRAM}/customers`, ['400', '401', '404']],
  ['get', `${PROGRAM}/sales`, ['400', '401', '404']],
  ['get', `${PROGRAM}/sales/{sale_id}`, ['401', '404']],
  ['get', `${PROGRAM}/sales/by-transaction-id/{transaction_id}`, ['401', '404']],
  ['get', `${PROGRAM}/commissions/{commission_id}`, ['401', '404']],
  ['get', `${PROGRAM}/customers/by-customer-key/{customer_key}`, ['401', '404']],
  ['get', `${PROGRAM}/commissions`, ['400', '401', '404']],
  ['post', `${PROGRAM}/commissions/{commission_id}/approve`, ['400', '401', '404']],
  ['post', `${PROGRAM}/commissions/{commission_id}/reject`, ['400', '401', '404']],
  ['get', `${PROGRAM}/performance`, ['400', '401', '404']],
  ['get', `${PROGRAM}/breakdown`, ['400', '401', '404']],
  ['get', `${PROGRAM}/click-ages`, ['400', '401', '404']],
  ['get', `${PROGRAM}/cohorts`, ['400', '401', '404']],
  ['get', `${PROGRAM}/export/cohorts.csv`, ['400', '401', '404']],
  ['get', `${PROGRAM}/export/performance.csv`, ['400', '401', '404']],
  ['get', `${PROGRAM}/export/breakdown.csv`, ['400', '401', '404']],
  ['get', `${PROGRAM}/explain`, ['400', '401', '404']],
  ['get', `${PROGRAM}/processor`, ['400', '401', '403', '404']],
  ['put', `${PROGRAM}/processor`, ['400', '401', '403', '404', '409']],
  ['delete', `${PROGRAM}/processor`, ['400', '401', '403', '404']],
  ['post', `${PROGRAM}/processor/secrets`, ['400', '401', '403', '404', '409']],
  ['delete', `${PROGRAM}/processor/secrets/{processor_secret_id}`, ['401', '403', '404', '409']],
  ['get', `${PROGRAM}/processor/events`, ['400', '401', '403', '404']],
  ['post', `${PROGRAM}/processor/events/{processor_event_id}/replay`, ['400', '401', '403', '404']],
];

const UNSUBSCRIBE = ['post', '/api/v1/manage/mail/unsubscribe'] as const;
const LOOK_UP = ['post', '/api/v1/manage/invitations/look-up'] as const;

describe('/openapi.json', () => {
  it('describes the routes of the CLI and of the management API, and no others under their paths', () => {
    const described = routes.filter(({ path }) => /^\/api\/v1\/(cli|manage)\//.test(path));
    const known = [...cliRoutes, ...managementRoutes, LOOK_UP, UNSUBSCRIBE].map(
      ([method, path]) => `${method} ${path}`,
    );
    expect(described.map((route) => `${route.method.toLowerCase()} ${inDocument(route)}`).sort()).toEqual(known.sort());
  });

  it.each(cliRoutes)(
    'describes auth, fields and statuses of %s %s',
    async (method, path, security, fields, required, statuses) => {
      const operation = await operationOf(method, path);
      expect(operation.security).toEqual(security);
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining([...statuses, '429']));
      if (method === 'get') expect((operation.parameters ?? []).map(nameOf)).toEqual(fields);
      if (method === 'get' || fields.length === 0) return expect(operation.requestBody).toBeUndefined();
      const schema = requestSchema(operation);
      expect(Object.keys(schema.properties ?? {})).toEqual(expect.arrayContaining(fields));
      expect([...(schema.required ?? [])].sort()).toEqual([...required].sort());
    },
  );

  it('describes nothing but refusals of the retired route', async () => {
    const operation = await operationOf('post', '/api/v1/cli/stripe-connect');
    expect(Object.keys(operation.responses)).toEqual(['410', '429']);
  });

  it.each(managementRoutes)(
    'describes the statuses of %s %s, which requires an account',
    async (method, path, statuses) => {
      const operation = await operationOf(method, path);
      expect(operation.security).toEqual(ACCOUNT);
      expect(Object.keys(operation.responses).filter((status) => status.startsWith('2'))).toHaveLength(1);
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining([...statuses, '500']));
      const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
      expect(inPath.map(nameOf)).toEqual([...path.matchAll(/\{([a-z_]+)\}/g)].map(([, name]) => name));
    },
  );

  it.each([
    ['put', `${PROGRAM}/logo`, 'PNG, JPEG or WebP file of at most 45 KiB'],
    ['post', `${PROGRAM}/creatives`, 'PNG, JPEG, WebP, GIF or PDF of at most 5 MiB'],
  ])('says which files %s %s accepts, and how large they may be', async (method, path, accepted) => {
    expect(await operationOf(method, path)).toMatchObject({ description: expect.stringContaining(accepted) });
  });

  it('describes post /api/v1/manage/invitations/look-up, which requires only the token', async () => {
    const operation = await operationOf(...LOOK_UP);
    expect(operation.security).toEqual([]);
    const statuses = ['200', '400', '404', '413', '415', '429', '500', '503'];
    expect(Object.keys(operation.responses)).toEqual(statuses);
  });

  it.each(routes.filter(({ replyType }) => replyType))(
    'describes $replyType as the success of $method $path',
    async (route) => {
      const operation = await operationOf(route.method.toLowerCase(), inDocument(route));
      const types = [route.replyType as string, ...(route.otherReplyTypes ?? [])];
      const text = { schema: { type: 'string' } };
      expect(operation.responses['200']?.content).toEqual(Object.fromEntries(types.map((type) => [type, text])));
    },
  );
});
