import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { curlCommands } from '@svc/testkit/service/processes/curl.ts';
import { VERSION_PATTERN } from '@svc/testkit/service/version.ts';
import { transform } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { cleanEnv, newHome, useCommand } from '../../test/command.ts';
import { theService } from '../../test/service.ts';
import { signedIn, TERMS } from '../../test/signed-in.ts';
import { callOf, checkoutProgram, SIGNUP_PROGRAMS, STRIPE_CLIENT } from '../../test/snippet-runners.ts';
import { Snippets } from '../../test/snippets.ts';

const command = useCommand();
const service = theService();
let home = '';
let cwd = '';
let programId = 0;
let relayPath = '';
let apiKey = '';
let snippets: Snippets;
let last = 0;

beforeAll(async () => {
  home = await newHome(command);
  cwd = await command.folder();
  await signedIn(command, service, home);
  const flags = ['--json', '--no-interactive', '--relay', '--api-url', service.url];
  const init = await command.run(['init', ...flags, ...TERMS], { home, cwd });
  programId = init.json.program_id;
  relayPath = init.json.relay_path;
  apiKey = /^SVC_API_KEY=(.+)$/m.exec(await readFile(join(cwd, '.svc/.env'), 'utf8'))?.[1] ?? '';
  snippets = new Snippets(await readFile(join(cwd, '.svc/AGENTS.md'), 'utf8'));
  await addLink('jane');
  await writeFile(join(cwd, 'package.json'), '{"type":"module"}');
  await symlink(fileURLToPath(new URL('../../../../node_modules', import.meta.url)), join(cwd, 'node_modules'));
});

/** Adds a partner with a link, like the dashboard does. */
async function addLink(shortLink: string): Promise<void> {
  const { accounts } = JSON.parse(await readFile(join(home, '.svc/credentials.json'), 'utf8'));
  const headers = { authorization: `Bearer ${accounts[service.url].token}` };
  const path = `/api/v1/manage/programs/${programId}`;
  const partner = await service.post(`${path}/partners`, { name: 'Jane', email: 'jane@example.com' }, headers);
  const { data } = (await partner.json()) as { data: { id: number } };
  const link = await service.post(`${path}/links`, { partner_id: data.id, short_link: shortLink }, headers);
  expect([partner.status, link.status]).toEqual([201, 201]);
}

/** Reports a click like the tracker does, and returns the click id that would be in the cookie. */
async function visit(): Promise<string> {
  const body = { affiliate_url: 'https://acme.test/?aff=jane' };
  const response = await service.post('/api/v1/track/click', body, { Origin: 'https://acme.test' });
  return ((await response.json()) as { click_id: string }).click_id;
}

const newUser = () => {
  last += 1;
  return { id: `user_${last}`, email: `user_${last}@example.com` };
};

/** The decisions about a customer, as `svc explain` shows them. */
async function decisions(customerKey: string): Promise<Record<string, unknown>[]> {
  return (await command.run(['explain', '--customer', customerKey, '--json'], { home, cwd })).json;
}

const nodeArgs = (file: string, ...args: string[]) => ['--env-file=.svc/.env', file, ...args];

/** Runs a script of the project with the variables of `.svc/.env`, as the instructions say. */
async function node(file: string, code: string, args: unknown[] | object, env: Record<string, string> = {}) {
  await writeFile(join(cwd, file), code);
  const options = { cwd, env: cleanEnv(home, env) };
  return promisify(execFile)(process.execPath, nodeArgs(file, JSON.stringify(args)), options);
}

describe('the lead snippets in AGENTS.md', () => {
  it.each(Object.keys(SIGNUP_PROGRAMS))('record a signup as a lead of the partner with %s', async (framework) => {
    const code = SIGNUP_PROGRAMS[framework]?.(snippets.under(`${framework}: signup`)[0] ?? '') ?? '';
    const file = `${framework}.js`;
    await writeFile(join(cwd, file), (await transform(code, { loader: 'ts' })).code);
    const app = spawn(process.execPath, nodeArgs(file), {
      cwd,
      env: cleanEnv(home, {}),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const port = Number(String((await once(app.stdout, 'data'))[0]));
      const user = newUser();
      const clickId = await visit();
      const signup = await fetch(`http://127.0.0.1:${port}/signup`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Cookie: `theme=dark; svc_click_id=${clickId}; other=1` },
        body: JSON.stringify(user),
      });
      expect([signup.status, await signup.json()]).toEqual([201, { id: user.id }]);
      expect(await decisions(user.id)).toMatchObject([
        { kind: 'lead', outcome: 'recorded', click_id: clickId, partner_id: expect.any(Number) },
      ]);
    } finally {
      app.kill();
    }
  });

  it('record a lead, a sale and a refund with curl', async () => {
    const values = { SVC_API_URL: service.url, SVC_API_KEY: apiKey, click_id: await visit() };
    const text = ['Any other backend: signup', 'Any other backend: sale and refund'].flatMap((at) =>
      snippets.under(at),
    );
    const statuses = [];
    for (const { path, headers, body } of curlCommands(text.join('\n'), values)) {
      statuses.push([path, (await fetch(service.url + path, { method: 'POST', headers, body })).status]);
    }
    expect(statuses).toEqual(['lead', 'sale', 'refund'].map((kind) => [`/api/v1/track/${kind}`, 200]));
    expect((await decisions('user_42')).map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ['lead', 'recorded'],
      ['sale', 'recorded'],
      ['refund', 'recorded'],
    ]);
  });
});

describe('the sale snippets in AGENTS.md', () => {
  it('record a sale and a partial refund with any payment processor', async () => {
    const user = newUser();
    const lead = { customer_key: user.id, click_id: await visit(), email: user.email };
    await service.post('/api/v1/track/lead', lead, { authorization: `Bearer ${apiKey}` });
    await writeFile(join(cwd, 'paid.js'), snippets.under('Any payment provider, Node')[0] ?? '');
    await writeFile(join(cwd, 'refunded.js'), snippets.under('Any payment provider, Node: refunds')[0] ?? '');
    const order = { id: 5001, userId: user.id, amountCents: 4900, currency: 'EUR', isRenewal: false };
    await node('pay.js', callOf('paid.js', 'orderPaid'), [order]);
    const again = await node('pay.js', callOf('paid.js', 'orderPaid'), [order]);
    expect(again.stderr).toBe('');
    await node('refund.js', callOf('refunded.js', 'orderRefunded'), [order, { id: 1, amountCents: 900 }]);
    const explained = await command.run(['explain', '--transaction', '5001', '--json'], { home, cwd });
    expect(explained.json).toMatchObject([
      { kind: 'sale', outcome: 'recorded', transaction_id: '5001' },
      { kind: 'sale', outcome: 'refused' },
      { kind: 'refund', outcome: 'recorded' },
    ]);
  });

  it('set the metadata of a Stripe session, and of its subscription', async () => {
    const [shared = '', payment = '', subscription = ''] = snippets.under(
      'Stripe connected in the dashboard: metadata',
    );
    await writeFile(join(cwd, 'svc-metadata.js'), shared);
    await writeFile(join(cwd, 'stripe.js'), STRIPE_CLIENT);
    const from = { user: { id: 42 }, req: { headers: { cookie: 'svc_click_id=cust_1_2' } } };
    const metadata = { svc_customer_key: '42', svc_click_id: 'cust_1_2', program_id: String(programId) };
    const createdWith = async (snippet: string, given: object) => {
      await writeFile(join(cwd, 'checkout.js'), snippet);
      return JSON.parse((await node('create.js', checkoutProgram('checkout.js'), given)).stdout);
    };
    expect(await createdWith(payment, from)).toMatchObject({ mode: 'payment', metadata });
    expect(await createdWith(subscription, from)).toMatchObject({
      mode: 'subscription',
      metadata,
      subscription_data: { metadata },
    });
    const guest = await createdWith(payment, { user: null, req: { headers: {} } });
    expect(guest.metadata).toEqual({ program_id: String(programId) });
  });
});

describe('the packages in AGENTS.md', () => {
  it.each([
    ['tracker', 'As a package'],
    ['node', 'Node: the package for all calls'],
  ])('are installed from an address that never serves anything else: %s', async (name, heading) => {
    const url = /^npm install (\S+)\n$/.exec(snippets.under(heading)[0] ?? '')?.[1] ?? '';
    expect(url).toMatch(new RegExp(`^${service.url}/packages/${name}-${VERSION_PATTERN}-[0-9a-f]{16}\\.tgz$`));
    const response = await fetch(url);
    expect([response.status, response.headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
  });

  it('log nothing about an order of a customer who came on their own', async () => {
    await writeFile(join(cwd, 'paid.js'), snippets.under('Any payment provider, Node')[0] ?? '');
    const order = { id: 'organic_1', userId: 'organic', amountCents: 4900, currency: 'EUR' };
    const { stderr } = await node('pay.js', callOf('paid.js', 'orderPaid'), [order]);
    expect(stderr).toBe('');
  });
});

describe('the browser snippets in AGENTS.md', () => {
  it('name the tracker of this service and the program', () => {
    const tag = `src="${service.url}/js/svc-tracker.js" data-svc-program-id="${programId}"`;
    expect(snippets.under('Plain HTML')).toEqual([`<script async ${tag}></script>\n`]);
    expect(snippets.under('Next.js: tracker')[0]).toContain(`<Script ${tag} />`);
    expect(snippets.under('As a package')[1]).toContain(
      `init({ programId: ${programId}, apiBase: '${service.url}' });`,
    );
    expect(snippets.under('No backend: signup from the browser')[0]).toContain(
      "svc.push(['signup', 'user_42', 'ann@example.com']);",
    );
  });

  it.each([
    ['Own server: relay', 'tracker.html'],
    ['Next.js: relay', 'next.ts'],
    ['Express: relay', 'express.js'],
    ['Fastify: relay', 'fastify.js'],
    ['Hono: relay', 'hono.js'],
    ['Cloudflare Workers: relay', 'worker.js'],
  ])('of %s are those of the example, which is tested as it is', async (heading, file) => {
    const source = await readFile(new URL(`../../../../examples/relay/${file}`, import.meta.url), 'utf8');
    const regions = [...source.matchAll(/\/\/ #region \w+\n([\s\S]*?)\/\/ #endregion\n/g)].map(([, code]) => code);
    const shown = regions.length > 0 ? regions.join('\n') : source;
    expect(snippets.under(heading)).toEqual([
      shown
        .replace('"42"', `"${programId}"`)
        .replace('svc-tracker-42.js', `svc-tracker-${programId}.js`)
        .replaceAll('/x7f3a9c2', relayPath),
    ]);
  });

  it('are all tested, like the other snippets, except the verify commands of the journey test', () => {
    expect(snippets.untried()).toEqual(['Step 4: verify (sh)']);
  });
});
