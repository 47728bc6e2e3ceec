import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the process that receives webhooks tells the one that measures. */
export type ReceiverMessage =
  | { is: 'listening'; port: number }
  | { is: 'count'; received: number; firstAt: number; lastAt: number }
  | { is: 'arrived'; transactionId: string; at: number };

const send = (message: ReceiverMessage) => void process.send?.(message);
const now = () => performance.timeOrigin + performance.now();

let [received, firstAt, lastAt] = [0, 0, 0];
let tellsEach = true;

// A receiver on any of the machine's loopback addresses, which accepts everything.
const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    response.writeHead(204).end();
    lastAt = now();
    if (received === 0) firstAt = lastAt;
    received += 1;
    if (!tellsEach) return;
    const { data } = JSON.parse(Buffer.concat(parts).toString()) as { data: { sale: { transaction_id: string } } };
    send({ is: 'arrived', transactionId: data.sale.transaction_id, at: lastAt });
  });
});
server.listen(0, '0.0.0.0', () => send({ is: 'listening', port: (server.address() as AddressInfo).port }));

process.on('message', (asked: 'count' | 'start counting') => {
  if (asked === 'start counting') {
    [received, firstAt, lastAt] = [0, 0, 0];
    tellsEach = false;
  }
  send({ is: 'count', received, firstAt, lastAt });
});
process.on('disconnect', () => process.exit(0));
