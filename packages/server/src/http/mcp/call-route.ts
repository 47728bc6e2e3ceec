import { addressOf, type CallOf, type ReplyOf, type RouteDefinition } from '@svc/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ToolCall, ToolCalls } from './rehearse.ts';

/** Calls a route of the API as the caller of a tool. Throws a `Refusal` when the route refuses. */
export type CallRoute = <Route extends RouteDefinition>(
  route: Route,
  sent: CallOf<Route> & { idempotencyKey?: string },
) => Promise<ReplyOf<Route>>;

/** Calls a route and undoes what it does. Throws a `Refusal` when the route would refuse. */
export type RehearseRoute = <Route extends RouteDefinition>(route: Route, sent: CallOf<Route>) => Promise<void>;

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
export function callRoutesAs(
  app: FastifyInstance,
  request: FastifyRequest,
  toolCalls: ToolCalls,
): { call: CallRoute; rehearse: RehearseRoute } {
  const forwarded = request.headers['x-forwarded-for'];
  const headers = {
    authorization: request.headers.authorization,
    'x-request-id': request.id,
    ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }),
  };

  async function send(
    route: RouteDefinition,
    { params, query, body, idempotencyKey }: CallOf<RouteDefinition> & { idempotencyKey?: string },
    toolCall: ToolCall,
  ) {
    const call = {
      method: route.method,
      url: addressOf(route.path, { params, query: query as object | undefined }),
      headers: { ...headers, ...(idempotencyKey && { 'idempotency-key': idempotencyKey }) },
      remoteAddress: request.socket.remoteAddress ?? '127.0.0.1',
      ...(body !== undefined && { payload: body as object }),
    };
    const response = await toolCalls.run(toolCall, async () => await app.inject(call));
    const answer = response.json();
    if (response.statusCode >= 400 && !toolCall.hasSucceeded) {
      throw new Refusal(response.statusCode, answer.error?.message ?? 'Refused');
    }
    return answer;
  }

  return {
    call: (route, sent) => send(route, sent as never, { isRehearsal: false, hasSucceeded: false }),
    rehearse: (route, sent) => send(route, sent as never, { isRehearsal: true, hasSucceeded: false }),
  };
}
