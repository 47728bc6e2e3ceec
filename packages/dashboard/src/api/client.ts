import { routes } from 'virtual:routes';
import type * as contract from '@svc/contract';
import { addressOf, type CallOf, type ReplyOf, type RouteDefinition, VIEW_AS_PARTNER } from '@svc/contract';
import { type Refused, readProblem, serverFailure, stillInProgress, unreachable } from '../rules/problem.ts';
import { confirmIdentity, proofAskedBy } from './confirmation.ts';
import { renewSession } from './session-renewal.ts';
import { whileUnderWay } from './under-way.ts';
import { type Viewing, viewing } from './viewing.ts';

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

/** The code, on these pages, of the answer to a request whose repetition came before its own answer. */
const IN_PROGRESS = 'in_progress';
/** Statuses of requests that were not looked at: without a session, not complete, or too many. */
const UNDECIDED = [401, 408, 429];

/** An error reply of the service. Its message is in the words of the pages, not in the names of the API. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  /** The field of the request that it is about. */
  readonly field: string | null;
  /** What the reply says besides, such as the rows that are in the way. */
  readonly details: Readonly<Record<string, unknown>>;

  /** Whether the request was certainly not carried out although there is no answer: the browser had no connection. */
  readonly isNotSent: boolean;
  /** Whether there is no session, and the user did not sign in over the page. */
  isSignedOut = false;

  constructor(status: number, refused: Refused, details: Record<string, unknown> = {}, isNotSent = false) {
    const { text, field } = readProblem(refused);
    super(text);
    this.status = status;
    this.isNotSent = isNotSent;
    this.code = refused.code;
    this.field = field;
    this.details = details;
  }

  /** Whether the request may have been carried out all the same: its answer was lost, is not there yet, or the service failed. */
  get isUncertain(): boolean {
    return !this.isNotSent && (this.status === 0 || this.status >= 500 || this.code === IN_PROGRESS);
  }

  /** Whether the service has decided against the request. Who did not get as far as the decision may still have been heard before. */
  get isRefused(): boolean {
    if (this.isNotSent || this.isUncertain || proofAskedBy(this.code)) return false;
    return !UNDECIDED.includes(this.status);
  }
}

/** Calls a route of the contract as the signed-in user. */
export async function call<Name extends RouteName>(
  name: Name,
  request: Call<Name> = {} as Call<Name>,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Reply<Name>> {
  const { params, query, body } = request as CallOf<RouteDefinition>;
  const { method, path } = routeOf(name);
  const address = addressOf(path, { params, query: query as object | undefined });
  const view = viewing();
  if (view && method !== 'GET') throw new ApiError(403, { message: `You’re viewing as ${view.name}. ${READS_ONLY}` });
  const reply = await send(method, address, body, { ...headers, ...viewHeaders() }, signal);
  return (view ? asSeenIn(view, name, reply) : reply) as Reply<Name>;
}

const READS_ONLY = 'Nothing can be changed here.';

/** What lets the service answer as it would answer the partner whose portal is viewed. */
export function viewHeaders(): Record<string, string> {
  const view = viewing();
  return view ? { [VIEW_AS_PARTNER]: view.token } : {};
}

/** What is said about the signed-in account is replaced by what the partner would be told about the program. */
function asSeenIn(view: Viewing, name: RouteName, reply: unknown): unknown {
  if (name === 'managePrograms') return { data: [view.program] };
  if (name !== 'manageMe') return reply;
  const { data } = reply as { data: Data<'manageMe'> };
  const { membership, payout_method } = view;
  return { data: { ...data, role: null, payout_method, partner_of: [membership], handed_over: [] } };
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

type Sent = { method: string; path: string; body?: unknown; headers?: Record<string, string>; signal?: AbortSignal };

/** Sends a request to the service and returns the body of a successful reply, as `answerTo` does. */
export async function send(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<unknown> {
  const response = await answerTo({ method, path, body, headers, ...(signal && { signal }) });
  const reply = await response.json().catch(() => null);
  const behind = response.headers.get('X-Data-Behind-Seconds');
  return behind === null ? reply : { ...reply, behindSeconds: Number(behind) };
}

/**
 * Sends a request to the service and returns a successful response, whose body is not read yet; throws an `ApiError` otherwise. When
 * the session has ended, or the service asks who it is that acts, the user is asked, and then the request is repeated.
 */
export async function answerTo(request: Sent): Promise<Response> {
  try {
    return await sendOnce(request);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 401 && !isSigningIn(request.path)) {
      if (!(await renewSession())) {
        error.isSignedOut = true;
        throw error;
      }
      // The new session may have to prove who uses it.
      return answerTo(request);
    }
    const proof = proofAskedBy(error.code);
    if (!proof || !(await confirmIdentity(proof))) throw error;
    return sendOnce(request);
  }
}

const isSigningIn = (path: string) => path.startsWith('/api/auth/');

/** Sends a request, and notes as long as there is no answer that a change is under way. */
function sendOnce(request: Sent): Promise<Response> {
  const answer = sendNow(request);
  return request.method === 'GET' ? answer : whileUnderWay(request.path, answer);
}

async function sendNow({ method, path, body, headers, signal }: Sent): Promise<Response> {
  // Only asked about after a failure: a service on the same machine answers without a connection.
  const isOffline = !navigator.onLine;
  const response = await fetch(path, {
    method,
    ...(signal && { signal }),
    credentials: 'same-origin',
    headers: {
      Accept: 'application/json',
      // Browsers add the type of a file themselves.
      ...(body !== undefined && !(body instanceof Blob) && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
  }).catch(() => {
    throw new ApiError(0, { message: unreachable(isOffline, method !== 'GET') }, {}, isOffline);
  });
  // No other conflict is over by itself.
  if (response.status === 409 && response.headers.has('Retry-After'))
    throw new ApiError(409, { message: stillInProgress, code: IN_PROGRESS });
  if (response.ok) return response;
  const reply = await response.json().catch(() => null);
  const { error, ...signIn } = (reply ?? {}) as Failure & { error?: Failure };
  const { message = 'Something went wrong. Try again.', code, details } = error ?? signIn;
  const hasFailed = response.status >= 500 && response.status !== 503;
  const said = hasFailed ? serverFailure(response.headers.get('X-Request-ID')) : message;
  throw new ApiError(response.status, { message: said, code, field: details?.field, rule: details?.rule }, details);
}

/** Where the route is, and who may call it. */
export function routeOf(name: RouteName): (typeof routes)[string] {
  const route = routes[name];
  if (!route) throw new Error(`The contract has no route ${name}`);
  return route;
}
