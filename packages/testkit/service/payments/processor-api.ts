import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

// biome-ignore lint/suspicious/noExplicitAny: requests of several APIs, of which tests look at a few fields
type Body = Record<string, any>;

/** What each address of the APIs returns, as far as a shop needs it. */
const REPLIES: Record<string, object> = {
  '/v1/checkout/sessions': { id: 'cs_1', object: 'checkout.session', url: 'https://checkout.stripe.com/c/pay/cs_1' },
  '/v1/payment_intents': { id: 'pi_1', object: 'payment_intent', client_secret: 'pi_1_secret_2' },
  '/v1/checkouts/': { id: 'checkout_1', url: 'https://polar.sh/checkout/polar_c_1' },
  '/transactions': { data: { id: 'txn_1', items: [], payments: [] } },
};

/** Stands in for the APIs of Stripe, Paddle and Polar, and remembers what it was asked to create. */
export class ProcessorApi {
  readonly asked: { path: string; body: Body }[] = [];
  readonly #server = createServer(async (request, response) => {
    // Paddle's library adds an empty query on newer versions of Node.
    const path = request.url?.replace(/\?$/, '') ?? '';
    this.asked.push({ path, body: await readBody(request) });
    response.writeHead(REPLIES[path] ? 200 : 404, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(REPLIES[path] ?? { error: { message: 'Not found' } }));
  });

  async open(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return request.headers['content-type']?.includes('json') ? JSON.parse(text) : nested(new URLSearchParams(text));
}

/** Stripe's forms: `metadata[program_id]=42` is `{ metadata: { program_id: '42' } }`. */
function nested(form: URLSearchParams): Body {
  const body: Body = {};
  for (const [name, value] of form) {
    const path = name.match(/[^[\]]+/g) ?? [];
    const last = path.pop() ?? '';
    const parent = path.reduce<Body>((part, key) => {
      part[key] ??= {};
      return part[key];
    }, body);
    parent[last] = value;
  }
  return body;
}
