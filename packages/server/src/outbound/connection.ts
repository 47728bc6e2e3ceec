import type { LookupAddress } from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildConnector, Client, type Dispatcher } from 'undici';
import { CallFailed, callFailed, tooSlow } from './call-failed.ts';

const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
/** Everything that comes over the wire for one answer: its headers, interim ones, chunk extensions, trailers. */
const MAX_RECEIVED_BYTES = 256 * 1024;
/** How long a connection is kept for the next call, whatever the other side offers. */
export const KEPT_MS = 2_000;
/** How long the other side has to close its end. */
const CLOSING_MS = 500;

export type Resolve = (hostname: string, done: (error: Error | null, addresses: LookupAddress[]) => void) => void;

export type ConnectionRules = {
  resolve: Resolve;
  /** Whether an address may be connected to. */
  mayReach: (address: string) => boolean;
  /** How long a call may take, from connecting to the last byte of the answer. */
  callMs: number;
};

export type Sent = { method: 'GET' | 'POST'; path: string; headers: Record<string, string>; body?: string };

/** `isWhole`: the answer was read to its end. Only then can the connection be used again. */
export type Read = { status: number; headers: Record<string, string>; body: string; isWhole: boolean };

/** One connection to an origin, for one call at a time. */
export type Connection = {
  origin: string;
  send(request: Sent): Promise<Read>;
  /** Calls back when it was closed, by either side. */
  onClosed(closed: () => void): void;
  /** One that is not in use is closed on both sides afterwards, so that the receiver never sees more of them than there are. */
  close(): Promise<void>;
};

/**
 * Connects with the first call, and again if it was closed meanwhile. Each time, all addresses of the name are checked, and the
 * connection goes to one of those that were checked.
 */
export function openConnection(origin: string, { resolve, mayReach, callMs }: ConnectionRules): Connection {
  const seconds = callMs / 1000;
  let socket: Socket | undefined;
  let receivedBefore = 0;
  let overAt = 0;
  let isWhole = false;

  const lookup: LookupFunction = (hostname, { all }, done) =>
    resolve(hostname, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return done(error ?? new CallFailed(`${hostname} has no address.`), []);
      const refused = addresses.find(({ address }) => !mayReach(address));
      if (refused) return done(new CallFailed(`${hostname} leads to ${refused.address}, which is not allowed.`), []);
      // A process that was stopped for a while does not connect for a call that is long over.
      if (performance.now() > overAt) return done(new CallFailed(tooSlow(seconds)), []);
      return all ? done(null, addresses) : done(null, first.address, first.family);
    });

  // Whatever the environment says about certificates or proxies does not count here.
  const connector = buildConnector({ lookup, timeout: callMs, rejectUnauthorized: true });
  const connect: buildConnector.connector = (options, done) => {
    socket = connector(options, done) as unknown as Socket;
    const connected = socket;
    receivedBefore = 0;
    connected.on('readable', () => {
      if (connected.bytesRead - receivedBefore > MAX_RECEIVED_BYTES) connected.destroy(new CallFailed(TOO_LONG));
    });
  };

  const client = new Client(origin, {
    connect,
    pipelining: 1,
    maxHeaderSize: MAX_HEADER_BYTES,
    keepAliveTimeout: KEPT_MS,
    keepAliveMaxTimeout: KEPT_MS,
    // The whole call has one limit.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  return {
    origin,
    async send(request) {
      const over = new AbortController();
      overAt = performance.now() + callMs;
      receivedBefore = socket?.bytesRead ?? 0;
      const timer = setTimeout(() => over.abort(new CallFailed(tooSlow(seconds))), callMs);
      isWhole = false;
      try {
        const answer = await readAnswer(await client.request({ ...request, signal: over.signal }));
        isWhole = answer.isWhole;
        return answer;
      } catch (error) {
        throw callFailed(error as NodeJS.ErrnoException, seconds);
      } finally {
        clearTimeout(timer);
      }
    },
    onClosed: (closed) => void client.on('disconnect', closed),
    async close() {
      if (isWhole && socket) await end(socket);
      await client.destroy();
      // One that was still connecting.
      socket?.destroy();
    },
  };
}

async function end(socket: Socket): Promise<void> {
  if (socket.destroyed) return;
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.end();
  await Promise.race([closed, sleep(CLOSING_MS, undefined, { ref: false })]);
}

const NO_CONTENT = 204;
const TOO_LONG = 'The answer is longer than 64 KiB.';

/**
 * Reads at most 64 KiB, as they are: nothing is decompressed. A refusal counts whatever follows its status; anything else has to
 * arrive completely.
 */
async function readAnswer({ statusCode: status, headers, body }: Dispatcher.ResponseData): Promise<Read> {
  const parts: Buffer[] = [];
  let bytes = 0;
  let problem: unknown = null;
  try {
    for await (const part of body as AsyncIterable<Buffer>) {
      parts.push(part);
      bytes += part.length;
      if (bytes > MAX_ANSWER_BYTES) throw new CallFailed(TOO_LONG);
    }
  } catch (error) {
    problem = error;
  }
  const needsNoBody = status >= 300 || status === NO_CONTENT;
  if (problem && !needsNoBody) throw problem;
  const text = Buffer.concat(parts).subarray(0, MAX_ANSWER_BYTES).toString();
  return { status, headers: textOf(headers), body: text, isWhole: problem === null };
}

function textOf(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')]));
}
