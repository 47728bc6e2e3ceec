import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { freePort } from '@svc/testkit';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXAMPLES } from '../../../../contract/src/snippets/examples.ts';

const METRICS_TOKEN = 'a token of the operator';
const service = useService({ SVC_METRICS_TOKEN: METRICS_TOKEN });
const page = await readFile(new URL('../../../../../docs/relay.md', import.meta.url), 'utf8');
let apiUrl = '';
let folder = '';
let program: TestProgram;

beforeAll(async () => {
  await service.service.http.listen({ port: 0, host: '127.0.0.1' });
  apiUrl = `http://127.0.0.1:${(service.service.http.server.address() as AddressInfo).port}`;
  // Relays sign with the clock of the machine.
  service.time = new Date();
  program = await service.program({ cookieWindowDays: 60 });
  folder = await mkdtemp(join(tmpdir(), 'svc-relay-examples-'));
  await cp(new URL('../../../../../examples/relay', import.meta.url), folder, { recursive: true });
  await symlink(fileURLToPath(new URL('../../../../../node_modules', import.meta.url)), join(folder, 'node_modules'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function signatures(result: string): Promise<number> {
  const { text } = await service.call('GET', '/metrics', { key: METRICS_TOKEN });
  return Number(new RegExp(`^svc_relay_signatures_total\\{result="${result}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0);
}

/** Runs a server until `use` is done with it. */
async function serve(command: string, args: string[], port: number, use: (site: string) => Promise<void>) {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    PORT: String(port),
    SVC_API_URL: apiUrl,
    SVC_API_KEY: program.apiKey,
    SVC_PROGRAM_ID: String(program.program.id),
  };
  const server = spawn(command, args, { cwd: folder, env, stdio: 'ignore' });
  try {
    const site = `http://localhost:${port}`;
    await eventually(
      () =>
        fetch(site).then(
          () => true,
          () => false,
        ),
      Boolean,
    );
    await use(site);
  } finally {
    server.kill();
    if (server.exitCode === null) await once(server, 'close');
  }
}

/** What the tracker does, with the site's cookie, and what becomes of it. */
async function visit(site: string) {
  const script = await fetch(`${site}/x7f3a9c2/js/svc-tracker.js`);
  const response = await fetch(`${site}/x7f3a9c2/svc/c`, {
    method: 'POST',
    headers: { origin: 'https://acme.test', cookie: 'session=secret', 'user-agent': 'Browser/1' },
    body: JSON.stringify({ affiliate_url: `https://acme.test/?aff=${program.link}` }),
  });
  const { click_id: id } = (await response.json()) as { click_id: string };
  const [, customerId] = id.split('_');
  const [click] = await service.sql('select user_agent, is_relayed from clicks where customer_id = $1', [customerId]);
  const sale = await fetch(`${site}/x7f3a9c2/api/v1/track/sale`, { method: 'POST', body: '{}' });
  return {
    ...{ script: script.status, click, sale: sale.status },
    cookie: response.headers.get('set-cookie')?.replace(id, '<id>'),
  };
}

const RELAYED = {
  script: 200,
  click: { user_agent: 'Browser/1', is_relayed: true },
  sale: 404,
  cookie: 'svc_click_id=<id>; Max-Age=5184000; Path=/; SameSite=Lax; Secure',
};

describe('the relay of the examples', () => {
  it.each(['express.js', 'fastify.js', 'hono.js'])('%s sets the cookie and signs the visitor', async (file) => {
    const before = await signatures('valid');
    await serve(process.execPath, [file], await freePort(), async (site) => {
      expect(await visit(site)).toEqual(RELAYED);
      expect(await (await fetch(site)).text()).toContain(EXAMPLES['relay/tracker.html'].trim());
    });
    expect(await signatures('valid')).toBe(before + 1);
  });

  it.each(Object.entries(EXAMPLES).filter(([name]) => name.startsWith('relay/')))(
    '%s is in the docs',
    (_name, code) => {
      expect(page).toContain(code);
    },
  );
});

/** A block of code in the docs, with the address of the service under test. */
const snippet = (language: string) =>
  (new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(page)?.[1] ?? '')
    .replaceAll('https://track.example.com', apiUrl)
    .replaceAll('track.example.com', '127.0.0.1');
const has = (command: string, argument: string) => spawnSync(command, [argument], { stdio: 'ignore' }).status === 0;

describe('the snippet', () => {
  it.skipIf(!has('caddy', 'version'))('for Caddy sets the cookie, where Caddy is installed', async () => {
    const port = await freePort();
    await writeFile(
      join(folder, 'Caddyfile'),
      `{\nadmin off\nauto_https off\n}\nhttp://localhost:${port} {\n${snippet('caddy')}\nrespond 404\n}\n`,
    );
    await serve('caddy', ['run', '--config', 'Caddyfile', '--adapter', 'caddyfile'], port, async (site) =>
      expect(await visit(site)).toEqual(RELAYED),
    );
  });

  it.skipIf(!has('nginx', '-v'))('for nginx sets the cookie, where nginx is installed', async () => {
    const port = await freePort();
    const conf = `daemon off; user root; pid ${folder}/nginx.pid; error_log stderr; events {}
http { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  server { listen ${port}; ${snippet('nginx')} location / { return 404; } } }`;
    await writeFile(join(folder, 'nginx.conf'), conf);
    await serve('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], port, async (site) =>
      expect(await visit(site)).toEqual(RELAYED),
    );
  });
});
