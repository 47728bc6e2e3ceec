import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Snippet } from '@svc/contract';

/** The shop's own code that snippets use: its app, and its way to find out who is signed in. */
const OWN_CODE = `
const userOf = ({ headers }) => headers['x-user'] ?? headers.get?.('x-user');
globalThis.currentUser = async (request) => (userOf(request) ? { id: userOf(request) } : null);
globalThis.createUser = async (request) => ({ id: userOf(request), email: \`\${userOf(request)}@mail.test\` });
globalThis.completeOrder = async (request) =>
  ({ id: \`order-\${userOf(request)}\`, userId: userOf(request), totalCents: 4900, currency: 'USD' });
`;

const LOAD = (files: string[]) => files.map((file) => `await import('./${file}');`).join('\n');

/** A shop around the routes of each framework. It prints the port it listens on. */
const SHOPS: Record<string, (files: string[]) => string> = {
  Express: (files) => `
import express from 'express';
${OWN_CODE}
globalThis.app = express();
${LOAD(files)}
const server = app.listen(0, '127.0.0.1', () => console.log(server.address().port));
`,

  Fastify: (files) => `
import Fastify from 'fastify';
${OWN_CODE}
globalThis.app = Fastify();
${LOAD(files)}
await app.listen({ port: 0, host: '127.0.0.1' });
console.log(app.server.address().port);
`,

  // These frameworks pass a standard Request to the handler that a file exports, and send the Response it returns.
  'Next.js, Remix, Hono': (files) => `
import { createServer } from 'node:http';
${OWN_CODE}
const handlers = {};
for (const file of ${JSON.stringify(files)}) handlers['/' + file.replace('.js', '')] = (await import('./' + file)).POST;
const server = createServer(async (incoming, outgoing) => {
  const { method, headers } = incoming;
  const response = await handlers[incoming.url](new Request('http://localhost' + incoming.url, { method, headers }));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(await response.text());
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`,
};

const NODE_MODULES = fileURLToPath(new URL('../../../../node_modules', import.meta.url));

/** A shop in a process of its own, made of snippets. Its clients of the processors talk to a port of this machine. */
export class SnippetShop {
  #child: ChildProcess | undefined;
  #port = 0;
  readonly #folder: string;
  readonly #apiPort: number;
  readonly #env: Record<string, string>;

  constructor(folder: string, apiPort: number, env: Record<string, string> = {}) {
    this.#folder = folder;
    this.#apiPort = apiPort;
    this.#env = env;
  }

  /** Writes the shared files, each as it is except for where the processors are. */
  async install(shared: Snippet[]): Promise<void> {
    const host = `{ host: '127.0.0.1', port: ${this.#apiPort}, protocol: 'http' }`;
    const environment = `{ environment: 'http://127.0.0.1:${this.#apiPort}' }`;
    await writeFile(join(this.#folder, 'package.json'), '{"type":"module"}');
    await symlink(NODE_MODULES, join(this.#folder, 'node_modules')).catch(() => {});
    for (const { file, code } of shared) {
      const pointed = code.replace('STRIPE_SECRET_KEY)', `STRIPE_SECRET_KEY, ${host})`);
      await this.#write(file, pointed.replace('PADDLE_API_KEY)', `PADDLE_API_KEY, ${environment})`));
    }
  }

  /** Starts a shop with the routes, each in a file of the name of its path. */
  async open(framework: string, routes: Record<string, string>): Promise<void> {
    const files = Object.keys(routes).map((name) => `${name}.js`);
    for (const [name, code] of Object.entries(routes)) await this.#write(`${name}.js`, code);
    await this.start(SHOPS[framework]?.(files) ?? '');
  }

  /** Starts a script that prints the port it listens on. */
  async start(script: string): Promise<void> {
    await this.#write('shop.js', script);
    const keys = { STRIPE_SECRET_KEY: 'sk_test_of_nobody', PADDLE_API_KEY: 'pdl_sdbx_apikey_of_nobody' };
    this.#child = spawn(process.execPath, ['shop.js'], {
      cwd: this.#folder,
      env: { PATH: process.env.PATH, ...keys, ...this.#env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(this.#child, 'exit').then(([code]) => {
      throw new Error(`The shop ended with exit code ${code} before it listened.`);
    });
    this.#port = Number(String((await Promise.race([once(this.#child.stdout!, 'data'), ended]))[0]));
  }

  request(method: string, path: string, { cookie = '', user = '' } = {}): Promise<Response> {
    const headers = { ...(cookie && { cookie }), ...(user && { 'x-user': user }) };
    return fetch(`http://127.0.0.1:${this.#port}${path}`, { method, headers, redirect: 'manual' });
  }

  close(): void {
    this.#child?.kill();
  }

  #write(file: string, code: string): Promise<void> {
    return writeFile(join(this.#folder, file), code);
  }
}
