import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { useBinary } from '../test/binary.ts';
import { cleanEnv, newHome } from '../test/command.ts';
import { theService } from '../test/service.ts';

const binary = useBinary();
const service = theService();
const url = `${service.url}/packages/cli.tgz`;
let home = '';

async function command(program: string, args: string[], cwd: string): Promise<{ stdout: string; stderr: string }> {
  const env = cleanEnv(home, { npm_config_update_notifier: 'false', npm_config_audit: 'false' });
  return promisify(execFile)(program, args, { cwd, env });
}

beforeAll(async () => {
  home = await newHome(binary);
});

describe('the package', () => {
  it('installs with npm from its tarball without other packages, and runs as `svc`', async () => {
    const cwd = await binary.folder('installed');
    await writeFile(join(cwd, 'package.json'), '{"private":true}');
    await writeFile(join(cwd, 'cli.tgz'), Buffer.from(await (await fetch(url)).arrayBuffer()));
    await command('npm', ['install', '--offline', './cli.tgz'], cwd);
    const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
    expect((await command(join(cwd, 'node_modules/.bin/svc'), ['--version'], cwd)).stdout.trim()).toBe(version);
    const installed = await readdir(join(cwd, 'node_modules/@svc/cli'));
    expect(installed.sort()).toEqual((await readdir(dirname(binary.path))).sort());
    const lock = JSON.parse(await readFile(join(cwd, 'package-lock.json'), 'utf8'));
    expect(Object.keys(lock.packages)).toEqual(['', 'node_modules/@svc/cli']);
  });

  it('runs with npx from its URL, and knows the service that served it', async () => {
    const cwd = await binary.folder('npx');
    const refused = await command('npx', ['--yes', url, 'whoami', '--json'], cwd).catch((error) => error);
    expect(JSON.parse(refused.stdout).error).toMatchObject({
      message: `Not signed in to ${service.url}.`,
      hint: `Run \`npx --yes ${url} login\`.`,
    });
  });
});
