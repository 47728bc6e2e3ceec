import { errorBody, errors, MANAGE, MAX_BODY_BYTES, type RouteDefinition, ServiceError } from '@svc/contract';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../context.ts';
import { StoreBusy } from '../db/db.ts';
import { GroupFull } from '../db/group-commit.ts';
import type { Metrics } from '../metrics.ts';
import type { TrackingContext } from '../tracking-context.ts';
import { rotationDocsUrl } from './key-rotation.ts';
import { recordRefusedAttempts } from './track/refused-attempt.ts';
import { isAnsweredCalmly } from './track/report-routes.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The status of the error, also where the answer has another one. */
    refusedWith: number | null;
  }
}

/** The surfaces whose errors say which field they are about. On all others the specification fixes what `details` contains. */
const NAMES_FIELDS = [MANAGE, '/api/auth'];

/** The one place that renders errors: the caller gets what it may know, the log gets the cause. */
export function handleErrors(app: FastifyInstance, ctx: TrackingContext, metrics: Metrics, baseUrl: string): void {
  const docsUrl = rotationDocsUrl(baseUrl);
  app.decorateRequest('refusedWith', null);
  app.setErrorHandler(async (thrown: FastifyError | Error, request, reply) => {
    const { url, config } = request.routeOptions;
    const route = config.definition;
    const cause = hidesKeyRetired(thrown, request) ? errors.keyRetired(docsUrl) : thrown;
    const error = noteFailure({ log: ctx.log, metrics }, cause, { requestId: request.id, route, path: url });
    await recordRefusedAttempts(ctx, [{ attempt: request, route, error }]);
    return sendError(reply, error);
  });
}

export function sendError(reply: FastifyReply, error: ServiceError): FastifyReply {
  const { url = '' } = reply.request.routeOptions;
  const body = errorBody(
    error,
    NAMES_FIELDS.some((surface) => url.startsWith(surface)),
  );
  reply.headers(error.parts.headers ?? {});
  reply.request.refusedWith = error.status;
  if (isAnsweredCalmly(url, error.status)) return reply.code(200).send({ success: false, ...body });
  return reply.code(error.status).send(body);
}

type Failed = { requestId: string; route: RouteDefinition | undefined; path: string | undefined };

/** Turns what was thrown into what the caller gets to see, counts it, and logs it if the service is to blame. */
export function noteFailure(
  { log, metrics }: { log: Log; metrics: Metrics },
  thrown: FastifyError | Error,
  { requestId, route, path }: Failed,
): ServiceError {
  const error = toServiceError(thrown, route, requestId);
  if (error.status >= 500 && error.status !== 503) {
    log.error({ err: thrown, requestId, route: path }, error.message);
  }
  metrics.rejected.labels(path ?? 'unknown', error.reason).inc();
  return error;
}

/** An unreadable body must not hide that the key is retired; the rate limit comes before both. */
function hidesKeyRetired(error: FastifyError | Error, request: FastifyRequest): boolean {
  const status = error instanceof ServiceError ? error.status : 'statusCode' in error ? error.statusCode : 500;
  return request.isKeyRetired && !request.is404 && (status === 400 || status === 413 || status === 415);
}

function toServiceError(
  error: FastifyError | Error,
  route: RouteDefinition | undefined,
  requestId: string,
): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof GroupFull || error instanceof StoreBusy) return errors.overloaded();
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500;
  if (status === 413) return errors.bodyTooLarge(route?.maxBodyBytes ?? MAX_BODY_BYTES, route?.largeField);
  if (status === 415) return errors.unsupportedMediaType(route?.receives);
  if (status < 500) return errors.invalidRequest();
  return route?.fail(requestId) ?? errors.unexpected();
}
