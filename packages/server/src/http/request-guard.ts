import { errors, type KeyProblem, keyRefusal, type RateBucket, type RouteDefinition, routes } from '@svc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ProgramKey, rotationState } from '../programs/api-key.ts';
import { addCorsHeaders, addPreflightHeaders } from './cors.ts';
import { type Credential, type CredentialSource, callerKey, readCredential } from './credential.ts';
import type { RateLimiter } from './rate-limit/rate-limit.ts';
import { addRotationHeaders, rotationDocsUrl, rotationWarnings } from './rotation.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    definition?: RouteDefinition;
  }
  interface FastifyRequest {
    credential: Credential;
    /** The key of the request while it is marked for rotation. */
    rotatingKey: ProgramKey | null;
    /** The key of the request is past its deadline; whatever else is wrong, that is the answer. */
    isKeyRetired: boolean;
    /** Set once a verb has taken over, which then leaves its own decision. */
    isJudged: boolean;
  }
}

type GateOptions = { credentials: CredentialSource; limit: RateLimiter; now: () => Date; baseUrl: string };

/** Everything below shares one limit, also what is not there. */
export const CLI_ROUTES = '/api/v1/cli/';

const limited = new Map(routes.filter((route) => route.bucket).map((route) => [route.path, route]));

/**
 * What every request passes before its route runs, in this order: request id, CORS, who is calling, rate limit, retired
 * keys, and whether the route takes such a caller.
 */
export function guardRoutes(app: FastifyInstance, { credentials, limit, now, baseUrl }: GateOptions): void {
  const docsUrl = rotationDocsUrl(baseUrl);
  app.decorateRequest('credential');
  app.decorateRequest('rotatingKey', null);
  app.decorateRequest('isKeyRetired', false);
  app.decorateRequest('isJudged', false);

  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-ID', request.id);
    const place = placeOf(request);
    if (!place) {
      if (request.routeOptions.config.definition?.auth === 'account') {
        request.credential = await readCredential(request.headers.authorization, credentials);
        noteRotation(request, reply);
      }
      return;
    }
    if (place.route?.fromBrowsers) {
      if (request.method === 'OPTIONS') return answerPreflight(reply);
      addCorsHeaders(reply);
    }
    request.credential = await credentialOf(request, place, reply);
    noteRotation(request, reply);
    await limit(place.bucket, callerOf(request, place.bucket), reply);
    if (request.isKeyRetired && request.is404) throw errors.keyRetired(docsUrl);
    const { definition } = request.routeOptions.config;
    if (definition && !request.isKeyRetired) refuseCaller(definition, request.credential);
  });

  // Only now, with the body at hand: the decision about a refused attempt says what it was about.
  app.addHook('preValidation', async (request) => {
    if (request.isKeyRetired) throw errors.keyRetired(docsUrl);
  });

  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.routeOptions.config.definition?.withoutRequestId?.includes(reply.statusCode)) {
      reply.removeHeader('X-Request-ID');
    }
    done(null, payload);
  });

  // The one place that adds warnings, to successes and errors alike.
  app.addHook('preSerialization', (request, _reply, payload, done) => {
    const key = request.rotatingKey;
    if (!key || typeof payload !== 'object' || payload === null) return done(null, payload);
    return done(null, { ...payload, warnings: rotationWarnings(key, docsUrl) });
  });

  /** Who is calling. When that cannot be found out the request is counted by its address, and fails. */
  async function credentialOf(request: FastifyRequest, place: Place, reply: FastifyReply): Promise<Credential> {
    try {
      return await readCredential(request.headers.authorization, credentials);
    } catch (error) {
      await limit(place.bucket, `ip:${request.ip}`, reply);
      throw error;
    }
  }

  function noteRotation(request: FastifyRequest, reply: FastifyReply): void {
    if (request.credential.is !== 'program-key') return;
    const { key } = request.credential;
    const state = rotationState(key, now());
    request.isKeyRetired = state === 'retired';
    if (state !== 'due') return;
    request.rotatingKey = key;
    addRotationHeaders(reply, key, docsUrl);
  }
}

type Place = { bucket: RateBucket; route: RouteDefinition | undefined };

/** The limited part of the API that a request is for, known paths with unknown methods included. */
function placeOf(request: FastifyRequest): Place | null {
  const path = request.routeOptions.url ?? pathOf(request.url);
  const route = limited.get(path);
  if (route?.bucket) return { bucket: route.bucket, route };
  return path.startsWith(CLI_ROUTES) ? { bucket: 'cli', route: undefined } : null;
}

export function pathOf(url: string): string {
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** Browsers are counted by address, servers by their key; a token that nobody knows buys no bucket of its own. */
function callerOf(request: FastifyRequest, bucket: RateBucket): string {
  const isBrowser = bucket === 'click' || bucket === 'lead';
  return (isBrowser ? undefined : callerKey(request.credential)) ?? `ip:${request.ip}`;
}

function refuseCaller(route: RouteDefinition, credential: Credential): void {
  const wanted = { 'program-key': 'program-key', 'optional-key': 'program-key', 'account-token': 'account-token' };
  if (!(route.auth in wanted) || credential.is === wanted[route.auth as keyof typeof wanted]) return;
  if (route.auth === 'optional-key' && (credential.is === 'absent' || credential.is === 'empty')) return;
  throw keyRefusal(route, problemOf(credential));
}

function problemOf(credential: Credential): KeyProblem {
  if (credential.is === 'absent' || credential.is === 'malformed') return 'malformed';
  return credential.is === 'empty' ? 'empty' : 'unknown';
}

function answerPreflight(reply: FastifyReply): FastifyReply {
  addPreflightHeaders(reply);
  return reply.code(204).send();
}
