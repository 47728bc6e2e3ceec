import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Ledger } from './ledger-store.ts';
import { type Account, PRODUCTS, type ShopBackend } from './shop-backend.ts';

export type ShopOptions = {
  serviceUrl: string;
  programId: number;
  shortLink: string;
  backend: ShopBackend;
  readLedger: () => Promise<Ledger>;
};

const FILES: Record<string, { file: string; type: string }> = {
  '/': { file: 'index.html', type: 'text/html; charset=utf-8' },
  '/account': { file: 'account.html', type: 'text/html; charset=utf-8' },
  '/shop.css': { file: 'shop.css', type: 'text/css; charset=utf-8' },
  '/shop.js': { file: 'shop.js', type: 'text/javascript; charset=utf-8' },
};

/** The shop: two pages with the tracker, and the few requests they make to their own server. */
export function createShopServer(options: ShopOptions): Server {
  return createServer((request, response) => {
    handle(options, request, response).catch((error: Error) => json(response, 500, { message: error.message }));
  });
}

async function handle(options: ShopOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://shop');
  const file = FILES[pathname];
  if (file && request.method === 'GET') return sendFile(options, file, response);
  if (pathname === '/api/state') return json(response, 200, await stateOf(options, request));
  if (request.method !== 'POST') return json(response, 404, { message: 'Not found' });
  return act(options, pathname, request, response);
}

async function act(
  options: ShopOptions,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { backend } = options;
  const body = await readBody(request);
  if (path === '/api/sign-up') {
    const account = backend.signUp(body.email ?? '');
    response.setHeader('Set-Cookie', `shop_user=${account.key}; Path=/; SameSite=Lax; HttpOnly`);
    return json(response, 200, { customerKey: account.key, email: account.email });
  }
  const account = accountOf(backend, request);
  if (!account) return json(response, 401, { message: 'Sign up first' });
  const order =
    path === '/api/buy'
      ? await backend.buy(account, body.product ?? '')
      : await backend.refund(account, body.order ?? '', body.part === 'half' ? 'half' : 'rest');
  return order ? json(response, 200, order) : json(response, 404, { message: 'Not found' });
}

async function stateOf({ backend, shortLink, readLedger }: ShopOptions, request: IncomingMessage) {
  const account = accountOf(backend, request);
  return { account, products: PRODUCTS, shortLink, ledger: await readLedger() };
}

function accountOf(backend: ShopBackend, request: IncomingMessage): Account | null {
  return backend.account(/(?:^|; )shop_user=([^;]*)/.exec(request.headers.cookie ?? '')?.[1]);
}

async function sendFile(
  { serviceUrl, programId, shortLink }: ShopOptions,
  { file, type }: { file: string; type: string },
  response: ServerResponse,
): Promise<void> {
  const text = await readFile(new URL(`../shop/${file}`, import.meta.url), 'utf8');
  const values: Record<string, string> = {
    service_url: serviceUrl,
    program_id: String(programId),
    short_link: shortLink,
  };
  response.setHeader('Content-Type', type);
  // As strict as possible: the tracker needs only the service in script-src and connect-src.
  response.setHeader(
    'Content-Security-Policy',
    `default-src 'self'; script-src 'self' ${serviceUrl}; connect-src 'self' ${serviceUrl}; img-src 'self' data:`,
  );
  response.end(text.replace(/\{\{(\w+)\}\}/g, (_whole, name: string) => values[name] ?? ''));
}

async function readBody(request: IncomingMessage): Promise<Record<string, string | undefined>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString() || '{}') as Record<string, string | undefined>;
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
