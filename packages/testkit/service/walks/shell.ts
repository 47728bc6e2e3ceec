import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A terminal in which commands are typed one after the other, so that variables stay. */
export class Shell {
  readonly #bash: ChildProcess;
  #output = '';
  #commands = 0;

  constructor(options: { cwd: string; env?: Record<string, string> }) {
    this.#bash = spawn('bash', ['--noprofile', '--norc'], {
      cwd: options.cwd,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...options.env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#bash.stdout?.on('data', (chunk) => {
      this.#output += chunk;
    });
    this.#bash.stdin?.write('exec 2>&1\nset -o pipefail\n');
  }

  /** Types a command, waits until it has ended, and returns what it printed. Throws if it failed. */
  async run(command: string): Promise<string> {
    this.#output = '';
    this.#commands += 1;
    this.#bash.stdin?.write(`${command}\nprintf '\\nended %s %s\\n' ${this.#commands} $?\n`);
    const end = new RegExp(`\\nended ${this.#commands} (\\d+)\\n$`);
    while (!end.test(this.#output)) await once(this.#bash.stdout ?? this.#bash, 'data');
    const printed = this.#output.replace(end, '');
    if (end.exec(this.#output)?.[1] !== '0') throw new Error(`$ ${command}\n${printed}`);
    return printed;
  }

  close(): void {
    this.#bash.kill('SIGKILL');
  }
}
