import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { useBinary } from '../test/binary.ts';
import { cleanEnv, newHome } from '../test/command.ts';
import { packageFiles } from './package-files.ts';

const binary = useBinary();
const API_URL = 'http://127.0.0.1:9';
let home = '';
let tarball = '';

async function command(program: string, args: string[], cwd: string): Promise<{ stdout: string; stderr: string }> {
  const env = cleanEnv(home, { npm_config_update_notifier: 'false', npm_config_audit: 'false' });
  return promisify(execFile)(program, args, { cwd, env });
}

beforeAll(async () => {
  home = await newHome(binary);
  const folder = await binary.folder('pack');
  for (const [path, content] of await packageFiles(API_URL)) {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  const { stdout } = await command('npm', ['pack', './package', '--json'], folder);
  tarball = join(folder, JSON.parse(stdout)[0].filename);
});

describe('the package', () => {
  it('installs with npm from its tarball without other packages, and runs as `svc`', async () => {
    const cwd = await binary.folder('installed');
    await writeFile(join(cwd, 'package.json'), '{"private":true}');
    await command('npm', ['install', '--offline', tarball], cwd);
    const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
    expect((await command(join(cwd, 'node_modules/.bin/svc'), ['--version'], cwd)).stdout.trim()).toBe(version);
    expect((await command(join(cwd, 'node_modules/.bin/svc'), ['--help'], cwd)).stdout).toContain('Usage: svc');
    const lock = JSON.parse(await readFile(join(cwd, 'package-lock.json'), 'utf8'));
    expect(Object.keys(lock.packages)).toEqual(['', 'node_modules/@svc/cli']);
  });

  it('runs with npx from its URL, and knows the service that served it', async () => {
    const server = createServer(async (_request, response) => response.end(await readFile(tarball)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/packages/cli.tgz`;
    const cwd = await binary.folder('npx');
    try {
      expect((await command('npx', ['--yes', url, '--help'], cwd)).stdout).toContain('Usage: svc');
      const refused = await command('npx', ['--yes', url, 'whoami', '--json'], cwd).catch((error) => error);
      expect(JSON.parse(refused.stdout).error).toMatchObject({
        message: `Not signed in to ${API_URL}.`,
        hint: `Run \`npx --yes ${API_URL}/packages/cli.tgz login\`.`,
      });
    } finally {
      server.close();
    }
  });
});
