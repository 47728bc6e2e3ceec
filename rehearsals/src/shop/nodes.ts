import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Environment, killOnExit, runProgram, stopProgram } from '@svc/bench/processes';
import { type Chance, freePort } from '@svc/testkit';
import { PLATFORM_SECRET } from './stripe-events.ts';

const START_MS = 180_000;
const NO_LIMIT = 100_000_000;
const KEPT_LINES = 500;

/** A program that nodes can be started from. */
export type Build = { name: string; program: string };

export type Node = {
  /** That of its build. */
  name: string;
  url: string;
  child: ChildProcess;
  log: string[];
  pending: number;
  /** How many requests it carried out. */
  acknowledged: number;
  /** Starts its process again, after the former one has ended. */
  respawn(): void;
};
export type StartedNode = { node: Node; readyMs: number; failedStarts: string[] };

/** What every node of a test needs: a secret, a signing secret for processor events, and limits that nothing reaches. */
export const SETTINGS: Environment = {
  SVC_SECRET: 'a secret for test runs, long enough to pass',
  SVC_BASE_URL: 'http://127.0.0.1:1',
  SVC_STRIPE_WEBHOOK_SECRET: PLATFORM_SECRET,
  SVC_RATE_LIMITS: ['click', 'lead', 'sale', 'webhook'].map((bucket) => `${bucket}=${NO_LIMIT}`).join(','),
};

/** The nodes that requests are sent to. */
export class Nodes {
  readonly #serving: Node[] = [];

  add(node: Node): void {
    this.#serving.push(node);
  }

  pick(chance: Chance): Node {
    return chance.pick(this.#serving);
  }

  /** Takes the nodes of a build out of service, waits for their open requests, and stops them. */
  async retire(name: string): Promise<void> {
    const retired = this.#serving.filter((node) => node.name === name);
    for (const node of retired) this.#serving.splice(this.#serving.indexOf(node), 1);
    while (retired.some(({ pending }) => pending > 0)) await sleep(10);
    await Promise.all(retired.map(({ child }) => stopProgram(child)));
  }

  async stopAll(): Promise<void> {
    await Promise.all(this.#serving.map(({ child }) => stopProgram(child)));
  }
}

/** Starts a node and waits until it is ready. A start that fails is repeated twice, and reported. */
export async function startNode(build: Build, env: Environment): Promise<StartedNode> {
  const from = performance.now();
  const failedStarts: string[] = [];
  for (;;) {
    const node = spawnNode(build, env, await freePort());
    const problem = await untilReady(node);
    if (problem === null) return { node, readyMs: performance.now() - from, failedStarts };
    node.child.kill('SIGKILL');
    failedStarts.push(problem);
    if (failedStarts.length === 3) throw new Error(`A node of ${build.name} did not start: ${problem}`);
  }
}

/** Runs an operator command of a build. */
export async function operate<Result>(build: Build, env: Environment, ...args: string[]): Promise<Result> {
  return JSON.parse(await runProgram([build.program, ...args, '--json'], env)) as Result;
}

function spawnNode(build: Build, env: Environment, port: number): Node {
  const log: string[] = [];
  const node = {
    name: build.name,
    url: `http://127.0.0.1:${port}`,
    child: spawnProgram(build, { ...env, PORT: String(port) }, log),
    log,
    pending: 0,
    acknowledged: 0,
    respawn() {
      node.child = spawnProgram(build, { ...env, PORT: String(port) }, log);
    },
  };
  return node;
}

function spawnProgram({ program }: Build, env: Environment, log: string[]): ChildProcess {
  const child = killOnExit(
    spawn(process.execPath, [program, 'serve'], {
      cwd: tmpdir(),
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      log.push(...String(chunk).split('\n').filter(Boolean));
      log.splice(0, Math.max(log.length - KEPT_LINES, 0));
    });
  }
  return child;
}

/** Null once the node is ready, otherwise why it is not. */
async function untilReady({ url, child, log }: Node): Promise<string | null> {
  const deadline = performance.now() + START_MS;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) {
      await Promise.race([once(child, 'close'), sleep(1_000)]);
      return log.slice(-3).join(' ') || `exited with ${child.exitCode}`;
    }
    const isReady = await fetch(`${url}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isReady) return null;
    await sleep(50);
  }
  return 'not ready within three minutes';
}
