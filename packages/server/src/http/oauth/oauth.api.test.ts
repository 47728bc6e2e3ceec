import { createHash, randomBytes } from 'node:crypto';
import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { describe, expect, it } from 'vitest';
import { callback, idTokenOf, ownedProgram, type TestAccount } from '../../../test/accounts.ts';
import { fetchFrom, mcpClient } from '../../../test/mcp-client.ts';
import { pageSettings } from '../../../test/page-settings.ts';
import { useService } from '../../../test/service.ts';

const service = useService();
const BACK = 'http://127.0.0.1:33418/callback';

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

type Page = { client_name: string; redirect_host: string; state: string; approved_url: string; denied_url: string };

async function pageAt(url: URL): Promise<Page> {
  const answer = await service.call('GET', url.pathname + url.search);
  expect(answer.status).toBe(200);
  return pageSettings(answer).authorization as Page;
}

/** Agrees on the page, as the account. */
async function approve({ state, approved_url }: Page, { userId }: Pick<TestAccount, 'userId'>): Promise<string> {
  const done = await callback(service, { state, id_token: await idTokenOf(service, userId) });
  expect(done.status).toBe(200);
  return new URL(approved_url).searchParams.get('code') ?? '';
}

const register = (body: object) => service.call('POST', '/oauth/register', { body });
const token = (fields: Record<string, string>) =>
  service.call('POST', '/oauth/token', {
    body: String(new URLSearchParams({ grant_type: 'authorization_code', ...fields })),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

async function asked(extra: Record<string, string> = {}) {
  const verifier = randomBytes(32).toString('base64url');
  const { client_id } = (await register({ client_name: 'Robot', redirect_uris: [BACK] })).body;
  const query = {
    response_type: 'code',
    client_id,
    redirect_uri: BACK,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...extra,
  };
  const url = new URL(`https://track.test/oauth/authorize?${new URLSearchParams(query)}`);
  return { url, fields: { client_id, redirect_uri: BACK, code_verifier: verifier } };
}

describe('signing an assistant in', () => {
  it('works with the official client, from discovery to a tool call, and leaves a token that can be revoked', async () => {
    const made = await ownedProgram(service);
    const assistant = new Assistant();
    const options = { serverUrl: 'https://track.test/mcp', fetchFn: fetchFrom(service) };
    expect(await auth(assistant, options)).toBe('REDIRECT');
    const page = await pageAt(assistant.authorizationUrl as URL);
    expect(page).toMatchObject({ client_name: 'Assistant', redirect_host: '127.0.0.1:33418' });
    expect(new URL(page.denied_url).searchParams.get('error')).toBe('access_denied');
    expect(new URL(page.approved_url).searchParams.get('state')).toBe('state of the assistant');
    const authorizationCode = await approve(page, made.owner);
    expect(await auth(assistant, { ...options, authorizationCode })).toBe('AUTHORIZED');
    const { run } = await mcpClient(service, { authProvider: assistant });
    expect((await run('list_programs', {})).result.programs).toMatchObject([{ id: made.program.id }]);
    const listed = await service.call('GET', '/api/v1/manage/tokens', { key: made.owner.token });
    expect(listed.body.data[0]).toMatchObject({ name: 'Assistant', is_current: false });
    await service.call('DELETE', `/api/v1/manage/tokens/${listed.body.data[0].id}`, { key: made.owner.token });
    const { status } = await service.call('POST', '/mcp', { key: assistant.tokens()?.access_token ?? '', body: {} });
    expect(status).toBe(401);
  });

  it('gives a token once, and only to the client that asked and knows the verifier', async () => {
    const { owner } = await ownedProgram(service);
    const { url, fields } = await asked();
    const page = await pageAt(url);
    const early = new URL(page.approved_url).searchParams.get('code') ?? '';
    expect((await token({ ...fields, code: early })).body.error).toBe('invalid_grant');
    const code = await approve(page, owner);
    const other = await asked();
    const wrong = [
      { code_verifier: 'a'.repeat(43) },
      { client_id: (await register({ client_name: 'Other', redirect_uris: [BACK] })).body.client_id },
      { redirect_uri: 'http://127.0.0.1:1/callback' },
      { code: `${page.state}.x` },
      other.fields,
    ];
    for (const change of wrong) {
      const refused = await token({ ...fields, code, ...change });
      expect([refused.status, refused.body.error]).toEqual([400, 'invalid_grant']);
    }
    const [first, second] = await Promise.all([token({ ...fields, code }), token({ ...fields, code })]);
    expect([first.status, second.status].sort()).toEqual([200, 400]);
    const granted = first.status === 200 ? first : second;
    expect(granted.body).toEqual({
      access_token: expect.stringMatching(/^svc_at_/),
      token_type: 'Bearer',
      expires_in: 7_776_000,
    });
    expect(granted.headers['cache-control']).toBe('no-store');
  });

  it('gives no token for a code that is older than five minutes', async () => {
    const { owner } = await ownedProgram(service);
    const { url, fields } = await asked();
    const code = await approve(await pageAt(url), owner);
    service.advance({ seconds: 301 });
    expect((await token({ ...fields, code })).body.error).toBe('invalid_grant');
  });

  it.each([
    [{ client_id: 'made.up' }, 'is not registered'],
    [{ redirect_uri: 'https://evil.test/callback' }, 'did not register'],
    [{ redirect_uri: 'javascript:alert(1)' }, 'did not register'],
  ])('sends nobody anywhere for %j', async (change, message) => {
    const { url } = await asked(change);
    const answer = await service.call('GET', url.pathname + url.search);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(message);
    expect(answer.headers.location).toBeUndefined();
  });

  it.each([
    [{ response_type: 'token' }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ resource: 'https://other.test/mcp' }, 'invalid_target'],
  ])('tells the application about %j', async (change, error) => {
    const { url } = await asked({ ...change, state: 'theirs' });
    const { status, headers } = await service.call('GET', url.pathname + url.search);
    expect(status).toBe(302);
    const target = new URL(headers.location ?? '');
    expect([target.origin, target.searchParams.get('error')]).toEqual([new URL(BACK).origin, error]);
    expect(target.searchParams.get('state')).toBe('theirs');
  });

  it('lets an application on this machine use any port, as it registered the rest', async () => {
    const { url } = await asked({ redirect_uri: 'http://127.0.0.1:50000/callback' });
    expect((await pageAt(url)).redirect_host).toBe('127.0.0.1:50000');
  });

  it.each([
    [[]],
    [['http://evil.test/callback']],
    [['javascript://x/%0aalert(1)']],
    [['data:text/html,x']],
    [['https://user@evil.test/']],
    [['https://a.test/#x']],
    [[`https://a.test/${'x'.repeat(300)}`]],
    [['https://a.test/', 7]],
    ['https://a.test/'],
  ])('registers no client with the addresses %j', async (redirect_uris) => {
    const { status, body } = await register({ redirect_uris });
    expect([status, body.error]).toEqual([400, 'invalid_redirect_uri']);
  });

  it.each([{}, { grant_type: 'refresh_token' }, { grant_type: 'password', code: 'x' }])(
    'exchanges nothing for %j',
    async (fields) => {
      const { status, body } = await service.call('POST', '/oauth/token', { body: fields });
      expect([status, body.error]).toEqual([400, 'unsupported_grant_type']);
    },
  );
});
