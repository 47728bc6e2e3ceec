import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { freePort } from '@svc/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildIfMissing, Program, SECRET, setUp, startService, temporaryFolder } from '../test/processes.ts';
import { emptyPostgres } from '../test/store.ts';

let folder: string;
beforeAll(async () => {
  buildIfMissing();
  folder = await temporaryFolder();
});

/** What a start that must fail ends with. */
const failedStart = (env: Record<string, string>) => new Program(['serve'], env).untilEnded();
const isOneLine = /^[^\n]+\n$/;
const isOneLineAfterStarting = /^Starting…\n[^\n]+\n$/;

const readiness = (url: string, key: string) =>
  fetch(`${url}/api/v1/programs/me/readiness`, { headers: { authorization: `Bearer ${key}` } });

describe('serve, on the embedded store', () => {
  it('prints where it is and what to try first, and keeps everything in a folder that only its owner may read', async () => {
    const dataDir = join(folder, 'data');
    const service = await startService({ SVC_DATA_DIR: dataDir });
    const address = `http://localhost:${new URL(service.url).port}`;
    for (const text of [dataDir, `${address}/docs`, 'npm run operator -- setup']) {
      expect(service.stderr).toContain(text);
    }
    expect(service.stderr).toMatch(/^Starting…\n/);
    expect(service.stderr.trimEnd().split('\n').at(-1)).toBe(`  Open ${address}`);
    for (const path of ['/healthz', '/readyz', '/docs', '/openapi.json']) {
      expect((await fetch(`${service.url}${path}`)).status).toBe(200);
    }
    const modes = ['secret', 'control.sock', ''].map(async (name) => (await stat(join(dataDir, name))).mode & 0o777);
    expect(await Promise.all(modes)).toEqual([0o600, 0o600, 0o700]);

    const { code, stdout, stderr } = await service.end('SIGTERM');
    expect(code).toBe(0);
    for (const line of stdout.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ level: 30 });
    expect(stderr).not.toMatch(/warning|error|^\s+at /im);
  });

  it('a second service on the same data folder is refused with a clear line; the first goes on', async () => {
    const env = { SVC_DATA_DIR: join(folder, 'data') };
    const first = await startService(env);
    const { code, stdout, stderr } = await failedStart({ ...env, PORT: String(await freePort()) });
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(isOneLineAfterStarting);
    expect(stderr).toContain(env.SVC_DATA_DIR);
    const { api_key: key } = await setUp(first.env);
    expect((await readiness(first.url, key)).status).toBe(200);
    await first.end();
  });

  it('keeps its secret and its programs over a restart, shows SVC_BASE_URL as its address, ends with 0 on SIGINT', async () => {
    const env = { SVC_DATA_DIR: join(folder, 'data') };
    const { api_key: key, program_id: id } = await setUp(env, '--partner-email', 'kept@partner.test');
    const secret = await readFile(join(env.SVC_DATA_DIR, 'secret'), 'utf8');
    const service = await startService({ ...env, SVC_BASE_URL: 'https://track.acme.test/' });
    expect(service.stderr).toContain('Open https://track.acme.test\n');
    expect(await (await readiness(service.url, key)).json()).toMatchObject({ program_id: id });
    expect((await service.end('SIGINT')).code).toBe(0);
    expect(await readFile(join(env.SVC_DATA_DIR, 'secret'), 'utf8')).toBe(secret);
  });
});

describe('a start that fails', () => {
  it.each([
    ['PORT', { PORT: 'eighty' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
    ['SVC_RATE_LIMITS', { SVC_RATE_LIMITS: 'click=lots' }],
    ['SVC_BASE_URL', { SVC_BASE_URL: 'acme.test' }],
    ['REDIS_URL', { REDIS_URL: 'cache:6379' }],
    ['SVC_SECRET', { SVC_SECRET: 'short' }],
    ['SVC_SECRET', { DATABASE_URL: 'postgres://127.0.0.1:1/svc' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://127.0.0.1/svc', SVC_SECRET: SECRET }],
    ['SVC_TRUSTED_PROXIES', { SVC_TRUSTED_PROXIES: 'loadbalancer' }],
  ] as [string, Record<string, string>][])('for a wrong %s ends with 1 and a line that names it', async (name, env) => {
    const { code, stdout, stderr } = await failedStart({ SVC_DATA_DIR: join(folder, 'never'), ...env });
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(isOneLine);
    expect(stderr).toMatch(new RegExp(`^${name}: `));
  });

  it('because the port is taken ends with 1, says so, and lets go of the data folder', async () => {
    const port = await freePort();
    const other = createServer().listen(port, '127.0.0.1');
    const env = { SVC_DATA_DIR: join(folder, 'data') };
    const { code, stderr } = await failedStart({ ...env, PORT: String(port) });
    other.close();
    expect(code).toBe(1);
    expect(stderr).toMatch(isOneLineAfterStarting);
    expect(stderr).toContain(String(port));
    const service = await startService(env);
    await service.end();
  });

  it('because the database does not answer ends with 1 and says so, without its password', async () => {
    const url = `postgres://svc:my-password@127.0.0.1:${await freePort()}/svc`;
    const { code, stderr } = await failedStart({ DATABASE_URL: url, SVC_SECRET: SECRET });
    expect(code).toBe(1);
    expect(stderr).toMatch(isOneLineAfterStarting);
    expect(stderr).toMatch(/DATABASE_URL|database/i);
    expect(stderr).not.toContain('my-password');
  });

  it('because the arguments are wrong ends with 1 and starts nothing', async () => {
    for (const args of [['nonsense'], ['serve', '--port', '80'], ['setup', '--nonsense']]) {
      const { code, stderr } = await new Program(args, { SVC_DATA_DIR: join(folder, 'never') }).untilEnded();
      expect(code).toBe(1);
      expect(stderr).toMatch(/^error: /);
      expect(stderr).not.toMatch(/^\s+at /m);
    }
  });
});

describe('serve, on a Postgres', () => {
  it('says so, two of them share it, and each ends with 0 on SIGTERM', async () => {
    const env = { DATABASE_URL: await emptyPostgres(), SVC_SECRET: SECRET };
    const services = await Promise.all([startService(env), startService(env)]);
    const { api_key: key, program_id: id } = await setUp(env);
    for (const service of services) {
      expect(service.stderr).toMatch(/Store +Postgres\n/);
      expect(await (await readiness(service.url, key)).json()).toMatchObject({ program_id: id });
    }
    expect((await Promise.all(services.map((service) => service.end()))).map(({ code }) => code)).toEqual([0, 0]);
  });
});
