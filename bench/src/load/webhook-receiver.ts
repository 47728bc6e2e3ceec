import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the process that receives webhooks tells the one that measures. */
export type ReceiverMessage =
  | { is: 'listening'; port: number }
  | { is: 'count'; received: number; firstAt: number; lastAt: number }
  /** Of the events: at how many endpoints they have arrived together, how often again, and how many arrived with other bytes. */
  | { is: 'compared'; events: number; arrived: number; again: number; changed: number }
  | { is: 'arrived'; transactionId: string; at: number };

const send = (message: ReceiverMessage) => void process.send?.(message);
const now = () => performance.timeOrigin + performance.now();

let [received, firstAt, lastAt] = [0, 0, 0];
let tellsEach = true;
/** Events by id, while they are compared: the bytes, as a hash, and the endpoints that have them. */
let seen: Map<string, { hash: string; endpoints: Set<string> }> | null = null;
let [arrived, again] = [0, 0];
const changed = new Set<string>();

/** Endpoints are told apart by the address that was called. */
function compare(id: string, endpoint: string, body: Buffer): void {
  const hash = createHash('sha256').update(body).digest('base64');
  const event = seen?.get(id) ?? { hash, endpoints: new Set() };
  seen?.set(id, event);
  if (event.hash !== hash) changed.add(id);
  if (event.endpoints.has(endpoint)) again += 1;
  else arrived += 1;
  event.endpoints.add(endpoint);
}

// A receiver on any of the machine's loopback addresses, which accepts everything.
const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    response.writeHead(204).end();
    lastAt = now();
    if (received === 0) firstAt = lastAt;
    received += 1;
    if (seen) compare(String(request.headers['webhook-id']), request.socket.localAddress ?? '', Buffer.concat(parts));
    if (!tellsEach) return;
    const { data } = JSON.parse(Buffer.concat(parts).toString()) as { data: { sale: { transaction_id: string } } };
    send({ is: 'arrived', transactionId: data.sale.transaction_id, at: lastAt });
  });
});
server.listen(0, '0.0.0.0', () => send({ is: 'listening', port: (server.address() as AddressInfo).port }));

/** What the process that measures asks. */
export type Asked = 'count' | 'start counting' | 'start comparing' | 'compare';

process.on('message', (asked: Asked) => {
  if (asked === 'compare')
    return send({ is: 'compared', events: seen?.size ?? 0, arrived, again, changed: changed.size });
  if (asked !== 'count') {
    [received, firstAt, lastAt] = [0, 0, 0];
    tellsEach = false;
    seen = asked === 'start comparing' ? new Map() : null;
  }
  send({ is: 'count', received, firstAt, lastAt });
});
process.on('disconnect', () => process.exit(0));
