import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf, type CallOf, type ReplyOf, type RouteDefinition } from '@svc/contract';
import { Failure } from '../failure.ts';
import type { Output } from '../output.ts';
import { errorResponse, unexpectedResponse } from './error-response.ts';
import { type Attempt, delayAfterNoResponse, delayAfterResponse, isRead } from './retry.ts';

const TIMEOUT_MS = 30_000;

export type Call<Route extends RouteDefinition> = CallOf<Route> & {
  /** A program key or account token. */
  token?: string;
  headers?: Record<string, string>;
  /** Ends the call, and its retries. */
  signal?: AbortSignal | undefined;
};

export type ApiClient = ReturnType<typeof createApiClient>;

type ClientOptions = { apiUrl: string; version: string; out: Output; wait?: Wait };
type Wait = (ms: number, value: undefined, options: { signal?: AbortSignal | undefined }) => Promise<unknown>;

/** Calls the routes of the contract. Retries where that is safe, and reports every retry on stderr. */
export function createApiClient({ apiUrl, version, out, wait = sleep }: ClientOptions) {
  const warned = new Set<string>();
  let wasReached = false;

  async function call<Route extends RouteDefinition>(route: Route, sent: Call<Route> = {}): Promise<ReplyOf<Route>> {
    const url = new URL(
      apiUrl + addressOf(route.path, { params: sent.params, query: sent.query as object | undefined }),
    );
    const response = await send(url, {
      method: route.method,
      headers: {
        Accept: 'application/json',
        'User-Agent': `svc-cli/${version}`,
        ...(sent.token && { Authorization: `Bearer ${sent.token}` }),
        ...(sent.body !== undefined && { 'Content-Type': 'application/json' }),
        ...sent.headers,
      },
      ...(sent.body !== undefined && { body: JSON.stringify(sent.body) }),
      ...(sent.signal && { signal: sent.signal }),
    });
    const body: unknown = await response.json().catch(() => undefined);
    printWarnings(body);
    if (!response.ok) throw errorResponse(response, body, url.href);
    // Validated, then returned unparsed: a newer service may send fields that this version does not know.
    if (!route.reply.safeParse(body).success) throw unexpectedResponse(response, url.href);
    return body as ReplyOf<Route>;
  }

  async function send(url: URL, request: RequestInit & { method: string }): Promise<Response> {
    const ends = request.signal ? [request.signal] : [];
    for (let retries = 0; ; retries += 1) {
      const attempt = { method: request.method, retries, wasReached };
      try {
        const timeout = AbortSignal.timeout(TIMEOUT_MS);
        const response = await fetch(url, { ...request, signal: AbortSignal.any([timeout, ...ends]) });
        wasReached = true;
        const retryAfterSeconds = parseRetryAfter(response.headers.get('retry-after'));
        const seconds = delayAfterResponse(attempt, { status: response.status, retryAfterSeconds });
        if (seconds === null) return response;
        await response.body?.cancel();
        const why = response.status === 429 ? 'Too many requests' : `The service returned ${response.status}`;
        await pause(seconds, why, request.signal);
      } catch (error) {
        if (request.signal?.aborted) throw error;
        const code = errorCode(error);
        const seconds = delayAfterNoResponse(attempt, code);
        if (seconds === null) throw unreachable(apiUrl, attempt, code);
        await pause(seconds, `No response from ${apiUrl} (${code})`, request.signal);
      }
    }
  }

  async function pause(seconds: number, reason: string, signal: AbortSignal | null | undefined): Promise<void> {
    out.note(`${reason}. Retrying in ${seconds} s.`);
    await wait(seconds * 1000, undefined, signal ? { signal } : {});
  }

  function printWarnings(body: unknown): void {
    const { warnings } = (body ?? {}) as { warnings?: { message?: string; hint?: string; rotate_by?: string }[] };
    for (const { message, hint, rotate_by: rotateBy } of Array.isArray(warnings) ? warnings : []) {
      if (!message || warned.has(message)) continue;
      warned.add(message);
      out.warn(`Warning: ${message}${rotateBy ? ` Deadline: ${rotateBy}.` : ''}${hint ? ` ${hint}` : ''}`);
    }
  }

  return { apiUrl, call, send };
}

function parseRetryAfter(header: string | null): number | undefined {
  const seconds = Number(header);
  return header && Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : undefined;
}

function errorCode(error: unknown): string {
  const { name, cause, code } = error as { name?: string; code?: string; cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return 'timeout';
  return cause?.code ?? (typeof code === 'string' ? code : undefined) ?? cause?.message ?? 'no connection';
}

function unreachable(apiUrl: string, { method, retries }: Attempt, code: string): Failure {
  const mayHaveRun = !isRead(method) && retries === 0;
  return new Failure(
    mayHaveRun ? `${apiUrl} did not respond (${code}).` : `Cannot reach the service at ${apiUrl} (${code}).`,
    {
      code: mayHaveRun ? 'no_answer' : 'unreachable',
      hint: mayHaveRun
        ? 'The request may have been processed. Check with `svc programs` or `svc status` before you try again.'
        : 'Check that the service is running and that its URL is right. It comes from --api-url, SVC_API_URL or .svc/.env.',
    },
  );
}
