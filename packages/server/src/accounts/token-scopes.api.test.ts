import { type RouteDefinition, routes, type TokenScope } from '@svc/contract';
import { manage, memberOf, newOwner, newScopedToken, OWN_ORIGIN, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { askedForAccess, pageAt } from '@svc/testkit/service/applications.ts';
import { giveOwnersAnApp } from '@svc/testkit/service/authenticator.ts';
import { mcpClient } from '@svc/testkit/service/mcp-client.ts';
import { useSharedRequests } from '@svc/testkit/service/routes/shared-requests.ts';
import type { ValidRequest } from '@svc/testkit/service/routes/valid-request.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';

const service = useService({ SVC_SMTP_URL: 'smtp://127.0.0.1:9', SVC_MAIL_FROM: 'partners@mail.test' });
const requestFor = useSharedRequests(service);

const INVALID_KEY = platformError(401, 'UnauthorizedError', 'Invalid API token');
const INVALID_TOKEN = platformError(401, 'UnauthorizedError', 'Invalid or expired token — run `login` again');

/** It answers a question that is too long for a query. */
const QUESTIONS = ['manageSimulateTerms'];
/** Their rows have links with which people become partners. */
const READS_FOR_WRITERS = ['manageBulkActionRows', 'manageExportBulkActionRows'];
const BY_KEY = ['optional-key', 'program-key'];
const ALL: TokenScope[] = ['read', 'write', 'track'];

/** The scope that the route should require, from what its definition says; null if it asks people who they are. */
function expectedScope(
  { id, method, auth, proof, namesLink }: RouteDefinition,
  { body }: ValidRequest,
): TokenScope | null {
  const sent = Object.keys(body ?? {});
  const asks =
    proof === 'recent' ||
    (typeof proof === 'object' && 'withFields' in proof && proof.withFields.some((field) => sent.includes(field)));
  if (asks || namesLink || ['listEvents', 'manageAccept', 'managePayoutFile'].includes(id)) return null;
  if (BY_KEY.includes(auth)) return 'track';
  if (READS_FOR_WRITERS.includes(id)) return 'write';
  return method === 'GET' || QUESTIONS.includes(id) ? 'read' : 'write';
}

describe('a token with scopes', () => {
  const walked = routes.filter(({ auth }) => !['none', 'browser'].includes(auth));

  it.each(walked.map((route) => [route.id, route] as const))('%s takes its scope and no other', async (_id, route) => {
    const valid = await requestFor(route);
    await giveOwnersAnApp(service, valid.workspaceId);
    const [{ user_id: userId }] = (await service.sql<{ user_id: string }>(
      `select user_id from workspace_members where advertiser_id = $1 and role = 'owner' order by created_at limit 1`,
      [valid.workspaceId],
    )) as [{ user_id: string }];
    const send = async (scopes: TokenScope[], programId: number | null = null) =>
      valid.send({ key: await newScopedToken(service, userId, { scopes, programId }) });
    const needed = expectedScope(route, valid);
    const own = needed === 'track' ? valid.program.id : null;
    const isByKey = BY_KEY.includes(route.auth);
    const before = await valid.stored();
    const others = ALL.filter((scope) => scope !== needed);
    const refused = [await send(others, own), ...(isByKey ? [] : [await send(ALL, valid.program.id + 1_000_000)])];
    for (const { status, text } of refused) {
      expect({ status, text }).toEqual({ status: isByKey ? 401 : 403, text: expect.any(String) });
    }
    expect(await valid.stored()).toEqual(before);
    if (needed === null) return;
    const { status, text } = await send([needed], own);
    expect({ status, text }).toEqual({ status: valid.status, text: expect.any(String) });
  });

  it('says what it lacks', async () => {
    const made = await ownedProgram(service);
    const { userId } = made.owner;
    const read = await newScopedToken(service, userId, { scopes: ['read'] });
    const refusals = [
      await service.call('POST', manage(made, '/links'), { key: read, body: { partner_id: made.partnerId } }),
      await service.call('POST', manage(made, '/api-key/regenerate'), { key: read }),
      await service.call('GET', '/api/v1/manage/me', {
        key: await newScopedToken(service, userId, { scopes: ['read'], programId: made.program.id }),
      }),
    ];
    expect(refusals.map(({ body }) => body)).toEqual(
      [
        'This token does not have the scope write. Create one that has it under Account settings.',
        'Tokens with scopes cannot do this: it asks people to prove who they are. Use the dashboard, or sign in with `svc login`.',
        `This token works for program ${made.program.id} only.`,
      ].map((message) => platformError(403, 'ForbiddenError', message)),
    );
  });

  it('does not become another one: by creating it, by OAuth, by a terminal’s login, or by an id token', async () => {
    const owner = await newOwner(service);
    const key = await newScopedToken(service, owner.userId, { scopes: ['read', 'write'] });
    const count = () => service.sql('select 1 from account_tokens where user_id = $1', [owner.userId]);
    const before = await count();
    const body = { name: 'More', scopes: ['read', 'write'], expires_in_days: 0 };
    expect((await service.call('POST', '/api/v1/manage/tokens', { key, body })).status).toBe(403);
    const { request } = await pageAt(service, (await askedForAccess(service)).path);
    const headers = { origin: OWN_ORIGIN };
    expect((await service.call('POST', '/oauth/approve', { key, body: request, headers })).status).toBe(403);
    expect((await service.call('GET', '/api/auth/token', { key })).status).toBe(401);
    const { state } = (await service.call('POST', '/api/v1/cli/auth/start')).body.data;
    const callback = { state, id_token: key };
    expect((await service.call('POST', '/api/v1/cli/auth/callback', { key, body: callback })).status).toBe(401);
    const refresh = { grant_type: 'refresh_token', refresh_token: key, scope: 'read write' };
    const exchange = { 'content-type': 'application/x-www-form-urlencoded' };
    const token = await service.call('POST', '/oauth/token', {
      body: new URLSearchParams(refresh).toString(),
      headers: exchange,
    });
    expect(token.status).toBe(400);
    expect(await count()).toEqual(before);
  });

  it('does no more through tools: read reads, and track is not for them', async () => {
    const made = await ownedProgram(service);
    const { userId } = made.owner;
    const token = await newScopedToken(service, userId, { scopes: ['read'] });
    const { client, run } = await mcpClient(service, { token });
    const tools = (await client.listTools()).tools;
    expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint)).toEqual([]);
    expect((await run('list_links', { program_id: made.program.id })).isError).toBe(false);
    const tracking = await newScopedToken(service, userId, { scopes: ['track'], programId: made.program.id });
    const refused = await service.call('POST', '/mcp', {
      key: tracking,
      headers: { accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    });
    expect(refused.status).toBe(403);
  });

  it('of a program renames only partners who are in no other', async () => {
    const made = await ownedProgram(service);
    const sibling = await service.program({ workspaceId: made.workspaceId });
    const shared = `${newId('joan')}@partner.test`;
    const add = (path: string, key: string) =>
      service.call('PUT', `${path}/partners/by-external-id/joan`, { key, body: { name: 'Joan', email: shared } });
    const ids = [];
    for (const path of [manage(made, ''), manage(sibling, '')])
      ids.push((await add(path, made.owner.token)).body.data.id);
    expect(ids[0]).toBe(ids[1]);
    const key = await newScopedToken(service, made.owner.userId, { scopes: ['write'], programId: made.program.id });
    const change = (id: number, body: object) => service.call('PATCH', manage(made, `/partners/${id}`), { key, body });
    const refused = await change(ids[0], { name: 'Eve', status: 'blocked' });
    expect({ status: refused.status, error: refused.body.error }).toEqual({
      status: 403,
      error: {
        status: 403,
        name: 'ForbiddenError',
        message:
          'This partner is in other programs too, which share the name, and this token is for one program. Change the name in the dashboard, or with a token for all programs.',
        details: { field: 'name' },
      },
    });
    const stored = 'select p.name, m.status from partners p join memberships m on m.partner_id = p.id where p.id = $1';
    expect(await service.sql(stored, [ids[0]])).toEqual([
      { name: 'Joan', status: 'active' },
      { name: 'Joan', status: 'active' },
    ]);
    expect((await add(manage(made, ''), key)).status).toBe(200);
    expect((await change(ids[0], { status: 'blocked', name: 'Joan' })).status).toBe(200);
    expect((await change(made.partnerId, { name: 'Jane Doe' })).body.data.name).toBe('Jane Doe');
  });

  it('of a program reads nothing of another, by tools either', async () => {
    const made = await ownedProgram(service);
    const sibling = await service.program({ workspaceId: made.workspaceId });
    const { userId } = made.owner;
    const token = await newScopedToken(service, userId, { scopes: ['read'], programId: made.program.id });
    const { run } = await mcpClient(service, { token });
    expect((await run('list_links', { program_id: made.program.id })).isError).toBe(false);
    const refused = await run('list_links', { program_id: sibling.program.id });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('works for program') });
  });
});

describe('a token with the scope track', () => {
  it('reports what a key reports, for its program, as itself: in the log, in its window, with its own repeated answers', async () => {
    const made = await ownedProgram(service);
    const { userId } = made.owner;
    const key = await newScopedToken(service, userId, { scopes: ['track'], programId: made.program.id });
    await service.customer({ ...made, apiKey: key }, 'buyer');
    const sale = { transaction_id: newId('order'), amount_cents: 10_000, customer_key: 'buyer' };
    const headers = { 'idempotency-key': newId('once') };
    const first = await service.sale(sale, { key, headers });
    expect(first).toMatchObject({ status: 200, body: { success: true, data: { commission_cents: 2_000 } } });
    expect((await service.sale(sale, { key, headers })).headers['idempotent-replayed']).toBe('true');
    expect((await service.sale(sale, { key: made.apiKey, headers })).status).toBe(409);
    expect((await service.refund({ transaction_id: sale.transaction_id }, { key })).status).toBe(200);
    expect((await service.call('GET', '/api/v1/cli/status', { key })).body.data.program_id).toBe(made.program.id);
    await service.call('POST', '/api/v1/cli/test-event', { key, body: { type: 'chain' } });
    const [event] = await service.sql(
      `select actor_kind, user_id from audit_events where program_id = $1 and action = 'program.test_chain_run'`,
      [made.program.id],
    );
    expect(event).toEqual({ actor_kind: 'token', user_id: userId });
  });

  it('ends with its user’s role, and never reports to another workspace', async () => {
    const made = await ownedProgram(service);
    const admin = await memberOf(service, made.workspaceId, 'owner');
    const key = await newScopedToken(service, admin.userId, { scopes: ['track'], programId: made.program.id });
    const stranger = await newOwner(service);
    const theirs = await newScopedToken(service, stranger.userId, { scopes: ['track'], programId: made.program.id });
    expect((await service.readiness(key)).status).toBe(200);
    const refused = await service.sale({ transaction_id: 'x', amount_cents: 1 }, { key: theirs });
    expect({ status: refused.status, body: refused.body }).toEqual({ status: 401, body: INVALID_KEY });
    await service.sql(`update workspace_members set role = 'member' where user_id = $1`, [admin.userId]);
    expect((await service.readiness(key)).status).toBe(401);
  });
});

it('a token that does not expire ends with the role of an owner', async () => {
  const owner = await newOwner(service);
  const key = await newScopedToken(service, owner.userId, { scopes: ['read'], expiresAt: null });
  const ask = () => service.call('GET', '/api/v1/manage/me', { key });
  service.advance({ days: 4_000 });
  expect((await ask()).status).toBe(200);
  await service.sql(`update workspace_members set role = 'viewer' where user_id = $1`, [owner.userId]);
  expect(await ask()).toMatchObject({ status: 401, body: INVALID_TOKEN });
});
