import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AS_LONG_AS_A_TEST_MS, freePort } from '../../src/index.ts';

const MAIN = fileURLToPath(new URL('../../../server/dist/bin/svc-server.js', import.meta.url));

export const SECRET = 'a secret for tests, long enough to pass';

const running = new Set<Program>();
const folders: string[] = [];

/** Cleans up what the tests of a file left behind, especially those that failed. */
export async function cleanUp(): Promise<void> {
  for (const program of running) await program.end('SIGKILL');
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
}

/** A folder for the tests of a file, removed after them. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-test-'));
  folders.push(folder);
  return folder;
}

type Env = Record<string, string>;
type Ended = { code: number | null; stdout: string; stderr: string };

/** These processes live for seconds. V8 would spend a quarter of that time optimizing code that then hardly runs. */
const SHORT_LIVED = ['--no-opt', '--liftoff-only'];

/** The real program, with only the given environment. */
export class Program {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';
  private readonly ended: Promise<Ended>;

  constructor(args: string[], env: Env) {
    this.child = spawn(process.execPath, [...SHORT_LIVED, MAIN, ...args], {
      cwd: tmpdir(),
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(this);
    this.child.stdout?.on('data', (chunk) => {
      this.stdout += chunk;
    });
    this.child.stderr?.on('data', (chunk) => {
      this.stderr += chunk;
    });
    this.ended = once(this.child, 'close').then(([code]) => {
      running.delete(this);
      return { code, stdout: this.stdout, stderr: this.stderr };
    });
  }

  /** Resolves once the text has been printed; throws when the program ends without it. */
  async untilPrinted(text: string): Promise<void> {
    const isThere = () => this.stdout.includes(text) || this.stderr.includes(text);
    while (!isThere()) {
      const printed = [this.child.stdout, this.child.stderr].map((stream) => once(stream ?? this.child, 'data'));
      const end = await Promise.race([...printed, this.ended]);
      if (!Array.isArray(end) && !isThere()) throw new Error(`Ended with ${end.code}:\n${this.stdout}${this.stderr}`);
    }
  }

  /** How the program ended. A program that does not end by itself is killed after a while and has no exit code. */
  async untilEnded(withinMs = AS_LONG_AS_A_TEST_MS): Promise<Ended> {
    const timer = setTimeout(() => this.child.kill('SIGKILL'), withinMs);
    return this.ended.finally(() => clearTimeout(timer));
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    this.child.kill(signal);
    return this.ended;
  }
}

export type RunningService = Program & { url: string; env: Env };

/** Starts the service, on a free port unless one is given, and waits until it prints its address. */
export async function startService(env: Env): Promise<RunningService> {
  const port = env.PORT ?? String(await freePort());
  const settings = { ...env, PORT: port };
  const program = new Program(['serve'], settings);
  await program.untilPrinted('\n  Open ');
  return Object.assign(program, { url: `http://127.0.0.1:${port}`, env: settings });
}

/** Runs an operator command until it ends. */
export function operator(env: Env, ...args: string[]): Promise<Ended> {
  return new Program(args, env).untilEnded();
}

/** Sends JSON and returns the status, headers and parsed body. */
export async function post(url: string, body: unknown, key?: string) {
  const headers: Env = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whole bodies of many shapes
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}
