import { errorBody, errors, ServiceError } from '@svc/contract';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GroupFull } from '../db/group-commit.ts';
import type { Metrics } from '../metrics.ts';
import type { TrackingContext } from '../tracking-context.ts';
import { rotationDocsUrl } from './rotation.ts';
import { keepRefusedAttempt } from './track/refused-attempt.ts';

/** Renders every failure once: what a caller may know goes out, what went wrong inside goes to the log. */
export function handleErrors(app: FastifyInstance, ctx: TrackingContext, metrics: Metrics, baseUrl: string): void {
  const docsUrl = rotationDocsUrl(baseUrl);
  app.setErrorHandler(async (error: FastifyError | Error, request, reply) => {
    const shown = hidesKeyRetired(error, request) ? errors.keyRetired(docsUrl) : toErrorReply(error, request);
    if (shown.status >= 500 && shown.status !== 503) {
      request.log.error({ err: error, requestId: request.id, route: request.routeOptions.url }, shown.message);
    }
    metrics.rejected.labels(request.routeOptions.url ?? 'unknown', shown.reason).inc();
    await keepRefusedAttempt(ctx, request, shown);
    return sendError(reply, shown);
  });
}

export function sendError(reply: FastifyReply, error: ServiceError): FastifyReply {
  return reply
    .code(error.status)
    .headers(error.parts.headers ?? {})
    .send(errorBody(error));
}

/** A body that cannot be read must not hide that the key is retired; the rate limit comes before both. */
function hidesKeyRetired(error: FastifyError | Error, request: FastifyRequest): boolean {
  const status = error instanceof ServiceError ? error.status : 'statusCode' in error ? error.statusCode : 500;
  return request.isKeyRetired && !request.is404 && (status === 400 || status === 413 || status === 415);
}

function toErrorReply(error: FastifyError | Error, request: FastifyRequest): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof GroupFull) return errors.overloaded();
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500;
  const { definition } = request.routeOptions.config;
  if (status === 413) return definition?.signed ? errors.eventTooLarge() : errors.bodyTooLarge();
  if (status === 415) return errors.unsupportedMediaType();
  if (status < 500) return errors.invalidRequest();
  return definition?.fail(request.id) ?? errors.unexpected();
}
