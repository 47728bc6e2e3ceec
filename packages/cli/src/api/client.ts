import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf, type CallOf, type ReplyOf, type RouteDefinition } from '@svc/contract';
import { Failure } from '../failure.ts';
import type { Output } from '../output.ts';
import { notTheService, refusal } from './refusal.ts';
import { type Attempt, waitAfterNoReply, waitAfterReply } from './retry.ts';

const TIMEOUT_MS = 30_000;

export type Call<Route extends RouteDefinition> = CallOf<Route> & {
  /** A program key or account token. */
  token?: string;
  headers?: Record<string, string>;
};

export type ApiClient = ReturnType<typeof createApiClient>;

type ClientOptions = { apiUrl: string; version: string; out: Output; wait?: (ms: number) => Promise<unknown> };

/** Calls the routes of the contract; waits and tries again where that is safe, and says so. */
export function createApiClient({ apiUrl, version, out, wait = sleep }: ClientOptions) {
  const warned = new Set<string>();

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
    });
    const body: unknown = await response.json().catch(() => undefined);
    warnAbout(body);
    if (!response.ok) throw refusal(response, body, url.href);
    // Checked, and then handed on whole: a newer service may say more than this version knows.
    if (!route.reply.safeParse(body).success) throw notTheService(response, url.href);
    return body as ReplyOf<Route>;
  }

  async function send(url: URL, request: RequestInit & { method: string }): Promise<Response> {
    for (let tries = 0; ; tries += 1) {
      const attempt = { method: request.method, tries };
      try {
        const response = await fetch(url, { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) });
        const retryAfterSeconds = secondsOf(response.headers.get('retry-after'));
        const seconds = waitAfterReply(attempt, { status: response.status, retryAfterSeconds });
        if (seconds === null) return response;
        await response.body?.cancel();
        await pause(seconds, response.status === 429 ? 'Too many requests' : `The service answered ${response.status}`);
      } catch (error) {
        const code = codeOf(error);
        const seconds = waitAfterNoReply(attempt, code);
        if (seconds === null) throw unreachable(apiUrl, attempt, code);
        await pause(seconds, `No answer from ${apiUrl} (${code})`);
      }
    }
  }

  async function pause(seconds: number, why: string): Promise<void> {
    out.note(`${why}. Trying again in ${seconds} s.`);
    await wait(seconds * 1000);
  }

  function warnAbout(body: unknown): void {
    const { warnings } = (body ?? {}) as { warnings?: { message?: string; hint?: string; rotate_by?: string }[] };
    for (const { message, hint, rotate_by: rotateBy } of Array.isArray(warnings) ? warnings : []) {
      if (!message || warned.has(message)) continue;
      warned.add(message);
      out.warn(`Warning: ${message}${rotateBy ? ` Deadline: ${rotateBy}.` : ''}${hint ? ` ${hint}` : ''}`);
    }
  }

  return { apiUrl, call, send };
}

function secondsOf(retryAfter: string | null): number | undefined {
  const seconds = Number(retryAfter);
  return retryAfter && Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : undefined;
}

function codeOf(error: unknown): string {
  const { name, cause, code } = error as { name?: string; code?: string; cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return 'timeout';
  return cause?.code ?? (typeof code === 'string' ? code : undefined) ?? cause?.message ?? 'no connection';
}

function unreachable(apiUrl: string, { method, tries }: Attempt, code: string): Failure {
  const isUnsure = method !== 'GET' && tries === 0;
  return new Failure(
    isUnsure ? `${apiUrl} gave no answer (${code}).` : `The service at ${apiUrl} cannot be reached (${code}).`,
    {
      code: isUnsure ? 'no_answer' : 'unreachable',
      hint: isUnsure
        ? 'The request may have been carried out all the same. Look before you try again: `svc programs`, `svc status`.'
        : 'Is it running, and is the address right? It comes from --api-url, SVC_API_URL or .svc/.env.',
    },
  );
}
