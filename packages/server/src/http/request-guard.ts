import { errors, type RateBucket, type RouteDefinition, routes } from '@svc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ProgramKey, rotationState } from '../programs/api-key.ts';
import { type Credential, type CredentialSource, readCredential } from './callers/credential.ts';
import { requireCredential } from './callers/require-credential.ts';
import { addCorsHeaders, addPreflightHeaders } from './cors.ts';
import { clientAddress } from './rate-limit/client-address.ts';
import type { RateLimiter } from './rate-limit/rate-limit.ts';
import { addRotationHeaders, addRotationWarnings, rotationDocsUrl } from './rotation.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    definition?: RouteDefinition;
  }
  interface FastifyRequest {
    credential: Credential;
    /** The key of the request while it is marked for rotation. */
    rotatingKey: ProgramKey | null;
    /** The key of the request is past its deadline; that is the answer, whatever else is wrong. */
    isKeyRetired: boolean;
    /** Set once a verb has taken over, which then records its own decision. */
    isJudged: boolean;
  }
}

type GuardOptions = { credentials: CredentialSource; limit: RateLimiter; now: () => Date; baseUrl: string };

/** All paths below share one limit, including those that do not exist. */
export const CLI_ROUTES = '/api/v1/cli/';

/**
 * Runs before every route, in this order: request id, CORS, who is calling, rate limit, retired keys, and whether the
 * route accepts such a caller.
 */
export function guardRoutes(app: FastifyInstance, { credentials, limit, now, baseUrl }: GuardOptions): void {
  const docsUrl = rotationDocsUrl(baseUrl);
  app.decorateRequest('credential');
  app.decorateRequest('rotatingKey', null);
  app.decorateRequest('isKeyRetired', false);
  app.decorateRequest('isJudged', false);

  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-ID', request.id);
    const limited = limitedRouteOf(request);
    if (limited) return guardLimited(request, reply, limited);
    if (request.routeOptions.config.definition?.auth === 'account') await identify(request, reply);
  });

  async function guardLimited(request: FastifyRequest, reply: FastifyReply, { bucket, route }: LimitedRoute) {
    if (route?.fromBrowsers) {
      if (request.method === 'OPTIONS') return answerPreflight(reply);
      addCorsHeaders(reply);
    }
    try {
      await identify(request, reply);
    } catch (error) {
      // The request fails without a known caller, and still counts against its address.
      await limit(bucket, byAddress(request), reply);
      throw error;
    }
    await limit(bucket, callerKey(request, bucket), reply);
    if (request.isKeyRetired && request.is404) throw errors.keyRetired(docsUrl);
    const { definition } = request.routeOptions.config;
    if (definition && !request.isKeyRetired) requireCredential(definition, request.credential);
  }

  /** Puts the caller's credential on the request, and the headers of a key that must be rotated on the reply. */
  async function identify(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    request.credential = await readCredential(request.headers.authorization, credentials);
    if (request.credential.is !== 'program-key') return;
    const { key } = request.credential;
    const state = rotationState(key, now());
    request.isKeyRetired = state === 'retired';
    if (state !== 'due') return;
    request.rotatingKey = key;
    addRotationHeaders(reply, key, docsUrl);
  }

  // Only after the body was read: the decision about a refused attempt names what the attempt was about.
  app.addHook('preValidation', async (request) => {
    if (request.isKeyRetired) throw errors.keyRetired(docsUrl);
  });

  app.addHook('onSend', (request, reply, payload, done) => {
    const { definition } = request.routeOptions.config;
    if (definition?.withoutRequestId?.includes(reply.statusCode)) reply.removeHeader('X-Request-ID');
    done(null, payload);
  });

  app.addHook('preSerialization', (request, _reply, payload, done) => {
    done(null, addRotationWarnings(payload, request.rotatingKey, docsUrl));
  });
}

type LimitedRoute = { bucket: RateBucket; route: RouteDefinition | undefined };

const limitedRoutes = new Map(
  routes.flatMap((route): [string, LimitedRoute][] =>
    route.bucket ? [[route.path, { bucket: route.bucket, route }]] : [],
  ),
);

/** The limit that a request counts against; a known path with an unknown method counts too. */
function limitedRouteOf(request: FastifyRequest): LimitedRoute | undefined {
  const path = request.routeOptions.url ?? pathOf(request.url);
  return limitedRoutes.get(path) ?? (path.startsWith(CLI_ROUTES) ? { bucket: 'cli', route: undefined } : undefined);
}

/** The decoded path of a request, without its query. */
export function pathOf(url: string): string {
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** Browsers are counted by address, servers by their credential; an unknown token gets no bucket of its own. */
function callerKey(request: FastifyRequest, bucket: RateBucket): string {
  const { credential } = request;
  const isBrowser = bucket === 'click' || bucket === 'lead';
  if (!isBrowser && credential.is === 'program-key') return `key:${credential.key.id}`;
  if (!isBrowser && credential.is === 'account-token') return `account:${credential.token.id}`;
  return byAddress(request);
}

/** The window of a caller without a known credential. */
export const byAddress = ({ ip }: { ip: string }) => `ip:${clientAddress(ip)}`;

function answerPreflight(reply: FastifyReply): FastifyReply {
  addPreflightHeaders(reply);
  return reply.code(204).send();
}
