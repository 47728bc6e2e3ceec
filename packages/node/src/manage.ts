import { HEADERS, readApiUrl, readSecret, variable } from './configuration.ts';
import type { ManageRoutes } from './manage-routes.ts';
import type { FetchLike } from './options.ts';
import { type Answer, errorOf } from './outcome.ts';
import { request, waitAfter } from './request.ts';
import { sleep } from './sleep.ts';
import { SvcError } from './svc-error.ts';

export type { ManageRoutes } from './manage-routes.ts';
export type { FetchLike } from './options.ts';
export { SvcError, type SvcErrorCode } from './svc-error.ts';

/** A route of the management API, such as `GET /programs/:program_id/partners`. */
export type ManageRoute = keyof ManageRoutes & string;

type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;
type Needs<Name extends string, Value> = unknown extends Value
  ? unknown
  : [Value] extends [undefined]
    ? unknown
    : undefined extends Value
      ? { [Key in Name]?: Value }
      : { [Key in Name]: Value };

/** What a call of a route takes: the parameters of its path, its query and its body. */
export type ManageCall<Route extends ManageRoute> = ([NamesIn<Route>] extends [never]
  ? unknown
  : { params: { [Name in NamesIn<Route>]: string | number } }) &
  Needs<'query', ManageRoutes[Route]['query']> &
  Needs<'body', ManageRoutes[Route]['body']> & {
    /** Names the call, so that repeating it does nothing twice. By default, a random one, the same for all retries. */
    idempotencyKey?: string;
    /** The reply that a change is based on. If the resource has changed since, the call rejects with 412 and changes nothing. */
    ifMatch?: object;
    /** Ends the call. */
    signal?: AbortSignal;
  };

/** What a route returns. */
export type ManageReply<Route extends ManageRoute> = ManageRoutes[Route]['reply'];

/** Routes that return their rows in pages. */
export type ManageList = {
  [Route in ManageRoute]: ManageReply<Route> extends { data: unknown[]; meta: { next_cursor: string | null } }
    ? Route
    : never;
}[ManageRoute];
/** A row of a list. */
export type ManageRow<Route extends ManageList> = ManageReply<Route> extends { data: (infer Row)[] } ? Row : never;

export type ManageOptions = {
  /** An account token, from *Account, Tokens* or `svc login`. By default, the variable `SVC_TOKEN`. */
  token?: string;
  /** The URL of the service. By default, the variable `SVC_API_URL`. */
  apiUrl?: string;
  /** How long a call may take, retries included: 30,000 by default. */
  timeoutMs?: number;
  /** Replaces the global `fetch`. */
  fetch?: FetchLike;
};

/** Calls the management API. Every function rejects with a `SvcError` when the service refuses or does not answer. */
export type Manage = {
  /** Calls a route and resolves with its reply: `call('GET /programs/:program_id', { params: { program_id: 42 } })`. */
  call<Route extends ManageRoute>(route: Route, call: ManageCall<Route>): Promise<ManageReply<Route>>;
  /** The rows of a list, page by page as they are needed. */
  rows<Route extends ManageList>(
    route: Route,
    call: ManageCall<Route>,
  ): AsyncGenerator<ManageRow<Route>, void, undefined>;
};

type Sent = {
  params?: Record<string, string | number>;
  query?: object;
  body?: unknown;
  idempotencyKey?: string;
  ifMatch?: object;
  signal?: AbortSignal;
};
type Page = { data?: unknown; meta?: { next_cursor?: unknown } };

const PREFIX = '/api/v1/manage';
const TIMEOUT_MS = 30_000;
/** The largest page that the service returns. */
const PAGE_ROWS = 100;

/** A client for the management API, with the rights of the token. */
export function createManage(options: ManageOptions = {}): Manage {
  /** The ETags of replies. */
  const tags = new WeakMap<object, string>();

  function conditionOf({ ifMatch }: Sent): Record<string, string> {
    if (!ifMatch) return {};
    const tag = tags.get(ifMatch);
    if (tag) return { 'If-Match': tag };
    throw invalid('ifMatch must be a reply about one resource');
  }

  async function call(route: string, sent: Sent = {}): Promise<unknown> {
    const [method = '', path = ''] = route.split(' ');
    const url = readApiUrl(options.apiUrl);
    if (url instanceof SvcError) throw url;
    const token = readSecret(options.token ?? variable(() => process.env.SVC_TOKEN), {
      variable: 'SVC_TOKEN',
      what: 'an account token',
      option: 'createManage({ token: env.SVC_TOKEN })',
    });
    if (token instanceof SvcError) throw token;
    const ends = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
    const { body, etag } = await deliver(sent.signal ? AbortSignal.any([ends, sent.signal]) : ends, {
      fetch: options.fetch ?? (fetch as FetchLike),
      method,
      url: url + PREFIX + addressOf(path, sent),
      headers: {
        ...HEADERS,
        Authorization: `Bearer ${token}`,
        ...(method !== 'GET' && { 'Idempotency-Key': sent.idempotencyKey ?? crypto.randomUUID() }),
        ...conditionOf(sent),
      },
      ...(method !== 'GET' && { body: JSON.stringify(sent.body ?? {}) }),
    });
    if (etag) tags.set(body as object, etag);
    return body;
  }

  async function* rows(route: string, sent: Sent = {}) {
    let query: object = { limit: PAGE_ROWS, ...sent.query };
    for (;;) {
      const { data, meta } = (await call(route, { ...sent, query })) as Page;
      if (!Array.isArray(data)) throw unexpected('The reply is not a list', { status: 200, body: undefined });
      yield* data;
      if (typeof meta?.next_cursor !== 'string') return;
      query = { ...query, cursor: meta.next_cursor };
    }
  }

  return { call, rows } as Manage;
}

/** The path with its parameters filled in, and the query. */
function addressOf(path: string, { params = {}, query = {} }: Sent): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === '') throw invalid(`params.${name} is missing`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size > 0 ? `${filled}?${search}` : filled;
}

function invalid(message: string): SvcError {
  return new SvcError(message, { code: 'invalid_request', isRetryable: false });
}

/** Sends a request until the answer is final or the time is up: always the same bytes with the same key. */
async function deliver(signal: AbortSignal, sent: Omit<Parameters<typeof request>[0], 'signal'>): Promise<Answer> {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await request({ ...sent, signal }).catch((error: SvcError) => error);
    const failure = answer instanceof SvcError ? answer : failureIn(answer);
    if (!failure) return answer as Answer;
    if (!mayRepeat(failure, sent.headers) || signal.aborted) throw failure;
    await sleep(waitAfter(failure, attempt), signal);
    if (signal.aborted) throw failure;
  }
}

/** A change that depends on the ETag may have been made when no answer came, and would then be refused because of itself. */
function mayRepeat({ isRetryable, status }: SvcError, headers: Record<string, string>): boolean {
  return isRetryable && (!('If-Match' in headers) || status === 429 || status === 503);
}

function failureIn(answer: Answer): SvcError | undefined {
  if (answer.status < 200 || answer.status > 299) return errorOf(answer);
  const { body } = answer;
  if (typeof body === 'object' && body !== null && 'data' in body) return undefined;
  return unexpected(
    'The response is not of the service: something between this server and the service has answered',
    answer,
  );
}

function unexpected(message: string, answer: Answer): SvcError {
  return new SvcError(message, { ...answer, code: 'unexpected_response', isRetryable: true });
}
