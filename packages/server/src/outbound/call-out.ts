import { lookup as lookUp } from 'node:dns';
import { isIP } from 'node:net';
import { type AddressRules, createAddressRules } from './address-rules.ts';
import { CallFailed } from './call-failed.ts';
import { KEPT_MS, openConnection, type Resolve } from './connection.ts';
import { CONNECTIONS_PER_HOST, createHostConnections, hostOf } from './host-connections.ts';

export { CallFailed, CONNECTIONS_PER_HOST, hostOf, KEPT_MS };

/** How long a call may take. */
export const CALL_MS = 15_000;

export type OutwardCall = {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: string;
};

export type OutwardAnswer = { status: number; headers: Record<string, string>; body: string };

/** Calls to addresses that users have entered. Nothing else in the service connects to one. */
export type CallOut = {
  /** Why a URL can never be called, or null. Names are not resolved: they can lead elsewhere by the time of the call. */
  problemOf(url: string): string | null;
  /** The answer, or `CallFailed`. Of a refusal, the body can be cut off. */
  call(call: OutwardCall): Promise<OutwardAnswer>;
  /** Closes the connections to a host that no call is using. */
  closeIdle(host: string): Promise<void>;
  /** Ends the calls in progress, too. */
  close(): Promise<void>;
};

type Options = { resolve?: Resolve; callMs?: number };

const resolveName: Resolve = (hostname, done) => lookUp(hostname, { all: true }, done);

/**
 * Every address that a name leads to is checked when connecting, and the connection goes to an address that was checked. Redirects
 * are not followed and proxies are not asked. `exceptions` are the operator's addresses and networks.
 */
export function createCallOut(
  exceptions: string[],
  { resolve = resolveName, callMs = CALL_MS }: Options = {},
): CallOut {
  const rules = createAddressRules(exceptions);
  const connections = createHostConnections((origin) => {
    // Plain http and other ports than 443 lead to listed addresses only.
    const mayReach = isOrdinary(new URL(origin)) ? rules.mayReach : rules.isListed;
    return openConnection(origin, { resolve, mayReach, callMs });
  });

  return {
    problemOf: (url) => problemOf(rules, url),
    async call({ url, ...request }) {
      const problem = problemOf(rules, url);
      if (problem) throw new CallFailed(problem);
      const parsed = new URL(url);
      const connection = await connections.take(parsed);
      let isReusable = false;
      try {
        const { isWhole, ...answer } = await connection.send({ ...request, path: parsed.pathname + parsed.search });
        isReusable = isWhole;
        return answer;
      } finally {
        await connections.giveBack(connection, isReusable);
      }
    },
    closeIdle: connections.closeIdle,
    close: connections.close,
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
