import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { freePort } from '../../src/index.ts';

/** Starts files in one process, so that what they share is loaded once. Each listens on the port in `PORT`. */
const TOGETHER = (ports: Map<string, number>) => `
for (const [file, port] of ${JSON.stringify([...ports])}) {
  process.env.PORT = port;
  await import('./' + file);
}
`;

/** These frameworks pass a standard Request to the handler that a file exports, and send the Response it returns. */
const WEB_SERVER = (paths: string[]) => `
import { createServer } from 'node:http';
const handlers = {};
for (const path of ${JSON.stringify(paths)}) handlers['/' + path] = (await import('./' + path + '.js')).POST;
const server = createServer(async (incoming, outgoing) => {
  const { method, headers } = incoming;
  const chunks = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined;
  const response = await handlers[incoming.url](new Request('http://localhost' + incoming.url, { method, headers, body }));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(await response.text());
});
server.listen(Number(process.env.PORT), () => console.log('listening'));
`;

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** One of the projects in examples/, in a process of its own. Its clients of the processors talk to a port of this machine. */
export class ExampleShop {
  #child: ChildProcess | undefined;
  #port = 0;
  #ports = new Map<string, number>();
  readonly #folder: string;
  readonly #env: Record<string, string>;

  constructor(folder: string, env: Record<string, string> = {}) {
    this.#folder = folder;
    this.#env = env;
  }

  /** Copies the project as it is, but for the id of the program and where the processors are. */
  async copy(example: string, programId: number, apiPort: number): Promise<void> {
    const host = `{ host: '127.0.0.1', port: ${apiPort}, protocol: 'http' }`;
    const environment = `{ environment: 'http://127.0.0.1:${apiPort}' }`;
    const source = join(ROOT, 'examples', example);
    await symlink(join(ROOT, 'node_modules'), join(this.#folder, 'node_modules')).catch(() => {});
    for (const name of await readdir(source, { recursive: true })) {
      if (!/\.(js|ts|json)$/.test(name)) continue;
      const filled = (await readFile(join(source, name), 'utf8'))
        .replace(/\b42\b/g, String(programId))
        .replace("STRIPE_SECRET_KEY ?? ''", `STRIPE_SECRET_KEY ?? '', ${host}`)
        .replace("PADDLE_API_KEY ?? ''", `PADDLE_API_KEY ?? '', ${environment}`)
        .replace('https://api.polar.sh', `http://127.0.0.1:${apiPort}`);
      // Routes of folders, as in Next.js, become files: app/signup/route.ts is signup.js here, beside what it imports.
      const flat = name.replace(/^app\/(.*)\/route\.ts$/, '$1.ts').replaceAll('/', '-');
      const moved = filled.replace("'../../shop'", "'./shop.js'");
      const { code } = flat.endsWith('.ts') ? await transform(moved, { loader: 'ts' }) : { code: moved };
      await this.#write(flat.replace(/\.ts$/, '.js'), code);
    }
  }

  /** Starts a file of the project, which prints a line once it listens on the port in `PORT`. */
  start(file: string): Promise<void> {
    return this.#run(file, 1);
  }

  /** Starts several files in one process. Requests go to the one that was chosen last with `choose`. */
  async startTogether(files: string[]): Promise<void> {
    for (const file of files) this.#ports.set(file, await freePort());
    await this.#write('together.js', TOGETHER(this.#ports));
    await this.#run('together.js', files.length);
  }

  choose(file: string): void {
    this.#port = this.#ports.get(file) ?? 0;
  }

  /** Runs a file until it has printed so many lines. */
  async #run(file: string, lines: number): Promise<void> {
    this.#port = await freePort();
    const keys = { STRIPE_SECRET_KEY: 'sk_test_of_nobody', PADDLE_API_KEY: 'pdl_sdbx_apikey_of_nobody' };
    this.#child = spawn(process.execPath, [file], {
      cwd: this.#folder,
      env: { PATH: process.env.PATH, PORT: String(this.#port), ...keys, ...this.#env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(this.#child, 'exit').then(([code]) => {
      throw new Error(`The shop ended with exit code ${code} before it listened.`);
    });
    for (let printed = ''; printed.split('\n').length <= lines; ) {
      printed += String((await Promise.race([once(this.#child.stdout!, 'data'), ended]))[0]);
    }
  }

  /** Writes a server for handlers that take a standard Request, each at the path of its file, and returns its name. */
  async writeServer(paths: string[]): Promise<string> {
    await this.#write('web-server.js', WEB_SERVER(paths));
    return 'web-server.js';
  }

  /** Starts a file that listens on port 3000, on a free port instead. */
  async startOn3000(file: string): Promise<void> {
    const code = await readFile(join(this.#folder, file), 'utf8');
    const listening = "app.listen(Number(process.env.PORT), () => console.log('listening'));";
    if (!code.includes('app.listen(3000);')) throw new Error(`${file} does not listen on port 3000`);
    await this.#write(file, code.replace('app.listen(3000);', listening));
    await this.start(file);
  }

  request(method: string, path: string, { cookie = '', user = '', body }: Sent = {}): Promise<Response> {
    const headers = {
      ...(cookie && { cookie }),
      ...(user && { 'x-user': user }),
      ...(body && { 'content-type': 'application/json' }),
    };
    const sent = body && JSON.stringify(body);
    return fetch(`http://localhost:${this.#port}${path}`, { method, headers, body: sent, redirect: 'manual' });
  }

  async close(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  }

  #write(file: string, code: string): Promise<void> {
    return writeFile(join(this.#folder, file), code);
  }
}

type Sent = { cookie?: string; user?: string; body?: object };
