import { type LookupAddress, lookup as lookUp } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, type Dispatcher, errors as undici } from 'undici';
import { type AddressRules, createAddressRules } from './address-rules.ts';

const CALL_MS = 15_000;
const MAX_ANSWER_BYTES = 64 * 1024;
const CONNECTIONS_PER_HOST = 8;

export type OutwardCall = {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: string;
};

export type OutwardAnswer = { status: number; headers: Record<string, string>; body: string };

/** A call that got no usable answer. The message is a sentence for the person who entered the address. */
export class CallFailed extends Error {}

/** Calls to addresses that users have entered. Nothing else in the service connects to one. */
export type CallOut = {
  /** Why a URL can never be called, or null. Names are not resolved: they can lead elsewhere by the time of the call. */
  problemOf(url: string): string | null;
  call(call: OutwardCall): Promise<OutwardAnswer>;
  close(): Promise<void>;
};

type Resolve = (hostname: string, done: (error: Error | null, addresses: LookupAddress[]) => void) => void;

const resolveName: Resolve = (hostname, done) => lookUp(hostname, { all: true }, done);

/**
 * Every address that a name leads to is checked when connecting, and the connection goes to an address that was checked. Redirects
 * are not followed and proxies are not asked. `exceptions` are the operator's addresses and networks.
 */
export function createCallOut(exceptions: string[], resolve: Resolve = resolveName): CallOut {
  const rules = createAddressRules(exceptions);
  // Plain http and other ports than 443 lead to listed addresses only.
  const agents = {
    anywhere: createAgent(rules.mayReach, resolve),
    listed: createAgent(rules.isListed, resolve),
  };

  return {
    problemOf: (url) => problemOf(rules, url),
    async call({ url, ...request }) {
      const problem = problemOf(rules, url);
      if (problem) throw new CallFailed(problem);
      const agent = isOrdinary(new URL(url)) ? agents.anywhere : agents.listed;
      return answerTo(agent, url, request);
    },
    async close() {
      await Promise.all([agents.anywhere.destroy(), agents.listed.destroy()]);
    },
  };
}

const isOrdinary = ({ protocol, port }: URL) => protocol === 'https:' && port === '';

function problemOf(rules: AddressRules, text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return 'Enter a full URL that starts with https://.';
  if (url.username || url.password) return 'The URL must not contain a user name or password.';
  const address = addressIn(url);
  if (address && !rules.mayReach(address)) return `${address} is not a public address.`;
  const mayBeListed = address ? rules.isListed(address) : rules.hasListed;
  if (isOrdinary(url) || mayBeListed) return null;
  return url.protocol === 'https:' ? 'The URL must use port 443.' : 'The URL must start with https://.';
}

/** The address that a URL names itself, without a name to resolve. URLs have one spelling for each address. */
function addressIn({ hostname }: URL): string | null {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) ? host : null;
}

function createAgent(mayReach: (address: string) => boolean, resolve: Resolve): Agent {
  const lookup: LookupFunction = (hostname, { all }, done) =>
    resolve(hostname, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return done(error ?? new CallFailed(`${hostname} has no address.`), []);
      const refused = addresses.find(({ address }) => !mayReach(address));
      if (refused) return done(new CallFailed(`${hostname} leads to ${refused.address}, which is not allowed.`), []);
      return all ? done(null, addresses) : done(null, first.address, first.family);
    });
  return new Agent({
    connect: { lookup, timeout: CALL_MS },
    connections: CONNECTIONS_PER_HOST,
    pipelining: 1,
    headersTimeout: CALL_MS,
    bodyTimeout: CALL_MS,
    maxResponseSize: MAX_ANSWER_BYTES,
  });
}

async function answerTo(agent: Agent, url: string, request: Omit<OutwardCall, 'url'>): Promise<OutwardAnswer> {
  const signal = AbortSignal.timeout(CALL_MS);
  try {
    const { origin, pathname, search } = new URL(url);
    const options: Dispatcher.RequestOptions = { origin, path: pathname + search, signal, ...request };
    const { statusCode, headers, body } = await agent.request(options);
    return { status: statusCode, headers: textOf(headers), body: await body.text() };
  } catch (error) {
    throw new CallFailed(sentenceFor(error as NodeJS.ErrnoException), { cause: error });
  }
}

function textOf(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')]));
}

const SENTENCES: Record<string, string> = {
  ENOTFOUND: 'The host name does not exist.',
  EAI_AGAIN: 'The host name could not be resolved.',
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before an answer came.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The host cannot be reached.',
  UND_ERR_SOCKET: 'The connection was closed before an answer came.',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'The answer is longer than 64 KiB.',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too long.',
};

function sentenceFor(error: NodeJS.ErrnoException): string {
  if (error instanceof CallFailed) return error.message;
  if (isTimeout(error)) return 'No complete answer came within 15 seconds.';
  const code = error.code ?? '';
  if (/CERT|TLS|SSL|ALTNAME/.test(code)) return `The TLS certificate or connection was not accepted (${code}).`;
  return SENTENCES[code] ?? `The call failed (${code || error.name}).`;
}

function isTimeout(error: NodeJS.ErrnoException): boolean {
  const timeouts = [undici.ConnectTimeoutError, undici.HeadersTimeoutError, undici.BodyTimeoutError];
  return error.name === 'TimeoutError' || error.code === 'ETIMEDOUT' || timeouts.some((kind) => error instanceof kind);
}
