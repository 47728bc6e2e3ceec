import type { z } from 'zod';
import { errors, type KeyProblem, type ServiceError } from './errors.ts';
import type { RateBucket } from './limits.ts';

/**
 * Who may call a route.
 * - `browser`: no credential is asked for; a program key is only looked at for its rotation and in test mode.
 * - `optional-key`: a program key makes it a server call, its absence a browser call.
 * - `program-key`: a program key is required.
 */
export type RouteAuth = 'browser' | 'optional-key' | 'program-key';

export type RouteDefinition = {
  id: string;
  method: 'GET' | 'POST';
  path: string;
  summary: string;
  description: string;
  auth: RouteAuth;
  bucket: RateBucket;
  /** What an attempt at it is called in the record of decisions. */
  attempt?: 'lead' | 'sale' | 'refund';
  /** Fields in the order of their checks; the first one that fails gives the message. */
  body?: z.ZodType;
  /** Replaces `body` when the request asks for test mode. */
  testBody?: z.ZodType;
  reply: z.ZodType;
  /** How a request without a usable key is refused; most routes do it alike. */
  refuseKey?: (problem: KeyProblem) => ServiceError;
  /** What a caller is told when the service itself fails. */
  fail: () => ServiceError;
  /** Called by web pages directly: CORS headers, `text/plain` bodies, origins checked. */
  fromBrowsers: boolean;
  /** Statuses beside 200 that the route can answer with, for the API description. */
  statuses: number[];
};

/** The refusal of a request that has no usable program key. */
export function keyRefusal(route: RouteDefinition, problem: KeyProblem): ServiceError {
  return (route.refuseKey ?? errors.programKey)(problem);
}

/** Declares a route once for the server, the API description, the clients and the tests that run over every route. */
export function defineRoute<const Route extends RouteDefinition>(route: Route): Route {
  return route;
}
