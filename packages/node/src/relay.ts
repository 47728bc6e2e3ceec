import { readBounded, TooLarge } from './read-bounded.ts';
import { createRelayer, type RelayedRequest, type RelayOptions } from './relay-request.ts';

export type { RelayOptions } from './relay-request.ts';

/** Answers a standard Request. `address` is the visitor's address, where the platform does not put it into a header. */
export type Relay = (request: Request, address?: string) => Promise<Response>;

/** A relay for anything with standard requests and responses. */
export function createRelay(options: RelayOptions = {}): Relay {
  return webRelay(createRelayer(options));
}

/** The handlers of a route of Next.js, in `app/<path>/[...svc]/route.ts`: `export const { GET, POST } = nextRelay(…)`. */
export function nextRelay(options: RelayOptions = {}): { GET: Relay; POST: Relay } {
  // Next.js passes its own second argument. Vercel sets this header itself.
  const onVercel = typeof process !== 'undefined' && process.env.VERCEL ? { addressHeader: 'x-real-ip' } : {};
  const relay = createRelay({ ...onVercel, ...options });
  const handle: Relay = (request) => relay(request);
  return { GET: handle, POST: handle };
}

type WorkerVariables = { SVC_API_KEY?: string; SVC_PROGRAM_ID?: string; SVC_API_URL?: string };

/** A relay for Cloudflare Workers, which takes its variables from `env`: `return relay(request, env)`. */
export function workersRelay(options: RelayOptions = {}): (request: Request, env?: object) => Promise<Response> {
  const relay = honoRelay({ addressHeader: 'cf-connecting-ip', ...options });
  return (request, env) => relay({ req: { raw: request }, env });
}

type HonoContext = { req: { raw: Request }; env?: unknown };
type NodeBindings = { incoming?: { socket?: { remoteAddress?: string } } };

/** A handler of Hono: `app.all('/<path>/*', honoRelay())`. On Node the address is the socket's; elsewhere, name its header. */
export function honoRelay(options: RelayOptions = {}): (context: HonoContext) => Promise<Response> {
  const relays = new WeakMap<object, Relay>();
  const shared = createRelay(options);
  return ({ req, env }) => {
    const address = (env as NodeBindings | undefined)?.incoming?.socket?.remoteAddress;
    if (address || typeof env !== 'object' || env === null) return shared(req.raw, address);
    const relay = relays.get(env) ?? webRelay(createRelayer(options, env as WorkerVariables));
    relays.set(env, relay);
    return relay(req.raw);
  };
}

type NodeRequest = AsyncIterable<Uint8Array> & {
  method?: string | undefined;
  url?: string | undefined;
  headers: { [name: string]: string | string[] | undefined };
  socket: { remoteAddress?: string | undefined };
  /** Of Express, which follows its setting `trust proxy`. */
  ip?: string | undefined;
  /** What a body parser has made of the body. */
  body?: unknown;
};
type NodeResponse = {
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(body?: Uint8Array): unknown;
};

/** A handler of Express and of Node itself: `app.use('/<path>', expressRelay())`. */
export function expressRelay(
  options: RelayOptions = {},
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  const relay = createRelayer(options);
  return async (request, response) => {
    const { status, headers, body } = await relay({
      ...aboutNode(request),
      body: async (maxBytes) => parsedBody(request.body, maxBytes) ?? readBounded(request, maxBytes),
      address: request.ip ?? request.socket.remoteAddress,
    });
    response.writeHead(status, headers);
    response.end(request.method === 'HEAD' || body === null ? undefined : body);
  };
}

type FastifyApp = {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(type: never, options: never, parser: never): unknown;
  route(route: never): unknown;
};
type FastifyRequest = Pick<NodeRequest, 'method' | 'url' | 'headers' | 'body'> & { ip: string };
type FastifyReply = {
  code(status: number): FastifyReply;
  headers(values: object): FastifyReply;
  send(body: unknown): unknown;
};

/** A plugin of Fastify: `app.register(fastifyRelay(), { prefix: '/<path>' })`. The address follows its option `trustProxy`. */
export function fastifyRelay(options: RelayOptions = {}): (app: FastifyApp) => Promise<void> {
  const relay = createRelayer(options);
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const { status, headers, body } = await relay({
      ...aboutNode(request),
      body: async (maxBytes) => parsedBody(request.body, maxBytes) ?? new Uint8Array(),
      address: request.ip,
    });
    return reply
      .code(status)
      .headers(headers)
      .send(body ?? '');
  };
  return async (app) => {
    // Only for the relay, which passes bodies on as they are.
    app.removeAllContentTypeParsers();
    const parse = async (_request: unknown, body: Uint8Array) => body;
    app.addContentTypeParser('*' as never, { parseAs: 'buffer' } as never, parse as never);
    app.route({ method: ['GET', 'POST'], url: '/*', handler } as never);
  };
}

function webRelay(relay: ReturnType<typeof createRelayer>): Relay {
  return async (request, address) => {
    const { status, headers, body } = await relay({
      method: request.method,
      path: new URL(request.url).pathname,
      header: (name) => request.headers.get(name),
      body: (maxBytes) => readBounded(request.body, maxBytes),
      address,
    });
    return new Response(body as Uint8Array<ArrayBuffer> | null, { status, headers });
  };
}

function aboutNode({ method = '', url = '', headers }: Pick<NodeRequest, 'method' | 'url' | 'headers'>) {
  return {
    method,
    path: url.split('?', 1)[0] as string,
    header: (name) => [headers[name.toLowerCase()]].flat()[0],
  } satisfies Partial<RelayedRequest>;
}

/** The body again, if a parser of the framework has read it. */
function parsedBody(body: unknown, maxBytes: number): Uint8Array | undefined {
  const isParsed =
    body instanceof Uint8Array || (typeof body === 'object' && body !== null && Object.keys(body).length > 0);
  if (typeof body !== 'string' && !isParsed) return undefined;
  const bytes =
    body instanceof Uint8Array
      ? body
      : new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
  if (bytes.length > maxBytes) throw new TooLarge();
  return bytes;
}
