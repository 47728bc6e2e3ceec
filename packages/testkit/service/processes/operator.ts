import { readConfig } from '../../../server/src/config.ts';
import type { OperatorCommand } from '../../../server/src/operator/command.ts';
import { operatorCommands } from '../../../server/src/operator/commands.ts';
import type { ControlReply } from '../../../server/src/operator/control-socket.ts';
import { runCommand } from '../../../server/src/operator/run-command.ts';
import { runOnInstallation } from '../../../server/src/operator/run-on-installation.ts';
import { loadDataSecrets } from '../../../server/src/secret.ts';
import type { TestService } from '../service.ts';

/** Runs an operator command on the service's store, like the command line with these arguments. */
export function runOperator({ ctx }: TestService, name: string, ...args: string[]): Promise<ControlReply> {
  const options = parseOptions(findCommand(name)?.options ?? [], args);
  return runCommand({ ...ctx, withSecrets: async () => ctx }, 'https://track.test', { command: name, options });
}

/** Runs an operator command on an installation, like a process with this environment and these arguments. */
export function runOnStoreOf(env: Record<string, string>, name: string, ...args: string[]): Promise<ControlReply> {
  const command = findCommand(name);
  if (!command) throw new Error(`There is no command "${name}"`);
  const options = parseOptions(command.options, args);
  const config = readConfig(env);
  const installation = { mail: async () => undefined, secrets: () => loadDataSecrets(config) };
  return runOnInstallation(config, command, options, () => {}, installation);
}

const findCommand = (name: string) => operatorCommands.find((each) => each.name === name);

function parseOptions(declared: OperatorCommand['options'], args: string[]): Record<string, string | undefined> {
  const options: Record<string, string | undefined> = {};
  for (const { flags, default: value } of declared) options[optionName(flags)] = value;
  for (let index = 0; index < args.length; index += 2) options[optionName(args[index] ?? '')] = args[index + 1];
  return options;
}

/** The name under which a command gets an option: `commissionType` for `--commission-type <type>`. */
function optionName(flag: string): string {
  const [word = ''] = flag.replace(/^--/, '').split(' ');
  return word.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
