import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { inject } from 'vitest';
import { Command, cleanEnv, endedWith, listen, opened, type RunOptions, type Started } from './command.ts';

/** The real command in a process of its own, as it was bundled for this test run. */
class Binary extends Command {
  readonly path = inject('commandPath');

  override start(args: string[], options: RunOptions = {}): Started & { child: ChildProcess } {
    const { cwd = this.root, home = this.root, env = {} } = options;
    const child = spawn(process.execPath, [this.path, ...args], { cwd, env: cleanEnv(home, env), stdio: 'pipe' });
    child.stdin.end();
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const ended = once(child, 'close').then(([code]) => endedWith(code, stdout, stderr));
    return { child, says: listen(() => stderr, ended), ended };
  }
}

export const useBinary = () => opened(new Binary());
