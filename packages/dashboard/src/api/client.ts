import { routes } from 'virtual:routes';
import type * as contract from '@svc/contract';
import { addressOf, type CallOf, type ReplyOf, type RouteDefinition } from '@svc/contract';
import { type Refused, readProblem } from '../rules/problem.ts';
import { confirmIdentity, proofAskedBy } from './confirmation.ts';

type Contract = typeof contract;
type Routes = {
  [Name in keyof Contract as Contract[Name] extends RouteDefinition ? Name : never]: Contract[Name];
};

/** The name of a route in the contract. */
export type RouteName = keyof Routes & string;
/** The parameters, query and body of a request to a route. */
export type Call<Name extends RouteName> = Routes[Name] extends RouteDefinition ? CallOf<Routes[Name]> : never;
export type Reply<Name extends RouteName> = Routes[Name] extends RouteDefinition
  ? ReplyOf<Routes[Name]> & MaybeBehind
  : never;
/** Set if a replica has answered: by how many seconds the figures may be behind. */
type MaybeBehind = { behindSeconds?: number };
/** The `data` of a reply. */
export type Data<Name extends RouteName> = Reply<Name> extends { data: infer Value } ? Value : never;
/** One row of a list. */
export type Row<Name extends RouteName> = Data<Name> extends (infer Item)[] ? Item : never;

/** An error reply of the service. Its message is in the words of the pages, not in the names of the API. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  /** The field of the request that it is about. */
  readonly field: string | null;
  /** What the reply says besides, such as the rows that are in the way. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, refused: Refused, details: Record<string, unknown> = {}) {
    const { text, field } = readProblem(refused);
    super(text);
    this.status = status;
    this.code = refused.code;
    this.field = field;
    this.details = details;
  }

  /** Whether the request may have been carried out all the same: its answer was lost, or the service failed. */
  get isUncertain(): boolean {
    return this.status === 0 || this.status >= 500;
  }
}

/** Calls a route of the contract as the signed-in user. */
export async function call<Name extends RouteName>(
  name: Name,
  request: Call<Name> = {} as Call<Name>,
  headers: Record<string, string> = {},
): Promise<Reply<Name>> {
  const { params, query, body } = request as CallOf<RouteDefinition>;
  const { method, path } = routeOf(name);
  const address = addressOf(path, { params, query: query as object | undefined });
  return (await send(method, address, body, headers)) as Reply<Name>;
}

/** The URL of a route, for downloads and other requests that the browser makes itself. */
export function urlOf<Name extends RouteName>(name: Name, request: Call<Name>): string {
  const { params, query } = request as CallOf<RouteDefinition>;
  return addressOf(routeOf(name).path, { params, query: query as object | undefined });
}

/** What is wrong. Routes for signing in send it without an envelope. */
type Failure = {
  message?: string;
  code?: string;
  details?: Record<string, unknown> & { field?: string; rule?: number };
};

/**
 * Sends a request to the service and returns the body of a successful reply; throws an `ApiError` otherwise. When the service
 * asks who it is that acts, so does this, and then repeats the request.
 */
export async function send(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<unknown> {
  try {
    return await sendOnce(method, path, body, headers);
  } catch (error) {
    const proof = error instanceof ApiError ? proofAskedBy(error.code) : undefined;
    if (!proof || !(await confirmIdentity(proof))) throw error;
    return sendOnce(method, path, body, headers);
  }
}

async function sendOnce(
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<unknown> {
  const response = await fetch(path, {
    method,
    credentials: 'same-origin',
    headers: {
      Accept: 'application/json',
      // Browsers add the type of a file themselves.
      ...(body !== undefined && !(body instanceof Blob) && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
  }).catch(() => {
    throw new ApiError(0, { message: 'Can’t reach the server. Check your connection and try again.' });
  });
  const reply = await response.json().catch(() => null);
  const behind = response.headers.get('X-Data-Behind-Seconds');
  if (response.ok) return behind === null ? reply : { ...reply, behindSeconds: Number(behind) };
  const { error, ...signIn } = (reply ?? {}) as Failure & { error?: Failure };
  const { message = 'Something went wrong. Try again.', code, details } = error ?? signIn;
  throw new ApiError(response.status, { message, code, field: details?.field, rule: details?.rule }, details);
}

/** Where the route is, and who may call it. */
export function routeOf(name: RouteName): (typeof routes)[string] {
  const route = routes[name];
  if (!route) throw new Error(`The contract has no route ${name}`);
  return route;
}
