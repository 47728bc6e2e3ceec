import { createServer, request, type Server, type ServerResponse } from 'node:http';

type Fault = (response: ServerResponse) => void;

/** A proxy in front of the service that answers with the queued faults first, then forwards. */
export class Gateway {
  url = '';
  /** Method and path of every request. */
  readonly seen: string[] = [];
  /** The Authorization header of every request. */
  readonly keys: string[] = [];
  readonly faults: Fault[] = [];
  /** Picks the fault for a request, such as `HEAD /r/jane`; without one it is forwarded. */
  faultOf: (request: string) => Fault | undefined = () => this.faults.shift();
  private server: Server | undefined;
  private readonly target: string;

  constructor(target: string) {
    this.target = target;
  }

  async open(port = 0): Promise<void> {
    this.server = createServer((incoming, response) => {
      const name = `${incoming.method} ${incoming.url}`;
      this.seen.push(name);
      this.keys.push(incoming.headers.authorization ?? '');
      const fault = this.faultOf(name);
      if (fault) return fault(response);
      const { method, headers } = incoming;
      const passed = request(this.target + incoming.url, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      passed.on('error', () => response.destroy());
      incoming.pipe(passed);
    });
    await new Promise<void>((resolve) => this.server?.listen(port, '127.0.0.1', resolve));
    const address = this.server.address();
    this.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : port}`;
  }

  close(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }
}

/** The service's response past a rate limit, in the typed envelope. */
export const tooMany =
  (seconds: number, message = `Too many requests. Retry after ${seconds} seconds.`): Fault =>
  (response) => {
    response.writeHead(429, { 'Content-Type': 'application/json', 'Retry-After': String(seconds) });
    const error = { status: 429, code: 'rate_limited', message, retry_after_seconds: seconds };
    response.end(JSON.stringify({ error }));
  };

/** A connection that is dropped without a response. */
export const cutOff: Fault = (response) => response.destroy();

export const answer =
  (status: number, body: string, type = 'application/json'): Fault =>
  (response) => {
    response.writeHead(status, { 'Content-Type': type });
    response.end(body);
  };
