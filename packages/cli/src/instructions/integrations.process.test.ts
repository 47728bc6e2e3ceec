import { exec, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, sharedBrowser } from '@svc/testkit';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { curlCommands } from '@svc/testkit/service/processes/curl.ts';
import { beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { cleanEnv, newHome, useCommand } from '../../test/command.ts';
import { INTEGRATIONS, type Integration } from '../../test/integrations.ts';
import { theService } from '../../test/service.ts';
import { signedIn, TERMS } from '../../test/signed-in.ts';
import { Snippets } from '../../test/snippets.ts';

const command = useCommand();
const service = theService();
const browser = inject('browser');
const isLong = process.env.SVC_TEST_LONG === 'yes';
let home = '';

beforeAll(async () => {
  home = await newHome(command);
  await signedIn(command, service, home);
});

/** Those with packages from the registry take minutes; `npm run test:agents` runs them. */
const tried = Object.entries(INTEGRATIONS).filter(([, { packages }]) => isLong || packages.length === 0);

describe.skipIf(!browser)('a project that follows AGENTS.md word for word', () => {
  it.each(tried)('is verified by doctor: %s', { timeout: 600_000 }, async (_name, integration) => {
    const cwd = await command.folder('site');
    const svc = (...args: string[]) => command.run([...args, '--json'], { home, cwd });
    const run = async (line: string) => {
      await promisify(exec)(line, { cwd, env: cleanEnv(home, { CI: '1', npm_config_audit: 'false' }) });
    };
    await writeFile(join(cwd, 'package.json'), '{"private":true,"type":"module"}');
    if (integration.packages.length > 0) await run(`npm install ${integration.packages.join(' ')}`);

    const { json: made } = await svc('init', '--no-interactive', '--api-url', service.url, ...TERMS);
    const instructions = await readFile(join(cwd, '.svc/AGENTS.md'), 'utf8');
    const snippets = new Snippets(instructions);
    await integration.build(cwd, snippets, run);
    if (integration.prepare) await run(integration.prepare);
    const port = await freePort();
    const origin = `http://localhost:${port}`;
    await svc('origins', 'add', origin);
    expect((await svc('test', 'chain')).json.attributed).toBe(true);
    expect((await svc('doctor', '--origin', origin)).code).toBe(1);

    await serve(integration, cwd, port);
    const userId = `user_${made.program_id}`;
    const orderId = `order_${made.program_id}`;
    await visitAndBuy(integration, { origin, testLink: `/?aff=svc-test-${made.program_id}`, userId, orderId, cwd });
    const customer = integration.signup ? userId : 'user_42';
    const explained = async (...args: string[]) => (await svc('explain', ...args)).json;
    expect(await explained('--customer', customer)).toContainEqual(
      expect.objectContaining({ kind: 'lead', outcome: 'recorded', is_test: true, partner_id: expect.any(Number) }),
    );
    expect(await explained('--transaction', orderId)).toMatchObject([{ kind: 'sale', outcome: 'recorded' }]);
    const doctor = await svc('doctor', '--origin', origin);
    expect(doctor.json.checks).toContainEqual(expect.objectContaining({ name: 'site', status: 'pass' }));
    expect([doctor.json.readiness.state, doctor.json.ok, doctor.code]).toEqual(['integration_verified', true, 0]);
  });
});

type Visit = { origin: string; testLink: string; userId: string; orderId: string; cwd: string };

/** Opens the test link in a browser, signs up and pays, as step 4 says. */
async function visitAndBuy(integration: Integration, { origin, testLink, userId, orderId, cwd }: Visit): Promise<void> {
  const context = await (await sharedBrowser(browser as NonNullable<typeof browser>)).newContext();
  const page = await context.newPage();
  await page.goto(origin + testLink);
  await page.waitForFunction(() => document.cookie.includes('svc_click_id='));
  const post = (path: string, body: object) =>
    page.evaluate(
      async ([to, sent]) => {
        const headers = { 'Content-Type': 'application/json' };
        return (await fetch(to as string, { method: 'POST', headers, body: JSON.stringify(sent) })).status;
      },
      [path, body] as const,
    );
  if (integration.signup && integration.pay) {
    expect(await post(integration.signup, { id: userId, email: 'ann@example.com' })).toBe(201);
    const order = { id: orderId, userId, amountCents: 4900, currency: 'USD', isRenewal: false };
    expect(await post(integration.pay, order)).toBe(200);
  } else {
    const recorded = page.waitForResponse((response) => response.url().endsWith('/svc/l'));
    await page.goto(`${origin}/welcome.html`);
    expect((await recorded).status()).toBe(200);
    await sellWithCurl(cwd, orderId);
  }
  await context.close();
}

/** Reports the sale with the command for any other backend. */
async function sellWithCurl(cwd: string, orderId: string): Promise<void> {
  const snippets = new Snippets(await readFile(join(cwd, '.svc/AGENTS.md'), 'utf8'));
  const [text = ''] = snippets.under('Any other backend: sale and refund');
  const apiKey = /^SVC_API_KEY=(.+)$/m.exec(await readFile(join(cwd, '.svc/.env'), 'utf8'))?.[1] ?? '';
  const values = { SVC_API_URL: service.url, SVC_API_KEY: apiKey };
  const [sale] = curlCommands(text.replaceAll('order_1001', orderId), values);
  const answered = await fetch(service.url + sale?.path, { method: 'POST', headers: sale?.headers, body: sale?.body });
  expect(answered.status).toBe(200);
}

/** Serves the site until the test is over. */
async function serve({ serve: command }: Integration, cwd: string, port: number): Promise<void> {
  if (!command) {
    const files = createServer(async (request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      const name = pathname === '/' ? 'index.html' : pathname.slice(1);
      const html = await readFile(join(cwd, name), 'utf8').catch(() => '');
      response.writeHead(html ? 200 : 404, { 'Content-Type': 'text/html' }).end(html);
    });
    await new Promise<void>((resolve) => files.listen(port, 'localhost', resolve));
    onTestFinished(() => void files.close());
    return;
  }
  const [program = '', ...args] = command(port);
  // In a group of its own: npx starts the site as a child.
  const site = spawn(program, args, {
    cwd,
    env: cleanEnv(home, { PORT: String(port) }),
    stdio: 'inherit',
    detached: true,
  });
  onTestFinished(() => {
    if (site.exitCode === null) process.kill(-(site.pid as number), 'SIGTERM');
  });
  const isServed = await eventually(
    async () => {
      if (site.exitCode !== null) throw new Error(`The site exited with ${site.exitCode}`);
      return (await fetch(`http://localhost:${port}/`).catch(() => undefined))?.ok;
    },
    (answered) => answered === true,
  );
  expect(isServed).toBe(true);
}
