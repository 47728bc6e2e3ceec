import { once } from 'node:events';
import { connect } from 'node:net';

export type Connection = {
  /** Sends a request; the next one may follow once the answer has come. */
  send(request: string): void;
  close(): void;
};

type Listener = { onAnswer(status: number): void; onBroken(): void };

/** A keep-alive connection that reads of each answer no more than its status and length. */
export async function openConnection(port: number, { onAnswer, onBroken }: Listener): Promise<Connection> {
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
    received = '';
    onAnswer(status);
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
