import type { z } from 'zod';
import type { RouteDefinition } from './route.ts';

type InputOf<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined;

/** What a caller of the route can send. */
export type CallOf<Route extends RouteDefinition> = {
  params?: Record<string, string | number>;
  query?: InputOf<Route['query']>;
  body?: InputOf<Route['body']>;
};

/** The body of a success, as the schema declares it. */
export type ReplyOf<Route extends RouteDefinition> = z.output<Route['reply']>;
/** The body of a success as the service returns it: sums may be larger than a number can hold. */
export type SentReplyOf<Route extends RouteDefinition> = z.input<Route['reply']>;
/** The reply without its envelope. */
export type ReplyData<Route extends RouteDefinition> = ReplyOf<Route> extends { data: infer Data } ? Data : never;
/** One row of a reply that is a list. */
export type ReplyRow<Route extends RouteDefinition> = ReplyData<Route> extends (infer Row)[] ? Row : never;

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** Every field that a caller can send, in the spelling of the code. A mapping that forgets one does not compile. */
export type Complete<Sent> = { [Field in keyof Required<Sent> & string as CamelCase<Field>]: Sent[Field & keyof Sent] };

/** The path of a call with its parameters filled in, and the query. */
export function addressOf(
  path: string,
  { params = {}, query }: { params?: CallOf<RouteDefinition>['params']; query?: object },
) {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '')));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) search.set(name, String(value));
  return search.size > 0 ? `${filled}?${search}` : filled;
}
