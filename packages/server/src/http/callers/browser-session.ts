import type { FastifyRequest } from 'fastify';
import { COUNTED_FOR_HEADER } from '../../accounts/factors/create-code-owner-plugin.ts';
import { CLIENT_ADDRESS_HEADER, REQUEST_ID_HEADER } from '../../accounts/sign-in.ts';
import { throwingFailures } from '../../db/noted-failures.ts';
import type { ServiceContext } from '../service-context.ts';

/** The session whose cookie the request carries. */
export type BrowserSession = {
  id: string;
  /** What the cookie contains. It stays the same when the session gets another id. */
  token: string;
  userId: string;
  email: string;
  name: string;
  /** When its user last gave a password, a code or a passkey. */
  provedAt: Date;
  /** When they last gave a code, a recovery code or a passkey; null if they gave none in this session. */
  factorProvedAt: Date | null;
  lastUsedAt: Date | null;
};

declare module 'fastify' {
  interface FastifyRequest {
    /** The session of the caller, once a route has asked who that is. */
    browserSession: BrowserSession | null;
  }
}

export async function readBrowserSession(ctx: ServiceContext, request: FastifyRequest): Promise<BrowserSession | null> {
  const found = await throwingFailures(() => ctx.signIn.api.getSession({ headers: webHeaders(request) }));
  if (!found) return null;
  const { session, user } = found;
  const [lastUsedAt, factorProvedAt] = [session.lastUsedAt ?? null, session.factorProvedAt ?? null];
  const { id: userId, email, name } = user;
  return {
    id: session.id,
    token: session.token,
    userId,
    email,
    name,
    provedAt: session.provedAt,
    factorProvedAt,
    lastUsedAt,
  };
}

/** The headers in the form the sign-in library expects, with what only this service may say as it determined it. */
export function webHeaders(request: FastifyRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined && name !== 'content-length') headers.set(name, [value].flat().join(', '));
  }
  headers.delete(COUNTED_FOR_HEADER);
  headers.set('content-type', 'application/json');
  headers.set(CLIENT_ADDRESS_HEADER, request.ip);
  headers.set(REQUEST_ID_HEADER, request.id);
  return headers;
}
