import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type Severable = {
  /** The URL of the database through this connection. */
  url: string;
  /** Cuts every connection and refuses new ones. */
  cut(): void;
  restore(): void;
  /** Lets every connection stay open and nothing through, like a database that hangs. */
  hang(): void;
  resume(): void;
  /** The number of connections that were attempted since the cut. */
  refused(): number;
  /** The number of connections that were opened so far. */
  opened(): number;
  close(): Promise<void>;
};

/** A proxy to a database that can be cut or frozen, so that connections are lost or hang while the database keeps running. */
export async function severable(databaseUrl: string): Promise<Severable> {
  const url = new URL(databaseUrl);
  const target = { host: url.hostname, port: Number(url.port) };
  const sockets = new Set<Socket>();
  const pairs = new Set<[Socket, Socket]>();
  let isCut = false;
  let isHung = false;
  let refused = 0;
  let opened = 0;
  const server = createServer((near) => {
    if (isCut) {
      refused += 1;
      near.destroy();
      return;
    }
    const far = connect(target);
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    near.on('close', () => pairs.delete(pair));
    opened += 1;
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
    if (isHung) freeze(near, far);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.port = String((server.address() as AddressInfo).port);
  const freeze = (...frozen: Socket[]) => {
    for (const socket of frozen) socket.unpipe().pause();
  };
  const cut = () => {
    isCut = true;
    refused = 0;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    cut,
    restore: () => {
      isCut = false;
    },
    hang: () => {
      isHung = true;
      freeze(...sockets);
    },
    resume: () => {
      isHung = false;
      for (const [near, far] of pairs) near.pipe(far).pipe(near);
    },
    refused: () => refused,
    opened: () => opened,
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
