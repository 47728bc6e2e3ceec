import type { z } from 'zod';
import { errors, type KeyProblem } from '../errors/errors.ts';
import type { ServiceError } from '../errors/service-error.ts';
import type { RateBucket } from '../values/limits.ts';

/**
 * Who may call a route.
 * - `none`: anybody; no credential is looked at.
 * - `browser`: no credential is asked for; a program key is only looked at for its rotation and in test mode.
 * - `optional-key`: a program key makes it a server call, its absence a browser call.
 * - `program-key`: a program key is required.
 * - `account-token`: the login token of an account is required.
 * - `account`: a signed-in person, by session cookie or login token.
 */
export type RouteAuth = 'none' | 'browser' | 'optional-key' | 'program-key' | 'account-token' | 'account';

export type RouteDefinition = {
  id: string;
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  path: string;
  summary: string;
  description: string;
  auth: RouteAuth;
  /** The least role that may call it; a partner sees only what is theirs. */
  role?: 'owner' | 'member' | 'partner';
  /** The rate limit it counts against; none for what only signed-in people call. */
  bucket?: RateBucket;
  /** What an attempt at it is called in the record of decisions. */
  attempt?: 'lead' | 'sale' | 'refund';
  /** Fields in the order of their checks; the first one that fails gives the message. */
  body?: z.ZodType;
  /** Fields for which `null` is a value; for all others it is the same as leaving them out. */
  keepsNull?: readonly string[];
  /** A message when the fields taken together cannot be right; looked at before any single field. */
  precheck?: (fields: Record<string, unknown>) => string | null;
  /** The query string's parameters. */
  query?: z.ZodType;
  /** Replaces `body` when the request asks for test mode. */
  testBody?: z.ZodType;
  /** A shortcut past `body` on the busiest route: the same result for the plainest requests, undefined for all others. */
  plainBody?: (fields: object) => object | undefined;
  reply: z.ZodType;
  /** The media type of a success; JSON unless it says otherwise. */
  replyType?: 'text/csv';
  /** How a request without a usable key is refused; most routes do it alike. */
  refuseKey?: (problem: KeyProblem) => ServiceError;
  /** What a caller is told when the service itself fails. */
  fail: (requestId: string) => ServiceError;
  /** The body is signed and read as it is; who sends it is known by that alone. */
  signed?: true;
  /** Called by web pages directly: CORS headers, `text/plain` bodies, origins checked. */
  fromBrowsers?: boolean;
  /** Statuses whose answers carry no `X-Request-ID`. */
  withoutRequestId?: readonly number[];
  /** The status of a success; 200 unless it says otherwise. */
  success?: 201;
  /** Statuses beside 200 that the route can answer with, for the API description. */
  statuses: readonly number[];
};

/** The refusal of a request that has no usable program key. */
export function keyRefusal(route: RouteDefinition, problem: KeyProblem): ServiceError {
  return (route.refuseKey ?? errors.programKey)(problem);
}

/** Declares a route once for the server, the API description, the clients and the tests that run over every route. */
export function defineRoute<const Route extends RouteDefinition>(route: Route): Route {
  return route;
}
