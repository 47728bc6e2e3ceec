import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { memberOf } from '@svc/testkit/service/accounts.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { VERSION } from '@svc/testkit/service/version.ts';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDownloads } from './downloads.ts';

const service = useService();
const run = promisify(execFile);
const NAMES = ['tracker', 'node'] as const;
const COMPILER = join(dirname(createRequire(import.meta.url).resolve('@typescript/native/package.json')), 'bin/tsc');
let project: string;
let urls: string[];

const path = (...parts: string[]) => join(project, ...parts);
const npm = (...args: string[]) => run('npm', [...args, '--no-audit', '--no-fund'], { cwd: project });
const node = async (...args: string[]) => (await run(process.execPath, args, { cwd: project })).stdout.trim();

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'svc-install-'));
  await writeFile(path('package.json'), JSON.stringify({ name: 'shop', private: true, type: 'module' }));
  await service.service.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = service.service.http.server.address() as AddressInfo;
  const { body } = await service.call('GET', '/packages.json');
  // The public address of the test's service does not exist.
  urls = NAMES.map((name) => body[name].immutable_url.replace('https://track.test', `http://127.0.0.1:${port}`));
  await npm('install', ...urls);
});

afterAll(() => rm(project, { recursive: true, force: true }));

describe('the code in the API description', () => {
  it.each(['Shell', 'JavaScript'])('calls what it is shown for: %s', async (language) => {
    const { program, link, apiKey } = await service.program();
    const { token } = await memberOf(service, program.workspaceId);
    const { port } = service.service.http.server.address() as AddressInfo;
    const env = { ...process.env, SVC_API_URL: `http://127.0.0.1:${port}`, SVC_API_KEY: apiKey, SVC_TOKEN: token };
    const { body: described } = await service.call('GET', '/openapi.json');
    const operations = Object.values(described.paths).flatMap((path) => Object.values(path as object));
    const answers: Record<string, string> = {};
    for (const { operationId, 'x-codeSamples': samples = [] } of operations) {
      const { source } = samples.find(({ lang }: { lang: string }) => lang === language) ?? {};
      if (!source) continue;
      const clickId = /cust_\d+_\d+/.exec(answers.trackClick ?? '')?.[0] ?? '';
      const code = source
        .replace('https://example.com/?aff=jane', `https://acme.test/?aff=${link}`)
        .replaceAll('cust_1_1760000000000', clickId)
        // Ids of sales are unique on the whole installation.
        .replaceAll(/order_\d+/g, (id: string) => `${id}_${language}`)
        .replaceAll(/\b42\b/g, String(program.id));
      const [command, ...args] =
        language === 'Shell' ? ['sh', '-c', code] : [process.execPath, '--input-type=module', '--eval', code];
      answers[operationId] = (await run(command as string, args, { cwd: project, env })).stdout;
    }
    const isShell = language === 'Shell';
    expect(answers).toEqual({
      trackClick: expect.stringMatching(isShell ? /"success":true/ : /outcome: 'recorded'/),
      trackLead: expect.stringMatching(isShell ? /"success":true/ : /outcome: 'recorded'/),
      trackSale: expect.stringMatching(isShell ? /"attributed":true/ : /outcome: 'recorded'/),
      trackRefund: expect.stringMatching(isShell ? /"success":true/ : /outcome: 'recorded'/),
      trackBatch: expect.stringMatching(isShell ? /"success":true/ : /already_recorded|recorded/),
      managePartners: expect.stringContaining('email'),
      manageAddPartner: expect.stringContaining('ann@example.com'),
      manageSaleByTransactionId: expect.stringContaining(`order_1001_${language}`),
      manageCommissions: expect.stringContaining(`order_1001_${language}`),
      manageReviewCommissions: expect.stringMatching(/skipped/),
    });
  });
});

describe('npm install of the packages', () => {
  it('installs them and nothing else', async () => {
    const { dependencies } = JSON.parse(await readFile(path('package.json'), 'utf8'));
    expect(dependencies).toEqual({ '@svc/tracker': urls[0], '@svc/node': urls[1] });
    expect((await readdir(path('node_modules'))).filter((name) => !name.startsWith('.'))).toEqual(['@svc']);
    expect((await readdir(path('node_modules/@svc'))).sort()).toEqual(NAMES.toSorted());
    for (const name of NAMES) {
      const installed = JSON.parse(await readFile(path('node_modules/@svc', name, 'package.json'), 'utf8'));
      expect(installed).toMatchObject({
        ...{ name: `@svc/${name}`, version: VERSION, sideEffects: false },
        keywords: expect.arrayContaining(['affiliate']),
      });
      expect(installed).not.toHaveProperty('private');
      expect(installed).not.toHaveProperty('dependencies');
      expect(JSON.stringify(installed)).not.toContain('src/');
    }
  });

  it('can be repeated from the lockfile', async () => {
    await rm(path('node_modules'), { recursive: true });
    await npm('ci', '--cache', path('cold-cache'));
    expect(await readFile(path('node_modules/@svc/node/package.json'), 'utf8')).toContain('@svc/node');
  });

  it.each([
    ['import', 'module', (name: string) => `import * as it from '${name}';`],
    ['require', 'commonjs', (name: string) => `const it = require('${name}');`],
  ])('provides modules that run without a page, with %s', async (_word, type, load) => {
    // Without this, Node 20.19 and newer require ES modules too, unlike Jest and older versions.
    const flags = ['--no-experimental-require-module', `--input-type=${type}`, '--eval'];
    const tracker = `${load('@svc/tracker')}
      it.init({ programId: 1, apiBase: 'https://track.test' });
      it.signup('x').then((answer) => console.log(Object.keys(it).sort().join(), JSON.stringify(it.getData()), answer));`;
    expect(await node(...flags, tracker)).toBe(
      'consent,getClickId,getData,init,signup {"clickId":null,"programId":null,"hasAttribution":false,"affiliateUrl":null} undefined',
    );
    const server = `${load('@svc/node')} console.log(Object.keys(it).sort().join(), it.clickIdFrom('svc_click_id=cust_1_2'));`;
    expect(await node(...flags, server)).toBe(
      'SvcError,SvcEventsGoneError,clickIdFrom,createSvc,svc,verifyWebhook cust_1_2',
    );
  });

  it('contains nothing of the installation, and reports to the service that the shop names', async () => {
    for (const name of NAMES) {
      const folder = path('node_modules/@svc', name);
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile()) continue;
        expect(await readFile(join(entry.parentPath, entry.name), 'utf8')).not.toContain('track.test');
      }
    }
    const { port } = service.service.http.server.address() as AddressInfo;
    const lead = (given: string) => `import { createSvc } from '@svc/node';
      const { error } = await createSvc({ apiKey: 'svc_key_nobody', ${given} }).lead({ customer_key: 'user_1' });
      console.log(error.code, '-', error.message);`;
    const said = (given: string) => node('--input-type=module', '--eval', lead(given));
    expect(await said(`apiUrl: 'http://127.0.0.1:${port}'`)).toMatch(/^unauthorized - /);
    expect(await said('')).toBe('not_configured - Set SVC_API_URL to the URL of the service');
  });

  it('marks the React entry as code for the client, for frameworks that render on a server', async () => {
    for (const file of ['dist/react.js', 'dist/cjs/react.js']) {
      const text = await readFile(path('node_modules/@svc/tracker', file), 'utf8');
      expect(text).toMatch(/^("use strict";\s*)?['"]use client['"];/);
    }
  });

  it.each([
    ['nodenext', 'nodenext', ['shop.mts', 'shop.cts']],
    ['esnext', 'bundler', ['shop.ts']],
  ])('includes correct types: module %s, resolution %s, %s', async (module, resolution, files) => {
    for (const file of files) await writeFile(path(file), TYPED_SHOP);
    const flags = ['--noEmit', '--strict', '--types', '', '--lib', 'es2022,dom', '--skipLibCheck', 'false'];
    await run(process.execPath, [COMPILER, ...flags, '--module', module, '--moduleResolution', resolution, ...files], {
      cwd: project,
    });
  });

  it.each(NAMES)(
    'finds nothing wrong with the package %s: types in every resolution, and its manifest',
    async (name) => {
      const [variant] = (await createDownloads(service.ctx).load(name)).asset.variants;
      const tarball = Uint8Array.from(variant?.body ?? []);
      const { problems, entrypoints } = (await checkPackage(createPackageFromTarballData(tarball))) as {
        problems: unknown[];
        entrypoints: object;
      };
      expect(Object.keys(entrypoints)).toContain('.');
      expect(problems).toEqual([]);
      const { messages } = await publint({ pack: { tarball: tarball.buffer }, strict: true });
      expect(messages).toEqual([]);
    },
  );
});

const TYPED_SHOP = `
  import { getData, init, signup, type SignupAnswer } from '@svc/tracker';
  import { decorateStripe } from '@svc/tracker/stripe';
  import { clickIdFrom, createSvc, svc, type Outcome, type SaleReply } from '@svc/node';
  import { createManage } from '@svc/node/manage';
  init({ programId: 1, apiBase: 'https://track.test', consent: 'pending', privacySignals: true });
  const id: string | null = getData().clickId;
  signup(id ?? 'user_1', 'ann@example.com').then((answer: SignupAnswer) => answer && answer.success);
  // @ts-expect-error: there may be no answer
  signup('user_1').then((answer) => answer.success);
  // @ts-expect-error: the program is required
  init({ apiBase: 'https://track.test' });
  // @ts-expect-error: and so is the service
  init({ programId: 1 });
  decorateStripe();
  export async function paid(request: Request): Promise<number | undefined> {
    const sale: Outcome<SaleReply> = await svc.sale({
      transaction_id: 'order_1', customer_key: 'user_1', click_id: clickIdFrom(request), amount_cents: 4900,
    });
    // @ts-expect-error: a sale needs an amount
    await createSvc({ apiKey: 'x' }).sale({ transaction_id: 'order_1' });
    await svc.batch([{ type: 'refund', transaction_id: 'order_1' }]);
    if (sale.outcome === 'recorded') return sale.reply.data.commission_cents;
    if (!sale.ok) console.log(sale.error.code, sale.error.isRetryable);
  }
  export async function partners(): Promise<string[]> {
    const manage = createManage({ token: 'x' });
    const names: string[] = [];
    for await (const row of manage.rows('GET /programs/:program_id/partners', { params: { program_id: 1 } })) {
      names.push(row.name ?? row.email);
    }
    const { data } = await manage.call('GET /programs', {});
    const id: number | undefined = data[0]?.id;
    // @ts-expect-error: there is no such route
    await manage.call('GET /program', {});
    // @ts-expect-error: a parameter of the path is missing
    await manage.call('GET /programs/:program_id', {});
    // @ts-expect-error: a parameter of the query has another value
    await manage.call('GET /programs/:program_id/partners', { params: { program_id: id ?? 1 }, query: { status: 'sold' } });
    return names;
  }
`;
