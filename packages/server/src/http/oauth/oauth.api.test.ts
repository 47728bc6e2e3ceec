import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import {
  everythingStored,
  newCookie,
  newToken,
  OWN_ORIGIN,
  ownedProgram,
  PASSWORD,
  signUp,
} from '@svc/testkit/service/accounts.ts';
import { newAddress } from '@svc/testkit/service/addresses.ts';
import {
  applicationToken,
  approve,
  askedForAccess,
  BACK,
  exchange,
  pageAt,
  register,
  sendApproval,
} from '@svc/testkit/service/applications.ts';
import { fetchFrom, mcpClient } from '@svc/testkit/service/mcp-client.ts';
import { runOperator } from '@svc/testkit/service/processes/operator.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';
import { clientIdOf } from './oauth-client.ts';

const service = useService();

/** A client like that of an assistant: it keeps what it gets, and shows its user the page where they decide. */
class Assistant implements OAuthClientProvider {
  readonly redirectUrl = BACK;
  readonly clientMetadata = { client_name: 'Assistant', redirect_uris: [BACK] };
  authorizationUrl: URL | undefined;
  private client: OAuthClientInformationMixed | undefined;
  private stored: OAuthTokens | undefined;
  private verifier = '';
  state = () => 'state of the assistant';
  clientInformation = () => this.client;
  saveClientInformation = (client: OAuthClientInformationMixed) => {
    this.client = client;
  };
  tokens = () => this.stored;
  saveTokens = (tokens: OAuthTokens) => {
    this.stored = tokens;
  };
  redirectToAuthorization = (url: URL) => {
    this.authorizationUrl = url;
  };
  saveCodeVerifier = (verifier: string) => {
    this.verifier = verifier;
  };
  codeVerifier = () => this.verifier;
}

const token = (fields: Record<string, string>) => exchange(service, fields);
const asked = (query: Record<string, string> = {}) => askedForAccess(service, query);

describe('signing an assistant in', () => {
  it('works with the official client, from discovery to a tool call, and leaves a token that can be revoked', async () => {
    const made = await ownedProgram(service);
    const assistant = new Assistant();
    const options = { serverUrl: 'https://track.test/mcp', fetchFn: fetchFrom(service) };
    expect(await auth(assistant, options)).toBe('REDIRECT');
    const { pathname, search } = assistant.authorizationUrl as URL;
    const page = await pageAt(service, pathname + search);
    expect(page).toMatchObject({ client_name: 'Assistant', client_address: 'http://127.0.0.1:33418' });
    const denied = new URL(page.denied_url).searchParams;
    expect([denied.get('error'), denied.get('state')]).toEqual(['access_denied', 'state of the assistant']);
    const authorizationCode = await approve(service, page, made.owner);
    expect(await auth(assistant, { ...options, authorizationCode })).toBe('AUTHORIZED');
    const { run } = await mcpClient(service, { authProvider: assistant });
    expect((await run('list_programs', {})).result.programs).toMatchObject([{ id: made.program.id }]);
    const listed = await service.call('GET', '/api/v1/manage/tokens', { key: made.owner.token });
    expect(listed.body.data[0]).toMatchObject({
      name: 'Assistant',
      client: 'http://127.0.0.1:33418',
      scopes: ['read', 'write'],
      last_used_at: expect.any(String),
      is_current: false,
    });
    await service.call('DELETE', `/api/v1/manage/tokens/${listed.body.data[0].id}`, { key: made.owner.token });
    const { status } = await service.call('POST', '/mcp', { key: assistant.tokens()?.access_token ?? '', body: {} });
    expect(status).toBe(401);
  });

  it('gives a token once, and only to the client that asked and knows the verifier', async () => {
    const { owner } = await ownedProgram(service);
    const { path, fields } = await asked();
    const code = await approve(service, await pageAt(service, path), owner);
    const other = await asked();
    const wrong = [
      { code_verifier: 'a'.repeat(43) },
      { client_id: (await register(service, { client_name: 'Other', redirect_uris: [BACK] })).body.client_id },
      { redirect_uri: 'http://127.0.0.1:1/callback' },
      { code: `${code}.x` },
      { code: code.slice(1) },
      other.fields,
    ];
    for (const change of wrong) {
      const refused = await token({ ...fields, code, ...change });
      expect([refused.status, refused.body.error]).toEqual([400, 'invalid_grant']);
    }
    const granted = await token({ ...fields, code });
    expect(granted.body).toEqual({
      access_token: expect.stringMatching(/^svc_app_/),
      token_type: 'Bearer',
      expires_in: 7_776_000,
      scope: 'read write',
    });
    expect(granted.headers['cache-control']).toBe('no-store');
  });

  it('gives a new code for each approval, of which the store has only the hash', async () => {
    const { owner } = await ownedProgram(service);
    const { path } = await asked({ state: 'theirs' });
    const page = await pageAt(service, path);
    const codes = [await approve(service, page, owner), await approve(service, page, owner)];
    expect(new Set(codes).size).toBe(2);
    const stored = await everythingStored(service);
    for (const code of codes) {
      expect(code).toMatch(/^[A-Za-z0-9_-]{43}$/);
      expect(stored).not.toContain(code);
      expect(JSON.stringify(page)).not.toContain(code);
    }
  });

  it('ends the token when its code is exchanged again', async () => {
    const { owner, workspaceId } = await ownedProgram(service);
    const { path, fields } = await asked();
    const code = await approve(service, await pageAt(service, path), owner);
    const { access_token: key } = (await token({ ...fields, code })).body;
    const reads = () => service.call('POST', '/mcp', { key, body: { jsonrpc: '2.0', id: 1, method: 'ping' } });
    expect((await reads()).status).not.toBe(401);
    expect((await token({ ...fields, code, code_verifier: 'a'.repeat(43) })).status).toBe(400);
    expect((await reads()).status).not.toBe(401);
    expect((await token({ ...fields, code })).body.error).toBe('invalid_grant');
    expect((await reads()).status).toBe(401);
    const events = await service.sql<{ action: string; actor_kind: string }>(
      'select action, actor_kind from audit_events where advertiser_id = $1 order by id desc limit 3',
      [workspaceId],
    );
    expect(events).toEqual([
      { action: 'token.revoked', actor_kind: 'job' },
      { action: 'token.created', actor_kind: 'person' },
      { action: 'token.approved', actor_kind: 'person' },
    ]);
  });

  it('gives no token for a code that is older than a minute', async () => {
    const { owner } = await ownedProgram(service);
    const { path, fields } = await asked();
    const code = await approve(service, await pageAt(service, path), owner);
    service.advance({ seconds: 60 });
    expect((await token({ ...fields, code })).body.error).toBe('invalid_grant');
  });

  it('gives no token after the password was changed or the account suspended', async () => {
    const { email, cookie, userId } = await signUp(service);
    const { path, fields } = await asked();
    const changed = await approve(service, await pageAt(service, path), { userId });
    const answer = await service.call('POST', '/api/auth/change-password', {
      body: { currentPassword: PASSWORD, newPassword: 'another long enough password' },
      headers: { cookie, origin: OWN_ORIGIN },
      ip: newAddress(),
    });
    expect(answer.status).toBe(200);
    expect((await token({ ...fields, code: changed })).body.error).toBe('invalid_grant');
    const suspended = await approve(service, await pageAt(service, path), { userId });
    await runOperator(service, 'suspend-account', '--email', email);
    expect((await token({ ...fields, code: suspended })).body.error).toBe('invalid_grant');
    await runOperator(service, 'restore-account', '--email', email);
    expect((await token({ ...fields, code: suspended })).body.error).toBe('invalid_grant');
  });
});

describe('POST /oauth/approve', () => {
  const page = async () => pageAt(service, (await asked()).path);
  const codes = () => service.sql('select 1 from oauth_codes');

  it('takes a session from a page of this service, and nothing else', async () => {
    const { owner } = await ownedProgram(service);
    const { request } = await page();
    const cookie = await newCookie(service, owner.userId);
    const before = await codes();
    const send = (headers: object) => service.call('POST', '/oauth/approve', { body: request, headers } as never);
    expect((await send({ origin: OWN_ORIGIN })).status).toBe(401);
    expect((await send({ cookie })).status).toBe(403);
    expect((await send({ cookie, origin: 'https://evil.test' })).status).toBe(403);
    const bearer = { authorization: `Bearer ${await newToken(service, owner.userId)}` };
    expect((await send({ ...bearer, origin: OWN_ORIGIN })).status).toBe(401);
    expect((await send({ ...bearer, cookie, origin: OWN_ORIGIN })).status).toBe(401);
    expect(await codes()).toEqual(before);
  });

  it('takes no approval of a page that shows another account than that of the session', async () => {
    const { owner } = await ownedProgram(service);
    const { request } = await page();
    const cookie = await newCookie(service, owner.userId);
    const before = await codes();
    for (const account of ['someone@else.test', '', null, [owner.email]]) {
      const { status, body } = await sendApproval(service, { ...request, account }, cookie);
      expect([status, body.error?.message]).toEqual([
        409,
        'You have signed in with another account in the meantime. Check which account the page shows now, then decide again.',
      ]);
    }
    expect(await codes()).toEqual(before);
    expect((await sendApproval(service, { ...request, account: owner.email }, cookie)).status).toBe(200);
  });

  it('asks again when the last proof is older than ten minutes', async () => {
    const { owner } = await ownedProgram(service);
    const { request } = await page();
    const cookie = await newCookie(service, owner.userId);
    service.advance({ seconds: 601 });
    const { status, body } = await sendApproval(service, request, cookie);
    expect([status, body.error.code]).toEqual([403, 'confirmation_required']);
  });

  it.each([
    [{ client_id: 'made.up' }],
    [{ redirect_uri: 'https://evil.test/callback' }],
    [{ code_challenge: 'short' }],
    [{ code_challenge_method: 'plain' }],
    [{ response_type: 'token' }],
    [{ resource: 'https://other.test/mcp' }],
    [{ scope: 'admin' }],
  ])('approves nothing for %j', async (change) => {
    const { owner } = await ownedProgram(service);
    const { request } = await page();
    const before = await codes();
    const answer = await sendApproval(service, { ...request, ...change }, await newCookie(service, owner.userId));
    expect([answer.status, answer.body.error.message]).toEqual([
      400,
      'The application did not ask for access correctly. Connect it again.',
    ]);
    expect(await codes()).toEqual(before);
  });
});

describe('GET /oauth/authorize', () => {
  it.each([
    [{ client_id: 'made.up' }, 'is not registered'],
    [{ redirect_uri: 'https://evil.test/callback' }, 'did not register'],
    [{ redirect_uri: 'javascript:alert(1)' }, 'did not register'],
  ])('sends nobody anywhere for %j', async (change, message) => {
    const { path } = await asked(change);
    const answer = await service.call('GET', path);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(message);
    expect(answer.headers.location).toBeUndefined();
  });

  const MISTAKES: [Record<string, string>, string][] = [
    [{ response_type: 'token' }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ resource: 'https://other.test/mcp' }, 'invalid_target'],
    [{ scope: 'admin' }, 'invalid_scope'],
    [{ scope: 'read write admin' }, 'invalid_scope'],
    [{ scope: 'Read' }, 'invalid_scope'],
  ];

  it.each(MISTAKES)('tells an application that the user has approved about %j', async (change, error) => {
    const { owner } = await ownedProgram(service);
    await applicationToken(service, owner);
    const { path } = await asked({ ...change, state: 'theirs' });
    const cookie = await newCookie(service, owner.userId);
    const { status, headers } = await service.call('GET', path, { headers: { cookie } });
    expect(status).toBe(302);
    const target = new URL(headers.location ?? '');
    expect([target.origin, target.searchParams.get('error')]).toEqual([new URL(BACK).origin, error]);
    expect(target.searchParams.get('state')).toBe('theirs');
  });

  it.each(MISTAKES)('sends nobody to an application that they have not approved for %j', async (change, error) => {
    const { owner } = await ownedProgram(service);
    // Someone else has approved it, such as whoever registered it.
    await applicationToken(service, (await ownedProgram(service)).owner);
    const { path } = await asked(change);
    for (const headers of [{}, { cookie: await newCookie(service, owner.userId) }]) {
      const answer = await service.call('GET', path, { headers } as never);
      expect([answer.status, answer.headers.location]).toEqual([400, undefined]);
      expect(answer.text).toContain(`(${error})`);
      expect(answer.text).toContain('http://127.0.0.1:33418');
    }
  });

  it.each([
    [undefined, ['read', 'write']],
    ['', ['read', 'write']],
    ['read', ['read']],
    ['write', ['read', 'write']],
    ['write read', ['read', 'write']],
  ])('offers what the scope %j asks for', async (scope, scopes) => {
    const { path } = await asked(scope === undefined ? {} : { scope });
    expect((await pageAt(service, path)).scopes).toEqual(scopes);
  });

  it('names the scheme of an address that is not https, which says who it belongs to', async () => {
    const shown = async (redirect_uri: string) => {
      const client = { client_name: 'Robot', redirect_uris: [redirect_uri] };
      return (await pageAt(service, (await askedForAccess(service, { redirect_uri }, client)).path)).client_address;
    };
    expect(await shown('https://claude.ai/api/callback')).toBe('claude.ai');
    expect(await shown('com.evil.app://claude.ai/cb')).toBe('com.evil.app://claude.ai');
    expect(await shown('evil://claude.ai/cb')).toBe('evil://claude.ai');
    expect(await shown('com.example.app:/cb')).toBe('com.example.app:');
    expect(await shown('http://localhost:1234/cb')).toBe('http://localhost:1234');
  });

  it('lets an application on this machine use any port, as it registered the rest', async () => {
    const { path } = await asked({ redirect_uri: 'http://127.0.0.1:50000/callback' });
    expect((await pageAt(service, path)).client_address).toBe('http://127.0.0.1:50000');
  });

  it.each([
    [[]],
    [['http://evil.test/callback']],
    [['javascript://x/%0aalert(1)']],
    [['data:text/html,x']],
    [['https://user@evil.test/']],
    [['https://:pw@evil.test/']],
    [['http://user@127.0.0.1/']],
    [['https:evil.test']],
    [['https://evil.test\\@a.test/']],
    [['https://a.test/\n']],
    [['https://a.test/#']],
    [['mailto:a@a.test']],
    [['ftp://a.test/']],
    [['chrome://settings']],
    [['filesystem:https://a.test/x']],
    [['intent://claude.ai/cb']],
    [['FTP://a.test/']],
    [['itms-services://?action=download-manifest&url=https://evil.test/app.plist']],
    [['ms-appinstaller://?source=https://evil.test/app.msix']],
    [['ms-word://evil.test/letter.docm']],
    [['MS-Word://evil.test/letter.docm']],
    [['microsoft-edge://evil.test/']],
    [['googlechrome://evil.test/']],
    [['chrome-untrusted://terminal/']],
    [['mhtml://evil.test/']],
    [['search-ms://evil.test/']],
    [['shell://evil.test/']],
    [['x-apple.systempreferences:com.apple.preference.security']],
    [['cursor:/cb']],
    [['ms-settings:x']],
    [['https://a.test/#x']],
    [[`https://a.test/${'x'.repeat(300)}`]],
    [['https://a.test/', 7]],
    ['https://a.test/'],
  ])('registers no client with the addresses %j', async (redirect_uris) => {
    const { status, body } = await register(service, { redirect_uris });
    expect([status, body.error]).toEqual([400, 'invalid_redirect_uri']);
  });

  it.each([
    'https://a.test/cb',
    'http://127.0.0.1/cb',
    'http://[::1]:1/cb',
    'com.example.app:/cb',
    'com.example.app://x/cb',
    'cursor://anysphere.cursor-mcp/oauth/callback',
  ])('registers a client with the address %s', async (uri) => {
    const { status, body } = await register(service, { redirect_uris: [uri], client_name: ' ' });
    expect([status, body.redirect_uris, body.client_name]).toEqual([201, [uri], 'MCP client']);
  });

  it.each([
    '\u0000',
    'a\u0000b',
    'a\nb',
    'a\u001bb',
    'a\u202eb',
    'a\u200bb',
    'a\u00adb',
    'a\u2028b',
    'a\u3164b',
    'a\ud800',
  ])('registers no client with the name %j', async (client_name) => {
    const { status, body } = await register(service, { client_name, redirect_uris: [BACK] });
    expect([status, body.error]).toEqual([400, 'invalid_client_metadata']);
  });

  it('knows a client by its id only, not by one with something behind it', async () => {
    const { fields } = await asked();
    const { path } = await asked({ client_id: `${fields.client_id}.x` });
    expect((await service.call('GET', path)).status).toBe(400);
  });

  it('does not know a client that an earlier release registered under such a name', async () => {
    const client_id = clientIdOf(service.ctx.linkSecret, { name: 'a\u0000', redirectUris: [BACK] });
    const { path } = await asked({ client_id });
    expect((await service.call('GET', path)).status).toBe(400);
  });

  it('publishes the scopes in both documents', async () => {
    const documents = ['oauth-protected-resource/mcp', 'oauth-protected-resource', 'oauth-authorization-server'];
    for (const name of documents) {
      const { body } = await service.call('GET', `/.well-known/${name}`);
      expect(body.scopes_supported).toEqual(['read', 'write']);
    }
    const { body } = await service.call('GET', '/.well-known/oauth-protected-resource/mcp');
    expect(body.resource).toBe('https://track.test/mcp');
  });

  it('exchanges nothing for another resource', async () => {
    const { owner } = await ownedProgram(service);
    const { path, fields } = await asked({ resource: 'https://track.test/mcp' });
    const code = await approve(service, await pageAt(service, path), owner);
    const refused = await token({ ...fields, code, resource: 'https://other.test/mcp' });
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_target']);
    expect((await token({ ...fields, code, resource: 'https://track.test/mcp' })).status).toBe(200);
  });

  it.each([{}, { grant_type: 'refresh_token' }, { grant_type: 'password', code: 'x' }])(
    'exchanges nothing for %j',
    async (fields) => {
      const { status, body } = await service.call('POST', '/oauth/token', { body: fields });
      expect([status, body.error]).toEqual([400, 'unsupported_grant_type']);
    },
  );
});
