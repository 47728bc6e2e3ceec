import { once } from 'node:events';
import { connect } from 'node:net';

export type Connection = {
  /** Sends a request. Send the next one only after the response. */
  send(request: string): void;
  close(): void;
};

type Listener = { onResponse(status: number, response: string): void; onBroken(): void };

/** A keep-alive connection that parses only the status and length of each response. */
export async function openConnection(port: number, { onResponse, onBroken }: Listener): Promise<Connection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  let received = '';

  socket.on('data', (chunk) => {
    received = received === '' ? chunk.toString('latin1') : received + chunk.toString('latin1');
    const headEnd = received.indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
    if (received.length < headEnd + 4 + length) return;
    const status = Number(received.slice(9, 12));
    const response = received;
    received = '';
    onResponse(status, response);
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', onBroken);

  return {
    send: (request) => void socket.write(request, 'latin1'),
    close() {
      socket.off('close', onBroken);
      socket.destroy();
    },
  };
}
