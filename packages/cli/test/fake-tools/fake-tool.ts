import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

type Asked = { path: string; query: URLSearchParams; headers: IncomingMessage['headers'] };
type Answers = {
  /** Whether the caller has the right key. */
  isAllowed: (headers: IncomingMessage['headers']) => boolean;
  /** What is at a path; undefined answers 404. */
  answer: (asked: Asked) => unknown;
  /** How the tool says that it takes no more requests. */
  refusal?: Record<string, string>;
};

/**
 * Another tool’s API over real HTTP: it authenticates, has pages and limits. The objects in this folder are made from what each
 * tool publishes. The file of a tool says which pages it is from, and which fields only stand to reason.
 */
export class FakeTool {
  url = '';
  /** The path and query of every request that was let in. */
  readonly asked: string[] = [];
  refused = 0;
  /** How many requests it takes in all before it refuses one, and goes on. */
  refuseAfter = Number.POSITIVE_INFINITY;
  /** Called before each answer; a test can hold it up. */
  beforeAnswer: (count: number) => Promise<void> | void = () => undefined;
  private server: Server | undefined;
  private readonly answers: Answers;

  constructor(answers: Answers) {
    this.answers = answers;
  }

  async open(): Promise<this> {
    this.server = createServer((request, response) => void this.serve(request, response));
    await new Promise<void>((done) => this.server?.listen(0, '127.0.0.1', done));
    const address = this.server.address();
    this.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    return this;
  }

  close(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }

  private async serve({ method, url = '/', headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, body: unknown, more: Record<string, string> = {}) => {
      response.writeHead(status, { 'Content-Type': 'application/json', ...more });
      response.end(JSON.stringify(body));
    };
    if (method !== 'GET') return send(405, { error: 'An importer only reads.' });
    if (!this.answers.isAllowed(headers)) return send(401, { error: 'Invalid API Secret.' });
    if (this.asked.length >= this.refuseAfter) {
      this.refuseAfter = Number.POSITIVE_INFINITY;
      this.refused += 1;
      return send(429, { error: 'Too many requests' }, this.answers.refusal ?? { 'Retry-After': '1' });
    }
    this.asked.push(url);
    await this.beforeAnswer(this.asked.length);
    const [path = '', query] = url.split('?');
    const body = this.answers.answer({ path, query: new URLSearchParams(query), headers });
    return body === undefined ? send(404, { error: 'Not found' }) : send(200, body);
  }
}

export const basic = (name: string, password = '') => `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;

/** A page of rows by its number, from 1. */
export function numbered<Row>(rows: Row[], query: URLSearchParams, sizeName: string, usual: number): Row[] {
  const size = Math.min(Number(query.get(sizeName) ?? usual), 100);
  const page = Number(query.get('page') ?? 1);
  return rows.slice((page - 1) * size, page * size);
}

/** The rows after one of them. */
export function after<Row>(
  rows: Row[],
  query: URLSearchParams,
  cursorName: string,
  sizeName: string,
  idOf: (row: Row) => string,
) {
  const size = Math.min(Number(query.get(sizeName) ?? 10), 100);
  const cursor = query.get(cursorName);
  const start = cursor === null ? 0 : rows.findIndex((row) => idOf(row) === cursor) + 1;
  return { page: rows.slice(start, start + size), hasMore: start + size < rows.length };
}
