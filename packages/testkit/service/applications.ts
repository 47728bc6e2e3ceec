import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { newCookie, OWN_ORIGIN } from './accounts.ts';
import { newAddress } from './addresses.ts';
import { pageSettings } from './page-settings.ts';
import type { TestService } from './service.ts';

/** Where the applications of tests wait for their answers. */
export const BACK = 'http://127.0.0.1:33418/callback';

/** What the page that asks the user knows. */
export type AuthorizationPage = {
  client_name: string;
  client_address: string;
  scopes: string[];
  request: Record<string, string>;
  denied_url: string;
};

export const register = (service: TestService, body: object) =>
  service.call('POST', '/oauth/register', { body, ip: newAddress() });

/** A request for access by a newly registered application, and what its exchange has to send besides the code. */
export async function askedForAccess(
  service: TestService,
  query: Record<string, string> = {},
  client: object = { client_name: 'Robot', redirect_uris: [BACK] },
) {
  const verifier = randomBytes(32).toString('base64url');
  const { client_id } = (await register(service, client)).body;
  const asked = {
    response_type: 'code',
    client_id,
    redirect_uri: BACK,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...query,
  };
  const path = `/oauth/authorize?${new URLSearchParams(asked)}`;
  return { path, fields: { client_id, redirect_uri: asked.redirect_uri, code_verifier: verifier } };
}

/** The page that asks the user, as it is opened by the application. */
export async function pageAt(service: TestService, path: string): Promise<AuthorizationPage> {
  const answer = await service.call('GET', path, { ip: newAddress() });
  expect(answer.status).toBe(200);
  return pageSettings(answer).authorization as AuthorizationPage;
}

/** Sends what the page sends when its user agrees. */
export const sendApproval = (service: TestService, request: object, cookie: string, headers: object = {}) =>
  service.call('POST', '/oauth/approve', {
    body: request,
    ip: newAddress(),
    headers: { cookie, origin: OWN_ORIGIN, ...headers },
  });

/** Agrees on the page, as the account, and returns the code that the application gets. */
export async function approve(
  service: TestService,
  { request }: AuthorizationPage,
  { userId }: { userId: string },
): Promise<string> {
  const approved = await sendApproval(service, request, await newCookie(service, userId));
  expect(approved.status, approved.text).toBe(200);
  return new URL(approved.body.data.redirect_url).searchParams.get('code') ?? '';
}

/** The token of a newly registered application that the account has allowed what it asked for. */
export async function applicationToken(
  service: TestService,
  account: { userId: string },
  scope = 'read write',
): Promise<string> {
  const { path, fields } = await askedForAccess(service, { scope });
  const code = await approve(service, await pageAt(service, path), account);
  return (await exchange(service, { ...fields, code })).body.access_token;
}

/** Asks for a token as applications do. */
export const exchange = (service: TestService, fields: Record<string, string>) =>
  service.call('POST', '/oauth/token', {
    body: String(new URLSearchParams({ grant_type: 'authorization_code', ...fields })),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    ip: newAddress(),
  });
