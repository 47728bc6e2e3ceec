import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, copyFileSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { type Environment, killOnExit } from '@svc/bench/processes';
import { freePort, pauseProcesses, queryOnce, resumeProcesses } from '@svc/testkit';

/** The files that operators are given. */
export const HA = fileURLToPath(new URL('../../../deploy/ha/', import.meta.url));
export const DATABASE = 'svc';
/** How long a machine that hangs goes on hanging after it has lost its lead. */
const RESUMED_AFTER_MS = 2_000;
/** Postgres refuses to run as root. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

export type Member = { name: string; client: string; peer: string };

export const newAddress = async () => `127.0.0.1:${await freePort()}`;

/** The variables of a file in `deploy/ha`. */
export function readEnv(name: string): Environment {
  return parseEnv(readFileSync(join(HA, name), 'utf8')) as Environment;
}

/** Starts a program of the machine. What it writes goes to a file, if there is one. */
export function startProgram(program: string, args: string[], env: Environment, logFile?: string): ChildProcess {
  const output = logFile === undefined ? 'ignore' : openSync(logFile, 'a');
  const child = spawn(program, args, {
    ...NOBODY,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', output, output],
  });
  return killOnExit(child);
}

/** A folder of the user that the programs run as. */
function newFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o777 });
  if (NOBODY.uid !== undefined) chownSync(path, NOBODY.uid, NOBODY.gid);
  return path;
}

export function runEtcd(home: string, name: string, members: Member[]): ChildProcess {
  const { client, peer } = members.find((member) => member.name === name) as Member;
  const folder = newFolder(join(home, `etcd-${name}`));
  const env = {
    ...readEnv('etcd.env'),
    ETCD_NAME: name,
    ETCD_DATA_DIR: join(folder, 'data'),
    ETCD_LISTEN_CLIENT_URLS: `http://${client}`,
    ETCD_ADVERTISE_CLIENT_URLS: `http://${client}`,
    ETCD_LISTEN_PEER_URLS: `http://${peer}`,
    ETCD_INITIAL_ADVERTISE_PEER_URLS: `http://${peer}`,
    ETCD_INITIAL_CLUSTER: members.map((member) => `${member.name}=http://${member.peer}`).join(),
    // Debian's etcd asks for it on other processors than x86_64.
    ETCD_UNSUPPORTED_ARCH: process.arch,
  };
  return startProgram('etcd', [], env, join(folder, 'log'));
}

type Place = { home: string; name: string; members: Member[]; bin: string };

/** A machine with a member of etcd, and a Postgres under Patroni. */
export class DatabaseMachine {
  readonly restApi: string;
  readonly postgres: string;
  readonly #place: Place;
  readonly #folder: string;
  #etcd: ChildProcess | undefined;
  #patroni: ChildProcess | undefined;

  static async create(place: Place): Promise<DatabaseMachine> {
    return new DatabaseMachine(place, await newAddress(), await newAddress());
  }

  private constructor(place: Place, restApi: string, postgres: string) {
    this.#place = place;
    this.restApi = restApi;
    this.postgres = postgres;
    this.#folder = newFolder(join(place.home, place.name));
    copyFileSync(join(HA, 'patroni.yml'), join(this.#folder, 'patroni.yml'));
    // A Patroni that is killed leaves its Postgres running.
    process.on('exit', () => this.#signalPostgres('SIGKILL'));
  }

  startEtcd(): void {
    const { home, name, members } = this.#place;
    if (!isRunning(this.#etcd)) this.#etcd = runEtcd(home, name, members);
  }

  /** Starts what does not run. */
  start(): void {
    this.startEtcd();
    if (!isRunning(this.#patroni)) {
      const args = [join(this.#folder, 'patroni.yml')];
      this.#patroni = startProgram('patroni', args, this.#environment(), join(this.#folder, 'log'));
    }
  }

  #environment(): Environment {
    const { name, members, bin } = this.#place;
    return {
      ...readEnv('patroni.env'),
      HOME: this.#folder,
      PATRONI_NAME: name,
      PATRONI_ETCD3_HOSTS: members.map(({ client }) => client).join(),
      PATRONI_RESTAPI_LISTEN: this.restApi,
      PATRONI_RESTAPI_CONNECT_ADDRESS: this.restApi,
      PATRONI_POSTGRESQL_LISTEN: this.postgres,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: this.postgres,
      PATRONI_POSTGRESQL_DATA_DIR: join(this.#folder, 'data'),
      PATRONI_POSTGRESQL_BIN_DIR: bin,
      PATRONI_POSTGRESQL_PGPASS: join(this.#folder, 'pgpass'),
    };
  }

  adminUrl(): string {
    const { PATRONI_SUPERUSER_USERNAME: user, PATRONI_SUPERUSER_PASSWORD: password } = readEnv('patroni.env');
    return `postgres://${user}:${password}@${this.postgres}/postgres`;
  }

  async isPrimary(): Promise<boolean> {
    const rows = await queryOnce(this.adminUrl(), 'select 1 where not pg_is_in_recovery()');
    return rows.length > 0;
  }

  async hasSynchronousStandby(): Promise<boolean> {
    const { members } = (await this.#ask('/cluster')) as { members: { role: string; state: string }[] };
    const rows = await queryOnce(this.adminUrl(), `select 1 from pg_stat_replication where sync_state = 'sync'`);
    return rows.length > 0 && members.some(({ role }) => role === 'sync_standby');
  }

  switchOver(candidate: DatabaseMachine): void {
    const body = JSON.stringify({ leader: this.#place.name, candidate: candidate.#place.name });
    const headers = { 'content-type': 'application/json' };
    // It answers when the switchover is over.
    void fetch(`http://${this.restApi}/switchover`, { method: 'POST', headers, body }).catch(() => undefined);
  }

  async #ask(path: string): Promise<unknown> {
    return (await fetch(`http://${this.restApi}${path}`)).json();
  }

  /** As `kill -9` of its postmaster and all of its processes. */
  crashPostgres(): void {
    this.#signalPostgres('SIGQUIT');
  }

  /** As a power cut. */
  async kill(): Promise<void> {
    const children = [this.#patroni, this.#etcd].filter((child) => child !== undefined && isRunning(child));
    const ended = children.map((child) => once(child as ChildProcess, 'exit'));
    for (const child of children) child?.kill('SIGKILL');
    this.#signalPostgres('SIGKILL');
    await Promise.all(ended);
  }

  /** Stops Patroni and Postgres where they are. */
  pause(): void {
    for (const pid of this.#pids()) pauseProcesses(pid);
  }

  resumeSoon(): void {
    setTimeout(() => {
      for (const pid of this.#pids()) resumeProcesses(pid);
    }, RESUMED_AFTER_MS);
  }

  #pids(): number[] {
    return [this.#patroni?.pid, this.#postmaster()].filter((pid) => pid !== undefined);
  }

  #postmaster(): number | undefined {
    const file = join(this.#folder, 'data', 'postmaster.pid');
    if (!existsSync(file)) return undefined;
    const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
    // A pid file outlives its process.
    const command = `/proc/${pid}/cmdline`;
    return existsSync(command) && readFileSync(command, 'utf8').includes(this.#folder) ? pid : undefined;
  }

  #signalPostgres(signal: NodeJS.Signals): void {
    const pid = this.#postmaster();
    if (pid !== undefined) process.kill(pid, signal);
  }
}

function isRunning(child: ChildProcess | undefined): boolean {
  return child !== undefined && child.exitCode === null && child.signalCode === null;
}
