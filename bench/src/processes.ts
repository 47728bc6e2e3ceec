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

/** Starts a Node program with only the given environment. It is killed when this process exits. */
export function startProgram(args: string[], env: Environment): ChildProcess {
  const child = spawn(process.execPath, args, { env: withPath(env), stdio: ['ignore', 'ignore', 'pipe'] });
  let lastOutput = '';
  child.stderr?.on('data', (chunk) => {
    lastOutput = `${lastOutput}${chunk}`.slice(-2_000);
  });
  child.on('exit', (code) => {
    if (code) process.stderr.write(`${args.join(' ')} exited with ${code}:\n${lastOutput}\n`);
  });
  return killOnExit(child);
}

/** Starts a module of the benchmark that communicates over the process channel. */
export function startWorker(module: URL): ChildProcess {
  return killOnExit(fork(module, { env: withPath({}) }));
}

/** Runs a Node program and returns its output. */
export async function runProgram(args: string[], env: Environment): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: withPath(env), timeout: 60_000 });
  return stdout;
}

/** Stops the program and waits for it to exit; kills it if it does not. */
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

/** Waits until the URL returns 200. */
export async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`The program for ${url} exited with ${child.exitCode}`);
    const ok = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ok) return;
    await sleep(100);
  }
  throw new Error(`${url} did not respond within 30 seconds`);
}

/** Kills the program when this process exits. */
export function killOnExit<Child extends ChildProcess>(child: Child): Child {
  running.add(child);
  child.on('exit', () => running.delete(child));
  return child;
}

function withPath(env: Environment): Environment {
  return { PATH: process.env.PATH ?? '', ...env };
}
