import { type ChildProcess, execFile, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const STOP_MS = 20_000;

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export type Environment = Record<string, string>;

/** Starts a Node program; it sees the given environment only, and ends with this process at the latest. */
export function startProgram(args: string[], env: Environment): ChildProcess {
  const child = spawn(process.execPath, args, { env: withPath(env), stdio: ['ignore', 'ignore', 'pipe'] });
  let lastWords = '';
  child.stderr?.on('data', (chunk) => {
    lastWords = `${lastWords}${chunk}`.slice(-2_000);
  });
  child.on('exit', (code) => {
    if (code) process.stderr.write(`${args.join(' ')} ended with ${code}:\n${lastWords}\n`);
  });
  return keep(child);
}

/** Starts a module of the benchmark that talks over the process channel. */
export function startWorker(module: URL): ChildProcess {
  return keep(fork(module, { env: withPath({}) }));
}

/** Runs a Node program to its end and gives what it printed. */
export async function runProgram(args: string[], env: Environment): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: withPath(env), timeout: 60_000 });
  return stdout;
}

/** Asks the program to stop and waits until it has; one that does not is killed. */
export async function stopProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const deadline = new AbortController();
  await Promise.race([ended, sleep(STOP_MS, undefined, { signal: deadline.signal }).catch(() => undefined)]);
  deadline.abort();
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await ended;
}

/** Waits until the address answers 200. */
export async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`The program for ${url} ended with ${child.exitCode}`);
    const ok = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ok) return;
    await sleep(100);
  }
  throw new Error(`Nothing answered at ${url} within 30 seconds`);
}

function keep(child: ChildProcess): ChildProcess {
  running.add(child);
  child.on('exit', () => running.delete(child));
  return child;
}

function withPath(env: Environment): Environment {
  return { PATH: process.env.PATH ?? '', ...env };
}
