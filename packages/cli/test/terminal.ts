import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { AS_LONG_AS_A_TEST_MS } from '@svc/testkit';

/** Programs that can run a shell command in a pseudo-terminal, if installed. */
const RUNNERS: { program: string; check: string[]; args: (command: string) => string[] }[] = [
  { program: 'script', check: ['--version'], args: (command) => ['-qefc', command, '/dev/null'] },
  {
    program: 'python3',
    check: ['-c', 'import pty'],
    args: (command) => [
      '-c',
      'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(["sh", "-c", sys.argv[1]])))',
      command,
    ],
  },
];

const runner = RUNNERS.find(({ program, check }) => spawnSync(program, check, { stdio: 'ignore' }).status === 0);

/** Why no pseudo-terminal is available, or undefined if one is. */
export const noTerminal = runner
  ? undefined
  : 'neither util-linux script nor python3 with its pty module is on the PATH';

export type Terminal = {
  /** Waits until the screen shows this, after the previous match. */
  sees: (what: RegExp) => Promise<RegExpExecArray>;
  type: (keys: string) => void;
  ended: Promise<{ code: number | null; text: string }>;
};

export const ENTER = '\r';
export const DOWN = '\x1b[B';
export const CTRL_C = '\x03';

const POLL_MS = 50;

/** Runs a program in a terminal of 100 columns. */
export function openTerminal(argv: string[], { cwd, env }: { cwd: string; env: Record<string, string> }): Terminal {
  if (!runner) throw new Error(noTerminal);
  const words = argv.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  const child = spawn(runner.program, runner.args(`stty cols 100 rows 40; exec ${words}`), {
    cwd,
    env: { TERM: 'xterm', LANG: 'C.UTF-8', SHELL: '/bin/sh', ...env },
    stdio: 'pipe',
  });
  let text = '';
  let seen = 0;
  child.stdout.on('data', (chunk) => {
    text = stripVTControlCharacters(text + chunk);
  });
  const ended = once(child, 'close').then(([code]) => ({ code, text }));

  async function sees(what: RegExp): Promise<RegExpExecArray> {
    const deadline = performance.now() + AS_LONG_AS_A_TEST_MS;
    for (;;) {
      const match = what.exec(text.slice(seen));
      if (match) {
        seen += match.index + match[0].length;
        return match;
      }
      if (child.exitCode !== null || performance.now() > deadline) throw new Error(`Did not see ${what} in:\n${text}`);
      await sleep(POLL_MS);
    }
  }
  return { sees, type: (keys) => void child.stdin.write(keys), ended };
}
