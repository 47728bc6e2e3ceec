import { errorBody, errors, ServiceError } from '@svc/contract';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GroupFull } from '../db/group-commit.ts';
import type { TrackingContext } from '../tracking/tracking-context.ts';
import { keepRefusedAttempt } from './track/refused-attempt.ts';

/** Renders every failure once: what a caller may know goes out, what went wrong inside goes to the log. */
export function handleErrors(app: FastifyInstance, ctx: TrackingContext): void {
  app.setErrorHandler(async (error: FastifyError | Error, request, reply) => {
    const shown = shownError(error, request);
    if (shown.status >= 500 && shown.status !== 503) {
      request.log.error({ err: error, requestId: request.id, route: request.routeOptions.url }, shown.message);
    }
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

function shownError(error: FastifyError | Error, request: FastifyRequest): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof GroupFull) return errors.overloaded();
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500;
  if (status === 413) return errors.bodyTooLarge();
  if (status === 415) return errors.unsupportedMediaType();
  if (status < 500) return errors.invalidField('Invalid request');
  return request.routeOptions.config.definition?.fail(request.id) ?? errors.internal('Internal server error');
}
