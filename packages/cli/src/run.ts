import { CommanderError } from 'commander';
import { createCommandLine } from './command-line.ts';
import { asFailure, type Failure, wrongUsage } from './failure.ts';
import { invocationOf } from './invocation.ts';
import { createOutput, type Screen } from './output.ts';
import { createPrompts, type Input } from './prompts.ts';
import { type Flags, openSession } from './session.ts';

export type Runtime = {
  argv: string[];
  /** The file that Node runs, as the caller named it. */
  script: string;
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** The user's home folder. */
  home: string;
  stdin: Input;
  stdout: Screen;
  stderr: Screen;
  version: string;
  downloadedFrom: string | undefined;
  /** The instruction text, before a program's values are filled in. */
  template: string;
  /** See `Session`. */
  untilInterrupted: () => AbortSignal;
};

/** Runs one command and returns the exit code. Every error ends here. */
export async function run(runtime: Runtime): Promise<number> {
  const { env, home, stdin, stdout, stderr, version, template } = runtime;
  // Known before the flags are parsed, because parsing itself can fail.
  const json = runtime.argv.includes('--json');
  const quiet = runtime.argv.some((word) => word === '--quiet' || word === '-q');
  const attended = !runtime.argv.includes('--no-interactive') && !env.CI;
  const interactive = attended && !json && stdin.isTTY === true && stderr.isTTY === true;
  const invocation = invocationOf(runtime.script, env, runtime.downloadedFrom);
  const out = createOutput({ json, quiet, interactive, invocation, stdout, stderr });
  const prompts = createPrompts(interactive, stdin, stderr);
  let exitCode = 0;

  const commandLine = createCommandLine({ version, template, stdout, stderr }, async (command, runCommand) => {
    const flags = command.optsWithGlobals<Flags>();
    const { cwd, downloadedFrom, untilInterrupted } = runtime;
    const found = { flags, env, cwd, home, downloadedFrom, version };
    const session = await openSession({ ...found, out, prompts, attended, stdin, stdout, untilInterrupted });
    // Some commands return an exit code; the others succeed unless they throw.
    const result = await runCommand(session);
    if (typeof result === 'number') exitCode = result;
  });
  try {
    await commandLine.parseAsync(runtime.argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    const failure = error instanceof CommanderError ? usageFailure(error) : asFailure(error);
    return failure ? out.fail(failure) : 0;
  }
}

/** The failure for a wrong command line; null when help or the version was requested. */
function usageFailure({ exitCode, code, message }: CommanderError): Failure | null {
  if (exitCode === 0) return null;
  if (code === 'commander.help') return wrongUsage('No command given.');
  return wrongUsage(message.replace(/^error: /, ''), 'Run `svc --help` for commands and options.');
}
