import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { freePort } from '@svc/testkit';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { setUp } from '@svc/testkit/service/processes/first-program.ts';
import { runOnStoreOf } from '@svc/testkit/service/processes/operator.ts';
import {
  operator,
  Program,
  type RunningService,
  SECRET,
  startService,
  temporaryFolder,
} from '@svc/testkit/service/processes/processes.ts';
import { emptyPostgres } from '@svc/testkit/service/stores/store.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { holdDataFolder } from './operator/control-socket.ts';

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
});

/** How a start that must fail ends. */
const failedStart = (env: Record<string, string>) => new Program(['serve'], env).untilEnded();
const isOneLineAfterStarting = /^Starting…\n[^\n]+\n$/;

const readiness = (url: string, key: string) =>
  fetch(`${url}/api/v1/programs/me/readiness`, { headers: { authorization: `Bearer ${key}` } });

/** Everything in the folder that others may read, write or enter, by its mode. */
function openToOthers(path: string): string[] {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return ['', ...names]
    .map((name) => ({ name, mode: statSync(join(path, name)).mode & 0o777 }))
    .filter(({ mode }) => (mode & 0o077) !== 0)
    .map(({ name, mode }) => `${name} ${mode.toString(8)}`);
}

describe('serve with the embedded store', () => {
  let dataDir: string;
  let service: RunningService;
  beforeAll(async () => {
    dataDir = join(folder, 'data');
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o755);
    service = await startService({ SVC_DATA_DIR: dataDir });
  });

  it('prints its address and first steps', async () => {
    const address = `http://localhost:${new URL(service.url).port}`;
    for (const text of [dataDir, `${address}/docs`]) {
      expect(service.stderr).toContain(text);
    }
    expect(service.stderr).toMatch(/^Starting…\n/);
    expect(service.stderr.trimEnd().split('\n').slice(-3)).toEqual([
      `  Open ${address} and create your account`,
      '',
      '  Or try the API first. Run in another terminal:  npm run operator -- setup',
    ]);
    for (const path of ['/healthz', '/readyz', '/docs', '/openapi.json']) {
      expect((await fetch(`${service.url}${path}`)).status).toBe(200);
    }
  });

  it('makes a data folder private that was open to others, and a backup too', async () => {
    expect(openToOthers(dataDir)).toEqual([]);
    const modes = ['secret', 'control.sock', ''].map((name) => statSync(join(dataDir, name)).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600, 0o700]);
    const backup = join(folder, 'svc.backup');
    expect((await operator({ SVC_DATA_DIR: dataDir }, 'backup', '--to', backup)).code).toBe(0);
    expect((statSync(backup).mode & 0o777).toString(8)).toBe('600');
  });

  it('does not share its data folder', async () => {
    const second = await failedStart({ SVC_DATA_DIR: dataDir, PORT: String(await freePort()) });
    expect([second.code, second.stdout]).toEqual([1, '']);
    expect(second.stderr).toMatch(isOneLineAfterStarting);
    expect(second.stderr).toContain(dataDir);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  });

  it('exits with 0 on SIGTERM and SIGINT, keeps its secret and programs after a restart, and prints SVC_BASE_URL', async () => {
    const { api_key: key, program_id: id } = await setUp(
      { SVC_DATA_DIR: dataDir },
      '--partner-email',
      'kept@partner.test',
    );
    const secret = await readFile(join(dataDir, 'secret'), 'utf8');
    const { code, stdout, stderr } = await service.end('SIGTERM');
    expect(code, stdout).toBe(0);
    for (const line of stdout.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ level: 30 });
    expect(stderr).not.toMatch(/warning|error|^\s+at /im);
    expect(openToOthers(dataDir)).toEqual([]);
    expect(readdirSync(join(dataDir, 'postgres')).length).toBeGreaterThan(10);

    const again = await startService({ SVC_DATA_DIR: dataDir, SVC_BASE_URL: 'https://track.acme.test/' });
    expect(again.stderr).toContain('Open https://track.acme.test and create your account\n');
    expect(await (await readiness(again.url, key)).json()).toMatchObject({ program_id: id });
    expect((await again.end('SIGINT')).code).toBe(0);
    expect(await readFile(join(dataDir, 'secret'), 'utf8')).toBe(secret);
  });

  it('exits with 1 if its port is in use, says so, and releases the data folder', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    const { code, stderr } = await failedStart({ SVC_DATA_DIR: dataDir, PORT: String(port) });
    other.close();
    expect(code).toBe(1);
    expect(stderr).toMatch(isOneLineAfterStarting);
    expect(stderr).toContain(String(port));
    const release = await holdDataFolder(dataDir, async () => ({ ok: false, text: '' }));
    await release();
  });
});

it('svc-server --version prints the release', async () => {
  const ended = await new Program(['--version'], {}).untilEnded();
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
});

describe('a start that fails', () => {
  // The values and errors of each variable are tested in config.test.ts.
  it('because of an invalid variable exits with 1 and a line that names it', async () => {
    const { code, stdout, stderr } = await failedStart({ SVC_DATA_DIR: join(folder, 'never'), PORT: 'eighty' });
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: 'PORT: must be a port number\n' });
  });

  it('because the database does not answer exits with 1 and says so, without the password', async () => {
    const url = `postgres://svc:my-password@127.0.0.1:${await freePort()}/svc`;
    const { code, stderr } = await failedStart({ DATABASE_URL: url, SVC_SECRET: SECRET });
    expect(code).toBe(1);
    expect(stderr).toMatch(isOneLineAfterStarting);
    expect(stderr).toMatch(/DATABASE_URL|database/i);
    expect(stderr).not.toContain('my-password');
  });

  it('because of wrong arguments exits with 1', async () => {
    for (const args of [['nonsense'], ['serve', '--port', '80'], ['setup', '--nonsense']]) {
      const { code, stderr } = await new Program(args, { SVC_DATA_DIR: join(folder, 'never') }).untilEnded();
      expect(code).toBe(1);
      expect(stderr).toMatch(/^error: /);
      expect(stderr).not.toMatch(/^\s+at /m);
    }
  });
});

describe('serve with a Postgres server', () => {
  it('runs two nodes on an empty database that share an operator’s changes, and exits with 0 on SIGTERM', async () => {
    const env = { DATABASE_URL: await emptyPostgres(), SVC_SECRET: SECRET };
    const services = await Promise.all([startService(env), startService(env)]);
    const { api_key: old, program_id: id } = await setUp(env);
    for (const service of services) {
      expect(service.stderr).toMatch(/Store +Postgres\n/);
      expect(await (await readiness(service.url, old)).json()).toMatchObject({ program_id: id });
    }
    const { data } = await runOnStoreOf(env, 'regenerate-key', '--program', String(id));
    for (const { url } of services) {
      const statusOf = async (key: string) => (await readiness(url, key)).status;
      const status = await eventually(
        () => statusOf(old),
        (answered) => answered === 401,
      );
      expect(status).toBe(401);
      expect(await statusOf((data as { api_key: string }).api_key)).toBe(200);
    }
    expect((await Promise.all(services.map((service) => service.end()))).map(({ code }) => code)).toEqual([0, 0]);
  });
});
