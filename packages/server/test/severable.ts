import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type Severable = {
  /** The database's URL by way of this line. */
  url: string;
  /** Cuts every connection and refuses new ones. */
  cut(): void;
  restore(): void;
  /** How many connections were tried since the line was cut. */
  refused(): number;
  close(): Promise<void>;
};

/** A line to a database that can be cut, so that connections are lost while the database goes on. */
export async function severable(databaseUrl: string): Promise<Severable> {
  const url = new URL(databaseUrl);
  const target = { host: url.hostname, port: Number(url.port) };
  const sockets = new Set<Socket>();
  let isCut = false;
  let refused = 0;
  const server = createServer((near) => {
    if (isCut) {
      refused += 1;
      near.destroy();
      return;
    }
    const far = connect(target);
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
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.port = String((server.address() as AddressInfo).port);
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
    refused: () => refused,
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
