import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useService } from '../../../test/service.ts';

const service = useService();
const run = promisify(execFile);
let project: string;
let baseUrl: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'svc-install-'));
  await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'shop', private: true, type: 'module' }));
  await service.service.http.listen({ port: 0, host: '127.0.0.1' });
  baseUrl = `http://127.0.0.1:${(service.service.http.server.address() as AddressInfo).port}`;
  await run('npm', ['install', '--no-audit', `${baseUrl}/packages/tracker.tgz`], { cwd: project });
});

afterAll(() => rm(project, { recursive: true, force: true }));

describe('npm i {base_url}/packages/tracker.tgz', () => {
  it('installs the package and nothing else', async () => {
    const { dependencies } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
    expect(dependencies).toEqual({ '@svc/tracker': `${baseUrl}/packages/tracker.tgz` });
    const { stdout } = await run('npm', ['ls', '--all', '--parseable'], { cwd: project });
    expect(stdout.trim().split('\n')).toHaveLength(2);
    const installed = JSON.parse(await readFile(join(project, 'node_modules/@svc/tracker/package.json'), 'utf8'));
    expect(installed).toMatchObject({ name: '@svc/tracker', version: '0.1.0', sideEffects: false });
    expect(Object.keys(installed)).not.toEqual(expect.arrayContaining(['private']));
    expect(JSON.stringify(installed.exports)).not.toContain('src/');
  });

  it('provides a module that runs without a page', async () => {
    const program = `import * as svc from '@svc/tracker';
      svc.init({ programId: 1 });
      console.log(JSON.stringify([Object.keys(svc).sort(), svc.getData(), (await svc.signup('x')) ?? null]));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { cwd: project });
    expect(JSON.parse(stdout)).toEqual([
      ['consent', 'getClickId', 'getData', 'init', 'signup'],
      { clickId: null, programId: null, hasAttribution: false, affiliateUrl: null },
      null,
    ]);
  });

  it('contains the address of the service', async () => {
    const file = join(project, 'node_modules/@svc/tracker/dist/default-api-base.js');
    expect(await readFile(file, 'utf8')).toBe('export const DEFAULT_API_BASE = "https://track.test";\n');
  });

  it('includes correct types', async () => {
    await writeFile(
      join(project, 'shop.ts'),
      `import { getData, init, signup } from '@svc/tracker';
      init({ programId: 1, consent: 'pending', privacySignals: true });
      const id: string | null = getData().clickId;
      signup(id ?? 'user_1', 'ann@example.com').then((answer) => answer && answer.success);
      // @ts-expect-error: the program is required
      init({});`,
    );
    const compiler = join(
      dirname(createRequire(import.meta.url).resolve('@typescript/native/package.json')),
      'bin/tsc',
    );
    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--types', '', '--lib', 'es2022,dom', 'shop.ts'];
    await run(process.execPath, [compiler, ...flags], { cwd: project });
  });
});
