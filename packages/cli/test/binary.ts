import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, inject } from 'vitest';

const POLL_MS = 50;

export type Ended = {
  code: number | null;
  stdout: string;
  stderr: string;
  /** stdout parsed as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read outputs of many shapes
  json: any;
};

export type Started = {
  child: ChildProcess;
  /** Resolves with the match as soon as stderr contains one. */
  says: (what: RegExp) => Promise<RegExpExecArray>;
  ended: Promise<Ended>;
};

/** The real command, as it was bundled for this test run, with its own home and project folders. */
export class Binary {
  root = '';
  readonly path = inject('commandPath');

  async open(): Promise<void> {
    this.root = await mkdtemp(join(tmpdir(), 'svc-cli-'));
  }

  close = () => rm(this.root, { recursive: true, force: true });

  /** A new empty folder. */
  folder(name = 'project'): Promise<string> {
    return mkdtemp(join(this.root, `${name}-`));
  }

  start(args: string[], { cwd = this.root, home = this.root, env = {} }: RunOptions = {}): Started {
    const child = spawn(process.execPath, [this.path, ...args], { cwd, env: cleanEnv(home, env), stdio: 'pipe' });
    child.stdin?.end();
    let stdout = '';
    let stderr = '';
    child.stdout?.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      stderr += chunk;
    });
    const ended = once(child, 'close').then(([code]) => ({ code, stdout, stderr, json: parsed(stdout) }));
    const says = async (what: RegExp) => {
      for (;;) {
        const match = what.exec(stderr);
        if (match) return match;
        if (child.exitCode !== null)
          throw new Error(`The command exited without printing ${what}:\n${stdout}\n${stderr}`);
        await sleep(POLL_MS);
      }
    };
    return { child, says, ended };
  }

  run(args: string[], options: RunOptions = {}): Promise<Ended> {
    return this.start(args, options).ended;
  }
}

export type RunOptions = { cwd?: string; home?: string; env?: Record<string, string> };

/** An environment that hides the settings of the person running the tests. */
export function cleanEnv(home: string, env: Record<string, string>): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: home, ...env };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The command for the tests of a file; the folders it worked in are removed afterwards. */
export function useBinary(): Binary {
  const binary = new Binary();
  beforeAll(() => binary.open());
  afterAll(() => binary.close());
  return binary;
}

/** A new, empty home folder. */
export async function newHome(binary: Binary): Promise<string> {
  const home = await binary.folder('home');
  await mkdir(home, { recursive: true });
  return home;
}
