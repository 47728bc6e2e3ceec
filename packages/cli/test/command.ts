import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import { run } from '../src/run.ts';

const POLL_MS = 20;
const TEMPLATE = new URL('../src/instructions/AGENTS.md.template', import.meta.url);
const PACKAGE = new URL('../package.json', import.meta.url);

export type Ended = {
  code: number | null;
  stdout: string;
  stderr: string;
  /** stdout parsed as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read outputs of many shapes
  json: any;
};

export type Started = {
  /** Resolves with the match as soon as stderr contains one. */
  says: (what: RegExp) => Promise<RegExpExecArray>;
  ended: Promise<Ended>;
};

export type RunOptions = { cwd?: string; home?: string; env?: Record<string, string> };

/** Runs the command from its sources in the process of the test. What only a process has is for `Binary`. */
export class Command {
  root = '';

  async open(): Promise<void> {
    this.root = await mkdtemp(join(tmpdir(), 'svc-cli-'));
  }

  close = () => rm(this.root, { recursive: true, force: true });

  /** A new empty folder. */
  folder(name = 'project'): Promise<string> {
    return mkdtemp(join(this.root, `${name}-`));
  }

  start(args: string[], { cwd = this.root, home = this.root, env = {} }: RunOptions = {}): Started {
    const stdout = new Recorded();
    const stderr = new Recorded();
    const stdin = new PassThrough().end();
    const untilInterrupted = () => new AbortController().signal;
    const given = { script: 'svc', env: cleanEnv(home, env), cwd, home, downloadedFrom: undefined };
    const surroundings = { ...given, untilInterrupted };
    const code = bundled().then((text) => run({ argv: args, ...surroundings, ...text, stdin, stdout, stderr }));
    const ended = code.then((exitCode) => endedWith(exitCode, stdout.text, stderr.text));
    return { says: listen(() => stderr.text, ended), ended };
  }

  run(args: string[], options: RunOptions = {}): Promise<Ended> {
    return this.start(args, options).ended;
  }
}

/** Output that is not a terminal. */
class Recorded extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk;
    done();
  }
}

/** What the build puts into the package beside the code. */
async function bundled(): Promise<{ template: string; version: string }> {
  const template = await readFile(TEMPLATE, 'utf8');
  return { template, version: JSON.parse(await readFile(PACKAGE, 'utf8')).version };
}

export function endedWith(code: number | null, stdout: string, stderr: string): Ended {
  return { code, stdout, stderr, json: parsed(stdout) };
}

/** Waits for what a command prints on stderr, until it has ended. */
export function listen(stderr: () => string, ended: Promise<Ended>): Started['says'] {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  ended.then(end, end);
  return async (what) => {
    for (;;) {
      const match = what.exec(stderr());
      if (match) return match;
      if (isOver) {
        const { stdout, stderr: said } = await ended;
        throw new Error(`The command exited without printing ${what}:\n${stdout}\n${said}`);
      }
      await sleep(POLL_MS);
    }
  };
}

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

/** Opens a command for the tests of a file; the folders it worked in are removed afterwards. */
export function opened<Kind extends Command>(command: Kind): Kind {
  beforeAll(() => command.open());
  afterAll(() => command.close());
  return command;
}

export const useCommand = () => opened(new Command());

/** A new, empty home folder. */
export const newHome = (command: Command) => command.folder('home');
