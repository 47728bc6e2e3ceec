import { APPLICATION_SCOPES, type TokenScope } from '@svc/contract';
import { z } from 'zod';
import { clientAddressOf, hasRedirectUri, type OAuthClient, readClientId } from './oauth-client.ts';

const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const text = z.string().max(4_000);

const target = z.object({ client_id: text, redirect_uri: text });
const request = z.object({
  response_type: z.literal('code', { error: 'response_type must be code' }),
  code_challenge: z
    .string({ error: 'code_challenge is required' })
    .regex(CHALLENGE, { error: 'Invalid code_challenge' }),
  code_challenge_method: z.literal('S256', { error: 'code_challenge_method must be S256' }),
  scope: z.string({ error: 'scope must be a string' }).max(200, { error: 'scope is too long' }).optional(),
  state: z.string({ error: 'state must be a string' }).max(2_000, { error: 'state is too long' }).optional(),
});

/** A request for access that a user can decide about. */
export type AuthorizationRequest = {
  clientId: string;
  client: OAuthClient;
  redirectUri: string;
  challenge: string;
  scopes: TokenScope[];
  /** What the application wants back with the answer. */
  state: string | undefined;
};

/** The application made a mistake. `url` tells it so where it wants its answers. */
type Mistaken = {
  kind: 'mistaken';
  clientId: string;
  client: OAuthClient;
  clientAddress: string;
  message: string;
  url: string;
};

/** Nobody knows where to send the user. */
type Refused = { kind: 'refused'; message: string };

export type Authorization = { kind: 'asked'; request: AuthorizationRequest } | Mistaken | Refused;

/** Judges the parameters of a request for access to the resource. */
export function judgeAuthorization(secret: string, resource: string, sent: unknown): Authorization {
  const asked = target.safeParse(sent);
  const client = asked.success ? readClientId(secret, asked.data.client_id) : null;
  if (!asked.success || !client) {
    return {
      kind: 'refused',
      message: 'The application is not registered here. Remove the connection in the application and add it again.',
    };
  }
  const { client_id: clientId, redirect_uri: redirectUri } = asked.data;
  if (!hasRedirectUri(client, redirectUri)) {
    return {
      kind: 'refused',
      message:
        'The application wants its answer at an address that it did not register. Remove the connection in the application and add it again.',
    };
  }
  const parsed = request.safeParse(sent);
  const state = parsed.data?.state ?? stateOf(sent);
  const mistaken = (error: string, message: string): Authorization => ({
    kind: 'mistaken',
    clientId,
    client,
    clientAddress: clientAddressOf(redirectUri),
    message: `${message} (${error})`,
    url: answerUrl({ redirectUri, state }, { error, error_description: message }),
  });
  if (!parsed.success) return mistaken('invalid_request', parsed.error.issues[0]?.message ?? 'Invalid request');
  if (!isResource((sent as { resource?: unknown }).resource, resource)) {
    return mistaken('invalid_target', `resource must be ${resource}`);
  }
  const { code_challenge: challenge, scope } = parsed.data;
  const scopes = scopesIn(scope);
  if (!scopes) return mistaken('invalid_scope', `scope may only contain ${APPLICATION_SCOPES.join(' and ')}`);
  return { kind: 'asked', request: { clientId, client, redirectUri, challenge, scopes, state } };
}

/** What the application asks for; everything by default. Who may change something may also read it. Null for unknown scopes. */
function scopesIn(scope = ''): TokenScope[] | null {
  const names = scope.split(' ').filter((name) => name !== '');
  if (!names.every((name) => (APPLICATION_SCOPES as readonly string[]).includes(name))) return null;
  return names.length === 0 || names.includes('write') ? [...APPLICATION_SCOPES] : ['read'];
}

/** What the page shows that asks the user: who wants access, and where it continues. */
export type AuthorizationPage = {
  client_name: string;
  client_address: string;
  /** What the application asks for. The user may allow less. */
  scopes: TokenScope[];
  /** What the page sends when the user agrees. */
  request: Record<string, string>;
  denied_url: string;
};

export function authorizationPage(asked: AuthorizationRequest): AuthorizationPage {
  const { clientId, client, redirectUri, challenge, scopes, state } = asked;
  return {
    client_name: client.name,
    client_address: clientAddressOf(redirectUri),
    scopes,
    request: {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      scope: scopes.join(' '),
      ...(state !== undefined && { state }),
    },
    denied_url: answerUrl(asked, { error: 'access_denied' }),
  };
}

/** What the page shows if the user cannot decide, and the application, if it is one that this service knows. */
export type MistakePage = { message: string; client: { name: string; address: string; url: string } | null };

export function mistakePage(asked: Mistaken | Refused): MistakePage {
  if (asked.kind === 'refused') return { message: asked.message, client: null };
  const { client, clientAddress: address, message, url } = asked;
  return { message, client: { name: client.name, address, url } };
}

/** Where an answer to the application leads. */
export function answerUrl(
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  answer: Record<string, string | undefined>,
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries({ ...answer, state })) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url.href;
}

/** Clients may name what they want access to (RFC 8707). There is one such thing. */
export function isResource(named: unknown, resource: string): boolean {
  return named === undefined || named === resource || named === new URL(resource).origin || named === `${resource}/`;
}

const stateOf = (sent: unknown) => request.shape.state.safeParse((sent as { state?: unknown }).state).data;
