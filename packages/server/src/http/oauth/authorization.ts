import { createHash } from 'node:crypto';
import { z } from 'zod';
import { startCliLogin } from '../../accounts/cli-logins/start-cli-login.ts';
import { isSignature, signatureOf } from '../../signature.ts';
import type { ServiceContext } from '../service-context.ts';
import { hasRedirectUri, readClientId } from './oauth-client.ts';

const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const text = z.string().max(4_000);

const request = z.object({
  response_type: z.literal('code', { error: 'response_type must be code' }),
  code_challenge: z
    .string({ error: 'code_challenge is required' })
    .regex(CHALLENGE, { error: 'Invalid code_challenge' }),
  code_challenge_method: z.literal('S256', { error: 'code_challenge_method must be S256' }),
  state: z.string().max(2_000).optional(),
});
const target = z.object({ client_id: text, redirect_uri: text });

/** What the page shows that asks the user: who wants access, and where each answer leads. */
export type AuthorizationPage = {
  client_name: string;
  /** Where the user goes next, so that they can see who gets the access. */
  redirect_host: string;
  /** The login that the page completes when the user agrees. */
  state: string;
  approved_url: string;
  denied_url: string;
};

export type Authorization =
  | { kind: 'page'; page: AuthorizationPage }
  | { kind: 'redirect'; url: string }
  /** Nobody knows where to send the user. */
  | { kind: 'refused'; message: string };

/**
 * Judges a request for access and starts a login for it, like that of a terminal. Approving it completes the login, and the
 * token endpoint hands out its token once.
 */
export async function startAuthorization(
  ctx: ServiceContext,
  query: unknown,
  resource: string,
): Promise<Authorization> {
  const asked = target.safeParse(query);
  const client = asked.success ? readClientId(ctx.linkSecret, asked.data.client_id) : null;
  if (!asked.success || !client) {
    return {
      kind: 'refused',
      message: 'The application is not registered. Remove the connection there and add it again.',
    };
  }
  const { client_id: clientId, redirect_uri: redirectUri } = asked.data;
  if (!hasRedirectUri(client, redirectUri)) {
    return {
      kind: 'refused',
      message: 'The application asked to be called back at an address that it did not register.',
    };
  }
  const { state } = query as { state?: string };
  const back = (answer: Record<string, string>) => redirectWith(redirectUri, { ...answer, state });
  const parsed = request.safeParse(query);
  if (!parsed.success) {
    const description = parsed.error.issues[0]?.message ?? 'Invalid request';
    return { kind: 'redirect', url: back({ error: 'invalid_request', error_description: description }) };
  }
  if (!isResource(query, resource)) return { kind: 'redirect', url: back({ error: 'invalid_target' }) };
  const login = await startCliLogin(ctx, client.name);
  const binding = { clientId, redirectUri, challenge: parsed.data.code_challenge };
  return {
    kind: 'page',
    page: {
      client_name: client.name,
      redirect_host: new URL(redirectUri).host || new URL(redirectUri).protocol,
      state: login.state,
      approved_url: back({ code: codeOf(ctx.linkSecret, login.state, binding) }),
      denied_url: back({ error: 'access_denied' }),
    },
  };
}

/** Clients may name what they want access to (RFC 8707). There is one such thing. */
function isResource(query: unknown, resource: string): boolean {
  const { resource: named } = query as { resource?: unknown };
  return named === undefined || named === resource || named === new URL(resource).origin || named === `${resource}/`;
}

type Binding = { clientId: string; redirectUri: string; challenge: string };

/** The code is the state of the login, signed together with who may exchange it. */
function codeOf(secret: string, state: string, { clientId, redirectUri, challenge }: Binding): string {
  const signed = signatureOf(secret, 'oauth code', JSON.stringify([state, clientId, redirectUri, challenge]));
  return `${state}.${signed}`;
}

type Exchange = { code: string; clientId: string; redirectUri: string; verifier: string };

/** The login of a code, if the caller is the client that it was issued to and knows the verifier (RFC 7636). */
export function loginOfCode(secret: string, { code, clientId, redirectUri, verifier }: Exchange): string | null {
  const [state = ''] = code.split('.');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  return isSignature(code, codeOf(secret, state, { clientId, redirectUri, challenge })) ? state : null;
}

function redirectWith(uri: string, params: Record<string, string | undefined>): string {
  const url = new URL(uri);
  for (const [name, value] of Object.entries(params)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}
