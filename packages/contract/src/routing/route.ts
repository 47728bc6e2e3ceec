import type { z } from 'zod';
import { errors, type FieldProblem, type KeyProblem } from '../errors/errors.ts';
import type { ServiceError } from '../errors/service-error.ts';
import type { RateBucket } from '../values/limits.ts';
import type { WorkspaceRole } from '../values/roles.ts';

/**
 * Who may call a route.
 * - `none`: anyone; credentials are ignored.
 * - `browser`: no credential is required; a program key matters only for its rotation and in test mode.
 * - `optional-key`: with a program key it is a server-side call, without one a browser call.
 * - `program-key`: a program key is required.
 * - `account-token`: the login token of an account is required.
 * - `account`: a signed-in user, identified by session cookie or account token.
 */
export type RouteAuth = 'none' | 'browser' | 'optional-key' | 'program-key' | 'account-token' | 'account';

/**
 * Whether a session must have proved in the last minutes who uses it, by a password, a code or a passkey. It must for what pays
 * a person, gives access, shows secrets or cannot be undone: always, with certain fields, or when a field is true. For everything
 * else there is a reason why not.
 */
export type Proof = 'recent' | { withFields: readonly [string, ...string[]] } | { whenTrue: string } | { none: string };

export type RouteDefinition = {
  id: string;
  /** Required on every route with which an account changes something. */
  proof?: Proof;
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  path: string;
  summary: string;
  description: string;
  auth: RouteAuth;
  /** The lowest role in the workspace that may call it. */
  role?: WorkspaceRole;
  /** The lowest role that may have a reply in which this field is true. */
  roleOfReply?: { whenTrue: string; role: WorkspaceRole };
  /** Partners of the program may call it too, and see and change only what is theirs. */
  partners?: true;
  /** The body names a mailed link, which belongs to one account. */
  namesLink?: true;
  /** It changes a resource that has an ETag, and with `If-Match` only one that is as its caller read it. */
  ifMatch?: true;
  /** Reading it changes something. It has no HEAD, and its replies are not cached anywhere on the way. */
  consumes?: true;
  /** The rate limit it counts against. */
  bucket?: RateBucket;
  /** The kind of decision that an attempt leaves. */
  attempt?: 'lead' | 'sale' | 'refund';
  /** Fields in the order of their checks; the first one that fails gives the message. */
  body?: z.ZodType;
  /** A body that the API reference shows. */
  example?: Record<string, unknown>;
  /** A success that it shows; by default one is made up from the schema. */
  replyExample?: Record<string, unknown>;
  /** Fields for which `null` is a value; for all others it means absent. */
  keepsNull?: readonly string[];
  /** Says what is wrong when the fields cannot be right together; runs before the check of single fields. */
  precheck?: (fields: Record<string, unknown>) => string | FieldProblem | null;
  /** The parameters of the query string. Accounts are refused others. */
  query?: z.ZodObject;
  /** Replaces `body` when the request asks for test mode. */
  testBody?: z.ZodType;
  /** A shortcut past `body` on the busiest route: the same result for the plainest requests, undefined for all others. */
  plainBody?: (fields: object) => object | undefined;
  reply: z.ZodType;
  /** The media type of a success; JSON by default. */
  replyType?: 'text/csv' | 'text/plain' | 'application/pdf' | 'image/png';
  /** More media types of a success, where the path says which file is asked for. */
  otherReplyTypes?: readonly string[];
  /** How a request without a usable key is refused, where it differs from most routes. */
  refuseKey?: (problem: KeyProblem) => ServiceError;
  /** The error for a failure of the service itself. */
  fail: (requestId: string) => ServiceError;
  /** The body is signed and read as raw bytes; the signature identifies the sender. */
  signed?: true;
  /** What a signed body looks like where the service itself says so. */
  event?: z.ZodType;
  /** The media types of a body that is a file; it is read as raw bytes. */
  receives?: readonly [string, ...string[]];
  /** The largest body that it accepts, where that is more than `MAX_BODY_BYTES`. */
  maxBodyBytes?: number;
  /** The field that makes a body too large, for the message. */
  largeField?: string;
  /** Web pages call it directly: CORS headers, `text/plain` bodies, origin check. */
  fromBrowsers?: boolean;
  /** Where there is a replica for reports, it answers or adds totals. The answer then says how far behind it may be. */
  mayBeBehind?: true;
  /** Statuses whose responses carry no `X-Request-ID`. */
  withoutRequestId?: readonly number[];
  /** The status of a success; 200 by default. */
  success?: 201;
  /** It always refuses, with the one status that it has. */
  retired?: true;
  /**
   * Error statuses that the route can answer with, for the API description. Those that follow from the rest of the definition
   * need not be repeated.
   */
  statuses: readonly number[];
};

/** The error for a request without a usable program key. */
export function keyRefusal(route: RouteDefinition, problem: KeyProblem): ServiceError {
  return (route.refuseKey ?? errors.programKey)(problem);
}

/** An account that changes something either proves who it is, or there is a reason why not. */
type WithProof<Route extends RouteDefinition> = Route extends { auth: 'account'; method: 'GET' }
  ? unknown
  : Route extends { auth: 'account' }
    ? { proof: Proof }
    : unknown;

/** Declares a route once for the server, the API description, the clients and the tests that cover every route. */
export function defineRoute<const Route extends RouteDefinition>(route: Route & WithProof<Route>): Route {
  return route;
}
