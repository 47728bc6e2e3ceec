import { readApiUrl, variable } from './configuration.ts';
import { readBounded, TooLarge } from './read-bounded.ts';
import { type VisitorSigner, visitorSigner } from './sign-visitor.ts';

export type RelayOptions = {
  /** The id of the program. By default, the variable `SVC_PROGRAM_ID`. */
  programId?: number | string;
  /** The API key of the program. By default, the variable `SVC_API_KEY`. It signs, and is never sent. */
  apiKey?: string;
  /** The URL of the service. By default, the variable `SVC_API_URL`. */
  apiUrl?: string;
  /** The domain of the click cookie, such as `example.com`, for a site with several hosts. By default, only the host has it. */
  cookieDomain?: string;
  /**
   * The header with the visitor's address, such as `x-real-ip`. Name one that the proxy in front of this server always sets:
   * any other can be forged by visitors.
   */
  addressHeader?: string;
  /** How long the service may take to answer: 8,000 by default, so that the tracker, which waits for ten seconds, gets an answer. */
  timeoutMs?: number;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
};

/** A request to the relay, whatever the framework. */
export type RelayedRequest = {
  method: string;
  path: string;
  header(name: string): string | null | undefined;
  body(maxBytes: number): Promise<Uint8Array>;
  /** The visitor's address, where the framework knows it. */
  address?: string | undefined;
};

export type RelayedReply = { status: number; headers: Record<string, string>; body: Uint8Array | null };

type Variables = { [name: string]: unknown };

const SCRIPT = /\/js\/(svc-tracker[\w.-]{0,80}\.js)$/;
/** Where the tracker reports to, below a path that the service has written into it. Trackers of earlier releases use the API. */
const REPORT = /\/(?:[\w-]{1,64}\/([cl])|(api\/v1\/track\/(?:click|lead)))$/;
const COOKIE = /^svc_click_id=/;
const TIMEOUT_MS = 8_000;
const MAX_SENT_BYTES = 64 * 1024;
const MAX_ANSWER_BYTES = 256 * 1024;
const KEPT_OF_SCRIPT = ['content-type', 'cache-control', 'etag'];
const KEPT_OF_ANSWER = ['content-type', 'retry-after', 'x-request-id'];

/**
 * Relays the tracker's script and what it reports, and nothing else, to the service. The path that the relay is under does not
 * matter. Neither cookies nor other headers of the site leave it. Never throws: what fails is a 502, which the tracker retries.
 */
export function createRelayer(options: RelayOptions, variables: Variables = {}) {
  const settings = readSettings(options, variables);
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const send: typeof fetch = (url, init) =>
    (options.fetch ?? fetch)(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });

  async function relayScript(apiUrl: string, name: string, request: RelayedRequest): Promise<RelayedReply> {
    const known = request.header('if-none-match');
    const response = await send(`${apiUrl}/js/${name}`, { headers: known ? { 'If-None-Match': known } : {} });
    const body = response.status === 304 ? null : await readAnswer(response);
    return { status: response.status, headers: pick(response, KEPT_OF_SCRIPT), body };
  }

  async function relayReport(apiUrl: string, path: string, request: RelayedRequest): Promise<RelayedReply> {
    const address = options.addressHeader ? request.header(options.addressHeader) : request.address;
    const signed = await settings.sign?.(address ?? undefined);
    const origin = request.header('origin');
    const body = (await request.body(MAX_SENT_BYTES)) as Uint8Array<ArrayBuffer>;
    const response = await send(`${apiUrl}/${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        Accept: 'application/json',
        'Content-Type': 'application/json',
        'User-Agent': request.header('user-agent') ?? '',
        ...(origin && { Origin: origin }),
        ...(signed && { 'Svc-Relay': signed }),
        ...(/(c|click)$/.test(path) && { 'Svc-Relay-Cookie': options.cookieDomain || 'host' }),
      },
      body,
    });
    // The service redirects nobody. Whatever does is not the service.
    if (response.status === 0 || (response.status >= 300 && response.status < 400)) throw new Error('Not the service');
    const answer = await readAnswer(response);
    const cookie = response.headers.get('set-cookie');
    return {
      status: response.status,
      headers: {
        ...pick(response, KEPT_OF_ANSWER),
        'cache-control': 'no-store',
        ...(cookie && COOKIE.test(cookie) && { 'set-cookie': cookie }),
      },
      body: answer,
    };
  }

  return async (request: RelayedRequest): Promise<RelayedReply> => {
    const script = SCRIPT.exec(request.path)?.[1];
    const [, own, api] = REPORT.exec(request.path) ?? [];
    const report = own ? `svc/${own}` : api;
    if (!script && !report) return refuse(404, 'not_found', 'The relay does not know this path');
    const { apiUrl } = settings;
    if (!apiUrl) return refuse(502, 'not_configured', 'Set SVC_API_URL to the URL of the service');
    try {
      if (script) {
        if (!/^(GET|HEAD)$/.test(request.method)) return refuse(405, 'method_not_allowed', 'Use GET', 'GET');
        return await relayScript(apiUrl, script, request);
      }
      if (request.method !== 'POST') return refuse(405, 'method_not_allowed', 'Use POST', 'POST');
      // A form on another site could make a visitor's browser report a click, and would get its cookie set.
      if (request.header('sec-fetch-site') === 'cross-site')
        return refuse(403, 'cross_site', 'Only pages of this site may use the relay');
      return await relayReport(apiUrl, report as string, request);
    } catch (error) {
      if (error instanceof TooLarge) return refuse(413, 'too_large', 'The request is too large');
      return refuse(502, 'relay_failed', 'The service did not answer');
    }
  };
}

function readSettings(options: RelayOptions, variables: Variables): { apiUrl?: string; sign?: VisitorSigner } {
  const set = (value: unknown) => (typeof value === 'string' && value ? value : undefined);
  const apiKey = options.apiKey ?? set(variables.SVC_API_KEY) ?? variable(() => process.env.SVC_API_KEY);
  const programId = options.programId ?? set(variables.SVC_PROGRAM_ID) ?? variable(() => process.env.SVC_PROGRAM_ID);
  const apiUrl = readApiUrl(options.apiUrl ?? set(variables.SVC_API_URL));
  return {
    ...(typeof apiUrl === 'string' && { apiUrl }),
    ...(apiKey && programId && { sign: visitorSigner(String(programId), apiKey) }),
  };
}

/** An answer that does not end is a failure of the service, not of the visitor. */
async function readAnswer({ body }: Response): Promise<Uint8Array> {
  return readBounded(body, MAX_ANSWER_BYTES).catch((cause) => {
    throw new Error('The answer cannot be read', { cause });
  });
}

function pick(response: Response, names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

function refuse(status: number, code: string, message: string, allow?: string): RelayedReply {
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...(allow && { allow }) },
    body: new TextEncoder().encode(JSON.stringify({ success: false, error: { code, message } })),
  };
}
