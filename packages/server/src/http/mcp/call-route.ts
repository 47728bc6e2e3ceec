import type { AsyncLocalStorage } from 'node:async_hooks';
import { addressOf, type CallOf, type ReplyOf, type RouteDefinition } from '@svc/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Calls a route of the API as the caller of a tool. Throws a `Refusal` when the route refuses. */
export type CallRoute = <Route extends RouteDefinition>(
  route: Route,
  sent: CallOf<Route> & { idempotencyKey?: string },
) => Promise<ReplyOf<Route>>;

/** What a route answered instead of a success. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Tools go through the same routes as everybody else, inside the process: credential, role, tenant, limits and audit are those
 * of the route, and no tool can reach what its caller could not.
 */
export function callRouteAs(
  app: FastifyInstance,
  request: FastifyRequest,
  toolCalls: AsyncLocalStorage<true>,
): CallRoute {
  const forwarded = request.headers['x-forwarded-for'];
  const headers = {
    authorization: request.headers.authorization,
    'x-request-id': request.id,
    ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }),
  };
  return async (route, { params, query, body, idempotencyKey }) => {
    const call = {
      method: route.method,
      url: addressOf(route.path, { params, query: query as object | undefined }),
      headers: { ...headers, ...(idempotencyKey && { 'idempotency-key': idempotencyKey }) },
      remoteAddress: request.socket.remoteAddress ?? '127.0.0.1',
      ...(body !== undefined && { payload: body as object }),
    };
    const response = await toolCalls.run(true, async () => await app.inject(call));
    const answer = response.json();
    if (response.statusCode >= 400) throw new Refusal(response.statusCode, answer.error?.message ?? 'Refused');
    return answer;
  };
}
