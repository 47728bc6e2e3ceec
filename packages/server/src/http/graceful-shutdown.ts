import { once } from 'node:events';
import { Server, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { errors } from '@svc/contract';
import type { FastifyInstance } from 'fastify';

export type Stopping = {
  /** Stops accepting connections, and serves the open ones until they close or the time is up. */
  drain(seconds: number): Promise<void>;
  /**
   * Refuses new requests, also over connections that wait to be accepted, finishes those in progress, and closes connections that
   * are still open after ten seconds.
   */
  close(): Promise<void>;
  isDraining(): boolean;
};

/** As long as any request may take to be answered. */
const FINISH_MS = 10_000;
/** How long a connection has to send its first byte once the service stops. */
const FIRST_BYTE_MS = 100;
/** New connections can keep coming while the service accepts those that wait. */
const MAX_TURNS = 1_000;

/**
 * While the service stops, it finishes the requests in flight, refuses new ones and asks callers to close their
 * connections. While it drains, requests over open connections are still served: a load balancer that gets no new
 * connection moves on to another node, but must not repeat a request that it has already sent.
 */
export function stopGently(app: FastifyInstance, finishMs = FINISH_MS): Stopping {
  const closeUnused = prepareToCloseUnused(app.server);
  let isDraining = false;
  let isStopping = false;
  app.addHook('onRequest', (request, reply, done) => {
    if (!isStopping || isDraining) return done();
    reply.header('X-Request-ID', request.id);
    done(errors.stopping());
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isDraining || isStopping) reply.header('Connection', 'close');
    done(null, payload);
  });
  return {
    async drain(seconds) {
      isDraining = true;
      await acceptWaiting(app.server);
      const ended = once(app.server, 'close');
      // Not the HTTP server's own close, which drops idle connections that may have a request on the way.
      Server.prototype.close.call(app.server);
      await Promise.race([ended, sleep(seconds * 1000, undefined, { ref: false })]);
    },
    async close() {
      isStopping = true;
      await acceptWaiting(app.server);
      const unused = setInterval(closeUnused, FIRST_BYTE_MS);
      const late = setTimeout(() => app.server.closeAllConnections(), finishMs);
      await app.close().finally(() => {
        clearInterval(unused);
        clearTimeout(late);
      });
    },
    isDraining: () => isDraining || isStopping,
  };
}

/** Node does not treat a connection as idle before its first request, but browsers open connections ahead of time. */
function prepareToCloseUnused(server: Server): () => void {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  };
}

/**
 * Accepts the connections that the operating system holds in its queue. Closing the server would reset them, with the
 * requests already sent over them. Node accepts at most one connection in a turn of its event loop.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let accepted = 0;
  const count = () => {
    accepted += 1;
  };
  server.on('connection', count);
  // This turn may be past the point at which connections are accepted.
  await nextTurn();
  for (let turns = 0, before = -1; accepted > before && turns < MAX_TURNS; turns += 1) {
    before = accepted;
    await nextTurn();
  }
  server.off('connection', count);
}
