import { addressOf, routes } from '@svc/contract';
import { manage, newOwner, newToken, OWN_ORIGIN, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { newAddress } from '@svc/testkit/service/addresses.ts';
import { applicationToken, approve, askedForAccess, exchange, pageAt } from '@svc/testkit/service/applications.ts';
import { mcpClient } from '@svc/testkit/service/mcp-client.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const WRITES = [
  'add_link',
  'add_origins',
  'add_partner',
  'ask_about_order',
  'review_commissions',
  'run_test_chain',
  'set_link_active',
  'set_partner_status',
];
const PROTOCOL = { accept: 'application/json, text/event-stream' };
const toolCall = (name: string, args: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
});

describe('the token of an application', () => {
  it.each(['read', 'read write'])(
    'with the scope “%s” is refused by every route that takes a credential',
    async (scope) => {
      const made = await ownedProgram(service);
      const token = await applicationToken(service, made.owner, scope);
      const params = { program_id: made.program.id, partner_id: made.partnerId };
      for (const { method, path, auth, id } of routes) {
        if (auth === 'none' || auth === 'browser') continue;
        const named = (path.match(/:\w+/g) ?? []).map((name) => [name.slice(1), 1]);
        const url = addressOf(path, { params: { ...Object.fromEntries(named), ...params } });
        const body = method === 'GET' ? {} : { body: {} };
        const { status } = await service.call(method, url, { key: token, ip: newAddress(), ...body });
        expect(status, id).toBe(401);
      }
    },
  );

  it('is worth nothing to whoever claims to be a tool', async () => {
    const { owner } = await ownedProgram(service);
    const key = await applicationToken(service, owner);
    for (const name of ['x-svc-tool', 'x-mcp', 'mcp-session-id', 'x-request-id', 'x-forwarded-for']) {
      const { status } = await service.call('GET', '/api/v1/manage/me', { key, headers: { [name]: 'true' } });
      expect(status).toBe(401);
    }
  });

  it('leads to no key, no owner, no other token and no id token', async () => {
    const made = await ownedProgram(service);
    const key = await applicationToken(service, made.owner);
    const refused = [
      await service.call('POST', manage(made, '/api-key/regenerate'), { key, body: {} }),
      await service.call('POST', '/api/v1/manage/invitations', {
        key,
        body: { email: 'eve@evil.test', role: 'owner' },
      }),
      await service.call('GET', '/api/v1/manage/tokens', { key }),
      await service.call('GET', '/api/auth/token', { key }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    const { request } = await pageAt(service, (await askedForAccess(service)).path);
    const sent = { key, body: request, headers: { origin: OWN_ORIGIN } };
    expect((await service.call('POST', '/oauth/approve', sent)).status).toBe(401);
    const kept = await service.call('GET', manage(made), { key: made.owner.token });
    expect(kept.status).toBe(200);
  });

  it('works only at the resource that it was given for', async () => {
    const { owner } = await ownedProgram(service);
    const key = await applicationToken(service, owner);
    const ping = () =>
      service.call('POST', '/mcp', { key, headers: PROTOCOL, body: { jsonrpc: '2.0', id: 1, method: 'ping' } });
    expect((await ping()).status).toBe(200);
    await service.sql(
      `update account_tokens set audience = 'https://other.test/mcp' where user_id = $1 and audience is not null`,
      [owner.userId],
    );
    const refused = await ping();
    expect(refused.status).toBe(401);
    expect(refused.headers['www-authenticate']).toContain('/.well-known/oauth-protected-resource/mcp');
  });

  it('reads and changes through tools with the scope “read write”, named in the audit log', async () => {
    const made = await ownedProgram(service);
    const { run, carryOut, client } = await mcpClient(service, {
      token: await applicationToken(service, made.owner),
    });
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(WRITES));
    expect((await run('list_programs', {})).result.programs).toMatchObject([{ id: made.program.id }]);
    const added = await carryOut('add_origins', { program_id: made.program.id, origins: ['http://localhost:3000'] });
    expect(added.result.status, added.text).toBe('done');
    const [event] = await service.sql<{ actor_kind: string }>(
      `select actor_kind from audit_events where program_id = $1 and action = 'program.settings_changed'`,
      [made.program.id],
    );
    expect(event?.actor_kind).toBe('token');
  });

  it('only reads with the scope “read”, and says how to get more', async () => {
    const made = await ownedProgram(service);
    const token = await applicationToken(service, made.owner, 'read');
    const { run, client } = await mcpClient(service, { token });
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names.filter((name) => WRITES.includes(name))).toEqual([]);
    expect(client.getInstructions()).toContain('This connection may only read.');
    expect((await run('list_links', { program_id: made.program.id })).isError).toBe(false);
    for (const name of WRITES) {
      const refused = await service.call('POST', '/mcp', {
        key: token,
        headers: PROTOCOL,
        body: toolCall(name, { program_id: made.program.id, plan_token: 'x' }),
      });
      expect(refused.status, name).toBe(403);
      expect(refused.headers['www-authenticate']).toBe(
        'Bearer resource_metadata="https://track.test/.well-known/oauth-protected-resource/mcp", error="insufficient_scope", scope="read write"',
      );
    }
  });

  it('gets what its user allowed, when that is less than it asked for', async () => {
    const owner = await newOwner(service);
    const { path, fields } = await askedForAccess(service, { scope: 'read write' });
    const page = await pageAt(service, path);
    const code = await approve(service, { ...page, request: { ...page.request, scope: 'read' } }, owner);
    expect((await exchange(service, { ...fields, code })).body.scope).toBe('read');
    const key = await newToken(service, owner.userId);
    const { data } = (await service.call('GET', '/api/v1/manage/tokens', { key })).body;
    expect(data.map(({ client, scopes }: { client: string; scopes: string[] }) => ({ client, scopes }))).toEqual([
      { client: null, scopes: null },
      { client: 'http://127.0.0.1:33418', scopes: ['read'] },
      { client: null, scopes: null },
    ]);
  });
});
