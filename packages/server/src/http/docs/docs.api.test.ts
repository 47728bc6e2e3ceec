import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { checkoutGuides, routes } from '@svc/contract';
import {
  closed,
  inlinedOpenApi,
  type Operation,
  openApi as openApiOf,
  replySchema,
  requestSchema,
  targetOf,
} from '@svc/testkit/service/routes/openapi.ts';
import { expectSameBytes } from '@svc/testkit/service/same-bytes.ts';
import { type Answer, useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { OPERATOR } from '../../audit/audit-store.ts';
import { outcomes } from '../../payments/events/outcomes.ts';
import { processors } from '../../payments/processors/processors.ts';
import { requireRotation } from '../../programs/require-rotation.ts';

const service = useService({ SVC_RATE_LIMITS: 'click=1000,lead=1000,sale=1000,readiness=1' });
const contacted = useService({ SVC_SECURITY_CONTACT: 'mailto:security@acme.test', SVC_RATE_LIMITS: 'manage=2' });

const openApi = () => openApiOf(service);

const KEY_REQUIRED = [{ programKey: [] }];
const KEY_OPTIONAL = [{}, { programKey: [] }];

/** The endpoints of the specification: method, path, auth, request fields, required fields, statuses besides 200. */
const endpoints: [string, string, object[], string[], string[], string[]][] = [
  ['post', '/api/v1/track/click', [], ['affiliate_url', 'additional_data'], ['affiliate_url'], ['400', '410']],
  [
    'post',
    '/api/v1/track/lead',
    KEY_OPTIONAL,
    ['click_id', 'customer_key', 'email', 'additional_data'],
    [],
    ['400', '401', '403'],
  ],
  [
    'post',
    '/api/v1/track/sale',
    KEY_REQUIRED,
    ['transaction_id', 'amount_cents', 'customer_key', 'click_id', 'currency', 'additional_data'],
    ['transaction_id', 'amount_cents'],
    ['400', '401', '409'],
  ],
  ['post', '/api/v1/track/batch', KEY_REQUIRED, ['items'], ['items'], ['400', '401', '409', '413']],
  ['post', '/api/v1/track/refund', KEY_REQUIRED, ['transaction_id'], ['transaction_id'], ['400', '401', '404']],
  ['get', '/api/v1/programs/me/readiness', KEY_REQUIRED, [], [], ['401']],
];

describe('/openapi.json', () => {
  it('is an OpenAPI 3.1 document with the public address of the service', async () => {
    const { status, headers, body } = await service.call('GET', '/openapi.json');
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(body).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\.\d+$/),
      info: { title: expect.stringMatching(/./), version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
      servers: [{ url: 'https://track.test' }],
      components: { securitySchemes: { programKey: { type: 'http', scheme: 'bearer' } } },
    });
  });

  it('is compressed for clients that accept it, and known by its ETag', async () => {
    const plain = await service.service.http.inject({ method: 'GET', url: '/openapi.json' });
    for (const [encoding, decompress] of [['br', brotliDecompressSync] as const, ['gzip', gunzipSync] as const]) {
      const headers = { 'accept-encoding': encoding };
      const answer = await service.service.http.inject({ method: 'GET', url: '/openapi.json', headers });
      expect(answer.headers).toMatchObject({ 'content-encoding': encoding, vary: 'Accept-Encoding' });
      expect(answer.rawPayload.length).toBeLessThan(plain.rawPayload.length / 8);
      expectSameBytes(decompress(answer.rawPayload), plain.rawPayload);
      const known = { ...headers, 'if-none-match': String(answer.headers.etag) };
      const again = await service.service.http.inject({ method: 'GET', url: '/openapi.json', headers: known });
      expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0]);
    }
    expect(plain.headers).toMatchObject({
      'cache-control': 'public, no-cache',
      etag: expect.stringMatching(/^"\w+"$/),
    });
  });

  it('has the same content as YAML, and as OpenAPI 3.0', async () => {
    const document = await openApi();
    const yaml = await service.call('GET', '/openapi.yaml');
    expect(yaml.headers['content-type']).toBe('application/yaml; charset=utf-8');
    expect(parse(yaml.text)).toEqual(document);
    const older = await service.call('GET', '/openapi-3.0.json');
    expect(older.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(older.body).toMatchObject({ openapi: '3.0.3', info: { title: document.info.title } });
    expect(Object.keys(older.body.paths)).toEqual(Object.keys(document.paths));
  });

  it.each(['/openapi.json', '/openapi.yaml', '/openapi-3.0.json'])('pages of any site can read %s', async (path) => {
    const headers = { origin: 'https://editor.test' };
    const { status, headers: sent } = await service.call('GET', path, { headers });
    expect([status, sent['access-control-allow-origin'], sent['access-control-expose-headers']]).toEqual([
      200,
      '*',
      'ETag',
    ]);
    const asked = {
      ...headers,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'if-none-match',
    };
    const preflight = await service.call('OPTIONS', path, { headers: asked });
    expect([preflight.status, preflight.headers['access-control-allow-methods']]).toEqual([204, 'GET']);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': '*',
    });
    expect((await service.call('POST', path, { headers, body: {} })).status).toBe(405);
  });

  it('describes every declared route with a unique id', async () => {
    const { paths } = await openApi();
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => ({ route: `${method} ${path}`, operationId })),
    );
    expect(operations.map(({ route }) => route).sort()).toEqual(
      routes.map(({ method, path }) => `${method.toLowerCase()} ${path.replace(/:([a-z_]+)/g, '{$1}')}`).sort(),
    );
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(routes.length);
  });

  it.each(endpoints)(
    'describes auth, fields and statuses of %s %s',
    async (method, path, security, fields, required, statuses) => {
      const operation = (await inlinedOpenApi(service)).paths[path]?.[method] as Operation;
      expect(operation.security).toEqual(security);
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['200', ...statuses, '429', '500']));
      for (const response of Object.values(operation.responses)) {
        expect(response.description).toMatch(/./);
        expect(response.content['application/json']?.schema).toBeTypeOf('object');
      }
      if (method === 'get') return expect(operation.requestBody).toBeUndefined();
      const schema = requestSchema(operation);
      expect(schema.type).toBe('object');
      expect(Object.keys(schema.properties ?? {})).toEqual(expect.arrayContaining(fields));
      expect([...(schema.required ?? [])].sort()).toEqual([...required].sort());
    },
  );

  it('has no broken references', async () => {
    const document = await openApi();
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, target]) => target ?? '');
    expect(references.length).toBeGreaterThan(0);
    for (const target of references) {
      expect(target).toMatch(/^#\//);
      expect(targetOf(target, document)).toBeTypeOf('object');
    }
  });
});

describe('the schemas of /openapi.json describe', () => {
  /** Checks the response against the schema that the document has for its status. */
  async function expectDescribed(answer: Answer, method: string, path: string) {
    const document = await inlinedOpenApi(service);
    const schema = closed(replySchema(document.paths[path]?.[method] as Operation, answer.status));
    const checked = z.fromJSONSchema(schema).safeParse(answer.body);
    expect(checked.error?.issues ?? []).toEqual([]);
  }
  const track = (route: string) => ['post', `/api/v1/track/${route}`] as const;
  const asTest = { additional_data: { test_mode: true } };

  it('successes', async () => {
    const made = await service.program();
    const key = { key: made.apiKey };
    await service.customer(made, 'buyer');
    const order = { transaction_id: 'order-docs', amount_cents: 1000, customer_key: 'buyer' };
    await expectDescribed(
      await service.click({ affiliate_url: `https://acme.test/?aff=${made.link}` }),
      ...track('click'),
    );
    await expectDescribed(await service.lead({ customer_key: 'other' }, key), ...track('lead'));
    await expectDescribed(await service.sale(order, key), ...track('sale'));
    await expectDescribed(await service.refund({ transaction_id: 'order-docs' }, key), ...track('refund'));
    await expectDescribed(await service.readiness(made.apiKey), 'get', '/api/v1/programs/me/readiness');
  });

  it('a provisional lead and a sale outside the attribution window', async () => {
    const made = await service.program({ leadAuth: 'server_required' });
    const clickId = await service.clickId(made.link);
    await expectDescribed(await service.lead({ click_id: clickId }), ...track('lead'));
    service.advance({ days: 61 });
    const late = { transaction_id: 'order-late', amount_cents: 1000, click_id: clickId };
    const answer = await service.sale(late, { key: made.apiKey });
    expect(answer.body.data.attributed).toBe(false);
    await expectDescribed(answer, ...track('sale'));
  });

  it('test events', async () => {
    const { apiKey } = await service.program();
    await expectDescribed(await service.click(asTest, { key: apiKey }), ...track('click'));
    await expectDescribed(await service.lead({ customer_key: 'a', ...asTest }, { key: apiKey }), ...track('lead'));
    await expectDescribed(await service.sale(asTest, { key: apiKey }), ...track('sale'));
  });

  it('successes with warnings about a key that must be rotated', async () => {
    const { apiKey, program } = await service.program();
    await requireRotation(service.ctx, program, new Date(service.time.getTime() + 1000), OPERATOR);
    const answer = await service.lead({ customer_key: 'a' }, { key: apiKey });
    expect(answer.body.warnings).toHaveLength(1);
    await expectDescribed(answer, ...track('lead'));
    await expectDescribed(await service.sale(asTest, { key: apiKey }), ...track('sale'));
    await expectDescribed(await service.readiness(apiKey), 'get', '/api/v1/programs/me/readiness');
  });

  it('errors in both envelopes', async () => {
    const made = await service.program();
    await service.sql('update links set active = false where short_link = $1', [made.link]);
    await expectDescribed(await service.click({}), ...track('click'));
    await expectDescribed(
      await service.click({ affiliate_url: `https://acme.test/?aff=${made.link}` }),
      ...track('click'),
    );
    await expectDescribed(await service.sale({}), ...track('sale'));
    await expectDescribed(await service.refund({ transaction_id: 'none' }, { key: made.apiKey }), ...track('refund'));
    await service.readiness(made.apiKey);
    const limited = await service.readiness(made.apiKey);
    expect(limited.status).toBe(429);
    await expectDescribed(limited, 'get', '/api/v1/programs/me/readiness');
  });
});

describe.each([
  '/docs/errors',
  '/docs/payments',
  '/docs/tracker',
  '/docs/search?q=refund',
  '/docs/guide',
  '/docs/guide/dashboard',
  '/docs/guide/payments',
])('%s', (path) => {
  it('is a page that runs only the script of the docs and loads nothing from other servers', async () => {
    const { status, headers, text } = await service.call('GET', path);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; font-src 'self'; " +
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-request-id': expect.stringMatching(/./) });
    expect(text).toMatch(/^<!doctype html>[\s\S]*<\/html>\s*$/);
    expect(text.match(/<script[^>]*>/g)).toEqual(['<script src="/docs/docs.js" defer>']);
    // Code that is shown, in which nothing but its colors is markup, may contain anything.
    const shown = text.replace(/<pre tabindex="0">[\s\S]*?<\/pre>/g, (code) => {
      expect(code.match(/<[a-z]+/g)?.filter((tag) => !['<pre', '<code', '<span'].includes(tag))).toEqual([]);
      return '';
    });
    const markup = shown.replace('<script src="/docs/docs.js" defer></script>', '');
    expect(markup).not.toMatch(/<script|<iframe|<style|\sstyle=|@import|url\(|\son\w+=|src="(?!\/docs\/images\/)/i);
    expect(markup.match(/<link[^>]*>/g)).toEqual([
      '<link rel="stylesheet" href="/docs/docs.css">',
      '<link rel="preload" href="/docs/geist.woff2" as="font" type="font/woff2" crossorigin>',
    ]);
  });

  it('says which version it describes, and where those of others are', async () => {
    const { text } = await service.call('GET', path);
    const { info } = (await service.call('GET', '/openapi.json')).body;
    expect(text).toContain(`<a class="version" href="/docs/guide/releases">Version ${info.version}</a>`);
    expect(text).toContain(`These pages describe version ${info.version}.`);
  });
});

describe('/docs/search', () => {
  it('has the limit of other reads, for each address', async () => {
    const search = (path: string, ip: string) => contacted.call('GET', path, { ip });
    const answers = [];
    for (const path of ['/docs/search?q=refund', '/docs/search.json?q=refund', '/docs/search.json?q=sale'])
      answers.push(await search(path, '203.0.113.7'));
    expect(answers.map(({ status, headers }) => [status, headers['x-ratelimit-remaining']])).toEqual([
      [200, '1'],
      [200, '0'],
      [429, '0'],
    ]);
    expect((await search('/docs/search.json?q=sale', '203.0.113.8')).status).toBe(200);
    expect((await search('/docs/guide', '203.0.113.7')).status).toBe(200);
  });

  const found = async (query: string): Promise<{ href: string }[]> => {
    const { status, body } = await service.call('GET', `/docs/search.json?q=${encodeURIComponent(query)}`);
    expect(status).toBe(200);
    return body.results;
  };

  it.each([
    ['backup', '/docs/guide/store#backup-and-restore'],
    ['paddle', '/docs/guide/paddle'],
    ['how do I restore a backup', '/docs/guide/store#backup-and-restore'],
    ['SVC_SMTP_URL', '/docs/guide/operations#mail'],
    ['partial refunds', '/docs/guide/attribution#commissions'],
    ['api_key_rotation_required', '/docs/errors#api_key_rotation_required'],
    ['Record a sale and create its commission', '/docs#tag/tracking/POST/api/v1/track/sale'],
    ['cust journ', '/docs/guide/dashboard#pages'],
  ])('answers “%s” with %s among the first', async (query, href) => {
    const results = await found(query);
    expect(results.slice(0, 5).map((result) => result.href)).toContain(href);
  });

  it('shows the words that were asked for, and links that work', async () => {
    const results = await found('attribution window');
    expect(results).toHaveLength(8);
    for (const result of results as unknown as { href: string; excerpt: { text: string; isMatch: boolean }[] }[]) {
      expect(result.href).toMatch(/^\/docs/);
      expect(result.excerpt.length).toBeGreaterThan(0);
      for (const { text, isMatch } of result.excerpt) if (isMatch) expect(text).toMatch(/^(attribution|window)/i);
    }
    const { text } = await service.call('GET', '/docs/search?q=attribution%20window');
    expect(text).toContain(`<a href="${results[0]?.href}">`);
    expect(text).toContain('<mark>window</mark>');
  });

  it('finds nothing for nothing, and shows what was typed as text', async () => {
    for (const query of ['', '%20', '?&', 'x'.repeat(5000), '%22%3E%3Cqqq%3E']) {
      const { status, body } = await service.call('GET', `/docs/search.json?q=${query}`);
      expect({ query, status, body }).toEqual({ query, status: 200, body: { results: [] } });
    }
    for (const path of ['/docs/search', '/docs/search?q=a&q=b', '/docs/search.json']) {
      expect((await service.call('GET', path)).status).toBe(200);
    }
    const { text } = await service.call('GET', '/docs/search?q=%22%3E%3Cqqqq%3E');
    expect(text).toContain('Nothing found for “&quot;&gt;&lt;qqqq&gt;”');
    expect(text).toContain('value="&quot;&gt;&lt;qqqq&gt;"');
  });
});

/** Pages that are made from what this installation serves. */
const INSTALLED = ['errors', 'payments', 'tracker'];

describe('the pages of the documentation', () => {
  it.each(INSTALLED)('say in Markdown what they say in HTML: /docs/%s', async (name) => {
    const html = (await service.call('GET', `/docs/${name}`)).text.split('<main')[1] ?? '';
    const { text: markdown } = await service.call('GET', `/docs/${name}.md`);
    const plain = (text: string) =>
      text
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&');
    const codes = [...html.matchAll(/<pre tabindex="0">([\s\S]*?)<\/pre>/g)].map(([, code = '']) =>
      plain(code.replace(/<[^>]+>/g, '')),
    );
    for (const code of codes) expect(markdown).toContain(`\`\`\`\n${code}\n\`\`\``);
    const headings = [...html.matchAll(/<h[2-4][^>]*>(.*?)<\/h[2-4]>/g)].map(([, text = '']) =>
      plain(text.replace(/<[^>]+>/g, '')),
    );
    const inMarkdown = [...markdown.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#{2,4} (.*)$/gm)].map(
      ([, text = '']) => text.replaceAll('`', ''),
    );
    expect(inMarkdown).toEqual(headings);
    expect(headings.length).toBeGreaterThan(3);
  });

  it('have one name each in the menu', async () => {
    const { text } = await service.call('GET', '/docs/guide');
    const menu = text.split('<main')[0] ?? '';
    const names = [...menu.matchAll(/<li><a href="\/docs[^"]*"[^>]*>([^<]*)<\/a>/g)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(40);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(['Closing a month', 'Script tags', 'Checkout code']));
  });

  it('have no broken links, to each other and to their sections', async () => {
    const first = (await service.call('GET', '/docs/guide/dashboard')).text;
    const guide = [...first.matchAll(/href="(\/docs\/guide\/[\w-]+)"/g)].map(([, path = '']) => path);
    expect(new Set(guide).size).toBe(43);
    const texts = new Map<string, string>();
    const textOf = async (path: string) => {
      const { status, text } = texts.has(path) ? { status: 200, text: '' } : await service.call('GET', path);
      expect({ path, status }).toEqual({ path, status: 200 });
      if (!texts.has(path)) texts.set(path, text);
      return texts.get(path) ?? '';
    };
    for (const path of ['/docs', '/docs/errors', '/docs/payments', '/docs/tracker', '/docs/guide', ...new Set(guide)]) {
      const text = await textOf(path);
      for (const [, target = ''] of text.matchAll(/(?:href|src)="([^"]+)"/g)) {
        if (/^https?:/.test(target)) continue;
        const [page, section] = new URL(target, `https://track.test${path}`).href
          .replace('https://track.test', '')
          .split('#');
        const linked = page === path ? text : await textOf(page ?? '');
        if (section) expect(linked, `${path} links to ${target}`).toContain(`id="${section}"`);
      }
    }
  });

  it('lead from one to the next through all subjects, and back', async () => {
    const { text: home } = await service.call('GET', '/docs/guide');
    const [menu = '', cards = ''] = home.split('<main');
    const paths = (html: string) => [...html.matchAll(/href="(\/docs\/guide\/[\w-]+)"/g)].map(([, path]) => path);
    const order = paths(menu).slice(1);
    expect(paths(cards).slice(0, -1)).toEqual(order);
    const walked: (string | undefined)[] = [];
    for (let path = order[0]; path; ) {
      walked.push(path);
      const { text } = await service.call('GET', path);
      const turn = (rel: string) => new RegExp(`<a rel="${rel}" href="([^"]+)">`).exec(text)?.[1];
      expect({ path, prev: turn('prev') }).toEqual({ path, prev: walked.at(-2) });
      path = turn('next');
    }
    expect(walked).toEqual(order);
  });

  it('are also served as Markdown with the address of this service, and /llms.txt lists all of them', async () => {
    const { status, headers, text: index } = await service.call('GET', '/llms.txt');
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(index).toMatch(/^# svc\n\n> \S/);
    const urls = [...index.matchAll(/\]\((https:\/\/track\.test\/[^)]+)\)/g)].map(([, url = '']) => url);
    const pages = urls.filter((url) => url.endsWith('.md'));
    const { text: menu } = await service.call('GET', '/docs/guide/dashboard');
    const listed = new Set([...menu.matchAll(/href="\/docs\/guide\/([\w-]+)"/g)].map(([, name]) => name));
    expect(pages.map((url) => url.slice('https://track.test/docs/'.length, -3)).toSorted()).toEqual(
      [...INSTALLED, ...[...listed].map((name) => `guide/${name}`)].toSorted(),
    );
    for (const url of pages) {
      const page = await service.call('GET', new URL(url).pathname);
      expect([url, page.status, page.headers['content-type']]).toEqual([url, 200, 'text/markdown; charset=utf-8']);
      expect(page.text).toMatch(/^# \S/);
      expect(page.text).not.toContain('track.example.com');
      for (const [, target = ''] of page.text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/\]\((\/docs\/[^)#]+)/g)) {
        expect([target, (await service.call('GET', target)).status]).toEqual([target, 200]);
      }
    }
    for (const url of pages) {
      const path = new URL(url).pathname;
      const { headers: html, text } = await service.call('GET', path.slice(0, -3));
      expect(html.link).toBe(`<${path}>; rel="alternate"; type="text/markdown"`);
      expect(text).toContain(`<a href="${path}">This page as Markdown</a>`);
    }
    for (const name of ['unknown.md', '.md', 'README.md']) {
      expect((await service.call('GET', `/docs/guide/${name}`)).status).toBe(404);
    }
  });

  it('are open to crawlers, unlike links and the API', async () => {
    const { headers, text } = await service.call('GET', '/robots.txt');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text).toBe('User-agent: *\nDisallow: /api/\nDisallow: /app\nDisallow: /r/\nAllow: /\n');
  });

  it('say whom to tell about vulnerabilities, where the operator has', async () => {
    expect((await service.call('GET', '/.well-known/security.txt')).status).toBe(404);
    const { headers, text } = await contacted.call('GET', '/.well-known/security.txt');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    const expires = new Date(contacted.time.getTime() + 180 * 86_400_000).toISOString().replace('.000', '');
    expect(text).toBe(
      `Contact: mailto:security@acme.test\nExpires: ${expires}\nCanonical: https://track.test/.well-known/security.txt\n`,
    );
  });

  it('are those that users read: decisions are not among them, and markup in the text stays text', async () => {
    expect((await service.call('GET', '/docs/guide/decisions')).status).toBe(404);
    expect((await service.call('GET', '/docs/guide/..%2fdecisions%2fREADME')).status).toBe(404);
    expect((await service.call('GET', '/docs/images/..%2fguide.json')).status).toBe(404);
    const { text } = await service.call('GET', '/docs/guide/tracker');
    expect(text).toContain('&lt;script');
    expect(text.match(/<script/g)).toHaveLength(1);
  });
});

describe('/docs', () => {
  it('runs only scripts of this service, without eval, and loads nothing from other servers', async () => {
    const { status, headers, text } = await service.call('GET', '/docs');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; " +
        "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-request-id': expect.stringMatching(/./) });
    expect(text).toMatch(/^<!doctype html>[\s\S]*<\/html>\s*$/);
    expect(text.match(/<script[^>]*>/g)).toEqual(['<script src="/docs/reference.js">']);
    expect(text).not.toMatch(/<img|<iframe|<style|@import|url\(|\son\w+=|https?:/i);
  });
});

describe('/docs/payments', () => {
  it('shows the addresses, the events to select, the metadata and every outcome', async () => {
    const { text } = await service.call('GET', '/docs/payments');
    for (const [provider, { events }] of Object.entries(processors)) {
      expect(text).toContain(`https://track.test/api/v1/webhooks/${provider}/`);
      for (const name of Object.keys(events)) expect(text).toContain(`<code>${name}</code>`);
    }
    for (const name of Object.keys(outcomes)) expect(text).toContain(`<code>${name}</code>`);
    expect(text).toContain('events: invoice_payment.paid (Stripe) or subscription_created (Lemon Squeezy).');
    for (const field of ['svc_customer_key', 'svc_click_id', 'program_id']) expect(text).toContain(field);
  });

  it('shows the same code as the settings page', async () => {
    const { text } = await service.call('GET', '/docs/payments');
    const readable = text
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&');
    for (const { shared, ways } of Object.values(checkoutGuides).map((guideOf) => guideOf(42, 'https://track.test'))) {
      for (const { code } of [...shared, ...ways.flatMap((way) => way.snippets)]) {
        expect(readable).toContain(`<pre tabindex="0">${code.trimEnd()}</pre>`);
      }
    }
  });
});

describe('/docs/errors', () => {
  it.each(['invalid_key', 'internal_error', 'rate_limited', 'api_key_rotation_required', 'link_disabled'])(
    'has an anchor for the code %s and says what to do',
    async (code) => {
      const { text } = await service.call('GET', '/docs/errors');
      const section = text.split('<section').find((part) => part.startsWith(` id="${code}"`)) ?? '';
      expect(section).toContain('What to do');
    },
  );

  it.each([400, 401, 403, 404, 409, 410, 429, 500])('explains the status %i', async (status) => {
    expect((await service.call('GET', '/docs/errors')).text).toContain(`<td>${status}</td>`);
  });

  it('is the target of the Link header and of docs_url in warnings and errors', async () => {
    const { apiKey, program } = await service.program();
    await requireRotation(service.ctx, program, new Date(service.time.getTime() + 1000), OPERATOR);
    const { body, headers } = await service.lead({ customer_key: 'a' }, { key: apiKey });
    service.advance({ seconds: 1 });
    const retired = await service.lead({ customer_key: 'b' }, { key: apiKey });
    const [, linked = ''] = /^<([^>]+)>/.exec(headers.link ?? '') ?? [];
    for (const address of [body.warnings[0].docs_url, linked, retired.body.error.docs_url]) {
      const { origin, pathname, hash } = new URL(address);
      expect(origin).toBe('https://track.test');
      const page = await service.call('GET', pathname);
      expect(page.status).toBe(200);
      expect(page.text).toContain(`id="${hash.slice(1)}"`);
    }
  });
});

it('/favicon.ico is the mark, for browsers that ask for it', async () => {
  const { status, headers, text } = await service.call('GET', '/favicon.ico');
  expect(status).toBe(200);
  expect(headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' });
  expect(text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
});
