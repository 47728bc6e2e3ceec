import { operatorCommands } from '../src/operator/commands.ts';
import type { ControlReply } from '../src/operator/control-socket.ts';
import { runCommand } from '../src/operator/run-command.ts';
import type { TestService } from './service.ts';

/** Runs an operator command on the service's store, like the command line with these arguments. */
export function runOperator({ ctx }: TestService, name: string, ...args: string[]): Promise<ControlReply> {
  const declared = operatorCommands.find((command) => command.name === name)?.options ?? [];
  const options: Record<string, string | undefined> = {};
  for (const { flags, default: value } of declared) options[optionName(flags)] = value;
  for (let index = 0; index < args.length; index += 2) options[optionName(args[index] ?? '')] = args[index + 1];
  return runCommand({ ...ctx, withSecrets: async () => ctx }, 'https://track.test', { command: name, options });
}

/** The name under which a command gets an option: `commissionType` for `--commission-type <type>`. */
function optionName(flag: string): string {
  const [word = ''] = flag.replace(/^--/, '').split(' ');
  return word.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
