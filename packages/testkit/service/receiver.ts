import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

export type Received = { method: string; path: string; headers: IncomingHttpHeaders; body: string };
type Reply = { status: number; headers?: Record<string, string>; body?: string };

/** A shop's server that gets webhooks, and answers as it is told for each path. */
export class Receiver {
  readonly received: Received[] = [];
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
        const replies = this.replies.get(path) ?? [];
        const {
          status,
          headers: sent,
          body = '',
        } = (replies.length > 1 ? replies.shift() : replies[0]) ?? { status: 204 };
        response.writeHead(status, sent).end(body);
        for (const look of this.waiting) look();
      });
    });
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
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
