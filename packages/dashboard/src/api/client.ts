import { routes } from 'virtual:routes';
import type * as contract from '@svc/contract';
import { addressOf, type CallOf, type ReplyOf, type RouteDefinition } from '@svc/contract';

type Contract = typeof contract;
type Routes = {
  [Name in keyof Contract as Contract[Name] extends RouteDefinition ? Name : never]: Contract[Name];
};

/** The name of a route of the contract. */
export type RouteName = keyof Routes & string;
export type Call<Name extends RouteName> = Routes[Name] extends RouteDefinition ? CallOf<Routes[Name]> : never;
export type Reply<Name extends RouteName> = Routes[Name] extends RouteDefinition ? ReplyOf<Routes[Name]> : never;
/** What a route answers with, without its envelope. */
export type Data<Name extends RouteName> = Reply<Name> extends { data: infer Found } ? Found : never;
/** A row of a list. */
export type Row<Name extends RouteName> = Data<Name> extends (infer Found)[] ? Found : never;

/** A refusal, in the words of the service. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string | undefined;

  constructor(status: number, message: string, code?: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Calls a route of the contract as the person who is signed in. */
export async function call<Name extends RouteName>(
  name: Name,
  sent: Call<Name> = {} as Call<Name>,
): Promise<Reply<Name>> {
  const { params, query, body } = sent as CallOf<RouteDefinition>;
  const { method, path } = routeOf(name);
  return (await send(method, addressOf(path, { params, query: query as object | undefined }), body)) as Reply<Name>;
}

/** The address of a route, for what the browser itself fetches, like downloads. */
export function hrefOf<Name extends RouteName>(name: Name, sent: Call<Name>): string {
  const { params, query } = sent as CallOf<RouteDefinition>;
  return addressOf(routeOf(name).path, { params, query: query as object | undefined });
}

/** Sends a request to this service and returns the body of its success. */
export async function send(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<unknown> {
  const response = await fetch(path, {
    method,
    credentials: 'same-origin',
    headers: {
      Accept: 'application/json',
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new ApiError(0, 'The service cannot be reached. Check your connection and try again.');
  });
  const answer = await response.json().catch(() => null);
  if (response.ok) return answer;
  const { error, message } = (answer ?? {}) as { error?: { message?: string; code?: string }; message?: string };
  throw new ApiError(response.status, error?.message ?? message ?? 'That did not work. Try again.', error?.code);
}

function routeOf(name: string): { method: string; path: string } {
  const route = routes[name];
  if (!route) throw new Error(`The contract has no route ${name}`);
  return route;
}
