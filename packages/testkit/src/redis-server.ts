import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { freePort } from './free-port.ts';

/** The program to run as Redis, if one is installed. */
export function findRedis(): string | undefined {
  return ['redis-server', 'valkey-server'].find(
    (name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0,
  );
}

export type RedisServer = {
  url: string;
  start(): Promise<void>;
  kill(): Promise<void>;
  /** Stops answering without closing a connection, until `resume`. */
  freeze(): void;
  resume(): void;
};

/** A Redis server on a free port that stores nothing on disk. */
export async function createRedis(): Promise<RedisServer> {
  const program = findRedis() ?? 'redis-server';
  const port = await freePort();
  let server: ChildProcess | undefined;
  process.on('exit', () => server?.kill('SIGKILL'));
  return {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
      const child = spawn(program, flags, {
        cwd: tmpdir(),
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      server = child;
      for await (const line of createInterface({ input: child.stdout })) {
        if (line.includes('Ready to accept connections')) return;
      }
      throw new Error('Redis ended before it was ready');
    },
    async kill() {
      if (!server || server.exitCode !== null || server.signalCode !== null) return;
      server.kill('SIGKILL');
      await once(server, 'exit');
    },
    freeze: () => void server?.kill('SIGSTOP'),
    resume: () => void server?.kill('SIGCONT'),
  };
}
