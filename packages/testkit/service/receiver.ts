import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

export type Received = { method: string; path: string; headers: IncomingHttpHeaders; body: string };
type Reply = { status: number; headers?: Record<string, string>; body?: string | Buffer };

/** A shop's server that gets webhooks, and answers as it is told for each path. */
export class Receiver {
  readonly received: Received[] = [];
  /** The connections that are open now, and the most that were open at a time. */
  readonly connections = { open: 0, most: 0 };
  private readonly held = new Map<string, ServerResponse[]>();
  private readonly replies = new Map<string, Reply[]>();
  private readonly waiting = new Set<() => void>();
  private server!: Server;

  async open(): Promise<void> {
    this.server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const path = request.url ?? '';
        const { method = '', headers } = request;
        this.received.push({ method, path, headers, body: Buffer.concat(parts).toString() });
        const held = this.held.get(path);
        if (held) held.push(response);
        else this.reply(path, response);
        for (const look of this.waiting) look();
      });
    });
    this.server.on('connection', (socket) => {
      this.connections.open += 1;
      this.connections.most = Math.max(this.connections.most, this.connections.open);
      socket.on('close', () => {
        this.connections.open -= 1;
      });
    });
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  private reply(path: string, response: ServerResponse): void {
    const replies = this.replies.get(path) ?? [];
    const { status, headers, body = '' } = (replies.length > 1 ? replies.shift() : replies[0]) ?? { status: 204 };
    response.writeHead(status, headers).end(body);
  }

  /** Answers at a path only when the returned function is called. It returns how many requests had waited and were still open. */
  hold(path: string): () => number {
    const responses: ServerResponse[] = [];
    this.held.set(path, responses);
    return () => {
      this.held.delete(path);
      const open = responses.filter(({ destroyed }) => !destroyed);
      for (const response of open) this.reply(path, response);
      return open.length;
    };
  }

  /** What is answered at a path, one after the other; the last one for good. */
  answer(path: string, ...replies: Reply[]): void {
    this.replies.set(path, replies);
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  at(path: string): Received[] {
    return this.received.filter((one) => one.path === path);
  }

  /** Resolves once so many requests have come to a path. */
  async until(path: string, count: number): Promise<Received[]> {
    while (this.at(path).length < count) {
      await new Promise<void>((resolve) => {
        const look = () => {
          this.waiting.delete(look);
          resolve();
        };
        this.waiting.add(look);
      });
    }
    return this.at(path);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

export function useReceiver(): Receiver {
  const receiver = new Receiver();
  beforeAll(() => receiver.open());
  afterAll(() => receiver.close());
  return receiver;
}
