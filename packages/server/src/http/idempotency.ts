import {
  acceptsIdempotencyKey,
  errors,
  IDEMPOTENCY_KEY,
  IDEMPOTENCY_KEY_FORM,
  IDEMPOTENT_REPLAYED,
  type RouteDefinition,
  type WorkspaceRole,
} from '@svc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { completeRequest } from '../idempotency/complete-request.ts';
import { accountOwner, programOwner } from '../idempotency/kept-bytes.ts';
import { type Claim, startRequest } from '../idempotency/start-request.ts';
import { accessTo } from './callers/program-access.ts';
import { signedInMember, signedInUser } from './callers/signed-in-user.ts';
import { workspaceOfToken } from './callers/workspace-of-token.ts';
import type { ServiceContext } from './service-context.ts';
import { isAnsweredCalmly } from './track/report-routes.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set while this is the first request with its Idempotency-Key. */
    idempotencyClaim: Claim | null;
  }
}

const HEADER = IDEMPOTENCY_KEY.toLowerCase();

/** What an answer counts as while its request is under way; routes that accept large bodies can give large answers. */
const RESERVED_BYTES = 16 * 1024;
const LARGE_RESERVED_BYTES = 512 * 1024;

/** Answers of these routes quote nothing that the caller sent, and there are many of them. */
const QUOTES_NOTHING = ['trackLead', 'trackSale'];

/**
 * Answers a repeated request with an Idempotency-Key like the first one, on routes that accept one. Other routes, and requests
 * without the header, do not come through here.
 */
export function repeatAnswers(app: FastifyInstance, ctx: ServiceContext): void {
  app.decorateRequest('idempotencyClaim', null);
  app.addHook('onRoute', (options) => {
    const route = options.config?.definition;
    if (!route || !acceptsIdempotencyKey(route)) return;
    options.preHandler = (request, reply, done) =>
      request.headers[HEADER] === undefined ? done() : start(route, request, reply);
    options.onSend = (request, reply, payload, done) =>
      request.idempotencyClaim === null
        ? done(null, payload)
        : complete(request.idempotencyClaim, request, reply, payload);
  });

  async function start(route: RouteDefinition, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const caller = await callerOf(ctx, request);
    if (!caller) return undefined;
    const { url: path = route.path } = request.routeOptions;
    const key = String(request.headers[HEADER]);
    if (!IDEMPOTENCY_KEY_FORM.test(key)) throw errors.idempotencyKeyInvalid();
    const started = await startRequest(ctx, {
      key,
      // The tracker's own paths word refusals differently.
      within: [caller.credential, route.id, JSON.stringify(request.params), ...(path === route.path ? [] : [path])],
      body: request.body,
      programId: QUOTES_NOTHING.includes(route.id) ? null : programOf(request),
      userId: caller.userId,
      owner: caller.owner,
      reservedBytes: route.maxBodyBytes === undefined ? RESERVED_BYTES : LARGE_RESERVED_BYTES,
    });
    if (started.is === 'first') {
      request.idempotencyClaim = started.claim;
      return undefined;
    }
    if (started.is === 'in_progress') {
      // The first request leaves the decision.
      request.isJudged = true;
      throw errors.requestInProgress();
    }
    await requireAccess(ctx, request, route, started.answer);
    return reply
      .code(isAnsweredCalmly(path, started.status) ? 200 : started.status)
      .header(IDEMPOTENT_REPLAYED, 'true')
      .type('application/json; charset=utf-8')
      .send(started.answer);
  }

  /** The answer is kept before it is sent, so a client that received it can always replay it. */
  async function complete(claim: Claim, request: FastifyRequest, reply: FastifyReply, payload: unknown) {
    request.idempotencyClaim = null;
    try {
      await completeRequest(ctx, claim, {
        status: request.refusedWith ?? reply.statusCode,
        answer: String(payload),
      });
    } catch (error) {
      // What was done stands. Until the claim expires, a repetition is told that the request is in progress.
      ctx.log.error({ err: error, requestId: request.id }, 'Could not keep the answer to a request');
    }
    return payload;
  }
}

type Caller = { credential: string; userId: string | null; owner: string };

/** Whose key it is. Null for web pages, which report leads without a credential. */
async function callerOf(ctx: ServiceContext, request: FastifyRequest): Promise<Caller | null> {
  const { credential } = request;
  const { auth } = request.routeOptions.config.definition as RouteDefinition;
  if (auth === 'account') {
    const { user } = await signedInUser(ctx, request);
    const owner = accountOwner(user.id);
    // A request that is repeated after its session was renewed is still the same request.
    if (request.browserSession) return { credential: `browser of ${user.id}`, userId: user.id, owner };
  }
  if ('token' in credential && credential.token && credential.is !== 'application-token') {
    const { id, userId } = credential.token;
    return { credential: `token ${id}`, userId, owner: accountOwner(userId) };
  }
  if (credential.is !== 'program-key') return null;
  const { id, programId } = credential.key;
  return { credential: `key ${id}`, userId: null, owner: programOwner(programId) };
}

/** Refuses callers who have lost access: they do not get the stored reply. Keys were checked before the request got here. */
async function requireAccess(
  ctx: ServiceContext,
  request: FastifyRequest,
  route: RouteDefinition,
  answer: string,
): Promise<void> {
  if (route.auth === 'account-token') await workspaceOfToken(ctx, request, route);
  if (route.auth !== 'account') return;
  const inside = { ...route, role: roleOfAnswer(route, answer) };
  if (route.path.includes('/:program_id')) await accessTo(ctx, request, inside);
  else if (inside.role !== undefined) await signedInMember(ctx, request, inside);
}

/** The lowest role that may have the answer. */
function roleOfAnswer({ role, roleOfReply }: RouteDefinition, answer: string): WorkspaceRole | undefined {
  if (!roleOfReply) return role;
  const { data } = JSON.parse(answer) as { data: Record<string, unknown> | null };
  return data?.[roleOfReply.whenTrue] === true ? roleOfReply.role : role;
}

function programOf({ credential, params }: FastifyRequest): number | null {
  if (credential.is === 'program-key') return credential.key.programId;
  const id = Number((params as { program_id?: string }).program_id);
  return Number.isSafeInteger(id) ? id : null;
}
