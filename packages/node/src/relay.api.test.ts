import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { type TestProgram, useService } from '@svc/testkit/service/service.ts';
import express from 'express';
import Fastify from 'fastify';
import { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createRelay,
  expressRelay,
  fastifyRelay,
  honoRelay,
  nextRelay,
  type RelayOptions,
  workersRelay,
} from './relay.ts';

const METRICS_TOKEN = 'a token of the operator';
const service = useService({ SVC_METRICS_TOKEN: METRICS_TOKEN });
const closing: (() => unknown)[] = [];
let apiUrl = '';
let program: TestProgram;
/** What reached the service, with the names of its headers. */
let arrived: { method: string; path: string; headers: Record<string, string | string[] | undefined> }[] = [];
/** What the service does instead of answering. */
let fault: RequestListener | undefined;

beforeAll(async () => {
  const front = createServer((request, response) => {
    arrived.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers });
    if (fault) fault(request, response);
    else service.service.http.routing(request, response);
  });
  apiUrl = await listen(front);
  program = await service.program({ cookieWindowDays: 45 });
});
beforeEach(() => {
  arrived = [];
  fault = undefined;
  // Signatures are compared with the clock of the service.
  service.time = new Date();
});
afterAll(async () => {
  for (const close of closing) await close();
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const PATH = '/x7f3';
const options = (more: RelayOptions = {}): RelayOptions => ({
  apiUrl,
  apiKey: program.apiKey,
  programId: program.program.id,
  ...more,
});

/** Serves a standard handler with Node, for frameworks whose servers cannot run here. */
const overNode = (handle: (request: Request) => Promise<Response>) =>
  createServer(async (incoming, outgoing) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const hasBody = incoming.method !== 'GET';
    const response = await handle(
      new Request(`http://shop.test${incoming.url}`, {
        method: incoming.method ?? 'GET',
        headers: incoming.headers as Record<string, string>,
        ...(hasBody && { body: Buffer.concat(parts) }),
      }),
    );
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  });

/** Each framework, with a body parser in front where sites usually have one. */
const FRAMEWORKS: Record<string, () => Promise<string>> = {
  Express: async () => {
    const app = express();
    app.use(express.json());
    app.set('trust proxy', true);
    app.use(PATH, expressRelay(options()));
    return listen(createServer(app));
  },
  'Express with a text parser': async () => {
    const app = express();
    app.use(express.text());
    app.set('trust proxy', true);
    app.use(PATH, expressRelay(options()));
    return listen(createServer(app));
  },
  Fastify: async () => {
    const app = Fastify({ trustProxy: true });
    app.register(fastifyRelay(options()), { prefix: PATH });
    closing.push(() => app.close());
    return app.listen({ port: 0, host: '127.0.0.1' });
  },
  Hono: async () => {
    const app = new Hono();
    app.all(`${PATH}/*`, honoRelay(options({ addressHeader: 'x-forwarded-for' })));
    return new Promise((resolve) => {
      const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
        resolve(`http://127.0.0.1:${port}`),
      );
      closing.push(() => server.close());
    });
  },
  'Next.js': async () => {
    const { GET, POST } = nextRelay(options({ addressHeader: 'x-forwarded-for' }));
    return listen(overNode((request) => (request.method === 'GET' ? GET : POST)(request)));
  },
  'Cloudflare Workers': async () => {
    const relay = workersRelay({ addressHeader: 'x-forwarded-for' });
    const env = { SVC_API_URL: apiUrl, SVC_API_KEY: program.apiKey, SVC_PROGRAM_ID: String(program.program.id) };
    return listen(overNode((request) => relay(request, env)));
  },
};

const clickBody = () => JSON.stringify({ affiliate_url: `https://acme.test/?aff=${program.link}` });
const post = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body, headers: { origin: 'https://www.acme.test', ...headers } });

async function counted(result: string): Promise<number> {
  const { text } = await service.call('GET', '/metrics', { key: METRICS_TOKEN });
  return Number(new RegExp(`^svc_relay_signatures_total\\{result="${result}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0);
}

describe.each(Object.keys(FRAMEWORKS))('the relay in %s', (name) => {
  let site = '';
  beforeAll(async () => {
    site = `${await (FRAMEWORKS[name] as () => Promise<string>)()}${PATH}`;
  });

  it('passes a click on with the signed address of the visitor, and sets the cookie for the window', async () => {
    const valid = await counted('valid');
    const response = await post(`${site}/svc/c`, clickBody(), {
      'user-agent': 'Browser/1',
      cookie: 'session=secret; svc_click_id=cust_1_1',
      authorization: 'Bearer of the site',
      'x-forwarded-for': '203.0.113.7',
    });
    const answer = (await response.json()) as { click_id: string };
    expect({ status: response.status, answer }).toEqual({
      status: 200,
      answer: {
        success: true,
        click_id: expect.stringMatching(/^cust_\d+_\d+$/),
        partner_code: program.link,
        cookie_window_days: 45,
      },
    });
    expect(response.headers.get('set-cookie')).toBe(
      `svc_click_id=${answer.click_id}; Max-Age=3888000; Path=/; SameSite=Lax; Secure`,
    );
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await counted('valid')).toBe(valid + 1);

    expect(arrived).toMatchObject([{ method: 'POST', path: '/svc/c' }]);
    const headers = arrived[0]?.headers ?? {};
    expect(headers).toMatchObject({ 'user-agent': 'Browser/1', origin: 'https://www.acme.test' });
    expect(headers['svc-relay']).toContain(',203.0.113.7,');
    expect(Object.keys(headers).filter((name) => /cookie|authorization/.test(name))).toEqual(['svc-relay-cookie']);
    expect(JSON.stringify(headers)).not.toContain(program.apiKey);
  });

  it.each([
    ['/q9/c', '/svc/c'],
    ['/api/v1/track/click', '/api/v1/track/click'],
  ])('passes on what a tracker with another path reports to %s', async (path, served) => {
    const response = await post(`${site}${path}`, clickBody());
    expect(response.headers.get('set-cookie')).toMatch(/^svc_click_id=cust_/);
    expect(arrived).toMatchObject([{ method: 'POST', path: served }]);
  });

  it('passes a lead on, without a cookie', async () => {
    const clickId = await service.clickId(program.link);
    const body = { click_id: clickId, customer_key: `user of ${name}`, program_id: program.program.id };
    const response = await post(`${site}/svc/l`, JSON.stringify(body));
    expect(await response.json()).toEqual({ success: true, message: 'Lead tracked successfully' });
    expect(response.headers.get('set-cookie')).toBeNull();
    const [customer] = await service.sql('select partner_id from customers where customer_key = $1', [
      `user of ${name}`,
    ]);
    expect(customer).toEqual({ partner_id: program.partnerId });
  });

  it('serves the script of the service, and confirms one that the browser has', async () => {
    const direct = await service.call('GET', '/js/svc-tracker.js');
    const response = await fetch(`${site}/js/svc-tracker.js`, { headers: { cookie: 'session=secret' } });
    expect(await response.text()).toBe(direct.text);
    expect(response.headers.get('content-type')).toContain('javascript');
    expect(response.headers.get('cache-control')).toBe(direct.headers['cache-control']);
    expect(arrived[0]?.headers.cookie).toBeUndefined();
    const etag = response.headers.get('etag') ?? '';
    const again = await fetch(`${site}/js/svc-tracker.js`, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it.each([
    ['GET', '/svc/c', 405],
    ['GET', '/api/v1/track/click', 405],
    ['POST', '/svc/x', 404],
    ['POST', '/js/svc-tracker.js', 405],
    ['POST', '/api/v1/track/sale', 404],
    ['GET', '/api/v1/events', 404],
    ['GET', '/js/../api/v1/events', 404],
    ['GET', '/js/svc-tracker.js/../../secret', 404],
    ['GET', '/js/svc-tracker%2F..%2F..%2Fmetrics.js', 404],
    ['GET', '//evil.test/js/other.js', 404],
    ['GET', '/', 404],
  ])('does not pass %s %s on', async (method, path, status) => {
    const response = await fetch(`${site}${path}`, { method, ...(method === 'POST' && { body: '{}' }) });
    expect(response.status).toBe(status);
    expect(arrived).toEqual([]);
  });

  it('refuses what is too large', async () => {
    const response = await post(`${site}/svc/c`, 'x'.repeat(65_537)).catch(() => null);
    if (response) expect(response.status).toBe(413);
    expect(await service.sql('select 1 from clicks where page_title is not null')).toEqual([]);
  });

  it('refuses forms of other sites', async () => {
    const response = await post(`${site}/svc/c`, clickBody(), { 'sec-fetch-site': 'cross-site' });
    expect(response.status).toBe(403);
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(arrived).toEqual([]);
  });

  it('passes a refusal on, and sets no cookie', async () => {
    const response = await post(`${site}/svc/c`, clickBody(), { origin: 'https://evil.test' });
    expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ success: false })]);
    expect(response.headers.get('set-cookie')).toBeNull();
  });
});

describe('a relay', () => {
  const call = (relay: ReturnType<typeof createRelay>, address?: string) =>
    relay(
      new Request('https://shop.test/x/svc/c', {
        method: 'POST',
        body: clickBody(),
        headers: { origin: 'https://www.acme.test' },
      }),
      address,
    );

  it('does not sign without an address, a key or a program', async () => {
    await call(createRelay(options()));
    await call(createRelay(options({ apiKey: '' })), '203.0.113.7');
    await call(createRelay(options({ programId: '' })), '203.0.113.7');
    await call(createRelay(options()), 'not an address');
    expect(arrived.map(({ headers }) => headers['svc-relay'])).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('signs the last address of a list, which the nearest proxy has added', async () => {
    await call(createRelay(options()), '198.51.100.1, fe80::1%eth0');
    expect(arrived[0]?.headers['svc-relay']).toContain(',fe80::1,');
  });

  it('sets the cookie for the domain that is configured', async () => {
    const response = await call(createRelay(options({ cookieDomain: 'acme.test' })));
    expect(response.headers.get('set-cookie')).toContain('; Domain=acme.test');
  });

  it('answers 502 when the service is silent, redirects, or answers without end', async () => {
    fault = () => {};
    expect((await call(createRelay(options({ timeoutMs: 50 })))).status).toBe(502);
    fault = (_request, response) => {
      response.writeHead(200);
      const more = () => response.write(Buffer.alloc(65_536), () => void (response.destroyed || more()));
      more();
    };
    expect((await call(createRelay(options()))).status).toBe(502);
    fault = (_request, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
    const redirected = await call(createRelay(options()));
    expect([redirected.status, redirected.headers.get('location')]).toEqual([502, null]);
    expect((await call(createRelay({ apiUrl: 'http://127.0.0.1:1' }))).status).toBe(502);
    expect((await call(createRelay({ apiUrl: '' }))).status).toBe(502);
  });

  it('passes on no cookie but that of the click', async () => {
    fault = (_request, response) =>
      void response.writeHead(200, { 'set-cookie': 'session=forged', 'x-secret': 'kept' }).end('{}');
    const response = await call(createRelay(options()));
    expect(Object.fromEntries(response.headers)).toEqual({ 'cache-control': 'no-store' });
  });
});
