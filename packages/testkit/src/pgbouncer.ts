import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './free-port.ts';

/** The program to run as PgBouncer, if it is installed. */
export function findPgBouncer(): string | undefined {
  const names = ['pgbouncer', '/usr/sbin/pgbouncer'];
  return names.find((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0);
}

/** Whether it keeps track of prepared statements, as versions since 1.21 do. */
export function pgBouncerKeepsPrepared(): boolean {
  const program = findPgBouncer();
  const { stdout = '' } = program ? spawnSync(program, ['--version'], { encoding: 'utf8' }) : {};
  const [, major = 0, minor = 0] = /PgBouncer (\d+)\.(\d+)/.exec(stdout) ?? [];
  return Number(major) > 1 || Number(minor) >= 21;
}

export type PgBouncer = {
  /** The address of the default database through it. */
  url: string;
  pid: number;
  remove(): Promise<void>;
};

/** The settings of a service that reaches a database through a pooler, on the server that another address leads to. */
export function addressThrough(poolerUrl: string, databaseUrl: string) {
  const url = new URL(databaseUrl);
  url.host = new URL(poolerUrl).host;
  return { DATABASE_URL: url.href, SVC_LISTEN_DATABASE_URL: databaseUrl };
}

/** An unprivileged user that every Unix has: PgBouncer refuses to run as root. */
const NOBODY = { uid: 65_534, gid: 65_534 };

/** Starts PgBouncer in front of the Postgres server that the address leads to. `settings` are those of pgbouncer.ini. */
export async function startPgBouncer(serverUrl: string, settings: Record<string, string> = {}): Promise<PgBouncer> {
  const program = findPgBouncer() ?? 'pgbouncer';
  const home = await mkdtemp(join(tmpdir(), 'svc-pgbouncer-'));
  await chmod(home, 0o755);
  const port = await freePort();
  const { hostname, port: serverPort, username } = new URL(serverUrl);
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: join(home, 'users.txt'),
    pool_mode: 'transaction',
    max_client_conn: '2000',
    default_pool_size: '10',
    server_idle_timeout: '30',
    log_connections: '0',
    log_disconnections: '0',
    log_stats: '0',
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const file = join(home, 'pgbouncer.ini');
  await writeFile(
    file,
    ['[databases]', `* = host=${hostname} port=${serverPort}`, '[pgbouncer]', ...lines, ''].join('\n'),
  );
  await writeFile(all.auth_file, `"${username}" ""\n`);
  const user = process.getuid?.() === 0 ? NOBODY : {};
  const child = spawn(program, [file], { ...user, cwd: home, stdio: ['ignore', 'ignore', 'pipe'] });
  process.on('exit', () => child.kill('SIGKILL'));
  await new Promise<void>((resolve, reject) => {
    const said: string[] = [];
    createInterface({ input: child.stderr }).on('line', (line) => {
      said.push(line);
      if (line.includes('process up')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`PgBouncer ended with ${code}: ${said.join('\n')}`)));
    child.once('error', reject);
  });
  return {
    url: `postgres://${username}@127.0.0.1:${port}/postgres`,
    pid: child.pid ?? 0,
    async remove() {
      if (child.exitCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      await rm(home, { recursive: true, force: true });
    },
  };
}
