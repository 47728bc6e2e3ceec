import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, isInstalled } from '@svc/testkit';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { type TestProgram, type TestService, useService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXAMPLES } from '../../../../contract/src/snippets/examples.ts';

const METRICS_TOKEN = 'a token of the operator';
const service = useService({ SVC_METRICS_TOKEN: METRICS_TOKEN });
const trusting = useService({ SVC_TRUSTED_PROXIES: '127.0.0.1', SVC_RATE_LIMITS: 'click=1' });
const wary = useService({ SVC_RATE_LIMITS: 'click=1' });
const page = await readFile(new URL('../../../../../docs/relay.md', import.meta.url), 'utf8');
let apiUrl = '';
let trustingUrl = '';
let waryUrl = '';
let folder = '';
let program: TestProgram;

async function listen({ service: { http } }: TestService): Promise<string> {
  await http.listen({ port: 0, host: '127.0.0.1' });
  return `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  apiUrl = await listen(service);
  trustingUrl = await listen(trusting);
  waryUrl = await listen(wary);
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
  const lead = await fetch(`${site}/x7f3a9c2/svc/l`, {
    method: 'POST',
    headers: { origin: 'https://acme.test', cookie: 'session=secret' },
    body: JSON.stringify({ click_id: id, customer_key: `user_${customerId}`, program_id: program.program.id }),
  });
  const [customer] = await service.sql('select status, customer_key from customers where id = $1', [customerId]);
  const sale = await fetch(`${site}/x7f3a9c2/api/v1/track/sale`, { method: 'POST', body: '{}' });
  return {
    ...{ script: script.status, click, lead: lead.status, sale: sale.status },
    customer: { ...customer, customer_key: customer?.customer_key === `user_${customerId}` },
    cookie: response.headers.get('set-cookie')?.replace(id, '<id>'),
  };
}

const RELAYED = {
  script: 200,
  click: { user_agent: 'Browser/1', is_relayed: true },
  lead: 200,
  customer: { status: 'lead', customer_key: true },
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
    // Of the click and of the lead.
    expect(await signatures('valid')).toBe(before + 2);
  });

  it.each(Object.entries(EXAMPLES).filter(([name]) => name.startsWith('relay/')))(
    '%s is in the docs',
    (_name, code) => {
      expect(page).toContain(code);
    },
  );
});

/** A block of code in the docs, with the address of a service. */
const snippet = (language: string, url: string) =>
  (new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(page)?.[1] ?? '')
    .replaceAll('https://track.example.com', url)
    .replaceAll('track.example.com', '127.0.0.1');

type Proxy = {
  probe: [string, ...string[]];
  /** What the docs add to its snippet for a service that trusts it. */
  forTrust: string;
  /** Writes the configuration of a site with the lines in its server, and returns the command that serves it. */
  configure(lines: string, port: number): Promise<[command: string, args: string[]]>;
  language: string;
};

const PROXIES: Record<string, Proxy> = {
  Caddy: {
    probe: ['caddy', 'version'],
    forTrust: '',
    language: 'caddy',
    async configure(lines, port) {
      const site = `http://localhost:${port} {\n${lines}\nrespond 404\n}`;
      await writeFile(join(folder, 'Caddyfile'), `{\nadmin off\nauto_https off\n}\n${site}\n`);
      return ['caddy', ['run', '--config', 'Caddyfile', '--adapter', 'caddyfile']];
    },
  },
  nginx: {
    probe: ['nginx', '-v'],
    forTrust: 'proxy_set_header X-Forwarded-For $remote_addr',
    language: 'nginx',
    async configure(lines, port) {
      const conf = `daemon off; user root; pid ${folder}/nginx.pid; error_log stderr; events {}
http { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  server { listen ${port}; ${lines} location / { return 404; } } }`;
      await writeFile(join(folder, 'nginx.conf'), conf);
      return ['nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')]];
    },
  },
};

/** Reports a click as a visitor with this address, and returns the status. */
function clickFrom(localAddress: string, site: string, link: string): Promise<number> {
  const { port, host } = new URL(site);
  const headers = { host, origin: 'https://acme.test', 'user-agent': 'Browser/1' };
  return new Promise((resolve, reject) => {
    const path = '/x7f3a9c2/svc/c';
    const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers, localAddress }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end(JSON.stringify({ affiliate_url: `https://acme.test/?aff=${link}` }));
  });
}

for (const [name, { probe, forTrust, language, configure }] of Object.entries(PROXIES)) {
  describe.skipIf(!isInstalled(`The snippet for ${name}`, probe))(`the snippet for ${name}`, () => {
    it('sets the cookie, and passes signups on', async () => {
      const port = await freePort();
      const [command, args] = await configure(snippet(language, apiUrl), port);
      await serve(command, args, port, async (site) => expect(await visit(site)).toEqual(RELAYED));
    });

    it('has visitors counted apart by a service that trusts the proxy, and as one by others', async () => {
      expect(page).toContain(forTrust);
      const statusesOf = async (asked: TestService) => {
        const { link } = await asked.program();
        const port = await freePort();
        // Nobody has counted these visitors of the service before.
        asked.advance({ seconds: 120 });
        const lines = snippet(language, asked === trusting ? trustingUrl : waryUrl);
        const [command, args] = await configure(
          lines.replace('client_max_body_size', (next) => `${forTrust}; ${next}`),
          port,
        );
        const statuses: number[] = [];
        await serve(command, args, port, async (site) => {
          for (const address of ['127.0.0.2', '127.0.0.2', '127.0.0.3']) {
            statuses.push(await clickFrom(address, site, link));
          }
        });
        return statuses;
      };
      expect(await statusesOf(trusting)).toEqual([200, 429, 200]);
      expect(await statusesOf(wary)).toEqual([200, 429, 429]);
    });
  });
}
