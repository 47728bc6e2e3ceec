import { errorBody, errors, MAX_BODY_BYTES, ServiceError } from '@svc/contract';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { StoreBusy } from '../db/db.ts';
import { GroupFull } from '../db/group-commit.ts';
import type { Metrics } from '../metrics.ts';
import type { TrackingContext } from '../tracking-context.ts';
import { rotationDocsUrl } from './rotation.ts';
import { recordRefusedAttempt } from './track/refused-attempt.ts';

/** The one place that renders errors: the caller gets what it may know, the log gets the cause. */
export function handleErrors(app: FastifyInstance, ctx: TrackingContext, metrics: Metrics, baseUrl: string): void {
  const docsUrl = rotationDocsUrl(baseUrl);
  app.setErrorHandler(async (error: FastifyError | Error, request, reply) => {
    const sent = hidesKeyRetired(error, request) ? errors.keyRetired(docsUrl) : toServiceError(error, request);
    if (sent.status >= 500 && sent.status !== 503) {
      request.log.error({ err: error, requestId: request.id, route: request.routeOptions.url }, sent.message);
    }
    metrics.rejected.labels(request.routeOptions.url ?? 'unknown', sent.reason).inc();
    await recordRefusedAttempt(ctx, request, sent);
    return sendError(reply, sent);
  });
}

export function sendError(reply: FastifyReply, error: ServiceError): FastifyReply {
  return reply
    .code(error.status)
    .headers(error.parts.headers ?? {})
    .send(errorBody(error));
}

/** An unreadable body must not hide that the key is retired; the rate limit comes before both. */
function hidesKeyRetired(error: FastifyError | Error, request: FastifyRequest): boolean {
  const status = error instanceof ServiceError ? error.status : 'statusCode' in error ? error.statusCode : 500;
  return request.isKeyRetired && !request.is404 && (status === 400 || status === 413 || status === 415);
}

function toServiceError(error: FastifyError | Error, request: FastifyRequest): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof GroupFull || error instanceof StoreBusy) return errors.overloaded();
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500;
  const { definition } = request.routeOptions.config;
  if (status === 413) return errors.bodyTooLarge(definition?.maxBodyBytes ?? MAX_BODY_BYTES);
  if (status === 415) return errors.unsupportedMediaType();
  if (status < 500) return errors.invalidRequest();
  return definition?.fail(request.id) ?? errors.unexpected();
}
