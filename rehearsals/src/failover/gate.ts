import { createConnection, createServer, type Socket } from 'node:net';
import { freePort } from '@svc/testkit';

/** A port through which a server is reached, so that its network can be cut. */
export type Gate = {
  port: number;
  /** Lets nothing through anymore, and closes nothing: whoever waits for an answer hears nothing. */
  cut(): void;
  /** Ends what was connected. From now on connections lead to this port. */
  leadTo(port: number): void;
  close(): void;
};

export async function openGate(target: number): Promise<Gate> {
  const open = new Set<Socket>();
  let isCut = false;
  let to = target;
  const server = createServer((near) => {
    keep(near);
    if (isCut) return void near.pause();
    const far = createConnection(to, '127.0.0.1');
    keep(far);
    near.pipe(far);
    far.pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  function keep(socket: Socket): void {
    open.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
  }
  const endAll = () => {
    for (const socket of open) socket.destroy();
  };
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port,
    cut() {
      isCut = true;
      for (const socket of open) socket.unpipe().pause();
    },
    leadTo(port) {
      endAll();
      to = port;
      isCut = false;
    },
    close() {
      server.close();
      endAll();
    },
  };
}
