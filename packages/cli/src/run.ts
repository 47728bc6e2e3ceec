import { CommanderError } from 'commander';
import { asFailure, type Failure, wrongUsage } from './failure.ts';
import { createOutput } from './output.ts';
import { createProgram } from './program.ts';
import { createPrompts } from './prompts.ts';
import { type Flags, openSession } from './session.ts';

export type World = {
  argv: string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  stdin: { isTTY?: boolean };
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream & { isTTY?: boolean };
  version: string;
  bornAt: string | undefined;
  /** The text of the instructions, before the values of a program are filled in. */
  template: string;
};

/** Runs one command and returns the exit code; whatever goes wrong on the way ends here. */
export async function run(world: World): Promise<number> {
  const { env, stdin, stdout, stderr } = world;
  // Known before the flags are parsed, because parsing itself can fail.
  const json = world.argv.includes('--json');
  const quiet = world.argv.some((word) => word === '--quiet' || word === '-q');
  const attended = !world.argv.includes('--no-interactive') && !env.CI;
  const interactive = attended && !json && stdin.isTTY === true && stderr.isTTY === true;
  const out = createOutput({ json, quiet, interactive, stdout, stderr });
  const ask = createPrompts(interactive, stderr);
  let exitCode = 0;

  const program = createProgram(world.version, world.template, async (command, runCommand) => {
    const flags = command.optsWithGlobals<Flags>();
    const { cwd, bornAt, version } = world;
    const session = await openSession({ flags, env, cwd, bornAt, version, out, ask, attended });
    // A command that has a verdict returns it; the others end well unless they throw.
    const verdict = await runCommand(session);
    if (typeof verdict === 'number') exitCode = verdict;
  });
  try {
    await program.parseAsync(world.argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    const failure = error instanceof CommanderError ? usageFailure(error) : asFailure(error);
    return failure ? out.fail(failure) : 0;
  }
}

/** What was wrong with the command line; nothing where help or the version was asked for. */
function usageFailure({ exitCode, code, message }: CommanderError): Failure | null {
  if (exitCode === 0) return null;
  if (code === 'commander.help') return wrongUsage('Give a command.');
  return wrongUsage(message.replace(/^error: /, ''), 'Run `svc --help` to see what there is.');
}
