import { errors, type RateBucket, type RouteDefinition, routes } from '@svc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccountToken } from '../accounts/account-token-store.ts';
import { type ProgramKey, rotationState } from '../programs/api-key.ts';
import { type Credential, type CredentialSource, readCredential } from './callers/credential.ts';
import { requireCredential } from './callers/require-credential.ts';
import { requireScope, scopeOf, takesKey } from './callers/token-scope.ts';
import {
  addClientCorsHeaders,
  addClientPreflightHeaders,
  addCorsHeaders,
  addPreflightHeaders,
  isForBrowserClients,
} from './cors.ts';
import { addRotationHeaders, addRotationWarnings, rotationDocsUrl } from './key-rotation.ts';
import { clientAddress } from './rate-limit/client-address.ts';
import { createGuessingGuard } from './rate-limit/guessing-guard.ts';
import type { RateLimiter } from './rate-limit/rate-limit.ts';
import { RELAY_HEADER, type RelayedVisitor, readRelayedVisitor } from './rate-limit/relayed-visitor.ts';
import { REPORT_ROUTES } from './track/report-routes.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    definition?: RouteDefinition;
  }
  interface FastifyRequest {
    credential: Credential;
    /** The key of the request while it is marked for rotation. */
    rotatingKey: ProgramKey | null;
    /** The key of the request is past its deadline; this error takes precedence over all others. */
    isKeyRetired: boolean;
    /** The visitor whose address a relay has signed; their requests are counted instead of the relay's. */
    relayed: SignedVisitor | null;
    /** Set once a verb has taken over, which then records its own decision. */
    isJudged: boolean;
  }
}

type SignedVisitor = RelayedVisitor & {
  /** A relay speaks for its own program only. In what concerns another, its own address counts, not the visitor's. */
  confirm(programId: number | null | undefined): Promise<void>;
};

const NONE: Credential = { is: 'absent' };

type GuardOptions = {
  credentials: CredentialSource & {
    liveKeys(programId: number): Promise<ProgramKey[]>;
    /** What a token is as a key of a program; null if it is not used like one. */
    keyOfToken(token: AccountToken): Promise<ProgramKey | null>;
  };
  limit: RateLimiter;
  now: () => Date;
  baseUrl: string;
  /** Counts what signatures of relays were worth. */
  onRelaySignature: (result: string) => void;
  /** Whether the request is made inside the service, by a tool. */
  isToolCall: () => boolean;
};

/** All paths below share one limit, including those that do not exist. */
const LIMITED_PATHS: [prefix: string, RateBucket][] = [
  ['/api/v1/cli/', 'cli'],
  ['/api/v1/manage/', 'manage'],
  ['/api/v1/webhooks/', 'webhook'],
  ['/oauth/', 'cli'],
  ['/mcp', 'manage'],
  ['/docs/search', 'manage'],
];

/**
 * Runs before every route, in this order: request id, CORS, credentials, rate limit, keys past their deadline, and whether the
 * route accepts such a caller.
 */
export function guardRoutes(app: FastifyInstance, options: GuardOptions): void {
  const { credentials, limit, now, baseUrl, onRelaySignature, isToolCall } = options;
  const docsUrl = rotationDocsUrl(baseUrl);
  const guessing = createGuessingGuard(now);
  app.decorateRequest('credential');
  app.decorateRequest('rotatingKey', null);
  app.decorateRequest('isKeyRetired', false);
  app.decorateRequest('relayed', null);
  app.decorateRequest('isJudged', false);
  app.decorateRequest('browserSession', null);

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    if (!request.url.startsWith('/api/') && isForBrowserClients(pathOf(request.url))) {
      if (request.method === 'OPTIONS') return answerPreflight(reply, addClientPreflightHeaders);
      addClientCorsHeaders(reply);
    }
    const limited = limitedRouteOf(request);
    const guarding = limited && guardLimited(request, reply, limited);
    return guarding === undefined ? done() : guarding;
  });

  function guardLimited(request: FastifyRequest, reply: FastifyReply, { bucket, route }: LimitedRoute) {
    if (route?.fromBrowsers) {
      if (request.method === 'OPTIONS') return answerPreflight(reply);
      addCorsHeaders(reply);
    }
    // The body is signed, so no credential is needed, and it is not read before the limit is checked.
    if (bucket === 'webhook') return limit(bucket, senderKey(request), reply);
    if (bucket === 'manage' || request.headers.authorization !== undefined) return guardCaller(request, reply, bucket);
    // Browsers send no credential, so a click waits for nothing here unless its requests are counted in Redis.
    request.credential = NONE;
    const signed = route?.fromBrowsers ? request.headers[RELAY_HEADER] : undefined;
    if (signed !== undefined) return guardRelayed(request, reply, bucket, signed);
    const counting = limit(bucket, byAddress(request), reply);
    return counting instanceof Promise ? counting.then(() => admit(request)) : admit(request);
  }

  /** Counts the visitor whom the relay names, separately for each program, so that no program uses up another's limits. */
  async function guardRelayed(
    request: FastifyRequest,
    reply: FastifyReply,
    bucket: RateBucket,
    signed: string | string[],
  ) {
    const countRelay = async () => limit(bucket, byAddress(request), reply);
    const read = await readRelayedVisitor(signed, credentials.liveKeys, now()).catch(async (error) => {
      await countRelay();
      throw error;
    });
    onRelaySignature(typeof read === 'string' ? read : 'valid');
    if (typeof read === 'string') await countRelay();
    else {
      await limit(bucket, `relay:${read.programId}:${clientAddress(read.address)}`, reply);
      const confirm: SignedVisitor['confirm'] = async (programId) => {
        if (programId === read.programId) return;
        request.relayed = null;
        onRelaySignature('other_program');
        await countRelay();
      };
      request.relayed = { ...read, confirm };
    }
    admit(request);
  }

  async function guardCaller(request: FastifyRequest, reply: FastifyReply, bucket: RateBucket): Promise<void> {
    if (bucket === 'manage') guessing.refuse(request);
    try {
      await identify(request, reply);
    } catch (error) {
      // The request fails without a known caller, and still counts against its address.
      await limit(bucket, byAddress(request), reply);
      throw error;
    }
    try {
      await limit(bucket, callerKey(request, bucket), reply);
    } catch (refusal) {
      if (bucket === 'manage') guessing.note(request, refusal);
      throw refusal;
    }
    admit(request);
  }

  function admit(request: FastifyRequest): void {
    if (request.isKeyRetired && request.is404) throw errors.keyRetired(docsUrl);
    const { definition } = request.routeOptions.config;
    if (!definition || request.isKeyRetired) return;
    const { credential, params } = request;
    requireCredential(definition, credential);
    if (credential.is === 'account-token' && !takesKey(definition) && definition.auth !== 'none') {
      requireScope(credential.token, { route: definition, params });
    }
  }

  /** Puts the caller's credential on the request, and the headers of a key that must be rotated on the reply. */
  async function identify(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const isByTool = isToolCall();
    const credential = await readCredential(request.headers.authorization, credentials);
    request.credential = await actingAs(credential, { isByTool, route: request.routeOptions.config.definition });
    if (request.credential.is !== 'program-key') return;
    const { key } = request.credential;
    const state = rotationState(key, now());
    request.isKeyRetired = state === 'retired';
    if (state !== 'due') return;
    request.rotatingKey = key;
    addRotationHeaders(reply, key, docsUrl);
  }

  /** Through tools, an application acts as its user. A token may be used like a key, where a key is asked for. */
  async function actingAs(
    credential: Credential,
    { isByTool, route }: { isByTool: boolean; route: RouteDefinition | undefined },
  ): Promise<Credential> {
    if (credential.is === 'application-token') return isByTool ? { ...credential, is: 'account-token' } : credential;
    if (credential.is !== 'account-token' || !route || !takesKey(route) || scopeOf(route) === null) return credential;
    const key = await credentials.keyOfToken(credential.token);
    return key ? { is: 'program-key', key, token: credential.token } : credential;
  }

  // Only after the body was read: the decision about a refused attempt includes its ids.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.isKeyRetired) return done(errors.keyRetired(docsUrl));
    done();
  });

  app.addHook('preSerialization', (request, _reply, payload, done) => {
    done(null, addRotationWarnings(payload, request.rotatingKey, docsUrl));
  });
}

type LimitedRoute = { bucket: RateBucket; route: RouteDefinition | undefined };

const limitedRoutes = new Map(
  [...routes.map((route): [string, RouteDefinition] => [route.path, route]), ...REPORT_ROUTES].flatMap(
    ([path, route]): [string, LimitedRoute][] => (route.bucket ? [[path, { bucket: route.bucket, route }]] : []),
  ),
);

/** The limit that a request counts against; a known path with an unknown method counts too. */
function limitedRouteOf(request: FastifyRequest): LimitedRoute | undefined {
  const path = request.routeOptions.url ?? pathOf(request.url);
  const known = limitedRoutes.get(path);
  if (known) return known;
  const bucket = bucketOfPath(path);
  return bucket && { bucket, route: undefined };
}

/** The limit that all paths with the same beginning share. */
export function bucketOfPath(path: string): RateBucket | undefined {
  return LIMITED_PATHS.find(([prefix]) => path.startsWith(prefix))?.[1];
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

/** Browsers are counted by address, servers by their credential; an unknown token does not get its own bucket. */
function callerKey(request: FastifyRequest, bucket: RateBucket): string {
  const { credential } = request;
  const isBrowser = bucket === 'click' || bucket === 'lead';
  if (!isBrowser && 'token' in credential && credential.token) return `account:${credential.token.id}`;
  if (!isBrowser && credential.is === 'program-key') return `key:${credential.key.id}`;
  return byAddress(request);
}

/** Payment processors send from a few addresses for all programs, so each program has its own windows. */
function senderKey(request: FastifyRequest): string {
  const { program_id: programId = 'platform' } = request.params as { program_id?: string };
  return `${programId.slice(0, 20)}:${byAddress(request)}`;
}

/** The window of a caller without a known credential. */
export const byAddress = ({ ip }: { ip: string }) => `ip:${clientAddress(ip)}`;

function answerPreflight(reply: FastifyReply, addHeaders = addPreflightHeaders): FastifyReply {
  addHeaders(reply);
  return reply.code(204).send();
}
