import { setTimeout as sleep } from 'node:timers/promises';
import { RETRY_DELAYS } from '../api/retry.ts';
import { Failure } from '../failure.ts';
import type { Output } from '../output.ts';
import { createPace, type Limit } from './pace.ts';

export type Secret = { env: string; what: string };

export type ToolAccess = {
  title: string;
  apiUrl: string;
  limit: Limit;
  secrets: Secret[];
  headers: Record<string, string>;
};

type ClientOptions = { out: Output; signal: AbortSignal; wait?: typeof sleep };

export type ToolClient = ReturnType<typeof createToolClient>;

const TIMEOUT_MS = 60_000;
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_WAIT_SECONDS = 15 * 60;
const MAX_REFUSALS = 20;
/** How often the time that is left is printed. */
const COUNTDOWN_SECONDS = 5;

/** Reads the API of another tool: never faster than it allows, and again where that may help. It only ever sends GET. */
export function createToolClient(access: ToolAccess, { out, signal, wait = sleep }: ClientOptions) {
  const { title, apiUrl, limit, headers } = access;
  const turn = createPace(limit, undefined, wait);

  /** The JSON at a path; undefined where the tool has nothing. */
  async function get(path: string): Promise<unknown> {
    let failures = 0;
    for (let refusals = 0; ; ) {
      await turn(signal);
      const response = await send(path).catch((error) => {
        if (signal.aborted) throw error;
        return (error as { cause?: { code?: string } }).cause?.code ?? 'no answer';
      });
      if (typeof response === 'string' || response.status >= 500) {
        const what = typeof response === 'string' ? `gave no answer (${response})` : `answered ${response.status}`;
        const seconds = RETRY_DELAYS[failures++];
        if (seconds === undefined)
          throw new Failure(`${title} ${what}.`, { hint: TRY_AGAIN, code: 'tool_unreachable' });
        out.note(`${title} ${what}. Trying again in ${seconds} s.`);
        await wait(seconds * 1000, undefined, { signal });
      } else if (response.status === 429) {
        refusals += 1;
        await waitAsTold(response, refusals);
      } else return answerOf(response, path);
    }
  }

  function send(path: string): Promise<Response> {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const accept = { Accept: 'application/json', 'User-Agent': 'svc-cli' };
    return fetch(apiUrl + path, {
      headers: { ...accept, ...headers },
      // A redirect could take the key to another host.
      redirect: 'error',
      signal: AbortSignal.any([signal, timeout]),
    });
  }

  async function waitAsTold(response: Response, refusals: number): Promise<void> {
    await response.body?.cancel();
    const seconds = secondsToWait(response.headers) ?? limit.seconds;
    if (seconds > MAX_WAIT_SECONDS || refusals > MAX_REFUSALS) {
      throw new Failure(`${title} takes no more requests for now (429).`, { status: 429, hint: TRY_AGAIN });
    }
    for (let left = seconds; left > 0; left -= COUNTDOWN_SECONDS) {
      out.note(`${title} asks for a pause. Going on in ${left} s.`);
      await wait(Math.min(left, COUNTDOWN_SECONDS) * 1000, undefined, { signal });
    }
  }

  async function answerOf(response: Response, path: string): Promise<unknown> {
    if (response.status === 404) {
      await response.body?.cancel();
      return undefined;
    }
    if (response.status === 401 || response.status === 403) throw refusedKey(access, response.status);
    const where = `GET ${path.split('?')[0]}`;
    if (!response.ok)
      throw new Failure(`${title} answered ${response.status} to ${where}.`, { status: response.status });
    try {
      return JSON.parse(await boundedText(response));
    } catch (error) {
      if (signal.aborted || error instanceof Failure) throw error;
      throw new Failure(`${title} answered ${where} with something that is not JSON.`);
    }
  }

  async function boundedText(response: Response): Promise<string> {
    const decoder = new TextDecoder();
    let [text, bytes] = ['', 0];
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) throw new Failure(`${title} sent a page of more than 32 MB.`);
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  }

  return { title, get };
}

const TRY_AGAIN = 'Run the same command again later: it goes on where it stopped.';

function refusedKey({ title, secrets }: ToolAccess, status: number): Failure {
  const names = secrets.map(({ env }) => env).join(' or ');
  return new Failure(`${title} refused the key in ${names} (${status}).`, {
    status,
    code: 'tool_key_refused',
    hint: `Check ${secrets.map(({ env, what }) => `${env}: ${what}`).join('; ')}.`,
  });
}

/** What the tool says about how long to wait: in seconds, or as a date. */
function secondsToWait(headers: Headers): number | undefined {
  const told = headers.get('retry-after') ?? headers.get('ratelimit-reset');
  if (!told) return undefined;
  const seconds = /^\d+$/.test(told) ? Number(told) : (Date.parse(told) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : undefined;
}
